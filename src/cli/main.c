/* The program is a call of the library. */
#include "alea/player.h"

int main(int argc, char **argv) { return alea_main(argc, argv); }

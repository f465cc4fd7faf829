/* Turns on a device. */
#include "gpu/turn.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const struct timespec PAUSE = {.tv_nsec = 50000000}; /* between two looks */

void alea_gpu_turn_take(alea_gpu_turn *turn, uint32_t number, const char *cache,
                        bool (*over)(void *context), void *context) {
  char path[4096];
  turn->file = -1;
  if (cache == NULL) return;
  int length = snprintf(path, sizeof path, "%s/device-%u.lock", cache, number);
  if (length <= 0 || (size_t)length >= sizeof path) return;
  turn->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  while (turn->file >= 0 && flock(turn->file, LOCK_EX | LOCK_NB) != 0) {
    if (over(context)) alea_gpu_turn_end(turn);
    (void)nanosleep(&PAUSE, NULL);
  }
}

void alea_gpu_turn_end(alea_gpu_turn *turn) {
  if (turn->file >= 0) (void)close(turn->file);
  turn->file = -1;
}

#ifndef ALEA_CLI_PERSON_H
#define ALEA_CLI_PERSON_H

/* A person at this terminal as a guest of a match: the player `human`. */

#include "cli/artist.h"
#include "match/guest.h"

typedef struct alea_cli_people {
  alea_cli_session *session; /* its output is used */
  alea_cli_artist *artist;
  atomic_bool *stop; /* raised when the input ends or the person quits */
} alea_cli_people;

/* An alea_guest_opener for the text `human`; its context is an
 * alea_cli_people. */
alea_guest_opener alea_cli_person_open;

#endif

#ifndef ALEA_MATCH_GUEST_H
#define ALEA_MATCH_GUEST_H

/* Guests: players that are not in this process, or not programs at all.
 *
 * The runner sends to all of them, lets its own players think meanwhile, and
 * then collects the answers.  What a guest is (HTTP, a person) is known to
 * those who make it; the runner sees this table alone.
 *
 * The order of calls is: start, answer, (play, answer)*, then stop or abort,
 * answer, free.  All come from the thread of the match. */

#include "match/open.h"

typedef struct alea_guest alea_guest;

/* What a guest is made of.  Everything is borrowed and outlives it. */
typedef struct alea_guest_setup {
  const alea_opened *opened;
  uint32_t role;
  const char *match; /* id of the match, a GDL name */
  double start, time, grace;
  uint64_t seed;
  alea_mem *mem; /* of this guest alone */
} alea_guest_setup;

/* A step was made; 'cursor' is where it led to.  Guests tell the other side
 * its percepts where the game has `sees`, else the joint move. */
typedef struct alea_guest_news {
  alea_cursor *cursor;
  const alea_move *joint; /* NULL before the first step */
} alea_guest_news;

typedef enum alea_guest_answer_kind {
  ALEA_GUEST_TEXT, /* something came in time, perhaps nothing sensible */
  ALEA_GUEST_LATE,
  ALEA_GUEST_LOST, /* no connection, or it broke */
} alea_guest_answer_kind;

typedef struct alea_guest_answer {
  alea_guest_answer_kind kind;
  double seconds; /* it took */
} alea_guest_answer;

typedef struct alea_guest_class {
  bool human;
  /* These begin a request and do not wait. */
  void (*start)(alea_guest *guest, const alea_guest_news *news);
  void (*play)(alea_guest *guest, const alea_guest_news *news);
  void (*stop)(alea_guest *guest, const alea_guest_news *news);
  void (*abort)(alea_guest *guest);
  /* Waits for the end of the request; 'text' gets a move, a term in the words
   * of the game, or nothing where there was none. */
  alea_guest_answer (*answer)(alea_guest *guest, alea_text *text);
  void (*free)(alea_guest *guest);
} alea_guest_class;

/* Embedded as the first member. */
struct alea_guest {
  const alea_guest_class *class;
  alea_guest_setup setup;
};

/* Makes the guest that 'text' names, or leaves '*guest' NULL where the text
 * names none and a player of our own is meant.  ALEA_USAGE: a sentence in
 * 'message'. */
typedef alea_status alea_guest_opener(void *context, const char *text,
                                      const alea_guest_setup *setup, alea_guest **guest,
                                      alea_text *message);

#endif

#ifndef ALEA_NET_GGP_H
#define ALEA_NET_GGP_H

/* The messages of the GGP protocol, read and written.
 *
 * Two managers are about: ggp-base, and Dresden's, which sends everything in
 * upper case.  Games in which players learn by percepts come in two forms as
 * well: `(PLAY id turn move percepts)`, and Dresden's older one with the
 * percepts alone, which only the rules can tell from a joint move. */

#include "base/choice.h"
#include "base/status.h"
#include "base/text.h"
#include "net/slices.h"

typedef enum alea_ggp_kind {
  ALEA_GGP_INFO,
  ALEA_GGP_PING,
  ALEA_GGP_START,
  ALEA_GGP_PLAY,
  ALEA_GGP_STOP,
  ALEA_GGP_ABORT,
  ALEA_GGP_PREVIEW,
} alea_ggp_kind;

/* A message; the slices borrow from its text and are empty where the message
 * has nothing of the kind. */
typedef struct alea_ggp_message {
  alea_ggp_kind kind;
  alea_slice id, role;
  alea_slice rules; /* without the parentheses around all of them */
  double start_clock, play_clock;
  bool has_turn;   /* the form with turn and own move */
  double turn;     /* a whole number */
  alea_slice own;  /* the move really made; empty for NIL */
  alea_slice news; /* joint move or percepts, without parentheses */
  bool has_news;   /* false: NIL */
} alea_ggp_message;

/* Reads one message.  ALEA_INPUT: '*why' is a sentence that says what is wrong
 * with it. */
alea_status alea_ggp_read(alea_ggp_message *message, const char *text, size_t length,
                          const char **why);

/* What the rules of a START say about percepts. */
typedef struct alea_ggp_percepts {
  bool sees;       /* some rule is about `sees` */
  bool all;        /* one rule alone: every player is told every move */
  alea_slice rule; /* that one, */
  alea_slice word; /* and the word in it (`did`) */
} alea_ggp_percepts;

/* A game without percepts, sent to players that expect some, carries the rule
 * `(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))`; this finds it, whatever
 * the words. */
alea_ggp_percepts alea_ggp_look(alea_slice rules);

/* ---- writing ---- */

/* clang-format off */
#define ALEA_GGP_DIALECTS(word)                                                  \
  word(ALEA_GGP_BASE, "ggp-base")   /* percepts in the form with the turn */       \
  word(ALEA_GGP_DRESDEN, "dresden") /* upper case; percepts alone */               \
  word(ALEA_GGP_GDL2, "gdl-ii")     /* always percepts, in the form with the turn */
/* clang-format on */
typedef enum alea_ggp_dialect { ALEA_GGP_DIALECTS(ALEA_CHOICE_CONSTANT) } alea_ggp_dialect;

void alea_ggp_put_info(alea_text *out);
void alea_ggp_put_start(alea_text *out, const char *id, const char *role, const char *rules,
                        unsigned start_clock, unsigned play_clock);
/* 'verb' is PLAY or STOP; 'moves' are terms separated by a space, "" for NIL. */
void alea_ggp_put_moves(alea_text *out, const char *verb, const char *id, const char *moves);
/* The form with the turn; 'own' is a move or "". */
void alea_ggp_put_turn(alea_text *out, const char *verb, const char *id, uint32_t turn,
                       const char *own, const char *percepts);
void alea_ggp_put_abort(alea_text *out, const char *id);
/* Upper case, as Dresden has it. */
void alea_ggp_raise(alea_text *message);

#endif

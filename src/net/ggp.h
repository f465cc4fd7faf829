#ifndef ALEA_NET_GGP_H
#define ALEA_NET_GGP_H

/* Messages of the GGP protocol: reading and writing.
 *
 * Two kinds of managers are in use: ggp-base, and the one of Dresden, which
 * sends everything in upper case.  Games with percepts have two message forms
 * as well: `(PLAY id turn move percepts)`, and the older form of Dresden with
 * the percepts alone, which has the shape of a joint move; ggp-base sends joint
 * moves in these games, too (net/follower.h tells them apart). */

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

/* A message.  The slices borrow from its text; those that the message does not
 * have are empty. */
typedef struct alea_ggp_message {
  alea_ggp_kind kind;
  alea_slice id, role;
  alea_slice rules; /* without the enclosing parentheses */
  double start_clock, play_clock;
  bool has_turn;     /* the form with turn and own move */
  double turn;       /* a whole number */
  alea_slice own;    /* the move that was made; empty for NIL */
  alea_slice events; /* joint move or percepts, without parentheses */
  bool has_events;   /* false: NIL */
} alea_ggp_message;

/* Reads one message.  On ALEA_INPUT '*why' is a sentence that says what is
 * wrong with it. */
alea_status alea_ggp_read(alea_ggp_message *message, const char *text, size_t length,
                          const char **why);

/* An answer to INFO: `( ( name X ) ( status available ) )`, or the status
 * alone. */
typedef struct alea_ggp_info {
  alea_slice name; /* empty: not told */
  bool busy;       /* any status but `available` and `ready` */
} alea_ggp_info;
alea_ggp_info alea_ggp_read_info(const char *text, size_t length);

/* What the rules of a START say about percepts. */
typedef struct alea_ggp_percepts {
  bool sees;       /* some rule defines `sees` */
  bool all;        /* the only such rule shows every move to every player */
  alea_slice rule; /* that rule */
  alea_slice word; /* the function in it (`did`) */
} alea_ggp_percepts;

/* A game without percepts that is sent to players which expect some carries the
 * rule `(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))`.  Finds that rule,
 * whatever its names are. */
alea_ggp_percepts alea_ggp_look(alea_slice rules);

/* ---- writing ---- */

/* clang-format off */
#define ALEA_GGP_DIALECTS(word)                                                  \
  word(ALEA_GGP_AUTO, "auto")       /* joint moves; with `sees` as gdl-ii */       \
  word(ALEA_GGP_BASE, "ggp-base")   /* joint moves in every game */                \
  word(ALEA_GGP_DRESDEN, "dresden") /* upper case; percepts alone */               \
  word(ALEA_GGP_GDL2, "gdl-ii")     /* always percepts, in the form with the turn */
/* clang-format on */
typedef enum alea_ggp_dialect { ALEA_GGP_DIALECTS(ALEA_CHOICE_CONSTANT) } alea_ggp_dialect;

/* The rules of a START as an engine plays them.  The rule that shows every move to everybody
 * is left out: the joint moves carry the same information, and without percepts the game is
 * easier to play.  With 'blind' nobody is ever told a thing. */
void alea_ggp_put_rules(alea_text *out, alea_slice rules, const alea_ggp_percepts *percepts,
                        bool blind);
void alea_ggp_put_info(alea_text *out);
void alea_ggp_put_preview(alea_text *out, const char *rules, unsigned clock);
void alea_ggp_put_start(alea_text *out, const char *id, const char *role, const char *rules,
                        unsigned start_clock, unsigned play_clock);
/* 'verb' is PLAY or STOP; 'moves' are terms separated by a space, "" for NIL. */
void alea_ggp_put_moves(alea_text *out, const char *verb, const char *id, const char *moves);
/* The form with the turn; 'own' is a move or "". */
void alea_ggp_put_turn(alea_text *out, const char *verb, const char *id, uint32_t turn,
                       const char *own, const char *percepts);
void alea_ggp_put_abort(alea_text *out, const char *id);
/* Converts to upper case, for Dresden. */
void alea_ggp_raise(alea_text *message);

#endif

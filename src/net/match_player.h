#ifndef ALEA_NET_MATCH_PLAYER_H
#define ALEA_NET_MATCH_PLAYER_H

/* A match player plays one match for a remote game manager.
 *
 * It has two threads.  The *thinker* grounds the rules, makes the player that
 * was asked for and lets it think.  Grounding may take longer than the clocks
 * allow; therefore the *fallback* interprets the rules and knows a legal move
 * as soon as possible.  The answer to a PLAY is the thinker's move, or the
 * fallback's when the time is up.  Both threads read one list of turns, each at
 * its own pace, so a thinker that is late catches up.  With 'ponder' the
 * thinker ponders while it has nothing else to do, until a message comes.
 *
 * The moves that the manager reports are the moves that were played, whatever
 * was sent to it. */

#include "match/open.h"
#include "net/ggp.h"

typedef struct alea_match_player alea_match_player;

typedef struct alea_match_player_options {
  const char *player;     /* as for alea_player_new; borrowed */
  alea_open_options open; /* its texts are borrowed */
  double margin;          /* seconds by which an answer leaves early; < 0: derived from the clock */
  uint64_t sims; /* per move and before the first, in addition to the clock; 0 = no such limit */
  uint64_t seed;
  bool ponder; /* think while the other players do */
} alea_match_player_options;

/* The seconds by which an answer leaves before a clock of 'seconds' is over:
 * 'margin', or if that is negative 5 % but at least 0.5; never more than half
 * the clock. */
double alea_match_player_margin(double margin, double seconds);

/* Starts to play.  With 'blind' players observe nothing but their own moves,
 * although no rule defines `sees`.  NULL if out of memory. */
alea_match_player *alea_match_player_new(const alea_match_player_options *options,
                                         const alea_ggp_message *start, bool blind);
/* Waits until the player is ready or the start clock is nearly over.
 * ALEA_INPUT: the rules or the role are wrong; 'why' says in what way.  So it does
 * where the options of the player, or a file that they name, are. */
alea_status alea_match_player_ready(alea_match_player *player, alea_text *why);
/* Adds the turn that a PLAY reports and appends a move to 'reply' in time.
 * ALEA_NONE: the match ended meanwhile, or newer PLAYs came.  ALEA_INPUT: the
 * message does not fit the rules; 'reply' says why. */
alea_status alea_match_player_play(alea_match_player *player, const alea_ggp_message *message,
                                   alea_text *reply);
/* Ends the match: the calls above return soon, and the threads end.  Does not
 * wait. */
void alea_match_player_end(alea_match_player *player);
/* What its owner should know of the player and has not been told. */
typedef struct alea_match_player_news {
  const char *failed; /* why legal moves alone are sent from now on; NULL: they are not */
  bool stood_in;      /* the last move was not its own: it was late, or has failed */
} alea_match_player_news;
alea_match_player_news alea_match_player_tell(alea_match_player *player);
/* Whether the threads have ended, so that freeing does not wait. */
bool alea_match_player_ended(alea_match_player *player);
/* The calls above must have returned.  NULL is a no-op. */
void alea_match_player_free(alea_match_player *player);

/* Data of the START that began the match. */
const char *alea_match_player_id(const alea_match_player *player);
const alea_ggp_message *alea_match_player_start(const alea_match_player *player);
bool alea_match_player_sees(const alea_match_player *player); /* percepts instead of joint moves */
size_t alea_match_player_turns(alea_match_player *player);    /* PLAY messages so far */

#endif

#ifndef ALEA_NET_MATCH_PLAYER_H
#define ALEA_NET_MATCH_PLAYER_H

/* A player plays one match for a manager somewhere else.
 *
 * It has two threads.  The *thinker* grounds the rules, makes the player that
 * was asked for and lets it think.  Grounding may take longer than the clocks
 * allow, so the *fallback* interprets the rules at once and knows a legal move as
 * soon as there is one to be known.  Whoever waits for a move takes the
 * thinker's, or the fallback's when the time is up.  Both read what has happened
 * from one list of turns, each at its own pace: a thinker that is late catches
 * up.  Where it is asked to, it ponders whenever it has nothing to do, until
 * a message comes.
 *
 * What the manager says was played is what was played, whatever we sent. */

#include "match/open.h"
#include "net/ggp.h"

typedef struct alea_match_player alea_match_player;

typedef struct alea_match_player_options {
  const char *player;     /* as for alea_player_new; borrowed */
  alea_open_options open; /* its texts are borrowed */
  double margin;          /* seconds an answer leaves early; < 0: by the clock */
  uint64_t sims;          /* per move and before the first, besides the clock; 0 = no such limit */
  uint64_t seed;
  bool ponder; /* thinks while others do */
} alea_match_player_options;

/* The seconds by which an answer to a clock of 'seconds' leaves early: 0.5 or
 * 5 %, never more than half. */
double alea_match_player_margin(double margin, double seconds);

/* Begins to play.  With 'blind' the players of the game are told nothing but
 * their own moves, although no rule is about `sees`.  NULL without memory. */
alea_match_player *alea_match_player_new(const alea_match_player_options *options,
                                         const alea_ggp_message *start, bool blind);
/* Waits until the player is ready or the start clock is nearly over.
 * ALEA_INPUT: the rules or the role are wrong, 'why' says in what way. */
alea_status alea_match_player_ready(alea_match_player *player, alea_text *why);
/* Takes note of a PLAY and appends a move in time.  ALEA_NONE: the match ended
 * meanwhile, or a newer PLAY came.  ALEA_INPUT: the message does not fit the
 * rules, 'reply' says why. */
alea_status alea_match_player_play(alea_match_player *player, const alea_ggp_message *message,
                                   alea_text *reply);
/* Nothing more will be asked: the calls above return soon, the threads end.
 * Does not wait. */
void alea_match_player_end(alea_match_player *player);
/* Whether the threads have ended, so that freeing does not wait. */
bool alea_match_player_ended(alea_match_player *player);
/* The calls above must have returned.  NULL is a no-op. */
void alea_match_player_free(alea_match_player *player);

/* What the match began with. */
const char *alea_match_player_id(const alea_match_player *player);
const alea_ggp_message *alea_match_player_start(const alea_match_player *player);
bool alea_match_player_sees(const alea_match_player *player); /* percepts, not joint moves */
size_t alea_match_player_turns(alea_match_player *player);    /* PLAYs so far */

#endif

#ifndef ALEA_MATCH_KNOWLEDGE_H
#define ALEA_MATCH_KNOWLEDGE_H

/* What a role knows of the position, for a person's eyes.
 *
 * In a game with `sees` a role knows what holds in every position that agrees
 * with all it did and saw: own pieces, marks and cards are kept, and what the
 * others hide stays hidden, since the true position is never looked at.  Such
 * positions are sampled (play/belief.h); what all the samples share is proved of
 * all positions by clauses (unroll/history.h) where the game is a network and the
 * history is not too long for that, and told as known.  What else may hold, by a
 * sample or by the clauses, is possible. */

#include "game/listing.h"
#include "play/belief.h"
#include "unroll/history.h"

typedef struct alea_knowledge {
  alea_belief belief;
  alea_history *history; /* NULL: nothing can be proved of this game */
  alea_listing known;    /* fluents that hold for certain */
  alea_listing possible; /* fluents that may hold, or not */
  alea_u32s counts;      /* by fluent: positions where it holds; scratch */
  alea_u32s chosen;      /* scratch */
} alea_knowledge;

/* Of 'setup' only game, role, seed, memory and services are used.  To be cleared
 * in any case. */
alea_status alea_knowledge_init(alea_knowledge *knowledge, const alea_player_setup *setup);
void alea_knowledge_clear(alea_knowledge *knowledge);
/* A step was made. */
alea_status alea_knowledge_observe(alea_knowledge *knowledge, const alea_observation *seen);
/* Fills 'known' and 'possible' where the game is not over; both are empty where no position was
 * found that agrees with what was seen. */
alea_status alea_knowledge_list(alea_knowledge *knowledge);

#endif

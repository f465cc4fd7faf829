#ifndef ALEA_STATE_H
#define ALEA_STATE_H

/* States: positions of a game that moves lead on from.
 *
 *   alea_state *state;
 *   if (alea_state_new(&state, rules, 1) != ALEA_OK) ...
 *   while (!alea_state_terminal(state))
 *     if (alea_state_step(state, NULL) != ALEA_OK) ...   every role at random
 *   printf("%d\n", alea_state_goal(state, 0));
 *   alea_state_free(state);
 *
 * A state belongs to one thread at a time; states of one game on different
 * threads are independent of each other.  Arrays and texts that a call lends
 * live until the next call on the same state. */

#include "alea/game.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_state alea_state;

/* A state at the initial position, owned by the caller.  It keeps 'rules' alive.
 * Whatever is drawn at random follows from 'seed'. */
ALEA_API alea_status alea_state_new(alea_state **state, alea_ruleset *rules, uint64_t seed);
/* A second state like the first: position, percepts, history to undo and random
 * numbers to come. */
ALEA_API alea_status alea_state_clone(alea_state **copy, const alea_state *state);
ALEA_API void alea_state_free(alea_state *state); /* NULL is a no-op. */
/* The rules it was made from, borrowed. */
ALEA_API alea_ruleset *alea_state_rules(const alea_state *state);
/* Random numbers are drawn anew from 'seed'. */
ALEA_API void alea_state_seed(alea_state *state, uint64_t seed);

/* ---- the position ---- */

ALEA_API bool alea_state_terminal(alea_state *state);
/* The goal of a role here, 0..100; -1 where the rules define none, or there is no
 * such role.  Meant for terminal positions. */
ALEA_API int alea_state_goal(alea_state *state, uint32_t role);
/* Joint moves since the initial position, or since the position that was set. */
ALEA_API uint32_t alea_state_depth(const alea_state *state);
/* Equal positions have equal hashes, in every state of the same rules. */
ALEA_API uint64_t alea_state_hash(alea_state *state);

/* The legal moves of a role, lent.  Their order depends on the rules and the
 * moves made alone.  Empty in a terminal position and where there is no such
 * role; where the engine reaches a limit, too, and alea_state_status says so. */
ALEA_API const alea_move *alea_state_legal(alea_state *state, uint32_t role, size_t *count);
/* Whether a role may play a move here.  Where a move has real parameters (a
 * rewriting game), alea_state_legal lists a few of them, and others are legal. */
ALEA_API bool alea_state_is_legal(alea_state *state, uint32_t role, alea_move move);
/* What a role was told together with this position, as GDL texts in lower case,
 * ascending; lent.  Empty in games without percepts and before the first step. */
ALEA_API const char *const *alea_state_percepts(alea_state *state, uint32_t role, size_t *count);
/* The fluents that hold, as GDL texts in lower case, ascending; lent. */
ALEA_API const char *const *alea_state_fluents(alea_state *state, size_t *count);
/* The same as bits: fluent f is bit f % 64 of word f / 64; lent.  NULL without a
 * network. */
ALEA_API const uint64_t *alea_state_bits(alea_state *state, size_t *words);
/* Why the last question above had no full answer; ALEA_OK if it had. */
ALEA_API alea_status alea_state_status(const alea_state *state);

/* ---- moving ---- */

/* Plays one move per role, in the order of roles.  ALEA_NO_MOVE stands for a
 * move drawn uniformly at random, which is how chance moves; 'joint' NULL means
 * that for every role.  ALEA_USAGE: the position is terminal.  ALEA_INPUT: a move
 * is not legal.  ALEA_NONE: a role that is to move at random has no legal move.
 * With any of these the position stays. */
ALEA_API alea_status alea_state_step(alea_state *state, const alea_move *joint);
/* The joint move that led here, lent; NULL where there is none to undo. */
ALEA_API const alea_move *alea_state_last(const alea_state *state);
/* Takes back the last step: the position and the percepts are those before it;
 * random numbers are not drawn again.  ALEA_NONE: there is nothing to undo. */
ALEA_API alea_status alea_state_undo(alea_state *state);
/* Back to the initial position.  The history is forgotten; random numbers go on. */
ALEA_API alea_status alea_state_reset(alea_state *state);
/* To the position, percepts and history of another state of the same rules
 * (otherwise ALEA_USAGE); random numbers go on.  The position stays on failure. */
ALEA_API alea_status alea_state_copy(alea_state *state, const alea_state *from);
/* Plays at random to the end, at most 'steps' steps (0: 10,000); these can be
 * undone.  ALEA_LIMIT: the end was not reached. */
ALEA_API alea_status alea_state_playout(alea_state *state, uint32_t steps);

/* ---- keeping positions ---- */

/* The position as bytes, the same on every machine.  As with texts, the length
 * of all is returned, and the bytes are complete if that is at most 'size'.  0:
 * the game has no network. */
ALEA_API size_t alea_state_save(alea_state *state, void *bytes, size_t size);
/* To a position that alea_state_save wrote, for the same rules; history is
 * forgotten.  ALEA_INPUT: the bytes are none.  ALEA_UNSUPPORTED: the game has no
 * network.  The position stays on failure. */
ALEA_API alea_status alea_state_load(alea_state *state, const void *bytes, size_t size);
/* To the position in which exactly these fluents hold, given as GDL texts in any
 * case and spacing.  ALEA_INPUT: one of them is no fluent of the game; its index
 * goes to '*wrong', which may be NULL.  ALEA_UNSUPPORTED: as above.  Whether play
 * can ever reach the position is the caller's business. */
ALEA_API alea_status alea_state_set_fluents(alea_state *state, const char *const *fluents,
                                            size_t count, size_t *wrong);

#ifdef __cplusplus
}
#endif

#endif

#ifndef ALEA_GAME_SAMPLER_H
#define ALEA_GAME_SAMPLER_H

/* Many random playouts at once, and all successors of a position.
 *
 * A sampler belongs to one thread.  The lanes engine plays hundreds of games
 * in each pass; alea_sampler_new_plain does the same with a cursor, one game
 * after the other, for any engine, and is the oracle of the fast one.  The
 * result depends on the requests, the seed and the engine alone.
 *
 * A sampler may play in the background, on a device of its own: up to
 * ALEA_SAMPLE_SLOTS batches are in flight at once while their owner does
 * something else. */

#include <math.h>

#include "game/game.h"

typedef struct alea_sampler alea_sampler;

/* Play 'playouts' games from one position. */
typedef struct alea_sample_request {
  const uint64_t *words; /* as alea_cursor_state gives it; NULL = initial position */
  size_t word_count;
  uint32_t playouts;
} alea_sample_request;

/* What came out, filled by alea_sampler_run: arrays of role_count entries
 * that the caller provides. */
typedef struct alea_sample_result {
  uint64_t playouts;   /* games that reached a terminal position */
  uint64_t unfinished; /* games cut at the step cap, or without a legal move */
  uint64_t states;     /* next-state computations, unfinished games included */
  double *sum;         /* per role: sum of goals (0..100) over 'playouts' */
  double *sum_squares; /* per role */
} alea_sample_result;

/* One move that was made. */
typedef struct alea_played {
  uint32_t role;
  alea_move move;
} alea_played;

/* Who is told how each game went. */
typedef struct alea_sample_listener {
  void *context;
  /* A game of requests[request] has ended with goals[role], 0 where none
   * holds.  'moves' are those made in it, in order, by roles that had a choice;
   * forced ones may be among them, and of long games the first may be missing.
   * A sampler on several threads calls from all of them. */
  void (*heard)(void *context, uint32_t request, const alea_played *moves, size_t count,
                const uint8_t *goals);
} alea_sample_listener;

/* Who is shown positions of each game that ended, with how it ended.  Those of every
 * 'every'-th step are kept, of long games the last ALEA_SAMPLE_KEPT, and of them 'per_game'
 * are shown, which are spread over the game by lot; then the final position. */
enum { ALEA_SAMPLE_KEPT = 32 };
typedef struct alea_sample_watcher {
  void *context;
  uint32_t every, per_game;
  void (*saw)(void *context, const uint64_t *words, const uint8_t *goals, bool final);
} alea_sample_watcher;

/* Which of 'count' kept positions is the i-th of 'most' that are shown: one of each part
 * of the game, by lot. */
static inline uint32_t alea_sample_shown(uint32_t i, uint32_t count, uint32_t most, uint64_t lot) {
  return most < count ? (i * count + (uint32_t)(lot % count)) / most : i;
}

/* Play that is better than uniform: moves are ranked, and at each step a game
 * follows the ranking or not, by lot.  Where it does, the move is uniform among
 * the legal ones of the best rank that has any. */
enum { ALEA_SAMPLE_RANKS = 3, ALEA_SAMPLE_LOTS = 8 };
typedef struct alea_sample_guide {
  const uint8_t *const *ranks; /* ranks[role][move] < ALEA_SAMPLE_RANKS; 0 is the best;
                                  NULL: the role plays uniformly */
  const uint32_t *counts;      /* moves that ranks[role] knows; others are in the middle */
  uint32_t follow;             /* steps that follow, out of ALEA_SAMPLE_LOTS */
} alea_sample_guide;

static inline uint32_t alea_sample_rank(const alea_sample_guide *guide, uint32_t role,
                                        alea_move move) {
  return move < guide->counts[role] ? guide->ranks[role][move] : ALEA_SAMPLE_RANKS / 2;
}

/* Play with some foresight: where one role chooses alone, 'count' moves are
 * drawn with repetition, and the one is made behind which the weights of what holds add up
 * to the most for it; an end with more than half of the goal is worth more than any sum, one
 * with less less, and an even one 0.  Such play takes what is offered, which random play does
 * not.  In games of two who share out 100 the weights are the other's with the sign turned;
 * elsewhere they say nothing of what others want, who play uniformly then. */
enum { ALEA_SAMPLE_MOST_WEIGHT = 255, ALEA_SAMPLE_MOST_TRIES = 8 };
typedef struct alea_sample_tries {
  const int16_t *weights; /* by fluent, up to ALEA_SAMPLE_MOST_WEIGHT, for 'role' */
  uint32_t role;
  uint32_t count; /* a power of 2 up to ALEA_SAMPLE_MOST_TRIES; narrow lanes try 2 */
  bool alone;     /* only 'role' tries */
} alea_sample_tries;

/* What games are worth that are not over by the step cap, in a game of two who
 * share 100: a number for each fluent that holds, and one for all positions,
 * are added up in thousandths of the logit of what 'role' gets. */
typedef struct alea_sample_worth {
  const int32_t *scores; /* by fluent */
  int32_t base;
  uint32_t role;
} alea_sample_worth;

/* The share of 'role', 0..1. */
static inline float alea_sample_share(int32_t score) {
  return 1 / (1 + expf(-(float)score / 1000));
}

typedef struct alea_sample_options {
  uint32_t step_cap;              /* 0 = 10,000 */
  const alea_sample_worth *worth; /* may be NULL: such games count 0, and no listener is told */
  double seconds;                 /* CPU seconds after which no new game starts; 0 = no limit */
  const alea_sample_listener *listener; /* may be NULL */
  const alea_sample_watcher *watcher;   /* the same */
  const alea_sample_guide *guide;       /* may be NULL: uniform play */
  const alea_sample_tries *tries;       /* may be NULL; not together with a listener */
  /* May be NULL.  Asked every now and then; true ends the run, and games that
   * are not finished by then are not counted at all.  A sampler on several
   * threads asks from all of them. */
  bool (*over)(void *context);
  void *over_context;
} alea_sample_options;

enum { ALEA_SAMPLE_SLOTS = 2 };

/* 'start' and 'finish' are NULL where nothing is played in the background. */
typedef struct alea_sampler_class {
  const char *engine;
  void (*free)(alea_sampler *sampler);
  alea_status (*run)(alea_sampler *sampler, const alea_sample_request *requests, size_t count,
                     const alea_sample_options *options, alea_sample_result *results);
  alea_status (*expand)(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                        uint32_t role, const alea_move *moves, size_t move_count,
                        const alea_move *others, bool *terminal, int *goals);
  alea_status (*start)(alea_sampler *sampler, uint32_t slot, const alea_sample_request *requests,
                       size_t count, const alea_sample_options *options,
                       alea_sample_result *results, bool *in_flight);
  alea_status (*finish)(alea_sampler *sampler, uint32_t slot);
} alea_sampler_class;

struct alea_sampler {
  const alea_sampler_class *class;
  const alea_game *game; /* borrowed */
};

alea_status alea_sampler_new_plain(alea_sampler **sampler, const alea_game *game, uint64_t seed,
                                   alea_mem *mem);

static inline void alea_sampler_free(alea_sampler *sampler) { /* NULL is a no-op. */
  if (sampler != NULL) sampler->class->free(sampler);
}
/* Plays the games of all requests, at random for every role, and adds up the
 * outcomes: results[i] belongs to requests[i].  Not while anything is in flight. */
static inline alea_status alea_sampler_run(alea_sampler *sampler,
                                           const alea_sample_request *requests, size_t count,
                                           const alea_sample_options *options,
                                           alea_sample_result *results) {
  return sampler->class->run(sampler, requests, count, options, results);
}
static inline bool alea_sampler_has_background(const alea_sampler *sampler) {
  return sampler->class->start != NULL;
}
/* The same in two steps.  Where '*in_flight' is true, the batch is played in the background, and
 * alea_sampler_finish waits for its results: requests, results and what 'options' point to must
 * stay until then.  Where it is false, which no sampler need explain, all is done.  A slot, below
 * ALEA_SAMPLE_SLOTS, has one batch at a time.  Results depend on the order of both steps, not on
 * when they are made; positions may be expanded between them. */
static inline alea_status alea_sampler_start(alea_sampler *sampler, uint32_t slot,
                                             const alea_sample_request *requests, size_t count,
                                             const alea_sample_options *options,
                                             alea_sample_result *results, bool *in_flight) {
  *in_flight = false;
  return alea_sampler_has_background(sampler)
             ? sampler->class->start(sampler, slot, requests, count, options, results, in_flight)
             : alea_sampler_run(sampler, requests, count, options, results);
}
/* Only for a batch in flight; it is not afterwards, whatever the status. */
static inline alea_status alea_sampler_finish(alea_sampler *sampler, uint32_t slot) {
  return sampler->class->finish(sampler, slot);
}
/* One step for many moves: from the position 'words', with role 'role'
 * playing each of 'moves' in turn and the other roles playing others[r]
 * (others[role] is ignored), says for each successor i whether it is
 * terminal[i], and gives goals[i * role_count + r], -1 where none holds. */
static inline alea_status alea_sampler_expand(alea_sampler *sampler, const uint64_t *words,
                                              size_t word_count, uint32_t role,
                                              const alea_move *moves, size_t move_count,
                                              const alea_move *others, bool *terminal, int *goals) {
  return sampler->class->expand(sampler, words, word_count, role, moves, move_count, others,
                                terminal, goals);
}

#endif

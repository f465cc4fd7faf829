#ifndef ALEA_BATCH_H
#define ALEA_BATCH_H

/* Batches: many states of one game, stepped at once.
 *
 *   alea_batch *batch;
 *   alea_batch_options options = {.size = sizeof options, .seed = 1};
 *   if (alea_batch_new(&batch, rules, 100000, &options) != ALEA_OK) ...
 *   alea_batch_arrays out = {.size = sizeof out, .flags = flags, .rewards = rewards};
 *   do status = alea_batch_step(batch, NULL, &out);   every role at random
 *   while (status == ALEA_OK && alea_batch_playing(batch) > 0);
 *
 * Inside, 512 states share each word: a gate of the game's network is one
 * operation for all of them.  So a batch needs a game with a network
 * (ALEA_KIND_NETWORK), and arrays that nobody asks for cost nothing.
 *
 * States are numbered from 0.  All arrays belong to the caller and are dense, in
 * row-major order: element j of state i is array[i * width + j], where the width
 * is role_count, move_width or fluent_width as said below.
 *
 * A batch belongs to one thread at a time.  The same seed and the same calls
 * give the same results on every machine. */

#include "alea/game.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_batch alea_batch;

typedef enum alea_batch_device {
  ALEA_BATCH_CPU,  /* in the memory of this process */
  ALEA_BATCH_CUDA, /* in that of a GPU: see "batches on a device" below */
} alea_batch_device;

typedef struct alea_batch_options {
  size_t size;     /* sizeof(alea_batch_options) */
  uint64_t seed;   /* of every random move */
  bool auto_reset; /* a state that becomes terminal starts again at once */
  uint32_t steps;  /* joint moves after which alea_batch_playout gives up; 0 is 10,000 */
  bool percepts;   /* steps also find what they tell the roles: alea_batch_percepts */
  char *why;       /* NULL, or room for 'why_size' bytes: why there is no batch */
  size_t why_size;
  alea_batch_device device; /* where the states are */
  uint32_t device_number;   /* of a GPU, from 0 on */
} alea_batch_options;

/* 'count' states at the initial position.  'options' may be NULL.  The batch is
 * owned by the caller and keeps 'rules' alive.  ALEA_UNSUPPORTED: the game has no
 * network.  The first batch of a game takes longer: the game is compiled for
 * lanes, once.  With a device also: ALEA_UNSUPPORTED, there is none that can be used;
 * ALEA_LIMIT, its memory does not suffice; ALEA_SYSTEM, it failed. */
ALEA_API alea_status alea_batch_new(alea_batch **batch, alea_ruleset *rules, size_t count,
                                    const alea_batch_options *options);
ALEA_API void alea_batch_free(alea_batch *batch); /* NULL is a no-op. */

ALEA_API size_t alea_batch_count(const alea_batch *batch);
/* Moves of all roles stand side by side: move m of role r is column
 * alea_batch_first_move(batch, r) + m.  For r = role_count that is move_width, the
 * number of all columns. */
ALEA_API uint32_t alea_batch_first_move(const alea_batch *batch, uint32_t role);
ALEA_API uint32_t alea_batch_move_width(const alea_batch *batch);
ALEA_API uint32_t alea_batch_fluent_width(const alea_batch *batch);
/* 64-bit words that hold the moves, or the fluents, of a state as bits. */
ALEA_API uint32_t alea_batch_move_words(const alea_batch *batch);
ALEA_API uint32_t alea_batch_fluent_words(const alea_batch *batch);

/* ---- results ---- */

/* What happened to a state; a sum. */
typedef enum alea_batch_flag {
  ALEA_BATCH_TERMINAL = 1, /* it is terminal; with auto_reset: it was, and has begun again */
  ALEA_BATCH_REFUSED = 2,  /* an action was not legal, or a role had none: it did not move */
} alea_batch_flag;

/* Arrays to be filled; NULL: not wanted.  All are about the state after the call,
 * except that rewards and ALEA_BATCH_TERMINAL of a state that began again are
 * those of the game that ended. */
typedef struct alea_batch_arrays {
  size_t size;           /* sizeof(alea_batch_arrays) */
  uint8_t *flags;        /* [count] */
  float *rewards;        /* [count][role_count]: the goals, 0..100, of states that this step made
                            terminal; 0 for others and where no goal holds */
  uint8_t *legal;        /* [count][move_width]: 1 where the move is legal; 0 in terminal states */
  uint64_t *legal_bits;  /* [count][move_words]: the same, bit m % 64 of word m / 64 */
  uint8_t *fluents;      /* [count][fluent_width]: 1 where the fluent holds */
  float *fluent_floats;  /* [count][fluent_width]: the same as 1.0 and 0.0 */
  uint64_t *fluent_bits; /* [count][fluent_words] */
} alea_batch_arrays;

/* ---- playing ---- */

enum { ALEA_BATCH_RANDOM = -1 }; /* an action: one of the legal moves, uniformly */

/* Plays one joint move in every state that is not terminal.  actions[i *
 * role_count + r] is the number of role r's move in state i, or
 * ALEA_BATCH_RANDOM; 'actions' NULL means that everywhere.  Actions of terminal
 * states are ignored.  'out' may be NULL.  ALEA_INPUT: some actions were refused,
 * see the flags; all other states have moved. */
ALEA_API alea_status alea_batch_step(alea_batch *batch, const int32_t *actions,
                                     const alea_batch_arrays *out);
/* The same arrays without a step; rewards are 0. */
ALEA_API alea_status alea_batch_look(alea_batch *batch, const alea_batch_arrays *out);
/* What the last step told the roles, in a game with percepts: as 'sees' says, from the
 * position before it and the moves.  With k = i * role_count + r, role r was told in state
 * i the percepts
 *   (*percepts)[(*first)[k]] .. (*percepts)[(*first)[k + 1] - 1],
 * ascending numbers for alea_ruleset_percept_text; '*first' has count * role_count + 1
 * entries.  Nobody is told anything in states that were terminal or refused to move, and
 * before the first step; where a state began again, this is the last of the game that
 * ended.  Both arrays are lent until the next step.
 * ALEA_USAGE: the batch was made without the option 'percepts'.  ALEA_SYSTEM: the memory
 * for the list did not suffice; the states have moved. */
ALEA_API alea_status alea_batch_percepts(const alea_batch *batch, const uint64_t **first,
                                         const uint32_t **percepts);
/* Back to the initial position: the states where which[i] is not 0; all of them
 * if 'which' is NULL. */
ALEA_API void alea_batch_reset(alea_batch *batch, const uint8_t *which);
/* How many states are not terminal. */
ALEA_API size_t alea_batch_playing(const alea_batch *batch);
/* Plays a random game to its end from every state that is not terminal, without
 * moving the states: goals[i * role_count + r] is what role r got, -1 in states
 * that are terminal already or whose game did not end.  '*steps', which may be
 * NULL, becomes the number of joint moves made.  The first call takes memory that the
 * batch keeps, fluent_words words a state. */
ALEA_API alea_status alea_batch_playout(alea_batch *batch, float *goals, uint64_t *steps);

/* ---- positions ---- */

/* The positions without a copy: bit planes.  Fluent f of state i is bit i % 64 of
 *   planes[(i / 512 * fluent_width + f) * 8 + i % 512 / 64].
 * Lent until the batch is freed; the contents change with each step. */
ALEA_API const uint64_t *alea_batch_planes(const alea_batch *batch);
/* Moves states first .. first+count-1 to the positions in 'fluent_bits', laid out
 * as in alea_batch_arrays; alea_state_bits gives such words.  ALEA_USAGE: there
 * are not so many states.  ALEA_INPUT: a bit beyond the last fluent is set;
 * nothing has moved. */
ALEA_API alea_status alea_batch_load(alea_batch *batch, size_t first, size_t count,
                                     const uint64_t *fluent_bits);

/* ---- batches on a device ---- */

/* With the option device = ALEA_BATCH_CUDA the states lie on a GPU of NVIDIA and stay there;
 * CUDA's driver and compiler are opened at run time.  All calls above do the same there, to the
 * bit, but:
 *   - random moves are others, though the same on every device;
 *   - arrays and actions of alea_batch_step, _look, _load, _reset and _playout are of this
 *     process and are copied; the calls below do without;
 *   - there are no planes (NULL), and percepts, where they are wanted, are found by this
 *     process: steps are slower by that;
 *   - every call that returns a status may also return ALEA_LIMIT, the device has too little
 *     memory, or ALEA_SYSTEM, it failed, and so does every call after; alea_batch_trouble says
 *     why.  A reset that fails lets the next call fail.
 *
 * A call waits for all that the process has started on the device, and is finished when it
 * returns: what others do with the arrays in between needs no more care. */

/* Plays one joint move: alea_batch_step with actions that lie on the device, or NULL.  The
 * results are what alea_batch_device_array gives. */
ALEA_API alea_status alea_batch_device_step(alea_batch *batch, const int32_t *actions);

typedef enum alea_batch_array {
  ALEA_BATCH_ARRAY_FLAGS,         /* as in alea_batch_arrays */
  ALEA_BATCH_ARRAY_REWARDS,       /* float */
  ALEA_BATCH_ARRAY_LEGAL,         /* uint8_t */
  ALEA_BATCH_ARRAY_LEGAL_BITS,    /* uint64_t */
  ALEA_BATCH_ARRAY_FLUENTS,       /* uint8_t */
  ALEA_BATCH_ARRAY_FLUENT_FLOATS, /* float */
  ALEA_BATCH_ARRAY_FLUENT_BITS,   /* uint64_t */
  ALEA_BATCH_ARRAY_TERMINATED,    /* uint8_t [count]: 1 where the flags have ALEA_BATCH_TERMINAL */
  ALEA_BATCH_ARRAY_REFUSED,       /* uint8_t [count]: the same of ALEA_BATCH_REFUSED */
} alea_batch_array;

/* '*address' becomes where the array lies on the device, filled as after the last call.  It is lent
 * until the batch is freed, and always the same; flags, rewards, terminated and refused change with
 * each step, the others when they are asked for again.  NULL for an array without elements.
 * ALEA_USAGE: the batch is not on a device, or there is no such array. */
ALEA_API alea_status alea_batch_device_array(alea_batch *batch, alea_batch_array array,
                                             const void **address);
/* Copies arrays to this process, as they are after the last call; alea_batch_look would make
 * rewards 0. */
ALEA_API alea_status alea_batch_device_fetch(alea_batch *batch, const alea_batch_arrays *out);
/* Why a call last failed, in words; "" where none did.  Lent until the next call. */
ALEA_API const char *alea_batch_trouble(const alea_batch *batch);

#ifdef __cplusplus
}
#endif

#endif

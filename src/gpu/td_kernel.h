#ifndef ALEA_GPU_TD_KERNEL_H
#define ALEA_GPU_TD_KERNEL_H

/* The functions of gpu/td_trainer.h on a device, as text.
 *
 * A game is a state of a batch (gpu/step.h): bit g % 32 of word g / 32.  The positions behind its
 * moves are the 32 states of word g of a second batch; where there are more moves, the same states
 * serve again, in another pass.  So what is true of the game is a whole word of that batch.
 *
 * The network is seen by rows: row f of the weights is added where fluent sources[map][view][f] of
 * the position holds.  Map 0 is the position as it is, the others are its images under
 * symmetries; view 1 is that of the other role.
 *
 * As with gpu/step.h the text is C for any compiler. */

#include "base/text.h"

enum {
  ALEA_TD_GAME_BLOCK = 32,  /* threads of a block: for a game each, */
  ALEA_TD_WIDE_BLOCK = 256, /* and for a position or a parameter */
  ALEA_TD_PARTS = 32,       /* of the examples, whose gradients are added up side by side */
  ALEA_TD_SUMS = 3,         /* of a row behind those of weights: for the scale of the linear
                             * evaluation and the rest, and how many examples there are */
};

/* The functions: X(name, threads of a block). */
#define ALEA_TD_FUNCTIONS(X)                                                                       \
  X(spread, ALEA_TD_GAME_BLOCK)  /* the positions before 32 moves of each game: per game */        \
  X(value, ALEA_TD_WIDE_BLOCK)   /* what those behind the moves are worth: per position */         \
  X(pick, ALEA_TD_GAME_BLOCK)    /* the best move, and that which is made: per game */             \
  X(end, ALEA_TD_GAME_BLOCK)     /* what came of games that the step has ended: per game */        \
  X(trace, ALEA_TD_GAME_BLOCK)   /* targets, from the last step back: per game */                  \
  X(forward, ALEA_TD_WIDE_BLOCK) /* errors of examples, and what they are at units: per example */ \
  X(gather, ALEA_TD_WIDE_BLOCK)  /* gradients: per row, part and unit */                           \
  X(adjust, ALEA_TD_WIDE_BLOCK)  /* a step of Adam: per parameter */

enum {
#define ALEA_TD_NUMBER(name, threads) ALEA_TD_##name,
  ALEA_TD_FUNCTIONS(ALEA_TD_NUMBER)
#undef ALEA_TD_NUMBER
      ALEA_TD_FUNCTION_COUNT
};

/* What every function is told.  X(type there, name) of addresses, then numbers. */
#define ALEA_TD_PLACES(X)                                                      \
  /* the games, as a batch has them */                                         \
  X(u32, planes)                                                               \
  X(u32, legal)                                                                \
  X(float, rewards)                                                            \
  X(u8, terminated)                                                            \
  X(i32, actions) /* [game][role] */                                           \
  /* the positions behind their moves */                                       \
  X(u32, next_planes)                                                          \
  X(u32, next_chosen)                                                          \
  X(u32, next_terminal)                                                        \
  X(u32, next_refused)                                                         \
  X(float, next_rewards)                                                       \
  X(u32, moves)    /* [game][32] */                                            \
  X(float, logits) /* [game][32] */                                            \
  /* by game: */                                                               \
  X(u32, chooser)                                                              \
  X(u32, count)   /* its legal moves */                                        \
  X(u32, replies) /* those of the other role */                                \
  X(u32, opening) /* steps that are still random */                            \
  X(float, best)                                                               \
  X(float, made)                                                               \
  X(float, chance) /* of the move that is made: the largest that was drawn */  \
  X(u32, most)     /* one: the most legal moves of a chooser */                \
  /* by step and game: */                                                      \
  X(u32, past)      /* [step][fluent][word]: positions */                      \
  X(float, worth)   /* of the best move, 0..1 for the evaluation's role */     \
  X(u8, kind)       /* TD_FOLLOWS and so on */                                 \
  X(float, outcome) /* 0..1 where the step has ended the game, else below 0 */ \
  X(float, target)  /* below 0: it is no example */                            \
  /* the network */                                                            \
  X(float, parameters) /* [row][unit], then scale and rest */                  \
  X(float, means)                                                              \
  X(float, squares)                                                            \
  X(float, linear)    /* [fluent]: logits of the linear evaluation */          \
  X(u32, sources)     /* [map][view][fluent] */                                \
  X(float, back)      /* [example][view][unit] */                              \
  X(float, firing)    /* [example][unit]: errors times what units say */       \
  X(float, errors)    /* [example]: 0 where it is none */                      \
  X(float, logit)     /* [example]: of the linear evaluation */                \
  X(float, gradients) /* [row][part][unit] */
#define ALEA_TD_FLOATS(X)                           \
  X(base) /* logit of a position without fluents */ \
  X(rate) /* of Adam, its corrections included */
#define ALEA_TD_WORDS(X)                                               \
  X(games)                                                             \
  X(words)  /* of them: games / 32 */                                  \
  X(stride) /* of their planes */                                      \
  X(next_stride)                                                       \
  X(role)   /* of the evaluation */                                    \
  X(shares) /* equal goals are even */                                 \
  X(step)                                                              \
  X(steps) /* of a round */                                            \
  X(pass)                                                              \
  X(maps)                                                              \
  X(first)  /* of the word-steps that are fitted now, */               \
  X(many)   /* and how many: 32 examples each */                       \
  X(factor) /* odd: the order of word-steps is factor * i + offset, */ \
  X(offset)                                                            \
  X(mask) /* of so many bits */                                        \
  X(seed_low)                                                          \
  X(seed_high)

typedef struct alea_td_arguments {
#define ALEA_TD_PLACE(type, name) uint64_t name;
#define ALEA_TD_FLOAT(name) float name;
#define ALEA_TD_WORD(name) uint32_t name;
  ALEA_TD_PLACES(ALEA_TD_PLACE)
  ALEA_TD_FLOATS(ALEA_TD_FLOAT)
  ALEA_TD_WORDS(ALEA_TD_WORD)
#undef ALEA_TD_PLACE
#undef ALEA_TD_FLOAT
#undef ALEA_TD_WORD
} alea_td_arguments;

/* The text that all games share, in pieces; the last is NULL.  Sizes come before it as macros. */
extern const char *const alea_td_shared[];

#endif

#ifndef ALEA_GPU_STEP_H
#define ALEA_GPU_STEP_H

/* Steps of many states on a device, as code.
 *
 * A word has 32 states: bit i of word t is state 32 * t + i.  Fluents, legal moves and chosen
 * moves are planes: fluent f of word t is planes[f * stride + t], where the stride is the number
 * of words, rounded up to whole blocks; a thread works on one word, and neighbours read
 * neighbours.  Moves of all roles stand side by side, as in alea/batch.h.
 *
 * A step is two functions.  alea_choose makes chosen moves and refused states of legal moves
 * and actions, and is the same for all games but for sizes.  alea_advance performs the network's
 * program for all positions: it evaluates the position, makes the next one, evaluates that, and
 * leaves the position, its legal moves, ends and rewards.  It has two forms: the game's own code,
 * straight-line as in gpu/source.h, or a loop over tables, with slots in the device's memory, for
 * networks whose code would take long to compile.  Both do the same to the bit.
 *
 * The text is C for a CUDA compiler and for any other: there a function does what a thread
 * would do, and takes the numbers of block and thread and the address of its arguments. */

#include "base/text.h"
#include "propnet/lanes_compile.h"

enum {
  ALEA_STEP_BLOCK = 32,       /* threads of a block, and words that the stride is a multiple of */
  ALEA_STEP_WIDE_BLOCK = 256, /* of those that work on elements */
};

/* The functions: X(name, threads of a block). */
#define ALEA_STEP_FUNCTIONS(X)                                                                  \
  X(choose, ALEA_STEP_BLOCK)      /* draws or takes moves: a thread per word */                 \
  X(advance, ALEA_STEP_BLOCK)     /* makes them: a thread per word of the chunk */              \
  X(first, ALEA_STEP_BLOCK)       /* first_legal from state 0: a thread per move */             \
  X(restore, ALEA_STEP_BLOCK)     /* the initial position where 'which' says so, or everywhere: \
                                   * a thread per word */                                       \
  X(enter, ALEA_STEP_BLOCK)       /* planes from 'bits': per word and 64 columns */             \
  X(rows, ALEA_STEP_BLOCK)        /* 'bits' from planes 'from': the same */                     \
  X(bytes, ALEA_STEP_WIDE_BLOCK)  /* 'bytes' from 'bits': per four elements */                  \
  X(floats, ALEA_STEP_WIDE_BLOCK) /* 'floats' from 'bits': per element */

enum {
#define ALEA_STEP_NUMBER(name, threads) ALEA_STEP_##name,
  ALEA_STEP_FUNCTIONS(ALEA_STEP_NUMBER)
#undef ALEA_STEP_NUMBER
      ALEA_STEP_FUNCTION_COUNT
};

/* What every function is told.  X(type there, name) of addresses, then numbers of 64 and of 32
 * bits. */
#define ALEA_STEP_PLACES(X)                                                                 \
  X(u32, planes)      /* [fluent][stride] */                                                \
  X(u32, legal)       /* [move][stride]: false where a state is terminal */                 \
  X(u32, chosen)      /* [move][stride] */                                                  \
  X(u32, terminal)    /* [stride] */                                                        \
  X(u32, refused)     /* [stride] */                                                        \
  X(u32, initial)     /* [fluent]: all zeros or ones */                                     \
  X(u32, first_legal) /* [move]: the same, in the initial position */                       \
  X(u32, slots)       /* [slot][chunk], where tables are performed */                       \
  X(u32, tables)                                                                            \
  X(i32, actions) /* [count][role]; 0: all are drawn */                                     \
  X(u8, which)    /* [count]; 0: all */                                                     \
  X(u8, flags)    /* [32 * stride], as the next two: terminal + 2 * refused */              \
  X(u8, terminated)                                                                         \
  X(u8, declined)   /* refused */                                                           \
  X(float, rewards) /* [count][role]: written where a game ended */                         \
  X(u64, counts)    /* states that are not terminal, that refused, and that moved: added */ \
  X(u32, from)      /* planes for alea_rows */                                              \
  X(u64, bits)      /* [row][width] */                                                      \
  X(u8, bytes)                                                                              \
  X(float, floats)
#define ALEA_STEP_LONGS(X)                    \
  X(count) /* states */                       \
  X(seed)  /* of this step's random moves */  \
  X(start) /* alea_enter: the first state, */ \
  X(many)  /* and how many */
#define ALEA_STEP_WORDS(X)                                            \
  X(stride)                                                           \
  X(base)    /* alea_advance: the first word, */                      \
  X(chunk)   /* and how many slots are for */                         \
  X(judge)   /* nothing moves: only ends and legal moves are found */ \
  X(again)   /* who ends begins again */                              \
  X(columns) /* of alea_rows and those after it */                    \
  X(width)   /* 64-bit words of a row */

typedef struct alea_step_arguments {
#define ALEA_STEP_PLACE(type, name) uint64_t name;
#define ALEA_STEP_LONG(name) uint64_t name;
#define ALEA_STEP_WORD(name) uint32_t name;
  ALEA_STEP_PLACES(ALEA_STEP_PLACE)
  ALEA_STEP_LONGS(ALEA_STEP_LONG)
  ALEA_STEP_WORDS(ALEA_STEP_WORD)
#undef ALEA_STEP_PLACE
#undef ALEA_STEP_LONG
#undef ALEA_STEP_WORD
} alea_step_arguments;

/* Words for the form that performs tables: for each section groups of four words until one that
 * says ALEA_STEP_END; then the slots of legal moves, then goals.  A group that begins an
 * operation has its kind, how many groups belong to it, its slot, and a mask that complements the
 * result.  The others have four literals, 2 * slot + complemented: two pairs, each an OR where
 * the highest bit of its first is set and else an AND, and the result is the AND of all.
 * A loop begins with a count of slots that become false, four to a group; its end has a group for
 * each leaf: its slot, that of its new value, and a mask. */
typedef struct alea_step_tables {
  alea_u32s words;
  uint32_t section[ALEA_LANES_SECTIONS]; /* where it begins, in groups */
  uint32_t legal_at, goals_at;           /* in words */
} alea_step_tables;
enum { ALEA_STEP_OPERATION, ALEA_STEP_LOOP, ALEA_STEP_AGAIN, ALEA_STEP_END }; /* kinds */
#define ALEA_STEP_OR (UINT32_C(1) << 31)

/* The tables of 'lanes' (alea_gpu_lanes_new), owned by the caller. */
alea_status alea_step_tables_init(alea_step_tables *tables, const alea_lanes *lanes, alea_mem *mem);
void alea_step_tables_clear(alea_step_tables *tables, alea_mem *mem);

/* Appends the source of all functions: with 'tables' the form that performs them, with NULL the
 * game's own code.  A lack of memory shows in 'text'. */
void alea_step_source(const alea_lanes *lanes, const alea_step_tables *tables, alea_text *text);

/* How long the game's own code is, about: operations, and what brings and stores values. */
uint64_t alea_step_statements(const alea_lanes *lanes);

/* The text that all games share, in pieces, and that of the second form; the last is NULL.  Sizes
 * come before it as macros. */
extern const char *const alea_step_shared[], *const alea_step_performs[];
/* The first piece of that: what tells a device from a CPU.  It comes behind a struct `args`. */
extern const char alea_step_machine[];

#endif

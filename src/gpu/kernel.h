#ifndef ALEA_GPU_KERNEL_H
#define ALEA_GPU_KERNEL_H

#include <stdint.h>

/* What the kernel that interprets and the tables that it reads must agree on.
 *
 * The words begin with a table that every block copies to its shared memory: a row for each tick
 * of the clock, and what the rows point to.  Then come the instructions, which are read from
 * outside, well before they are needed.
 *
 * A round is what all threads do at once, an instruction each.  All 32 instructions of a warp are
 * of one kind, the last repeated where there are fewer: so a round has a word for each warp, the
 * place of its first instruction and the kind.  The last round of a level says so.  Loops and
 * sections end with rounds that have no instructions.
 *
 * An instruction is four words, or eight halves, lower ones first: six operands, the result, and
 * nothing.  An operand is the number of a slot, with the highest bit set where it is
 * complemented; so is the result.  Operands are pairs, ORs before ANDs, and the result is the AND
 * of all. */

enum {                           /* words of a row */
       ALEA_KERNEL_ROUNDS = 0,   /* where they begin, of each section */
       ALEA_KERNEL_TERMINAL = 3, /* operand */
       ALEA_KERNEL_GOALS = 4,    /* where they are: operand, then 2 * index + 1 for a new role */
       ALEA_KERNEL_ROLES = 5,    /* where they are */
       ALEA_KERNEL_NODES = 6,    /* of each height: where they are, and how many */
       ALEA_KERNEL_ROW = 16,
};

enum { /* words of a role */
       ALEA_KERNEL_MOVES = 0,
       ALEA_KERNEL_PLANES = 1, /* of the count of moves */
       ALEA_KERNEL_ONLY = 2,   /* operand: the only move is legal */
       ALEA_KERNEL_ONLY_MOVE = 3,
       ALEA_KERNEL_ROOT = 4,  /* slot of its count */
       ALEA_KERNEL_BELOW = 5, /* slot of the lanes that have a move */
       ALEA_KERNEL_ROLE = 8,
};

/* The legal moves of a role are counted in leaves of 32, these in nodes of eight, and so on.  A
 * count of height h has 3 * h + 3 planes, and a slot more for the lanes whose move is below.  A
 * node is four words: its slot, with that of its first child or move in the upper half; how many of
 * these it has; and of leaves the role, and where its moves are in the words, for those who are
 * told. */
enum { ALEA_KERNEL_ARITY = 8, ALEA_KERNEL_MOST_HEIGHT = 5 };
static inline uint32_t alea_kernel_node_slots(uint32_t height) { return 3 * height + 4; }

enum {                               /* a warp's word of a round */
       ALEA_KERNEL_WARP = 32,        /* threads */
       ALEA_KERNEL_PLACES = 1 << 23, /* below: the first instruction */
       ALEA_KERNEL_KIND = 23,        /* from this bit on: pairs - 1, ORs << 2, */
       ALEA_KERNEL_CELL = 1 << 4,    /* and whether results are added to what is there */
       ALEA_KERNEL_NOTHING = 1 << 5, /* the warp has nothing to do */
       ALEA_KERNEL_LEVEL_ENDS = 1 << 30,
};
/* A round without instructions: a loop begins, which goes on at another round in blocks where no
 * games begin, if that is not 0; it goes back to its begin if a cell changed; the section ends. */
#define ALEA_KERNEL_OTHER (1u << 31)
enum { ALEA_KERNEL_BEGIN = 0, ALEA_KERNEL_AGAIN = 1, ALEA_KERNEL_END = 2 }; /* as the kind */

enum { ALEA_KERNEL_SLOTS = 1 << 15, ALEA_KERNEL_NOT = 1 << 15 };

/* So many rounds are read ahead. */
enum { ALEA_KERNEL_AHEAD = 2 };

/* The kernel's text in pieces, the last NULL; sizes, and the names above without their prefix,
 * come before it as macros. */
extern const char *const alea_gpu_kernel[];

#endif

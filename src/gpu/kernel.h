#ifndef ALEA_GPU_KERNEL_H
#define ALEA_GPU_KERNEL_H

/* What the kernel that interprets and the tables that it reads must agree on.
 *
 * The words of the tables begin with a row for each tick of the clock.  An instruction is
 * eight words: six operands, the result's place and how it is made.  The operands are three
 * pairs, of which those that are not there are left out from the end; a pair is the AND of
 * two, or the OR; the result is the AND of the pairs.  An operand is the place of a slot in
 * bytes, 1 added where it is complemented.
 *
 * Memory answers late, and a thread waits where it needs a value: so it should ask for many
 * values before it needs the first.  Instructions that do not need each other are marked, and
 * performed four at a time. */

enum {                           /* words of a row */
       ALEA_KERNEL_SECTIONS = 0, /* first instruction and end, of each section */
       ALEA_KERNEL_TERMINAL = 6, /* operand */
       ALEA_KERNEL_GOALS = 7,    /* where they are: operand, then 2 * index + 1 for a new role */
       ALEA_KERNEL_ROLES = 8,    /* where they are */
       ALEA_KERNEL_ROW = 16,
};

enum { /* words of a role */
       ALEA_KERNEL_MOVES = 0,
       ALEA_KERNEL_GROUPS = 1,    /* how many */
       ALEA_KERNEL_PLANES = 2,    /* of the count of moves */
       ALEA_KERNEL_GROUPS_AT = 3, /* eight legal, eight chosen, eight moves each */
       ALEA_KERNEL_ONLY = 4,      /* operand: the only move is legal */
       ALEA_KERNEL_ONLY_MOVE = 5,
       ALEA_KERNEL_ROLE = 8,
       ALEA_KERNEL_GROUP = 24,
};

enum { /* how a result is made: the lowest three bits say which pairs are ORs */
       ALEA_KERNEL_TWO_PAIRS = 8, /* or three */
       ALEA_KERNEL_THREE_PAIRS = 16,
       ALEA_KERNEL_INVERT = 32,
       ALEA_KERNEL_ON = 64,       /* AND the result of the instruction before, not inverted */
       ALEA_KERNEL_STORE = 128,   /* else it is only for the next */
       ALEA_KERNEL_FOUR = 256,    /* this and the next three can be performed at once */
       ALEA_KERNEL_FIRST_NOT = 9, /* from this bit on: operands that are complemented */
       /* Others than operations: */
       ALEA_KERNEL_BEGIN = 1 << 16, /* a loop, to be passed over to instruction 'result', if
                                     * that is not 0, in threads where no games begin */
       ALEA_KERNEL_FEED,            /* the first operand becomes the result, of a loop */
       ALEA_KERNEL_AGAIN,           /* back to the loop's begin if a result of it changed */
};

/* The kernel's text in pieces, the last NULL; sizes, and the names above without their prefix,
 * come before it as macros. */
extern const char *const alea_gpu_kernel[];

#endif

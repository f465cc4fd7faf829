#ifndef ALEA_PROPNET_IMAGE_H
#define ALEA_PROPNET_IMAGE_H

/* A net compiled for the incremental engine; internal, immutable, shared by
 * all cursors of a game.
 *
 * Every gate becomes a counter of the inputs that keep it from being active:
 * for an AND the inputs that are false, for an OR those that are true.  A
 * gate is active when none is left, so an active AND is true and an active OR
 * is false; what "rises" below is activity, and the edges already know about
 * kinds and negations.  A counter is a byte, so that those of a game stay in
 * the nearest cache: a gate with more inputs than fit is made of several.
 * One that has a single reader may be folded into it (image_folds.c): an input
 * of weight k, or k inputs of weight 1, then keep the reader from being active.
 *
 * Slots: counters are numbered phase by phase, and within a phase so that those
 * with an input in common lie beside each other (image_runs.c): up to 64 are
 * told at once.  Every bit of the roots (next per fluent, legal per move) is a
 * slot as well; a gate that nobody reads but one such bit lives in the bit's
 * slot.  Behind them come slots that stand for nothing, to which lists of edges
 * are filled up, and the leaves, which have no counters: the leaf with node
 * number n is slot slot_count + n. */

#include "propnet/propnet.h"

enum {
  ALEA_MAX_GUARDS = 8,
  ALEA_MOST_INPUTS = 64, /* of a counter */
  ALEA_NEAR_SAME = 2,    /* readers of the same phase that have fixed places */
  ALEA_EDGE_GROUP = 3,   /* the others are told so many at a time */
  ALEA_LEAST_BLOCK = 4,  /* from so many readers in a block of 64 slots on they are told at once, */
  ALEA_LEAST_BIT_BLOCK = 3, /* and from so many bits */
  ALEA_IDLE_SLOTS = 16, /* that stand for nothing; many, so that no two uses wait for each other */
};

/* The phases of a net, and the bits of the roots, which are read off their slots where
 * they are asked for.  Their slots begin at multiples of 64. */
typedef enum alea_image_phase {
  ALEA_IMAGE_STATE,
  ALEA_IMAGE_LEGAL, /* bits: legal moves */
  ALEA_IMAGE_GOAL,
  ALEA_IMAGE_NEXT,
  ALEA_IMAGE_AFTER, /* bits: the next position */
  ALEA_IMAGE_SEES,
  ALEA_IMAGE_PHASES
} alea_image_phase;

#define ALEA_NO_SLOT UINT32_MAX

/* A reader of a slot: 32 * its own slot, plus 16 if it is no bit, plus 2 * its weight, plus 1 if
 * its counter goes up when the slot rises.  The counter changes by the weight; that of slots which
 * stand for nothing is 0, so that they never turn over. */
typedef uint32_t alea_image_edge;
enum { ALEA_MOST_WEIGHT = 7, ALEA_EDGE_STEPS = 2 * (ALEA_MOST_WEIGHT + 1), ALEA_EDGE_GATE = 16 };

static inline alea_image_edge alea_image_edge_to(uint32_t slot, uint32_t weight, bool up) {
  return 2 * ALEA_EDGE_STEPS * slot + 2 * weight + (up ? 1 : 0);
}
static inline uint32_t alea_edge_slot(alea_image_edge edge) { return edge / (2 * ALEA_EDGE_STEPS); }
static inline uint32_t alea_edge_weight(alea_image_edge edge) { return edge % ALEA_EDGE_STEPS / 2; }
static inline uint32_t alea_edge_is_gate(alea_image_edge edge) { return edge / ALEA_EDGE_GATE % 2; }

/* Readers of one weight whose slots are in one block of 64, which begins at 'first': a bit for
 * each whose counter goes up when the slot falls (0), and for each where it does when it rises (1).
 */
typedef struct alea_image_block {
  uint64_t up[2];
  uint32_t first;
  uint16_t later; /* 1 if their phase is a later one, else 0 */
  uint16_t weight;
} alea_image_block;

/* Who is told when a slot rises or falls: gates in the same phase, gates in later ones, and bits,
 * which nobody reads.  The phase of a leaf is the first that can read it: STATE for fluents, NEXT
 * for moves.  Most gates have few readers, which have fixed places beside each other, so that
 * nothing has to be asked to tell them.  The others are at far[first], if that is not 0: a head,
 * and groups, each with the kind of its readers and ALEA_EDGE_GROUP of them.  What is left over is
 * filled up with slots that stand for nothing. */
typedef enum alea_edge_kind { ALEA_EDGE_SAME, ALEA_EDGE_LATER, ALEA_EDGE_BIT } alea_edge_kind;
typedef struct alea_image_slot {
  alea_image_edge same[ALEA_NEAR_SAME], other;
  uint32_t first;
} alea_image_slot;

/* The head of a list in 'far'. */
enum {
  ALEA_FAR_BLOCKS,     /* how many blocks of gates there are, */
  ALEA_FAR_FIRST,      /* the number of the first, */
  ALEA_FAR_BIT_BLOCKS, /* how many blocks of bits follow them, */
  ALEA_FAR_GROUPS,     /* and how many groups there are */
  ALEA_FAR_HEAD
};

/* An input of a gate on a cycle, told apart because there a lost input may
 * matter even where the counter does not reach zero. */
typedef struct alea_image_touch {
  uint32_t gate; /* slot */
  uint32_t part;
  bool up;     /* counts up when the source rises */
  bool adding; /* can only make the part's gates true when the source rises */
} alea_image_touch;

/* A part with a cycle: slots first .. last. */
typedef struct alea_image_part {
  uint32_t first, last;
} alea_image_part;

/* Conjuncts of a legality that its gate does without; true where there are fewer. */
typedef struct alea_image_conjuncts {
  alea_lit lits[2];
} alea_image_conjuncts;

/* Moves whose bit in the roots says they are legal only if the conjuncts hold too. */
typedef struct alea_image_guard {
  alea_image_conjuncts needs;
  const uint64_t *moves; /* bits, the role's moves from bit 0 on */
} alea_image_guard;

typedef struct alea_image {
  const alea_net *net;                         /* borrowed */
  alea_arena arena;                            /* holds all arrays */
  uint32_t slot_count;                         /* with counters */
  uint32_t phase_first[ALEA_IMAGE_PHASES + 1]; /* slots; those that stand for nothing are last */
  uint8_t *phase_of_block;                     /* per 64 slots */
  uint32_t *slot_of;      /* per gate of the net, then per piece of a wide one */
  uint32_t *piece_first;  /* per gate and one more: its first piece, if it has any */
  uint32_t *folded;       /* per gate: that which counts for it, plus 1, or 0 */
  uint8_t *weight;        /* per gate: that of its own inputs, where another is folded into it */
  alea_image_slot *slots; /* per slot, leaves included */
  alea_image_edge *far;
  alea_image_block *blocks;
  uint32_t most_edges; /* of a slot */

  /* Cycles; all NULL or 0 where there are none. */
  uint32_t part_count;
  uint32_t phase_part[ALEA_IMAGE_PHASES + 1]; /* the first part of each phase */
  alea_image_part *parts;
  uint32_t *touch_first; /* per slot, leaves included, CSR */
  alea_image_touch *touches;
  uint32_t *inner_first; /* per slot: readers in the same part, CSR */
  uint32_t *inner;
  uint32_t *part_of; /* per slot: part + 1, or 0 */
  uint64_t *is_or;   /* a bit per slot, for those on a cycle */

  /* Bits that follow the roots: next per fluent, then legal, each role's
   * moves beginning at a word of its own. */
  uint32_t fluent_words, root_words;
  uint32_t *legal_word;                 /* per role */
  const alea_image_guard **guards;      /* per role: each move is under one of them */
  uint32_t *guard_count;                /* per role */
  alea_image_conjuncts *guards_of_gate; /* per gate: what is left out; see guards.c */
  uint32_t *goal_first;                 /* per role: goals[goal_first[r] .. goal_first[r+1]) */
  alea_net_goal *goals;                 /* per role the largest value first */
  uint64_t *zobrist;                    /* per fluent */

  uint64_t *turned; /* per bit of the roots: it is 1 where its slot is not active */

  /* The initial position, with the first move of each role made. */
  uint8_t *counters; /* per slot; see wave.h */
  uint64_t *init;
  uint32_t *inner_counts; /* per slot on a cycle: its counter, which may be large */
  uint64_t *values;       /* a bit per slot, for those on a cycle, */
  uint64_t *zero;         /* and another one: its counter is 0 */
  uint64_t init_hash;
} alea_image;

/* Words of a bit per slot. */
static inline size_t alea_image_slot_words(const alea_image *image) {
  return ((size_t)image->slot_count + 63) / 64;
}

/* The slot of a node. */
static inline uint32_t alea_image_slot_of(const alea_image *image, uint32_t node) {
  uint32_t leaves = image->net->first_gate;
  return node < leaves ? image->slot_count + node : image->slot_of[node - leaves];
}

/* The slot of a bit of the roots. */
static inline uint32_t alea_image_bit_slot(const alea_image *image, uint32_t bit) {
  uint32_t fluents = 64 * image->fluent_words;
  if (bit < fluents) return image->phase_first[ALEA_IMAGE_AFTER] + bit;
  return image->phase_first[ALEA_IMAGE_LEGAL] + (bit - fluents);
}

static inline alea_image_phase alea_image_phase_of(const alea_image *image, uint32_t slot) {
  if (slot < image->slot_count) return (alea_image_phase)image->phase_of_block[slot / 64];
  bool is_move = slot - image->slot_count > image->net->fluent_count;
  return is_move ? ALEA_IMAGE_NEXT : ALEA_IMAGE_STATE;
}

/* Whether a gate does not count one of its inputs because that is a guard. */
static inline bool alea_image_leaves_out(const alea_image *image, uint32_t gate, uint32_t input) {
  const alea_lit *lits = image->guards_of_gate[gate].lits;
  return input == lits[0] >> 1 || input == lits[1] >> 1;
}

static inline bool alea_net_is_or(const alea_net *net, uint32_t node) {
  return node >= net->first_gate && net->gates[node - net->first_gate].kind == ALEA_GATE_OR;
}

/* Whether the counter of 'gate' goes up when the source of 'lit' rises. */
static inline bool alea_net_counts_up(const alea_net *net, uint32_t gate, alea_lit lit) {
  bool source_or = alea_net_is_or(net, lit >> 1); /* rising makes it false */
  bool lit_true = ((lit & 1) != 0) == source_or;  /* rising makes the literal true */
  return alea_net_is_or(net, gate) == lit_true;
}

/* A gate with more than ALEA_MOST_INPUTS inputs has pieces, which count as many of
 * them each; pieces that are too many have pieces in turn. */
static inline uint32_t alea_image_pieces(uint32_t inputs) {
  return inputs / ALEA_MOST_INPUTS + (inputs % ALEA_MOST_INPUTS != 0);
}

/* What counts the i-th input of a gate, as an index of slot_of: the gate itself, or a piece. */
static inline uint32_t alea_image_counter_of(const alea_image *image, uint32_t gate, uint32_t i) {
  const alea_net *net = image->net;
  if (net->gates[gate].input_count <= ALEA_MOST_INPUTS) return gate;
  return net->gate_count + image->piece_first[gate] + i / ALEA_MOST_INPUTS;
}

/* An input that a counter counts. */
typedef struct alea_image_input {
  uint32_t node;
  uint32_t counter; /* index of slot_of */
  uint32_t weight;
  bool up; /* the counter goes up when the input rises */
} alea_image_input;

/* Calls 'visit' for all that the inputs begin .. end - 1 of a gate, which is not folded, come to:
 * itself, or the inputs of what is folded into it. */
typedef void (*alea_image_visit)(void *context, const alea_image_input *input);
void alea_image_each_input(const alea_image *image, uint32_t gate, uint32_t begin, uint32_t end,
                           alea_image_visit visit, void *context);

/* Readers and roots of every gate, added to 'uses'. */
void alea_net_count_uses(const alea_net *net, uint32_t *uses);

/* The part of a node, or UINT32_MAX. */
uint32_t alea_net_part_of(const alea_net *net, uint32_t node);

/* Zeros from the image's arena, NULL without memory. */
void *alea_image_zeros(alea_image *image, size_t count, size_t size);

/* Fills guards, guard_count and guards_of_gate. */
bool alea_image_find_guards(alea_image *image, alea_mem *mem);
/* Which gates are folded into which; after the guards. */
bool alea_image_fold(alea_image *image, alea_mem *mem);
/* Slots; after the folds. */
bool alea_image_place_slots(alea_image *image, alea_mem *mem);
/* Gives slots from '*at' on to counters of the nodes first .. end - 1 that have none yet
 * (ALEA_NO_SLOT) and of which several have an input in common; '*at' is then behind them.
 * Gates on cycles keep out. */
bool alea_image_place_runs(alea_image *image, uint32_t first, uint32_t end, uint32_t *at,
                           alea_mem *mem);
/* Who is told of what; after the slots. */
bool alea_image_make_edges(alea_image *image, alea_mem *mem);
/* What belongs to cycles; after the slots. */
bool alea_image_make_cycles(alea_image *image);

alea_status alea_image_init(alea_image *image, const alea_net *net, alea_mem *mem);
void alea_image_clear(alea_image *image);

#endif

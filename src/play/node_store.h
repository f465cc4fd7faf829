#ifndef ALEA_PLAY_NODE_STORE_H
#define ALEA_PLAY_NODE_STORE_H

/* The positions that a search knows: a directed graph with one node per
 * position, found by its words (a transposition table), in bounded memory.
 *
 * A node holds for every role its legal moves, called arms, with statistics,
 * and the children by joint move.  A joint move is numbered by mixed radix
 * over the arms of the roles, the last role turning fastest.
 *
 * For every role a node has bounds: the value of the position lies in
 * [lo, hi], rewards being goals / 100.  They start at [0, 1] and close as
 * the search proves more (play/exact.h).
 *
 * A store that is full makes no more nodes, and a search goes on with what it
 * has.  Node numbers are 1, 2, ...; 0 is no node. */

#include "base/hash_map.h"
#include "base/vec.h"
#include "game/game.h"

typedef uint32_t alea_node_id;

typedef struct alea_arm {
  uint32_t visits;
  float sum, squares; /* of the rewards of the arm's role */
  float lo, hi;       /* bounds for the role if it plays this, whatever the others do */
} alea_arm;

/* Values are sums of at most a few thousand floats in [0, 1]: what differs by
 * less is the same. */
#define ALEA_VALUE_TOLERANCE 1e-6f

/* Whether the value of the arm is known. */
static inline bool alea_arm_is_exact(const alea_arm *arm) {
  return arm->hi - arm->lo < ALEA_VALUE_TOLERANCE;
}

/* What a search that solves positions one by one keeps of an arm beside it. */
typedef struct alea_arm_work {
  uint32_t solved : 31;    /* positions solved below the arm */
  uint32_t dead : 1;       /* pruned */
  uint32_t representative; /* 1 + the earlier arm that leads to the same or a symmetric position;
                              0: none */
} alea_arm_work;

/* All-moves-as-first statistics of a (role, move). */
typedef struct alea_amaf {
  float visits, sum;
} alea_amaf;

typedef struct alea_node {
  uint64_t hash;
  size_t size; /* of the block that holds the node and its arrays */
  uint64_t *words;
  alea_node_id *children; /* by joint move; NULL where there are too many */
  float *lo, *hi;         /* per role */
  uint32_t *firsts;       /* arms of role r: firsts[r] .. firsts[r + 1] */
  alea_move *moves;       /* by arm */
  alea_arm *arms;
  alea_amaf *amaf;           /* by role and move, or NULL (alea_node_store_give_amaf) */
  uint32_t *representatives; /* by arm of the chooser: the first arm symmetric to it; or NULL */
  float *sums;               /* per role: rewards of the simulations that came here, or NULL */
  alea_arm_work *efforts;    /* by arm, or NULL */
  float *hopes;              /* by arm of the chooser, or NULL (play/tree_eval.h) */
  float hope;                /* what an evaluation thinks of the position, 0..1 (the same) */
  uint32_t word_count;
  uint32_t visits;
  uint32_t joint_count; /* joint moves; UINT32_MAX where there are too many */
  uint32_t stamp;       /* of the simulation that last passed */
  uint32_t pruned;      /* round of pruning that last saw the node */
  uint16_t choosers;    /* players, chance apart, with more than one move */
  uint16_t chooser;     /* one of them */
  uint16_t looks;       /* portions of successors that were looked at so far */
  bool solved;          /* arms and children are filled in */
  bool terminal;
  bool exact;  /* lo == hi for every role */
  bool looked; /* all successors were looked at for the end of the game */
  bool kept;   /* mark of alea_node_store_keep */
  bool hoped;  /* 'hopes' are filled in */
} alea_node;

typedef struct alea_node_store {
  alea_mem *mem;
  const alea_game *game;
  size_t limit, used;          /* bytes of nodes and tables */
  ALEA_VEC(alea_node *) nodes; /* by id; NULL where free */
  alea_u32s free_ids;
  alea_hash_map map;    /* nodes by their words */
  uint32_t *amaf_first; /* per role: index of its move 0 in an amaf table */
  uint32_t amaf_size;
  uint32_t child_limit; /* nodes with more joint moves have no array of children */
  bool with_hopes;      /* nodes made from now on have room for an evaluation's opinions */
} alea_node_store;

/* 'limit' bounds the bytes of the store; 'amaf' says that nodes will have
 * all-moves-as-first tables. */
alea_status alea_node_store_init(alea_node_store *store, const alea_game *game, size_t limit,
                                 bool amaf, alea_mem *mem);
void alea_node_store_clear(alea_node_store *store);

static inline uint32_t alea_node_store_count(const alea_node_store *store) {
  return store->map.count;
}

static inline alea_node *alea_node_store_at(const alea_node_store *store, alea_node_id id) {
  return store->nodes.data[id];
}

/* The node of the cursor's position, or 0. */
alea_node_id alea_node_store_find(const alea_node_store *store, alea_cursor *cursor);
/* Makes the node of the cursor's position, which must not be there.  '*id' is
 * 0 where the store is full. */
alea_status alea_node_store_make(alea_node_store *store, alea_cursor *cursor, alea_node_id *id);

/* The same in two steps, for searches that solve a position later than they
 * meet it: a bare node knows its words and keeps the sums of rewards; solving
 * gives it moves, arms, efforts and children.  The number of the node stays,
 * its address changes. */
alea_node_id alea_node_store_find_words(const alea_node_store *store, uint64_t hash,
                                        const uint64_t *words, size_t count);
/* '*id' is 0 where the store is full. */
alea_status alea_node_store_make_bare(alea_node_store *store, uint64_t hash, const uint64_t *words,
                                      size_t count, alea_node_id *id);
/* Fills a bare node in; false where the store is full. */
struct alea_stage_solution;
bool alea_node_store_fill(alea_node_store *store, alea_node_id id,
                          const struct alea_stage_solution *solution);

/* Gives the node an amaf table of zeros, if there is room. */
void alea_node_store_give_amaf(alea_node_store *store, alea_node *node);
/* Notes which arms of the chooser are symmetric, if there is room:
 * representatives[a] is the first arm that is symmetric to arm a. */
void alea_node_store_give_symmetric(alea_node_store *store, alea_node *node,
                                    const uint32_t *representatives);
enum { ALEA_LINE_ROLES = 64 }; /* that a main line may have (play/main_line.h) */
/* Where the others play 'picks', sets the pick of 'role', who is chance, to the outcome
 * whose child has most visits; to the first where there are too many to know. */
void alea_node_store_commonest(const alea_node_store *store, const alea_node *node, uint32_t role,
                               uint32_t *picks);
/* Frees all nodes but those that can be reached from 'root'. */
void alea_node_store_keep(alea_node_store *store, alea_node_id root);
/* Frees all nodes. */
void alea_node_store_empty(alea_node_store *store);

/* Whether another arm stands for this one of the chooser. */
static inline bool alea_node_is_symmetric(const alea_node *node, uint32_t arm) {
  return node->representatives != NULL && node->representatives[arm] != arm;
}

/* The joint move number of one arm per role (as offsets from firsts[r]). */
static inline uint32_t alea_node_joint(const alea_node *node, uint32_t roles,
                                       const uint32_t *picks) {
  uint32_t joint = 0;
  for (uint32_t r = 0; r < roles; r++)
    joint = joint * (node->firsts[r + 1] - node->firsts[r]) + picks[r];
  return joint;
}

#endif

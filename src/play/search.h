#ifndef ALEA_PLAY_SEARCH_H
#define ALEA_PLAY_SEARCH_H

/* Monte-Carlo tree search where every role sees the position: max^n values, one
 * pick per role at nodes where several choose (decoupled), chance drawn
 * ([MAXN08], D16, D21).  The players uct, grave and alea are this search with
 * different policies.
 *
 * One simulation goes down from the root along picks, adds at most one node,
 * plays out from there and adds the rewards to the arms on its way.  Exact
 * values replace playouts where they are known.
 *
 * Where the sampler plays in the background, two batches of simulations take
 * turns: one is gathered while the other is in flight (D179). */

#include "game/time_manager.h"
#include "play/belief.h"
#include "play/exact.h"
#include "play/free_order.h"
#include "play/leaf_batch.h"
#include "play/move_ranking.h"
#include "play/move_sums.h"
#include "play/pick.h"
#include "play/rollout.h"
#include "play/symmetric_moves.h"
#include "play/tree_eval.h"

/* What a player may tell the search of positions; members may be NULL. */
typedef struct alea_search_hooks {
  /* A node was made at the cursor: its bounds may be narrowed. */
  alea_status (*bound)(void *context, alea_cursor *cursor, alea_node *node);
  /* What the cursor's position promises each role, or NULL; 'mix' of it goes
   * into the value of a new node. */
  const float *(*guess)(void *context, alea_cursor *cursor);
  float mix;
  /* A game has ended: 'down' are the choices on the way down from the root,
   * 'more' those after it.  Only searches on one thread tell. */
  void (*heard)(void *context, const alea_trace *down, const alea_played *more, size_t count,
                const float *rewards);
  void *context;
} alea_search_hooks;

/* Searches of games with `sees`: by trees of information sets (play/infoset.h), or, where one
 * role plays, over beliefs (play/belief_search.h).  With `auto` beliefs are searched where
 * uniform play reaches little from the present one: its playouts then say next to nothing of
 * moves (D173). */
/* clang-format off */
#define ALEA_HIDDEN_SEARCHES(word)                                         \
  word(ALEA_HIDDEN_SETS, "sets") word(ALEA_HIDDEN_BELIEFS, "beliefs") \
  word(ALEA_HIDDEN_AUTO, "auto")
/* clang-format on */
typedef enum alea_hidden_search { ALEA_HIDDEN_SEARCHES(ALEA_CHOICE_CONSTANT) } alea_hidden_search;

typedef struct alea_search_options {
  alea_pick_fn *pick;
  double c;                  /* exploration */
  alea_pick_fn *repeat_pick; /* the same where moves are made over and over; NULL: no other */
  double repeat_c;
  double fill_c; /* exploration where a board is filled in any order (free_order.h) */
  double floor;  /* arms tried less often than this asks for are tried (alea_pick_starved) */
  bool amaf;     /* keep all-moves-as-first tables (GRAVE) */
  uint32_t ref;  /* visits that make a node a reference for them */
  double bias;   /* of the mix with them */
  alea_rollout_kind rollout;
  double epsilon;       /* of the rollout */
  uint32_t step_cap;    /* of the rollout; 0 = the default */
  uint32_t playouts;    /* per new node; several are played by the sampler */
  uint32_t batch;       /* new nodes that are played out together by the sampler; 0 is 1 */
  bool many_only;       /* several playouts only where the sampler plays many at once */
  uint32_t follow;      /* steps of sampled playouts that follow the move ranking, of 8 */
  double spread;        /* how far from the mean a move is good or bad (move_ranking.h) */
  uint32_t look;        /* the visit at which the successors of a node are looked at; 0 = never */
  bool exact;           /* use exact values and bounds */
  bool refute;          /* what showed that an arm loses does not count above its node */
  bool repeat_proofs;   /* the same where moves are made over and over; nodes are then looked at
                           when they are new, and have half the playouts where these are counted */
  uint64_t patience;    /* where moves are made over and over: simulations of a budget from which
                           on it is to find the best move, and its root halves its arms; 0 = never */
  bool symmetric_moves; /* of symmetric arms, try one */
  bool reuse;           /* keep the tree from one move to the next */
  size_t memory;        /* bytes of the node store */
  uint32_t threads;     /* that search, and share the memory; 0 is 1 (root_parallel.h) */
  const alea_tree_eval *eval; /* used once it is ready; NULL: none */
  alea_search_hooks hooks;
  alea_belief_model belief;  /* where the game has `sees` */
  bool sets_alike;           /* there too: move statistics, batch and hooks (play/infoset.h) */
  alea_hidden_search hidden; /* there, where one role plays: which search is made */
} alea_search_options;

/* A node on the way down, and the arms that were picked there. */
typedef struct alea_stop {
  alea_node_id id;
  uint32_t picks; /* index into alea_search.picks of the first role's pick */
  uint32_t trace; /* moves made before the node */
  bool forced;    /* an arm was tried because it had been left alone */
} alea_stop;

/* What a move, by its index in tables of all moves as first, has won in a game. */
typedef struct alea_move_reward {
  uint32_t index;
  float reward;
} alea_move_reward;

/* One way from the root down. */
typedef struct alea_line {
  ALEA_VEC(alea_stop) path;
  alea_u32s picks;
  alea_trace trace;
  alea_node *leaf; /* NULL where the store was full */
  bool repeated;   /* the leaf was passed before on the same way */
  bool sampled;    /* the sampler plays it out */
  bool teaches;    /* nodes on the way keep tables of all moves as first */
  /* Games from the leaf that the nodes have not learned of: moves, and rewards by role. */
  ALEA_VEC(alea_move_reward) heard;
  float *rewards;
  uint32_t games;
} alea_line;

/* Lines whose leaves are played out together: line i waits for leaf i. */
typedef struct alea_line_batch {
  alea_leaf_batch leaves;
  alea_line *lines; /* options.batch; NULL: the sampler plays nothing in the background */
  uint64_t games;   /* that were asked for */
  double began;     /* on the budget's clock, where there is one */
} alea_line_batch;

typedef struct alea_search {
  const alea_player_setup *setup;
  alea_search_options options;
  alea_mem *mem;
  alea_player_stats *stats;
  alea_rng rng;
  alea_node_store store;
  alea_rollout rollout;
  alea_symmetric_moves symmetric_moves;
  alea_move_ranking ranking; /* of sampled playouts, where options.follow is not 0 */
  alea_free_order order;     /* tried where moves are not worth ranking and fill_c is not c */
  alea_move_sums move_sums;  /* empty between lines */
  alea_sample_listener listener;
  alea_sampler *sampler; /* of the batches; NULL unless a policy needs it */
  alea_cursor *cursor;
  alea_time_manager *time_manager; /* of the run that is on */
  uint32_t portion;                /* successors that are looked at together */
  alea_node_id root;
  const alea_node *verdict; /* of all workers on the root (root_parallel.h); NULL: its own */
  uint32_t stamp;           /* of the simulation that runs */
  uint32_t looks;           /* at successors of nodes, so far */
  float ends_found;         /* share of the latest of these that found an end of the game */
  bool sampled;             /* playouts are made by the sampler */
  bool preparing;           /* no move is chosen after the run: before a match */
  bool patient;             /* the budget of the run is as large as options.patience asks for */
  double spent;             /* share of that budget */
  /* While one is in flight, the next is collected; none is outside of a run. */
  alea_line_batch batches[ALEA_SAMPLE_SLOTS];
  alea_line_batch *batch; /* the one at work, */
  alea_line *line;        /* and the line */
  alea_move *joint;
  float *rewards;
  ALEA_VEC(alea_choice) choices;
  ALEA_VEC(int) goals; /* of looked-at successors */
  ALEA_VEC(bool) ends;
} alea_search;

/* 'setup' and 'stats' must outlive the search. */
alea_status alea_search_init(alea_search *search, const alea_player_setup *setup,
                             const alea_search_options *options, alea_player_stats *stats);
void alea_search_clear(alea_search *search);

/* Makes 'position' the root; what is known below it is kept if the options
 * say so. */
alea_status alea_search_root(alea_search *search, const alea_particle *position);
/* Searches from the root until the time manager says so or the root is exact. */
alea_status alea_search_run(alea_search *search, alea_time_manager *time_manager);
/* Whether a budget is for finding the best move, if moves are made over and over. */
bool alea_search_has_patience(const alea_search *search, const alea_budget *budget);
/* The best move found: a proved one, or else the most visited.  ALEA_NONE:
 * the search has no root, for lack of memory, or the role has no move. */
alea_status alea_search_best(alea_search *search, alea_move *move);
void alea_search_analyse(alea_search *search, alea_analysis *analysis);
/* What the tree expects at the position of 'cursor' (alea_player_class.expect). */
bool alea_search_expect(const alea_search *search, alea_cursor *cursor, alea_move *joint,
                        bool *proved);
/* Whether two moves at the root are known to be alike by a symmetry. */
bool alea_search_are_alike(const alea_search *search, alea_move a, alea_move b);

#endif

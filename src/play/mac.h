#ifndef ALEA_PLAY_MAC_H
#define ALEA_PLAY_MAC_H

/* MAC-UCB and its relatives ([MACUCB16 §4], [SYM16 §4], D16 to D20): a game as
 * a sequence of stages, each a small stochastic constraint network whose
 * solutions, the arms, are estimated by sampling.
 *
 * Two kinds of work take turns.  Solving goes down from the root along upper
 * confidence bounds to a stage that was not solved, finds its arms
 * (encode/stage.h), and carries completeness and exact values up.  Sampling goes the
 * same way down, past the last solved stage, and plays on at random; the
 * sampler plays many such pulls at once.  Solving gets the share 'rho' of the
 * effort, symmetry at most 'sym_share', sampling the rest.
 *
 * Effort is time on the budget's clock.  Where only simulations limit the
 * search it is counted, so that the same seed gives the same bytes: a position
 * that is made is one unit, and so is one state of a plain playout; a stage
 * costs what its propagation is worth in such states (encode/stage.h); a
 * sampler that plays many at once does ALEA_MAC_LANES states per unit; an
 * image of a position is a sixteenth.
 *
 * The arms of a stage are kept role by role (encode/stage.h lists the same
 * domains), so a stage with more joint moves than the network may enumerate
 * is searched with decoupled arms like any other.  What joint arms are worth
 * is read off the children.
 *
 * Where the game has `sees`, the arms are moves at information sets, and ways
 * down start from positions of the belief (play/mac_belief.h); stages, thresholds,
 * cache and symmetries are those of this file. */

#include "encode/stage.h"
#include "encode/template.h"
#include "game/time_manager.h"
#include "play/belief.h"
#include "play/exact.h"
#include "play/leaf_batch.h"
#include "play/pick.h"
#include "symmetry/stage_symmetry.h"
#include "symmetry/symmetry_table.h"

enum {
  ALEA_MAC_LANES = 16,
  ALEA_MAC_DEPTH = 4096, /* stages on one way down, at most */
};

/* clang-format off */
#define ALEA_MAC_PROPS(word)                                                  \
  word(ALEA_MAC_PROP_AUTO, "auto") word(ALEA_MAC_PROP_TABLE, "table")         \
  word(ALEA_MAC_PROP_NET, "net")
#define ALEA_MAC_DESCENTS(word) word(ALEA_MAC_TREE, "tree") word(ALEA_MAC_LINE, "line")
#define ALEA_MAC_THETAS(word)                                     \
  word(ALEA_MAC_LITERAL, "literal") word(ALEA_MAC_SOUND, "sound") \
  word(ALEA_MAC_NO_THETA, "off")
#define ALEA_MAC_SELECTS(word)                                                \
  word(ALEA_MAC_DECOUPLED, "decoupled") word(ALEA_MAC_JOINT_OWN, "joint-own") \
  word(ALEA_MAC_MAXIMIN, "maximin") word(ALEA_MAC_COOP, "coop")
#define ALEA_MAC_CACHES(word)                                                 \
  word(ALEA_MAC_CACHE_MATCH, "match") word(ALEA_MAC_CACHE_KEEP, "keep")       \
  word(ALEA_MAC_CACHE_OFF, "off")
#define ALEA_MAC_SYMMETRIES(word)                                             \
  word(ALEA_MAC_SYM_GAME, "game") word(ALEA_MAC_SYM_SOUND, "sound")           \
  word(ALEA_MAC_SYM_PAPER, "paper") word(ALEA_MAC_SYM_OFF, "off")

#define ALEA_MAC_OPTIONS(row, rho_word, sym_word)                                              \
  row(real, rho, rho_word, 0, 1, "P", "share of the effort that goes into solving stages")     \
  row(choice, prop, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_MAC_PROPS), "what solves a stage: constraint tables, the game's own network, or tables and, where none can be made, the network; the analysis says so then") \
  row(choice, descent, "tree", 0, 0, ALEA_CHOICE_WORDS(ALEA_MAC_DESCENTS), "stages solved where bounds lead, or one line after the other") \
  row(choice, theta, "literal", 0, 0, ALEA_CHOICE_WORDS(ALEA_MAC_THETAS), "threshold: as printed, for the own role alone, or none") \
  row(choice, select, "decoupled", 0, 0, ALEA_CHOICE_WORDS(ALEA_MAC_SELECTS), "whose value counts where several choose at once") \
  row(integer, pulls, "0", 0, 1e9, "N", "samples between two rounds of pruning, and per stage of a line; 0 is 10,000, or fewer where a move would have less than ten rounds") \
  row(integer, horizon, "0", 0, 1e6, "T", "steps that are looked ahead; 0 is what sampling reaches") \
  row(real, c, "1", 0, 100, "C", "weight of exploration, on rewards from 0 to 1")              \
  ALEA_SAMPLER_OPTIONS(row)                                                                    \
  row(choice, cache, "match", 0, 0, ALEA_CHOICE_WORDS(ALEA_MAC_CACHES), "what is known of positions lasts for the match, for ever, or a move") \
  row(text, cache_file, "", 0, 0, "FILE", "where cache=keep reads and writes what it knows")   \
  row(choice, sym, sym_word, 0, 0, ALEA_CHOICE_WORDS(ALEA_MAC_SYMMETRIES), "symmetries that are used: all that are proved, those that the rules show, of one stage as printed, or none") \
  row(real, sym_share, "0.25", 0, 1, "P", "largest share of the effort that goes into symmetry") \
  row(integer, images, "512", 1, 1e6, "K", "images stored of a position where the group is large") \
  row(integer, particles, "300", 1, 1e6, "N", "states in the belief, where the game has sees") \
  row(choice, belief, "filter", 0, 0, ALEA_CHOICE_WORDS(ALEA_BELIEF_MODELS), "how such states are found")         \
  row(bytes, memory, "256M", 0, 0, "BYTES", "memory of stages, images and cache")
/* clang-format on */

#define ALEA_MAC_ROWS(row) ALEA_MAC_OPTIONS(row, "", "")
typedef struct alea_mac_values {
  ALEA_OPTION_FIELDS(ALEA_MAC_ROWS)
} alea_mac_values;

typedef enum alea_mac_prop { ALEA_MAC_PROPS(ALEA_CHOICE_CONSTANT) } alea_mac_prop;
typedef enum alea_mac_descent { ALEA_MAC_DESCENTS(ALEA_CHOICE_CONSTANT) } alea_mac_descent;
typedef enum alea_mac_theta { ALEA_MAC_THETAS(ALEA_CHOICE_CONSTANT) } alea_mac_theta;
typedef enum alea_mac_select { ALEA_MAC_SELECTS(ALEA_CHOICE_CONSTANT) } alea_mac_select;
typedef enum alea_mac_cache { ALEA_MAC_CACHES(ALEA_CHOICE_CONSTANT) } alea_mac_cache;
typedef enum alea_mac_symmetry { ALEA_MAC_SYMMETRIES(ALEA_CHOICE_CONSTANT) } alea_mac_symmetry;
typedef enum alea_mac_work {
  ALEA_MAC_SOLVING,
  ALEA_MAC_SAMPLING,
  ALEA_MAC_SYMMETRY,
  ALEA_MAC_WORKS
} alea_mac_work;

/* A stage on the way down, and where its picks begin. */
typedef struct alea_mac_stop {
  alea_node_id id;
  uint32_t picks;
} alea_mac_stop;

/* One way down.  The leaf is 0 where the store was full; 'words' is then the
 * position. */
typedef struct alea_mac_line {
  ALEA_VEC(alea_mac_stop) path;
  alea_u32s picks;
  alea_u64s words;
  alea_node_id leaf;
  bool repeated; /* the leaf lies on the way itself */
} alea_mac_line;

/* Nogoods of the symmetries as printed ([SYM16 §4], sym=paper): a state and an
 * arm there that the threshold has pruned. */
typedef struct alea_mac_nogoods {
  const alea_stage_symmetry *stage;   /* the graph that they are added to; NULL: not wanted */
  const alea_game_symmetry *no_group; /* its symmetries while there are none */
  alea_game_symmetry *group; /* those with the nogoods that were heeded; owned, may be NULL */
  alea_u64s words;           /* states, one after the other */
  ALEA_VEC(alea_stage_nogood) list;
  alea_hash_map map; /* of the list */
  size_t heeded;     /* those that were there when symmetries were last found with them */
  bool incomplete;   /* one was not noted for lack of memory; the next to heed them says so */
} alea_mac_nogoods;

/* The search, of positions that everybody sees; its parts serve the other
 * search as well. */
typedef struct alea_mac {
  const alea_player_setup *setup;
  const alea_mac_values *v;
  bool exact, line; /* options: use exact values; descent is a line */
  alea_mem *mem;
  alea_player_stats *stats;
  alea_rng rng;
  alea_node_store store;
  alea_stage *stage;
  alea_stage_method method;
  bool constrained;     /* the stage propagates constraints */
  bool stage_done;      /* a constraint network was tried to make */
  const char *fallback; /* why it does not although it was to; NULL: it does, or was not */
  alea_cursor *cursor;
  alea_symmetry_table images;
  bool symmetry_done; /* symmetries were looked for */
  alea_mac_nogoods nogoods;

  alea_node_id root;
  uint32_t root_image; /* of the root, among the images of its node (symmetry/symmetry_table.h) */
  alea_node_id base;   /* where ways down begin: the root, or a stage of the line */
  uint64_t base_pulls;
  alea_u32s prefix; /* line: the stages above the base */

  double effort[ALEA_MAC_WORKS]; /* of this move */
  bool timed;
  double seconds; /* of this move, where it is timed */
  bool over;      /* the time manager has said so: it does not say so at every look */
  alea_clock_kind clock;
  uint32_t stamp, horizon;
  double length;                       /* mean length of a playout of late */
  float *theta;                        /* per role */
  uint32_t prunings;                   /* rounds of pruning in this match */
  uint32_t rounds;                     /* and in this move */
  uint64_t since_pruning, prune_every; /* pulls */

  alea_mac_line *lines; /* a batch of them */
  uint32_t line_count;
  alea_leaf_batch leaves; /* of the lines that wait for the sampler */
  alea_move *joint;
  float *rewards;
  ALEA_VEC(alea_choice) choices;
  alea_template_sizes sizes;  /* of the constraint network of a stage */
  alea_stage_analysis view;   /* what is told of the root's stage, with its arrays */
  alea_stage_choice *domains; /* per role */
  alea_u32s pruned;
} alea_mac;

alea_status alea_mac_init(alea_mac *mac, const alea_player_setup *setup, const alea_mac_values *v,
                          alea_stage_method method, alea_player_stats *stats, alea_text *message);
void alea_mac_clear(alea_mac *mac);
/* Makes the constraint network of a stage, where it is wanted if it can be made;
 * tries once.  The deadline is NULL where no clock runs (encode/services.h). */
alea_status alea_mac_find_stage(alea_mac *mac, const alea_deadline *deadline);
/* Stages are solved by the game's own network from now on. */
alea_status alea_mac_leave_constraints(alea_mac *mac);
/* Finds the symmetries of the game, where they are wanted; the deadline as
 * above. */
alea_status alea_mac_find_symmetric(alea_mac *mac, const alea_deadline *deadline);
/* Makes 'position' the root, within the cache's memory. */
alea_status alea_mac_root(alea_mac *mac, const alea_particle *position);
alea_status alea_mac_run(alea_mac *mac, alea_time_manager *time_manager);
/* ALEA_NONE: nothing was found out. */
alea_status alea_mac_best(alea_mac *mac, alea_move *move);
void alea_mac_analyse(alea_mac *mac, alea_analysis *analysis);
/* What is expected at the position of 'cursor' (alea_player_class.expect). */
bool alea_mac_expect(alea_mac *mac, alea_cursor *cursor, alea_move *joint, bool *proved);

/* ---- the parts, one file each ---- */

/* A move begins: thresholds and effort begin anew (mac.c). */
void alea_mac_begin_move(alea_mac *mac);
/* Reads the budget, before anything is searched. */
void alea_mac_begin_run(alea_mac *mac, const alea_time_manager *time_manager);
/* Whether solving has had less than its share. */
bool alea_mac_wants_solving(const alea_mac *mac);
/* Whether it is time for the next round of thresholds, after so many pulls. */
bool alea_mac_is_round_due(alea_mac *mac, const alea_time_manager *time_manager, uint64_t done);
/* Tells the player's counters what the effort went into. */
void alea_mac_note_shares(alea_mac *mac);

static inline uint32_t alea_mac_roles(const alea_mac *mac) { return mac->setup->game->role_count; }
static inline alea_node *alea_mac_at(const alea_mac *mac, alea_node_id id) {
  return alea_node_store_at(&mac->store, id);
}
/* Whether the value of the node needs no more work. */
static inline bool alea_mac_knows(const alea_mac *mac, const alea_node *node) {
  return node->exact && (mac->exact || node->terminal);
}

/* Seconds on the clock of the search; 0 where effort is counted (mac_down.c). */
double alea_mac_now(const alea_mac *mac);
/* Of all kinds, for this move. */
double alea_mac_effort(const alea_mac *mac);
/* Whether symmetry may still be worked at. */
bool alea_mac_may_use_symmetry(const alea_mac *mac);
/* Symmetry has worked since 'start', on so many images: the effort is its own,
 * and not that of what the caller is at. */
void alea_mac_charge(alea_mac *mac, alea_mac_work at, double start, uint32_t images);
/* Stores the images of a position. */
void alea_mac_add_symmetric(alea_mac *mac, alea_mac_work at, const uint64_t *words,
                            alea_node_id id);
/* The node of the cursor's position: known, symmetric to one that is known
 * ('*image' says how), or new; 0 where the store is full. */
alea_status alea_mac_meet(alea_mac *mac, alea_mac_work at, alea_node_id *id, uint32_t *image);
/* Whether a joint move is an arm of the one who chooses. */
bool alea_mac_is_plain(const alea_mac *mac, const alea_node *node);
/* The child of 'from' by 'picks', as with alea_mac_meet. */
alea_status alea_mac_link(alea_mac *mac, alea_mac_work at, alea_node_id from, const uint32_t *picks,
                          alea_node_id *id);
/* From the base to the first stage that is not solved, or needs no solving. */
alea_status alea_mac_descend(alea_mac *mac, alea_mac_work at, alea_mac_line *line);
/* Carries what is exact up a way, as far as something changes. */
void alea_mac_close(alea_mac *mac, const alea_mac_line *line);
/* mac_nogoods.c, where sym=paper: finds the graph of a stage, whose symmetries
 * without nogoods are 'group'; notes an arm of the chooser that was pruned; finds
 * the symmetries with the nogoods, where there are new ones; forgets them all. */
alea_status alea_mac_open_nogoods(alea_mac *mac, const alea_game_symmetry *group,
                                  const alea_deadline *deadline);
void alea_mac_add_nogood(alea_mac *mac, const alea_node *node, uint32_t arm);
alea_status alea_mac_heed_nogoods(alea_mac *mac, alea_mac_work at);
void alea_mac_forget_nogoods(alea_mac *mac);
void alea_mac_clear_nogoods(alea_mac *mac);
/* Solves a stage; '*done' is false where the store is full (mac_solve.c). */
alea_status alea_mac_solve(alea_mac *mac, alea_node_id id, bool *done);
/* Solves a few stages where bounds lead; '*idle': all ways led nowhere. */
alea_status alea_mac_exploit(alea_mac *mac, alea_time_manager *time_manager, uint64_t done,
                             bool *idle);
/* One batch of samples, where 'left' may still be made (mac_sample.c). */
alea_status alea_mac_explore(alea_mac *mac, alea_time_manager *time_manager, uint64_t left);
/* Charges the sampling of the batch that was run, and lets the horizon follow
 * its playouts. */
void alea_mac_note_samples(alea_mac *mac);
/* One pick per role at a solved node, for solving or for sampling
 * (mac_pick.c). */
void alea_mac_pick(alea_mac *mac, alea_node *node, bool solving, uint32_t *picks);
/* The arm that is best for 'role', as an offset from its first; UINT32_MAX =
 * nothing is known of any (mac_pick.c). */
uint32_t alea_mac_best_of(alea_mac *mac, const alea_node *node, uint32_t role);
/* What is thought of an arm, exact or a mean; -1 = nothing (mac_pick.c). */
float alea_mac_value(const alea_mac *mac, const alea_node *node, uint32_t arm, uint64_t *visits);
/* Raises the thresholds by what the root promises (mac_prune.c). */
void alea_mac_raise(alea_mac *mac);
/* Prunes arms of the node, if this was not done in this round. */
void alea_mac_prune(alea_mac *mac, alea_node *node);
/* Prunes arms of a node that was solved just now, by what is known of positions
 * that chance leads to. */
alea_status alea_mac_restrict(alea_mac *mac, alea_node *node, const alea_stage_solution *solution);
/* What the joint move 'picks' of the players is worth, over all values of
 * chance: 'means' per role, and the number of samples (mac_pick.c). */
uint64_t alea_mac_joint_means(const alea_mac *mac, const alea_node *node, const uint32_t *picks,
                              float *means);
/* The cache file (mac_cache.c): reads what was kept into the store, or writes
 * what is known.  ALEA_INPUT, ALEA_SYSTEM: 'message' says what is wrong. */
alea_status alea_mac_load(alea_mac *mac, alea_text *message);
alea_status alea_mac_save(alea_mac *mac, alea_text *message);

#endif

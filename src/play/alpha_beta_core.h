#ifndef ALEA_PLAY_ALPHA_BETA_CORE_H
#define ALEA_PLAY_ALPHA_BETA_CORE_H

/* The insides of the minimax search, for its two files: alpha_beta.c searches,
 * alpha_beta_order.c lists and orders moves and keeps the table. */

#include "play/alpha_beta.h"
#include "play/endgame.h"
#include "play/move_effects.h"
#include "play/time_manager.h"

enum {
  AB_MOST_PLY = 128,  /* positions on a line */
  AB_WIN = 100000000, /* less the steps to it */
  AB_MOST_EVAL = 50000000,
  AB_COMPLETE = 1000, /* depth of a search all of whose lines ended with the game */
  AB_MOST_CREDIT = 16,
};

typedef struct ab_move {
  alea_move move;
  int32_t rank;
  int32_t score; /* by the evaluation, of the position behind it, where one role chooses: at
                    the last depth perhaps only a value that it is not expected to exceed */
} ab_move;

typedef enum ab_bound { AB_NO_ENTRY, AB_EXACT, AB_AT_LEAST, AB_AT_MOST } ab_bound;

typedef struct ab_entry {
  uint64_t hash;
  int32_t value;
  alea_move move; /* of the first chooser; ALEA_NO_MOVE: not known */
  int16_t depth;
  uint8_t bound; /* an ab_bound */
  uint8_t age;   /* search that wrote it */
} ab_entry;

/* A position on the line. */
typedef struct ab_ply {
  uint64_t hash;
  int32_t score; /* by the evaluation */
  uint32_t choosers;
  size_t first_move; /* where its lists of moves begin in 'moves' */
  alea_move killers[2];
} ab_ply;

struct alea_alpha_beta {
  alea_mem *mem;
  const alea_player_setup *setup;
  const alea_linear_eval *eval;
  alea_cursor *cursor;
  uint32_t roles;
  size_t word_count;
  ab_entry *table;
  size_t table_size; /* a power of two */
  uint8_t age;
  uint64_t positions, previews; /* met, and evaluated without going there */
  uint64_t *words;              /* by ply */
  ab_ply *plies;
  alea_move *joints;   /* by ply and role */
  uint32_t *choosers;  /* by ply: roles that choose, in the order in which they do */
  size_t *list_ends;   /* by ply and chooser: end of its moves, which begin where the last end */
  int32_t **history;   /* by role and move */
  alea_move **replies; /* by role and move: what refuted it last */
  alea_move_effects effects;
  uint8_t **credits; /* by role and move: how much is to be said for trying it at the end of a
                        line, because it has won a game before */
  uint32_t *move_counts;
  ALEA_VEC(ab_move) moves;
  alea_pace pace;
  alea_time_manager *time_manager;
  alea_status status; /* the first that was not ALEA_OK */
  bool stopped;
  bool relaxed;   /* met so far: several who choose at once, chance, more than two roles, or
                     goals that are not two shares of 100 */
  bool shallow;   /* a line ended by its depth */
  alea_move best; /* at the root, in the present depth */
  int32_t best_value;
};

/* Lists the moves of all who choose at the cursor's position, which is that of
 * 'ply': the role first, chance last.  False: somebody has no move, or the search
 * was stopped. */
bool ab_list(alea_alpha_beta *ab, uint32_t ply);
/* Brings a move of the first chooser to the front; false: it is not there. */
bool ab_put_first(alea_alpha_beta *ab, uint32_t ply, alea_move move);
/* Gives the first chooser's moves from 'at' on their ranks and, where it chooses alone,
 * the scores behind them. */
void ab_order(alea_alpha_beta *ab, uint32_t ply, int depth, size_t at);
/* Of the only chooser's moves at the end of a line, keeps those worth a look: they
 * change the score by more than usual and to more than 'lo' for it, or have won before. */
void ab_keep_loud(alea_alpha_beta *ab, uint32_t ply, int32_t lo);
/* Whether one role chooses alone at 'ply', and it is not chance. */
bool ab_is_alone(const alea_alpha_beta *ab, uint32_t ply);
/* Moves the best rank of moves[at .. end) to 'at'. */
void ab_bring(alea_alpha_beta *ab, size_t at, size_t end);
/* Notes that a move was good enough, and those before it were not. */
void ab_praise(alea_alpha_beta *ab, uint32_t ply, uint32_t role, size_t first, size_t at,
               int depth);

/* The table. */
const ab_entry *ab_find(const alea_alpha_beta *ab, uint64_t hash);
void ab_store(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t value, ab_bound bound,
              alea_move move);
/* Whether an entry answers a question, and the answer. */
bool ab_answers(const ab_entry *entry, uint32_t ply, int depth, int32_t alpha, int32_t beta,
                int32_t *value);

/* Plays the joint move of 'ply'; the next position becomes that of ply + 1. */
void ab_play(alea_alpha_beta *ab, uint32_t ply);
/* Back to the position of 'ply'. */
void ab_return(alea_alpha_beta *ab, uint32_t ply);
/* Whether the cursor's position, at 'ply', is the end of a game; then its value. */
bool ab_ended(alea_alpha_beta *ab, uint32_t ply, int32_t *value);
/* Credits the move before 'ply', where the game has ended with this value. */
void ab_note_end(alea_alpha_beta *ab, uint32_t ply, int32_t value);

static inline alea_move *ab_joint(const alea_alpha_beta *ab, uint32_t ply) {
  return ab->joints + (size_t)ply * ab->roles;
}
static inline uint32_t ab_chooser(const alea_alpha_beta *ab, uint32_t ply, uint32_t k) {
  return ab->choosers[(size_t)ply * ab->roles + k];
}
static inline size_t ab_list_end(const alea_alpha_beta *ab, uint32_t ply, uint32_t k) {
  return ab->list_ends[(size_t)ply * ab->roles + k];
}
static inline size_t ab_list_first(const alea_alpha_beta *ab, uint32_t ply, uint32_t k) {
  return k == 0 ? ab->plies[ply].first_move : ab_list_end(ab, ply, k - 1);
}
/* Whether the search is to end; the clock is looked at. */
static inline bool ab_is_over(alea_alpha_beta *ab) {
  uint64_t done = ab->positions / ALEA_ENDGAME_PER_SIM;
  if (!ab->stopped && alea_time_manager_over(ab->time_manager, done)) ab->stopped = true;
  return ab->stopped;
}
static inline void ab_fail(alea_alpha_beta *ab, alea_status status) {
  if (ab->status == ALEA_OK) ab->status = status;
  ab->stopped = true;
}

#endif

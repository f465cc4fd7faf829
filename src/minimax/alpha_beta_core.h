#ifndef ALEA_MINIMAX_ALPHA_BETA_CORE_H
#define ALEA_MINIMAX_ALPHA_BETA_CORE_H

/* The insides of the minimax search, for its files: alpha_beta.c makes it and deepens,
 * alpha_beta_search.c searches, alpha_beta_order.c lists and orders moves,
 * alpha_beta_position.c goes from position to position and knows what they are worth
 * by themselves, alpha_beta_pass.c lets a chooser pass, alpha_beta_threads.c lets others help. */

#include "game/time_manager.h"
#include "minimax/alpha_beta.h"
#include "minimax/alpha_beta_table.h"
#include "minimax/counting_fluents.h"
#include "minimax/endgame.h"
#include "minimax/move_effects.h"

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

/* A position on the line. */
typedef struct ab_ply {
  uint64_t hash;
  uint64_t board;  /* hash of what does not only count (minimax/counting_fluents.h) */
  int32_t score;   /* by the evaluation */
  int32_t network; /* what its network says, which is in the score */
  uint32_t choosers;
  size_t first_move; /* where its lists of moves begin in 'moves' */
  alea_move killers[2];
  bool passed; /* the last chooser passed, which the rules do not know */
} ab_ply;

/* How often something that is left out by experience would have changed the result: now
 * and then it is not left out, to see. */
typedef struct ab_audit {
  uint32_t due;          /* times until the next look */
  uint32_t looks, wrong; /* both are halved now and then */
} ab_audit;

/* Passing (alpha_beta_pass.c): which fluents say whose turn it is. */
typedef struct ab_turns {
  uint64_t *always[2], *ever[2]; /* by role: what held where it chose alone */
  uint32_t seen[2];              /* such positions */
  bool known;                    /* enough of them; 'always' are then those of the turn alone, */
  bool usable;                   /* and both roles have some */
  ab_audit audit;
} ab_turns;

/* What a search is to do. */
typedef struct ab_task {
  const uint64_t *words;
  int depth;       /* the last; 0: any */
  int first_depth; /* 1, or more */
  const alea_budget *budget;
  const atomic_bool *halt; /* another reason to stop; may be NULL */
} ab_task;

typedef struct ab_team ab_team;

struct alea_alpha_beta {
  alea_mem *mem;
  const alea_player_setup *setup;
  const alea_linear_eval *eval;
  alea_cursor *cursor;
  uint32_t stands; /* ply whose position is the cursor's; UINT32_MAX: none */
  uint32_t roles;
  size_t word_count;
  ab_table *table, own_table;
  uint8_t age;
  uint64_t positions, previews; /* met, and evaluated without going there */
  uint64_t *words;              /* by ply */
  uint64_t *keys;               /* by fluent: random numbers whose sums are hashes */
  uint64_t *scratch;            /* a position */
  alea_counting_fluents counting;
  alea_u64s past;      /* boards of the match so far */
  uint64_t filter[64]; /* which of them there may be, by the low bits */
  ab_ply *plies;
  alea_network_sums *sums; /* by ply, where the evaluation has a network */
  alea_move *joints;       /* by ply and role */
  uint32_t *choosers;      /* by ply: roles that choose, in the order in which they do */
  size_t *list_ends;   /* by ply and chooser: end of its moves, which begin where the last end */
  int32_t **history;   /* by role and move */
  alea_move **replies; /* by role and move: what refuted it last */
  alea_move_effects effects;
  uint8_t **credits; /* by role and move: how much is to be said for trying it at the end of a
                        line, because it has won a game before */
  uint32_t *move_counts;
  uint32_t weighed, trades; /* moves at the first ends of lines with many of them, and those that
                               change what there is */
  ALEA_VEC(ab_move) moves;
  const alea_other_evals *others; /* what they want; NULL: it is not known */
  bool passes;                    /* passing is tried */
  ab_turns turns;
  ab_team *team; /* threads that help; NULL: none */
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

/* ---- alpha_beta.c ---- */

/* Searches on the thread that calls. */
alea_status ab_run(alea_alpha_beta *ab, const ab_task *task, alea_alpha_beta_answer *answer);

/* ---- alpha_beta_threads.c ---- */

/* The same with the threads of the team, which there is. */
alea_status ab_team_run(alea_alpha_beta *ab, const ab_task *task, alea_alpha_beta_answer *answer);
/* Lets all helpers, where there are some, do something while none of them searches. */
void ab_team_each(alea_alpha_beta *ab, void (*visit)(alea_alpha_beta *helper, const void *context),
                  const void *context);
/* Positions met by the helpers. */
uint64_t ab_team_positions(const alea_alpha_beta *ab);
void ab_team_free(alea_alpha_beta *ab); /* may have none */

/* ---- alpha_beta_search.c ---- */

/* The value of the position of 'ply'. */
int32_t ab_search(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha, int32_t beta);

/* ---- alpha_beta_order.c ---- */

/* Lists the moves of all who choose at the cursor's position, which is that of
 * 'ply': the role first, chance last.  False: somebody has no move, or the search
 * was stopped. */
bool ab_list(alea_alpha_beta *ab, uint32_t ply);
/* Brings a move of the first chooser to the front; false: it is not there. */
bool ab_put_first(alea_alpha_beta *ab, uint32_t ply, alea_move move);
/* Gives the first chooser's moves from 'at' on their ranks and, where it chooses alone,
 * the scores behind them. */
void ab_order(alea_alpha_beta *ab, uint32_t ply, int depth, size_t at);
/* Gives them ranks by what an evaluation of the chooser makes of them. */
void ab_order_by(alea_alpha_beta *ab, uint32_t ply, const alea_linear_eval *eval);
/* Of the only chooser's moves at the end of a line, keeps those worth a look: they
 * change the score by more than usual and to more than 'lo' for it, or have won before. */
void ab_keep_loud(alea_alpha_beta *ab, uint32_t ply, int32_t lo);
/* Whether nearly all moves change what there is, as where a stone is set every time: then that
 * is nothing unusual.  The moves of the only chooser at 'ply', where the cursor stands, may be
 * among the first ones, by which it is decided. */
bool ab_all_trade(alea_alpha_beta *ab, uint32_t ply);
/* Whether one role chooses alone at 'ply', and it is not chance. */
bool ab_is_alone(const alea_alpha_beta *ab, uint32_t ply);
/* Moves the best rank of moves[at .. end) to 'at'. */
void ab_bring(alea_alpha_beta *ab, size_t at, size_t end);
/* Notes that a move was good enough, and those before it were not. */
void ab_praise(alea_alpha_beta *ab, uint32_t ply, uint32_t role, size_t first, size_t at,
               int depth);

/* ---- alpha_beta_position.c ---- */

/* The first position of a line. */
void ab_begin(alea_alpha_beta *ab, const uint64_t *words);
/* Puts the cursor to the position of 'ply'. */
void ab_stand(alea_alpha_beta *ab, uint32_t ply);
/* Finds the position behind the joint move of 'ply', which becomes that of ply + 1; the
 * cursor is not put there yet. */
void ab_step(alea_alpha_beta *ab, uint32_t ply);
/* Hash and score of the position of ply + 1, whose words are there, from those of 'ply'. */
void ab_renew(alea_alpha_beta *ab, uint32_t ply);
/* Whether the cursor's position, at 'ply', is the end of a game; then its value. */
bool ab_ended(alea_alpha_beta *ab, uint32_t ply, int32_t *value);
/* Credits the move before 'ply', where the game has ended with this value. */
void ab_note_end(alea_alpha_beta *ab, uint32_t ply, int32_t value);
/* Whether the position of 'ply' was there before, but for what only counts; then what it is
 * worth if that goes on. */
bool ab_repeated(alea_alpha_beta *ab, uint32_t ply, int32_t *value);
/* What the table knows of the position of 'ply'; values are by the steps from the root. */
bool ab_find(const alea_alpha_beta *ab, uint32_t ply, ab_entry *entry);
void ab_store(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t value, ab_bound bound,
              alea_move move);

/* ---- alpha_beta_pass.c ---- */

/* Notes who chooses alone at the position of 'ply'. */
void ab_note_turn(alea_alpha_beta *ab, uint32_t ply);
/* Makes the position of ply + 1 that of 'ply' with the other to choose; false: that is not
 * known, or has not proved good. */
bool ab_pass(alea_alpha_beta *ab, uint32_t ply);

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
static inline bool ab_is_proved(int32_t value) {
  return value > AB_MOST_EVAL || value < -AB_MOST_EVAL;
}
static inline void ab_fail(alea_alpha_beta *ab, alea_status status) {
  if (ab->status == ALEA_OK) ab->status = status;
  ab->stopped = true;
}

#endif

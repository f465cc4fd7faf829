/* Principal variation search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "play/alpha_beta_core.h"

enum {
  QUIET_PLIES = 8,   /* at the end of lines, of moves that change much */
  MOST_DEPTH = 100,  /* of deepening */
  LATE = 3,          /* moves from which on less depth will do */
  REDUCED_DEPTH = 3, /* the least at which it is reduced */
  WINDOW = ALEA_EVAL_UNIT / 4,
  WINDOW_DEPTH = 4,      /* from which the last value is a guess */
  CHANCE_MOVES = 24,     /* of chance that are looked at */
  LEAST_TABLE = 1 << 12, /* entries */
};

static const double LESS_FIRST = 0.3, LESS_SLOWLY = 2.2; /* reductions of late moves */

/* ---- the object ---- */

static alea_status make_tables(alea_alpha_beta *ab) {
  const alea_game *game = ab->setup->game;
  ab->history = alea_mem_calloc(ab->mem, ab->roles, sizeof *ab->history);
  ab->replies = alea_mem_calloc(ab->mem, ab->roles, sizeof *ab->replies);
  ab->credits = alea_mem_calloc(ab->mem, ab->roles, sizeof *ab->credits);
  ab->move_counts = alea_mem_calloc(ab->mem, ab->roles, sizeof *ab->move_counts);
  if (ab->history == NULL || ab->replies == NULL || ab->credits == NULL || ab->move_counts == NULL)
    return alea_mem_lack(ab->mem);
  for (uint32_t r = 0; r < ab->roles; r++) {
    uint32_t count = ab->move_counts[r] = alea_game_move_count(game, r);
    ab->history[r] = alea_mem_calloc(ab->mem, count, sizeof *ab->history[r]);
    ab->replies[r] = alea_mem_calloc(ab->mem, count, sizeof *ab->replies[r]);
    ab->credits[r] = alea_mem_calloc(ab->mem, count, sizeof *ab->credits[r]);
    if (ab->history[r] == NULL || ab->replies[r] == NULL || ab->credits[r] == NULL)
      return alea_mem_lack(ab->mem);
    for (uint32_t m = 0; m < count; m++) ab->replies[r][m] = ALEA_NO_MOVE;
  }
  return ALEA_OK;
}

static alea_status prepare(alea_alpha_beta *ab, size_t memory) {
  size_t choices = (size_t)AB_MOST_PLY * ab->roles;
  alea_status status = alea_cursor_new(ab->setup->game, ab->mem, &ab->cursor);
  if (status != ALEA_OK) return status;
  (void)alea_cursor_state(ab->cursor, &ab->word_count);
  ab->table_size = LEAST_TABLE;
  while (2 * ab->table_size * sizeof *ab->table <= memory) ab->table_size *= 2;
  ab->table = alea_mem_calloc(ab->mem, ab->table_size, sizeof *ab->table);
  ab->words = alea_mem_calloc(ab->mem, AB_MOST_PLY * ab->word_count, sizeof *ab->words);
  ab->plies = alea_mem_calloc(ab->mem, AB_MOST_PLY, sizeof *ab->plies);
  ab->joints = alea_mem_calloc(ab->mem, choices, sizeof *ab->joints);
  ab->choosers = alea_mem_calloc(ab->mem, choices, sizeof *ab->choosers);
  ab->list_ends = alea_mem_calloc(ab->mem, choices, sizeof *ab->list_ends);
  bool good = ab->table != NULL && ab->words != NULL && ab->plies != NULL && ab->joints != NULL &&
              ab->choosers != NULL && ab->list_ends != NULL;
  if (!good) return alea_mem_lack(ab->mem);
  status = alea_move_effects_init(&ab->effects, ab->eval, ab->mem);
  return status == ALEA_OK ? make_tables(ab) : status;
}

alea_status alea_alpha_beta_new(alea_alpha_beta **search, const alea_player_setup *setup,
                                const alea_linear_eval *eval, size_t memory) {
  *search = NULL;
  alea_alpha_beta *ab = alea_mem_zalloc(setup->mem, sizeof *ab);
  if (ab == NULL) return alea_mem_lack(setup->mem);
  ab->mem = setup->mem;
  ab->setup = setup;
  ab->eval = eval;
  ab->roles = setup->game->role_count;
  ab->relaxed = ab->roles > 2;
  alea_status status = prepare(ab, memory);
  if (status == ALEA_OK)
    *search = ab;
  else
    alea_alpha_beta_free(ab);
  return status;
}

void alea_alpha_beta_free(alea_alpha_beta *ab) {
  if (ab == NULL) return;
  alea_mem *mem = ab->mem;
  size_t choices = (size_t)AB_MOST_PLY * ab->roles;
  bool rows =
      ab->history != NULL && ab->replies != NULL && ab->credits != NULL && ab->move_counts != NULL;
  for (uint32_t r = 0; rows && r < ab->roles; r++) {
    alea_mem_free(mem, ab->history[r], ab->move_counts[r] * sizeof *ab->history[r]);
    alea_mem_free(mem, ab->replies[r], ab->move_counts[r] * sizeof *ab->replies[r]);
    alea_mem_free(mem, ab->credits[r], ab->move_counts[r] * sizeof *ab->credits[r]);
  }
  alea_mem_free(mem, ab->history, ab->roles * sizeof *ab->history);
  alea_mem_free(mem, ab->replies, ab->roles * sizeof *ab->replies);
  alea_mem_free(mem, ab->credits, ab->roles * sizeof *ab->credits);
  alea_mem_free(mem, ab->move_counts, ab->roles * sizeof *ab->move_counts);
  alea_mem_free(mem, ab->table, ab->table_size * sizeof *ab->table);
  alea_mem_free(mem, ab->words, AB_MOST_PLY * ab->word_count * sizeof *ab->words);
  alea_mem_free(mem, ab->plies, AB_MOST_PLY * sizeof *ab->plies);
  alea_mem_free(mem, ab->joints, choices * sizeof *ab->joints);
  alea_mem_free(mem, ab->choosers, choices * sizeof *ab->choosers);
  alea_mem_free(mem, ab->list_ends, choices * sizeof *ab->list_ends);
  alea_cursor_free(ab->cursor);
  alea_move_effects_clear(&ab->effects);
  alea_vec_clear(mem, &ab->moves);
  alea_mem_free(mem, ab, sizeof *ab);
}

void alea_alpha_beta_forget(alea_alpha_beta *ab) {
  memset(ab->table, 0, ab->table_size * sizeof *ab->table);
  alea_move_effects_forget(&ab->effects);
}

uint64_t alea_alpha_beta_positions(const alea_alpha_beta *ab) { return ab->positions; }

/* ---- search ---- */

static int32_t search_position(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                               int32_t beta);

static bool is_proved(int32_t value) { return value > AB_MOST_EVAL || value < -AB_MOST_EVAL; }

/* The value of the position behind the joint move of 'ply'. */
static int32_t search_next(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                           int32_t beta) {
  ab_play(ab, ply);
  int32_t value = search_position(ab, ply + 1, depth, alpha, beta);
  ab_return(ab, ply);
  return value;
}

/* A position that waits for its choosers, from the k-th on. */
typedef struct ab_choice {
  uint32_t ply, k;
  int depth;
  alea_move first; /* of the first chooser, by the table; ALEA_NO_MOVE: none */
  int32_t score;   /* behind the move that is set, where it is the only chooser's */
} ab_choice;

static int32_t search_choice(alea_alpha_beta *ab, ab_choice at, int32_t alpha, int32_t beta);

static int32_t search_rest(alea_alpha_beta *ab, ab_choice at, int depth, int32_t alpha,
                           int32_t beta) {
  if (at.k + 1 == ab->plies[at.ply].choosers)
    return search_next(ab, at.ply, depth - 1, alpha, beta);
  return search_choice(ab, (ab_choice){at.ply, at.k + 1, depth, ALEA_NO_MOVE, 0}, alpha, beta);
}

/* The mean over moves of chance, evenly spaced where there are many. */
static int32_t search_chance(alea_alpha_beta *ab, ab_choice at, uint32_t role) {
  size_t first = ab_list_first(ab, at.ply, at.k), count = ab_list_end(ab, at.ply, at.k) - first;
  size_t looked = count < CHANCE_MOVES ? count : CHANCE_MOVES;
  int64_t sum = 0;
  ab->relaxed = true;
  for (size_t i = 0; i < looked && !ab->stopped; i++) {
    ab_joint(ab, at.ply)[role] = ab->moves.data[first + i * count / looked].move;
    int32_t value = search_rest(ab, at, at.depth, -AB_WIN, AB_WIN);
    /* a mean of certain wins and evaluations: as good as an evaluation can be */
    if (value > AB_MOST_EVAL) value = 20 * ALEA_EVAL_UNIT;
    if (value < -AB_MOST_EVAL) value = -20 * ALEA_EVAL_UNIT;
    sum += value;
  }
  return (int32_t)(sum / (int64_t)looked);
}

/* Whether the move that is set changes the evaluation much. */
static bool is_loud(const alea_alpha_beta *ab, ab_choice at) {
  return ab_is_alone(ab, at.ply) && abs(at.score - ab->plies[at.ply].score) > ab->eval->loud;
}

/* By how much less deep the i-th move is looked at: the more, the later it comes and the
 * deeper the search is, unless it changes much. */
static int reduction(const alea_alpha_beta *ab, ab_choice at, size_t i) {
  bool last = at.k + 1 == ab->plies[at.ply].choosers;
  if (!last || i < LATE || at.depth < REDUCED_DEPTH) return 0;
  if (is_loud(ab, at)) return 0;
  int less = (int)(LESS_FIRST + log(at.depth) * log((double)i) / LESS_SLOWLY);
  return less < 0 ? 0 : less > at.depth - 2 ? at.depth - 2 : less;
}

/* The value for the chooser, whose bounds are 'lo' and 'hi', of the move that is
 * set: a late move has to show with less depth, and any but the first with an
 * empty window, that it is worth a closer look. */
static int32_t try_move(alea_alpha_beta *ab, ab_choice at, int32_t sign, size_t i, int32_t lo,
                        int32_t hi) {
  int less = reduction(ab, at, i);
  int32_t value = lo + 1;
#define LOOK(depth, low, high) \
  (sign * search_rest(ab, at, (depth), sign > 0 ? (low) : -(high), sign > 0 ? (high) : -(low)))
  if (less > 0) value = LOOK(at.depth - less, lo, lo + 1);
  if (i > 0 && value > lo && !ab->stopped) value = LOOK(at.depth, lo, lo + 1);
  if (i == 0 || (value > lo && value < hi && !ab->stopped)) value = LOOK(at.depth, lo, hi);
#undef LOOK
  return value;
}

/* Whether the answer to a move at the last depth need not be asked for: the other may
 * stay with the evaluation there, which is no more than 'lo', unless the move wins. */
static bool is_futile(const alea_alpha_beta *ab, ab_choice at, alea_move move, int32_t score,
                      int32_t lo) {
  return at.depth == 1 && at.ply > 0 && score <= lo && ab_is_alone(ab, at.ply) &&
         ab->credits[ab_chooser(ab, at.ply, 0)][move] == 0;
}

/* The k-th chooser of the position takes the best for itself. */
static int32_t search_choice(alea_alpha_beta *ab, ab_choice at, int32_t alpha, int32_t beta) {
  uint32_t role = ab_chooser(ab, at.ply, at.k);
  size_t first = ab_list_first(ab, at.ply, at.k), end = ab_list_end(ab, at.ply, at.k);
  if ((int)role == ab->setup->game->random_role) return search_chance(ab, at, role);
  int32_t sign = role == ab->setup->role ? 1 : -1, best = -AB_WIN - 1;
  int32_t lo = sign > 0 ? alpha : -beta, hi = sign > 0 ? beta : -alpha;
  alea_move good = ALEA_NO_MOVE;
  /* the move of the table is tried before the others are put in order */
  size_t order = at.k > 0 ? end : ab_put_first(ab, at.ply, at.first) ? first + 1 : first;
  for (size_t i = first; i < end; i++) {
    if (i == order) ab_order(ab, at.ply, at.depth, i);
    if (ab->stopped) return sign * best;
    if (i >= order) ab_bring(ab, i, end);
    alea_move move = ab_joint(ab, at.ply)[role] = ab->moves.data[i].move;
    at.score = ab->moves.data[i].score;
    int32_t score = sign * at.score;
    if (i >= order && is_futile(ab, at, move, score, lo)) {
      ab->shallow = true;
      if (score > best) best = score;
      continue;
    }
    int32_t value = try_move(ab, at, sign, i - first, lo, hi);
    if (ab->stopped) return sign * best;
    if (value > best) {
      best = value;
      if (value > lo || good == ALEA_NO_MOVE) good = move;
      if (at.ply == 0 && at.k == 0 && (value > lo || i == first))
        ab->best = move, ab->best_value = sign * value;
    }
    if (value > lo) lo = value;
    if (lo < hi) continue;
    ab_praise(ab, at.ply, role, first, i, at.depth);
    break;
  }
  if (at.k == 0) {
    ab_bound bound = sign * best >= beta    ? AB_AT_LEAST
                     : sign * best <= alpha ? AB_AT_MOST
                                            : AB_EXACT;
    ab_store(ab, at.ply, ab->shallow ? at.depth : AB_COMPLETE, sign * best, bound, good);
  }
  return sign * best;
}

/* A move that is tried at the end of a line, because it changes the evaluation much or
 * has won before. */
static int32_t try_loud(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t sign, ab_move move,
                        int32_t lo, int32_t hi) {
  uint32_t role = ab_chooser(ab, ply, 0);
  bool loud = sign * (move.score - ab->plies[ply].score) > ab->eval->loud;
  int32_t value = sign * lo;
  ab_joint(ab, ply)[role] = move.move;
  ab_play(ab, ply);
  if (ab_ended(ab, ply + 1, &value)) {
    ab_note_end(ab, ply + 1, value);
  } else {
    if (ab->credits[role][move.move] > 0) ab->credits[role][move.move]--;
    if (loud && sign * move.score > lo)
      value = search_position(ab, ply + 1, depth - 1, sign > 0 ? lo : -hi, sign > 0 ? hi : -lo);
  }
  ab_return(ab, ply);
  return sign * value;
}

/* At the end of a line the chooser may stay with the evaluation, or make a move
 * that changes it more than usual. */
static int32_t search_loud(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                           int32_t beta) {
  int32_t stay = ab->plies[ply].score;
  ab->shallow = true;
  if (!ab_is_alone(ab, ply) || depth <= -QUIET_PLIES) return stay;
  int32_t sign = ab_chooser(ab, ply, 0) == ab->setup->role ? 1 : -1, best = sign * stay;
  int32_t lo = sign > 0 ? alpha : -beta, hi = sign > 0 ? beta : -alpha;
  if (best > lo) lo = best;
  if (lo >= hi) return stay;
  ab_keep_loud(ab, ply, lo);
  size_t end = ab_list_end(ab, ply, 0);
  for (size_t i = ab->plies[ply].first_move; i < end && lo < hi && !ab_is_over(ab); i++) {
    ab_bring(ab, i, end);
    int32_t value = try_loud(ab, ply, depth, sign, ab->moves.data[i], lo, hi);
    if (ab->stopped || value <= best) continue;
    best = value;
    if (best > lo) lo = best;
  }
  return sign * best;
}

/* The value of the cursor's position, which is that of 'ply'. */
static int32_t search_position(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                               int32_t beta) {
  int32_t value;
  if (ab_is_over(ab)) return 0;
  if (ab_ended(ab, ply, &value)) return ab_note_end(ab, ply, value), value;
  if (ply + 1 >= AB_MOST_PLY) return ab->shallow = true, ab->plies[ply].score;
  const ab_entry *entry = ab_find(ab, ab->plies[ply].hash);
  alea_move first = entry != NULL ? entry->move : ALEA_NO_MOVE;
  if (ply > 0 && ab_answers(entry, ply, depth, alpha, beta, &value))
    return ab->shallow |= entry->depth < AB_COMPLETE && !is_proved(value), value;
  size_t moves = ab->moves.count;
  bool shallow = ab->shallow; /* is it so below this position, too? */
  ab->shallow = false;
  bool listed = ab_list(ab, ply);
  uint32_t choosers = ab->plies[ply].choosers;
  if (choosers > 1) ab->relaxed = true;
  if (!listed) {
    ab->shallow = true;
    value = ab->plies[ply].score;
  } else if (choosers == 0) {
    value = search_next(ab, ply, depth, alpha, beta); /* forced: no depth is lost */
  } else if (depth <= 0) {
    value = search_loud(ab, ply, depth, alpha, beta);
  } else {
    value = search_choice(ab, (ab_choice){ply, 0, depth, first, 0}, alpha, beta);
  }
  ab->moves.count = moves;
  ab->shallow = shallow || (ab->shallow && !is_proved(value));
  return value;
}

/* ---- deepening ---- */

/* One depth, with a window around the last value that is opened where it must be. */
static int32_t search_root(alea_alpha_beta *ab, int depth, int32_t guess) {
  int32_t lo = -AB_WIN - 1, hi = AB_WIN + 1;
  bool guessed = depth >= WINDOW_DEPTH && guess > -AB_MOST_EVAL && guess < AB_MOST_EVAL;
  if (guessed) lo = guess - WINDOW, hi = guess + WINDOW;
  int32_t value = search_position(ab, 0, depth, lo, hi);
  if (ab->stopped || (value > lo && value < hi)) return value;
  return search_position(ab, 0, depth, -AB_WIN - 1, AB_WIN + 1);
}

static void deepen(alea_alpha_beta *ab, int most, alea_alpha_beta_answer *answer) {
  int32_t value = 0;
  if (most <= 0 || most > MOST_DEPTH) most = MOST_DEPTH;
  for (int depth = 1; depth <= most; depth++) {
    ab->shallow = false;
    ab->best = ALEA_NO_MOVE;
    value = search_root(ab, depth, value);
    if (ab->best != ALEA_NO_MOVE) {
      answer->move = ab->best;
      answer->value = 100 / (1 + exp(-(double)ab->best_value / ALEA_EVAL_UNIT));
    }
    if (ab->stopped) return;
    answer->depth = depth;
    bool won = value > AB_MOST_EVAL, lost = value < -AB_MOST_EVAL;
    if (!ab->relaxed && (won || lost)) answer->proof = won ? ALEA_PROOF_WIN : ALEA_PROOF_LOSS;
    if (!ab->relaxed && !ab->shallow && !won && !lost) answer->proof = ALEA_PROOF_EXACT;
    if (won || lost || !ab->shallow) return;
  }
}

alea_status alea_alpha_beta_run(alea_alpha_beta *ab, const uint64_t *words, size_t word_count,
                                int depth, const alea_budget *budget,
                                alea_alpha_beta_answer *answer) {
  *answer = (alea_alpha_beta_answer){.move = ALEA_NO_MOVE, .value = -1};
  if (word_count != ab->word_count) return ALEA_USAGE;
  alea_status status = alea_cursor_load(ab->cursor, words, word_count);
  if (status != ALEA_OK) return status;
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, budget, &ab->pace);
  uint64_t before = ab->positions / ALEA_ENDGAME_PER_SIM;
  if (time_manager.limit != UINT64_MAX) time_manager.limit += before;
  memcpy(ab->words, words, word_count * sizeof *words);
  ab->plies[0].hash = alea_cursor_hash(ab->cursor);
  ab->plies[0].score = alea_linear_eval_score(ab->eval, words);
  for (int i = 0; i < AB_MOST_PLY; i++)
    ab->plies[i].killers[0] = ab->plies[i].killers[1] = ALEA_NO_MOVE;
  ab->moves.count = 0;
  ab->stopped = false;
  ab->status = ALEA_OK;
  ab->age++;
  ab->time_manager = &time_manager;
  deepen(ab, depth, answer);
  ab->time_manager = NULL;
  alea_time_manager_stop(&time_manager);
  return ab->status;
}

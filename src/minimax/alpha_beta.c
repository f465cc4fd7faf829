/* The minimax search: what it is made of, and deepening. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "minimax/alpha_beta_core.h"

#define KEYS UINT64_C(0x616c7068612d6200) /* where the random numbers of hashes begin */

enum {
  MOST_DEPTH = 100,                 /* of deepening */
  MOST_WINDOW = ALEA_EVAL_UNIT / 4, /* around the last value */
  LEAST_WINDOW = 16,
  WINDOW_DEPTH = 4, /* from which the last value is a guess */
  WIDER = 4,        /* times as wide where it was not within */
};

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

/* Words of positions, and what hashes and turns are made of. */
static bool make_words(alea_alpha_beta *ab) {
  size_t fluents = 64 * ab->word_count;
  ab->keys = alea_mem_calloc(ab->mem, fluents, sizeof *ab->keys);
  ab->scratch = alea_mem_calloc(ab->mem, ab->word_count, sizeof *ab->scratch);
  bool good = ab->keys != NULL && ab->scratch != NULL;
  for (size_t f = 0; good && f < fluents; f++) ab->keys[f] = alea_hash_mix(KEYS + f);
  for (int r = 0; good && r < 2; r++) {
    ab->turns.always[r] = alea_mem_calloc(ab->mem, ab->word_count, sizeof(uint64_t));
    ab->turns.ever[r] = alea_mem_calloc(ab->mem, ab->word_count, sizeof(uint64_t));
    good = ab->turns.always[r] != NULL && ab->turns.ever[r] != NULL;
  }
  return good;
}

static alea_status prepare(alea_alpha_beta *ab, size_t memory) {
  size_t choices = (size_t)AB_MOST_PLY * ab->roles;
  alea_status status = alea_cursor_new(ab->setup->game, ab->mem, &ab->cursor);
  if (status != ALEA_OK) return status;
  (void)alea_cursor_state(ab->cursor, &ab->word_count);
  status = alea_counting_fluents_init(&ab->counting, ab->cursor, ab->mem);
  if (status != ALEA_OK) return status;
  ab->table = &ab->own_table;
  if (!ab_table_init(&ab->own_table, memory, ab->mem) || !make_words(ab))
    return alea_mem_lack(ab->mem);
  ab->words = alea_mem_calloc(ab->mem, AB_MOST_PLY * ab->word_count, sizeof *ab->words);
  ab->plies = alea_mem_calloc(ab->mem, AB_MOST_PLY, sizeof *ab->plies);
  ab->sums = alea_mem_calloc(ab->mem, AB_MOST_PLY, sizeof *ab->sums);
  ab->joints = alea_mem_calloc(ab->mem, choices, sizeof *ab->joints);
  ab->choosers = alea_mem_calloc(ab->mem, choices, sizeof *ab->choosers);
  ab->list_ends = alea_mem_calloc(ab->mem, choices, sizeof *ab->list_ends);
  bool good = ab->words != NULL && ab->plies != NULL && ab->sums != NULL && ab->joints != NULL &&
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
  ab_team_free(ab);
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
  alea_mem_free(mem, ab->keys, 64 * ab->word_count * sizeof *ab->keys);
  alea_mem_free(mem, ab->scratch, ab->word_count * sizeof *ab->scratch);
  for (int r = 0; r < 2; r++) {
    alea_mem_free(mem, ab->turns.always[r], ab->word_count * sizeof(uint64_t));
    alea_mem_free(mem, ab->turns.ever[r], ab->word_count * sizeof(uint64_t));
  }
  alea_counting_fluents_clear(&ab->counting);
  alea_vec_clear(mem, &ab->past);
  if (ab->own_table.mem != NULL) ab_table_clear(&ab->own_table);
  alea_mem_free(mem, ab->words, AB_MOST_PLY * ab->word_count * sizeof *ab->words);
  alea_mem_free(mem, ab->plies, AB_MOST_PLY * sizeof *ab->plies);
  alea_mem_free(mem, ab->sums, AB_MOST_PLY * sizeof *ab->sums);
  alea_mem_free(mem, ab->joints, choices * sizeof *ab->joints);
  alea_mem_free(mem, ab->choosers, choices * sizeof *ab->choosers);
  alea_mem_free(mem, ab->list_ends, choices * sizeof *ab->list_ends);
  alea_cursor_free(ab->cursor);
  alea_move_effects_clear(&ab->effects);
  alea_vec_clear(mem, &ab->moves);
  alea_mem_free(mem, ab, sizeof *ab);
}

static void set_passing(alea_alpha_beta *ab, const void *context) {
  ab->passes = *(const bool *)context;
}

void alea_alpha_beta_set_passing(alea_alpha_beta *ab, bool passes) {
  set_passing(ab, &passes);
  ab_team_each(ab, set_passing, &passes);
}

static void set_others(alea_alpha_beta *ab, const void *context) { ab->others = context; }

void alea_alpha_beta_set_others(alea_alpha_beta *ab, const alea_other_evals *others) {
  set_others(ab, others);
  ab_team_each(ab, set_others, others);
}

static void forget(alea_alpha_beta *ab, const void *context) {
  (void)context;
  alea_move_effects_forget(&ab->effects);
}

void alea_alpha_beta_forget(alea_alpha_beta *ab) {
  ab_table_forget(ab->table);
  forget(ab, NULL);
  ab_team_each(ab, forget, NULL);
}

uint64_t alea_alpha_beta_positions(const alea_alpha_beta *ab) {
  return ab->positions + ab_team_positions(ab);
}

/* ---- deepening ---- */

/* One depth, with a window around the last value that is widened where it must be, to
 * the side on which the value lies. */
static int32_t search_root(alea_alpha_beta *ab, int depth, int32_t guess) {
  int32_t lo = -AB_WIN - 1, hi = AB_WIN + 1, wide = ab->eval->loud;
  if (wide > MOST_WINDOW) wide = MOST_WINDOW;
  if (wide < LEAST_WINDOW) wide = LEAST_WINDOW;
  if (depth >= WINDOW_DEPTH && !ab_is_proved(guess)) lo = guess - wide, hi = guess + wide;
  for (;;) {
    int32_t value = ab_search(ab, 0, depth, lo, hi);
    if (ab->stopped || (value > lo && value < hi)) return value;
    wide *= WIDER;
    bool far = wide > WIDER * WIDER * MOST_WINDOW || ab_is_proved(value);
    if (value <= lo) lo = far ? -AB_WIN - 1 : guess - wide;
    if (value >= hi) hi = far ? AB_WIN + 1 : guess + wide;
  }
}

static void deepen(alea_alpha_beta *ab, int first, int most, alea_alpha_beta_answer *answer) {
  int32_t value = 0;
  if (most <= 0 || most > MOST_DEPTH) most = MOST_DEPTH;
  for (int depth = first; depth <= most; depth++) {
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

alea_status ab_run(alea_alpha_beta *ab, const ab_task *task, alea_alpha_beta_answer *answer) {
  *answer = (alea_alpha_beta_answer){.move = ALEA_NO_MOVE, .value = -1};
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, task->budget, &ab->pace);
  time_manager.halt = task->halt;
  uint64_t before = ab->positions / ALEA_ENDGAME_PER_SIM;
  if (time_manager.limit != UINT64_MAX) time_manager.limit += before;
  for (int i = 0; i < AB_MOST_PLY; i++)
    ab->plies[i].killers[0] = ab->plies[i].killers[1] = ALEA_NO_MOVE;
  ab->moves.count = 0;
  ab->stopped = false;
  ab->status = ALEA_OK;
  ab_begin(ab, task->words);
  ab->time_manager = &time_manager;
  deepen(ab, task->first_depth, task->depth, answer);
  ab->time_manager = NULL;
  alea_time_manager_stop(&time_manager);
  return ab->status;
}

alea_status alea_alpha_beta_run(alea_alpha_beta *ab, const uint64_t *words, size_t word_count,
                                int depth, const alea_budget *budget,
                                alea_alpha_beta_answer *answer) {
  *answer = (alea_alpha_beta_answer){.move = ALEA_NO_MOVE, .value = -1};
  if (word_count != ab->word_count) return ALEA_USAGE;
  ab_task task = {.words = words, .depth = depth, .first_depth = 1, .budget = budget};
  ab->age = (uint8_t)((ab->age + 1) % AB_TABLE_AGES);
  return ab->team != NULL ? ab_team_run(ab, &task, answer) : ab_run(ab, &task, answer);
}

alea_status alea_alpha_beta_ponder(alea_alpha_beta *ab, const uint64_t *words, size_t word_count,
                                   const atomic_bool *stop) {
  alea_budget budget = {.stop = stop};
  alea_alpha_beta_answer answer;
  return alea_alpha_beta_run(ab, words, word_count, 0, &budget, &answer);
}

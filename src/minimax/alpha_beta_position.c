/* Positions of the minimax search. */
#include <math.h>
#include <string.h>

#include "minimax/alpha_beta_core.h"
#include "propnet/propnet.h"

static const int32_t MOST_UNPROVED = 20 * ALEA_EVAL_UNIT; /* of a goal that is only expected */

/* ---- from one to another ---- */

void ab_stand(alea_alpha_beta *ab, uint32_t ply) {
  if (ab->stands == ply) return;
  alea_status status =
      alea_cursor_load(ab->cursor, ab->words + ply * ab->word_count, ab->word_count);
  if (status != ALEA_OK) ab_fail(ab, status);
  ab->stands = ply;
}

/* Hashes are sums of the keys of what holds, so that they change with what changes. */
static void rehash(const alea_alpha_beta *ab, const uint64_t *from, const uint64_t *to,
                   uint64_t *hash, uint64_t *board) {
  for (size_t w = 0; w < ab->word_count; w++) {
    for (uint64_t change = from[w] ^ to[w]; change != 0; change &= change - 1) {
      unsigned bit = (unsigned)__builtin_ctzll(change);
      uint64_t key = ab->keys[64 * w + bit];
      *hash ^= key;
      if ((ab->counting.words[w] >> bit & 1) == 0) *board ^= key;
    }
  }
}

/* Adds what the network says of the position of ply + 1 to its score. */
static void consult(alea_alpha_beta *ab, uint32_t ply) {
  const alea_eval_network *network = &ab->eval->network;
  const uint64_t *from = ab->words + ply * ab->word_count, *to = from + ab->word_count;
  ab_ply *next = &ab->plies[ply + 1];
  alea_eval_network_step(network, from, to, ab->word_count, &ab->sums[ply], &ab->sums[ply + 1]);
  next->network = alea_eval_network_value(network, &ab->sums[ply + 1]);
  next->score += next->network;
}

void ab_renew(alea_alpha_beta *ab, uint32_t ply) {
  const uint64_t *from = ab->words + ply * ab->word_count, *to = from + ab->word_count;
  ab_ply *at = &ab->plies[ply], *next = at + 1;
  next->hash = at->hash;
  next->board = at->board;
  rehash(ab, from, to, &next->hash, &next->board);
  next->score = at->score - at->network + alea_linear_eval_step(ab->eval, from, to);
  next->network = 0;
  if (ab->eval->network.mem != NULL) consult(ab, ply);
  next->passed = false;
  ab->positions++;
}

void ab_step(alea_alpha_beta *ab, uint32_t ply) {
  ab_stand(ab, ply);
  const uint64_t *to = alea_net_preview(ab->cursor, ab_joint(ab, ply));
  memcpy(ab->words + (ply + 1) * ab->word_count, to, ab->word_count * sizeof *to);
  ab_renew(ab, ply);
}

static uint64_t board_of(const alea_alpha_beta *ab, const uint64_t *words, uint64_t *hash) {
  uint64_t board = 0;
  memset(ab->scratch, 0, ab->word_count * sizeof *ab->scratch);
  *hash = 0;
  rehash(ab, ab->scratch, words, hash, &board);
  return board;
}

void ab_begin(alea_alpha_beta *ab, const uint64_t *words) {
  memcpy(ab->words, words, ab->word_count * sizeof *words);
  ab->plies[0].board = board_of(ab, words, &ab->plies[0].hash);
  ab->plies[0].score = alea_linear_eval_score(ab->eval, words);
  ab->plies[0].network = 0;
  if (ab->eval->network.mem != NULL) {
    alea_eval_network_begin(&ab->eval->network, words, ab->word_count, &ab->sums[0]);
    ab->plies[0].network = alea_eval_network_value(&ab->eval->network, &ab->sums[0]);
    ab->plies[0].score += ab->plies[0].network;
  }
  ab->plies[0].passed = false;
  ab->stands = UINT32_MAX;
  ab_stand(ab, 0);
}

/* ---- ends ---- */

/* The sooner won the better, the later lost the better. */
static int32_t value_of_goal(int goal, uint32_t ply) {
  if (goal >= 100) return AB_WIN - (int32_t)ply;
  if (goal <= 0) return -AB_WIN + (int32_t)ply;
  return (int32_t)lrint(ALEA_EVAL_UNIT * log(goal / (100.0 - goal)));
}

bool ab_ended(alea_alpha_beta *ab, uint32_t ply, int32_t *value) {
  bool terminal = false;
  int goal = 0, other = 0;
  uint32_t role = ab->setup->role;
  alea_status status = alea_cursor_terminal(ab->cursor, &terminal);
  if (status == ALEA_OK && terminal) status = alea_cursor_goal(ab->cursor, role, &goal);
  if (status == ALEA_OK && terminal && ab->roles == 2)
    status = alea_cursor_goal(ab->cursor, 1 - role, &other);
  if (status != ALEA_OK) ab_fail(ab, status);
  if (terminal && ab->roles == 2 && goal + other != 100) ab->relaxed = true;
  if (terminal) *value = value_of_goal(alea_linear_eval_goal(ab->eval, goal, other), ply);
  return terminal;
}

void ab_note_end(alea_alpha_beta *ab, uint32_t ply, int32_t value) {
  if (ply == 0 || ab->plies[ply].passed || !ab_is_alone(ab, ply - 1)) return;
  uint32_t role = ab_chooser(ab, ply - 1, 0);
  if ((role == ab->setup->role) == (value > 0))
    ab->credits[role][ab_joint(ab, ply - 1)[role]] = AB_MOST_CREDIT;
}

/* ---- repetitions ---- */

enum { FILTER_BITS = 12 };

static void note_words(alea_alpha_beta *ab, const void *context) {
  uint64_t hash, board = board_of(ab, context, &hash);
  if (!alea_vec_push(ab->mem, &ab->past, board)) return; /* it is only a hint */
  uint64_t bits = board & ((1 << FILTER_BITS) - 1);
  ab->filter[bits >> 6] |= UINT64_C(1) << (bits & 63);
}

void alea_alpha_beta_note(alea_alpha_beta *ab, const uint64_t *words, size_t word_count) {
  if (word_count != ab->word_count) return;
  note_words(ab, words);
  ab_team_each(ab, note_words, words);
}

static bool was_in_match(const alea_alpha_beta *ab, uint64_t board) {
  uint64_t bits = board & ((1 << FILTER_BITS) - 1);
  if ((ab->filter[bits >> 6] >> (bits & 63) & 1) == 0) return false;
  for (size_t i = 0; i < ab->past.count; i++)
    if (ab->past.data[i] == board) return true;
  return false;
}

static bool was_on_line(const alea_alpha_beta *ab, uint32_t ply) {
  for (uint32_t p = ply; p-- > 0 && !ab->plies[p + 1].passed;)
    if (ab->plies[p].board == ab->plies[ply].board) return true;
  return false;
}

bool ab_repeated(alea_alpha_beta *ab, uint32_t ply, int32_t *value) {
  if (ply == 0 || ab->counting.last == ALEA_NO_FLUENT) return false;
  if (!was_in_match(ab, ab->plies[ply].board) && !was_on_line(ab, ply)) return false;
  int goal = 50, other = 0;
  uint32_t role = ab->setup->role;
  alea_counting_fluents_run_out(&ab->counting, ab->words + ply * ab->word_count, ab->scratch);
  alea_status status = alea_cursor_load(ab->cursor, ab->scratch, ab->word_count);
  ab->stands = UINT32_MAX;
  if (status == ALEA_OK) status = alea_cursor_goal(ab->cursor, role, &goal);
  if (status == ALEA_OK && ab->roles == 2) status = alea_cursor_goal(ab->cursor, 1 - role, &other);
  if (status != ALEA_OK) ab_fail(ab, status);
  goal = alea_linear_eval_goal(ab->eval, goal, other);
  *value = value_of_goal(goal, 0); /* nobody is bound to repeat: that proves nothing */
  if (*value > MOST_UNPROVED) *value = MOST_UNPROVED;
  if (*value < -MOST_UNPROVED) *value = -MOST_UNPROVED;
  return true;
}

/* ---- the table ---- */

/* A win is stored by the steps from the position, and used by those from the root. */
static int32_t shift(int32_t value, int32_t by) {
  if (value > AB_MOST_EVAL) return value + by;
  return value < -AB_MOST_EVAL ? value - by : value;
}

bool ab_find(const alea_alpha_beta *ab, uint32_t ply, ab_entry *entry) {
  if (!ab_table_find(ab->table, ab->plies[ply].hash, entry)) return false;
  entry->value = shift(entry->value, -(int32_t)ply);
  return true;
}

void ab_store(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t value, ab_bound bound,
              alea_move move) {
  ab_entry entry = {.value = shift(value, (int32_t)ply),
                    .move = move,
                    .depth = depth,
                    .bound = bound,
                    .age = ab->age};
  ab_table_store(ab->table, ab->plies[ply].hash, &entry);
}

/* Moves of the minimax search: which there are, which come first, and what the
 * table says. */
#include <math.h>
#include <string.h>

#include "play/alpha_beta_core.h"
#include "propnet/propnet.h"

enum {
  MOST_HISTORY = 1 << 14,
  RANK_ENDS = 1 << 29, /* one that wins at once */
  RANK_KILLER = 1 << 16,
  RANK_REPLY = 1 << 15,
  EVAL_RANKS = 16, /* of a unit of the evaluation's steps */
};

/* ---- positions ---- */

void ab_return(alea_alpha_beta *ab, uint32_t ply) {
  alea_status status =
      alea_cursor_load(ab->cursor, ab->words + ply * ab->word_count, ab->word_count);
  if (status != ALEA_OK) ab_fail(ab, status);
}

void ab_play(alea_alpha_beta *ab, uint32_t ply) {
  alea_status status = alea_cursor_play(ab->cursor, ab_joint(ab, ply));
  if (status != ALEA_OK) ab_fail(ab, status);
  size_t count;
  const uint64_t *words = alea_cursor_state(ab->cursor, &count);
  uint64_t *from = ab->words + ply * ab->word_count, *to = from + ab->word_count;
  memcpy(to, words, ab->word_count * sizeof *to);
  ab->plies[ply + 1].hash = alea_cursor_hash(ab->cursor);
  ab->plies[ply + 1].score = ab->plies[ply].score + alea_linear_eval_step(ab->eval, from, to);
  ab->positions++;
}

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
  if (terminal) *value = value_of_goal(goal, ply);
  return terminal;
}

void ab_note_end(alea_alpha_beta *ab, uint32_t ply, int32_t value) {
  if (ply == 0 || !ab_is_alone(ab, ply - 1)) return;
  uint32_t role = ab_chooser(ab, ply - 1, 0);
  if ((role == ab->setup->role) == (value > 0))
    ab->credits[role][ab_joint(ab, ply - 1)[role]] = AB_MOST_CREDIT;
}

/* ---- the table ---- */

/* A win is stored by the steps from the position, and used by those from the root. */
static int32_t shift(int32_t value, int32_t by) {
  if (value > AB_MOST_EVAL) return value + by;
  return value < -AB_MOST_EVAL ? value - by : value;
}

const ab_entry *ab_find(const alea_alpha_beta *ab, uint64_t hash) {
  const ab_entry *entry = &ab->table[hash & (ab->table_size - 1)];
  return entry->hash == hash && entry->bound != AB_NO_ENTRY ? entry : NULL;
}

void ab_store(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t value, ab_bound bound,
              alea_move move) {
  uint64_t hash = ab->plies[ply].hash;
  ab_entry *entry = &ab->table[hash & (ab->table_size - 1)];
  bool same = entry->hash == hash && entry->bound != AB_NO_ENTRY;
  if (!same && entry->bound != AB_NO_ENTRY && entry->age == ab->age && entry->depth > depth + 1)
    return;
  if (same && move == ALEA_NO_MOVE) move = entry->move;
  *entry = (ab_entry){.hash = hash,
                      .value = shift(value, (int32_t)ply),
                      .move = move,
                      .depth = (int16_t)depth,
                      .bound = (uint8_t)bound,
                      .age = ab->age};
}

bool ab_answers(const ab_entry *entry, uint32_t ply, int depth, int32_t alpha, int32_t beta,
                int32_t *value) {
  if (entry == NULL) return false;
  *value = shift(entry->value, -(int32_t)ply);
  bool proved = *value > AB_MOST_EVAL || *value < -AB_MOST_EVAL;
  if (entry->depth < depth && !proved) return false;
  switch ((ab_bound)entry->bound) {
    case AB_EXACT: return true;
    case AB_AT_LEAST: return *value >= beta;
    case AB_AT_MOST: return *value <= alpha;
    case AB_NO_ENTRY: break;
  }
  return false;
}

/* ---- lists ---- */

/* Appends the moves of a role that has more than one; '*only' is its first. */
static bool list_role(alea_alpha_beta *ab, uint32_t ply, uint32_t role) {
  alea_list legal;
  alea_status status = alea_cursor_legal(ab->cursor, role, &legal);
  if (status != ALEA_OK) ab_fail(ab, status);
  if (status != ALEA_OK || legal.count == 0) return false;
  ab_joint(ab, ply)[role] = legal.ids[0];
  if (legal.count == 1) return true;
  if (!alea_vec_reserve(ab->mem, &ab->moves, legal.count)) {
    ab_fail(ab, alea_mem_lack(ab->mem));
    return false;
  }
  for (uint32_t i = 0; i < legal.count; i++)
    ab->moves.data[ab->moves.count++] = (ab_move){.move = legal.ids[i]};
  size_t at = (size_t)ply * ab->roles + ab->plies[ply].choosers++;
  ab->choosers[at] = role;
  ab->list_ends[at] = ab->moves.count;
  return true;
}

bool ab_list(alea_alpha_beta *ab, uint32_t ply) {
  uint32_t own = ab->setup->role;
  int chance = ab->setup->game->random_role;
  ab->plies[ply].choosers = 0;
  ab->plies[ply].first_move = ab->moves.count;
  bool good = list_role(ab, ply, own);
  for (uint32_t r = 0; good && r < ab->roles; r++)
    if (r != own && (int)r != chance) good = list_role(ab, ply, r);
  return good && chance >= 0 ? list_role(ab, ply, (uint32_t)chance) : good;
}

/* ---- order ---- */

/* The move made before this position by the role that chose there first. */
static alea_move *reply_to_last(const alea_alpha_beta *ab, uint32_t ply) {
  if (ply == 0 || ab->plies[ply - 1].choosers == 0) return NULL;
  uint32_t role = ab_chooser(ab, ply - 1, 0);
  return &ab->replies[role][ab_joint(ab, ply - 1)[role]];
}

static int32_t rank_of(const alea_alpha_beta *ab, uint32_t ply, uint32_t role, alea_move move) {
  const ab_ply *at = &ab->plies[ply];
  const alea_move *reply = reply_to_last(ab, ply);
  int32_t rank = ab->history[role][move];
  if (move == at->killers[0] || move == at->killers[1]) rank += RANK_KILLER;
  if (reply != NULL && *reply == move) rank += RANK_REPLY;
  return rank;
}

bool ab_is_alone(const alea_alpha_beta *ab, uint32_t ply) {
  return ab->plies[ply].choosers == 1 &&
         (int)ab_chooser(ab, ply, 0) != ab->setup->game->random_role;
}

/* The score of the position behind a move of 'role', without going there. */
static int32_t score_behind(alea_alpha_beta *ab, uint32_t ply, uint32_t role, alea_move move) {
  const uint64_t *from = ab->words + ply * ab->word_count;
  ab_joint(ab, ply)[role] = move;
  const uint64_t *to = alea_net_preview(ab->cursor, ab_joint(ab, ply));
  int32_t step = alea_linear_eval_step(ab->eval, from, to);
  ab->previews++;
  if (!alea_move_effects_note(&ab->effects, role, move, from, to,
                              role == ab->setup->role ? step : -step))
    ab_fail(ab, alea_mem_lack(ab->mem));
  return ab->plies[ply].score + step;
}

/* The same, or what it is not expected to exceed for the role. */
static int32_t bound_behind(alea_alpha_beta *ab, uint32_t ply, uint32_t role, alea_move move,
                            int32_t sign) {
  int32_t most;
  if (!alea_move_effects_bound(&ab->effects, role, move, ab->words + ply * ab->word_count, &most))
    return score_behind(ab, ply, role, move);
  return ab->plies[ply].score + sign * most;
}

/* How much the order of moves makes of a change of the evaluation. */
static int32_t rank_of_change(int32_t change) {
  int32_t most = RANK_ENDS / EVAL_RANKS / 2;
  return EVAL_RANKS * (change > most ? most : change < -most ? -most : change);
}

bool ab_put_first(alea_alpha_beta *ab, uint32_t ply, alea_move move) {
  size_t first = ab->plies[ply].first_move, end = ab_list_end(ab, ply, 0), i = first;
  while (i < end && ab->moves.data[i].move != move) i++;
  if (move == ALEA_NO_MOVE || i == end) return false;
  memmove(ab->moves.data + first + 1, ab->moves.data + first, (i - first) * sizeof(ab_move));
  ab->moves.data[first] = (ab_move){.move = move};
  return true;
}

void ab_order(alea_alpha_beta *ab, uint32_t ply, int depth, size_t at) {
  uint32_t role = ab_chooser(ab, ply, 0);
  int32_t sign = role == ab->setup->role ? 1 : -1;
  bool alone = ab_is_alone(ab, ply);
  size_t end = ab_list_end(ab, ply, 0);
  for (size_t i = at; i < end && !ab_is_over(ab); i++) {
    ab_move *it = &ab->moves.data[i];
    it->rank = rank_of(ab, ply, role, it->move);
    if (!alone) continue;
    it->score = depth > 1 ? score_behind(ab, ply, role, it->move)
                          : bound_behind(ab, ply, role, it->move, sign);
    it->rank += rank_of_change(sign * (it->score - ab->plies[ply].score));
    if (ab->credits[role][it->move] == AB_MOST_CREDIT) it->rank += RANK_ENDS;
  }
}

void ab_keep_loud(alea_alpha_beta *ab, uint32_t ply, int32_t lo) {
  uint32_t role = ab_chooser(ab, ply, 0);
  int32_t sign = role == ab->setup->role ? 1 : -1, stay = ab->plies[ply].score;
  size_t first = ab->plies[ply].first_move, end = ab_list_end(ab, ply, 0), kept = first;
  for (size_t i = first; i < end && !ab_is_over(ab); i++) {
    ab_move it = ab->moves.data[i];
    bool has_won = ab->credits[role][it.move] > 0;
    it.score = bound_behind(ab, ply, role, it.move, sign);
    it.rank = sign * (it.score - stay);
    if (!has_won && (it.rank <= ab->eval->loud || sign * it.score <= lo)) continue;
    if (has_won) it.rank += RANK_ENDS;
    ab->moves.data[kept++] = it;
  }
  ab->list_ends[(size_t)ply * ab->roles] = kept;
}

void ab_bring(alea_alpha_beta *ab, size_t at, size_t end) {
  size_t best = at;
  for (size_t i = at + 1; i < end; i++)
    if (ab->moves.data[i].rank > ab->moves.data[best].rank) best = i;
  ab_move found = ab->moves.data[best];
  memmove(ab->moves.data + at + 1, ab->moves.data + at, (best - at) * sizeof found);
  ab->moves.data[at] = found;
}

/* Towards the most or the least by a part of the way, so that old merits fade. */
static void move_history(int32_t *history, int32_t by) {
  int32_t size = by < 0 ? -by : by;
  *history += by - *history * size / MOST_HISTORY;
}

void ab_praise(alea_alpha_beta *ab, uint32_t ply, uint32_t role, size_t first, size_t at,
               int depth) {
  alea_move move = ab->moves.data[at].move, *killers = ab->plies[ply].killers;
  int32_t by = depth < 30 ? 8 * depth * depth + 8 : 7200;
  move_history(&ab->history[role][move], by);
  for (size_t i = first; i < at; i++)
    move_history(&ab->history[role][ab->moves.data[i].move], -by / 2);
  if (killers[0] != move) killers[1] = killers[0], killers[0] = move;
  alea_move *reply = reply_to_last(ab, ply);
  if (reply != NULL) *reply = move;
}

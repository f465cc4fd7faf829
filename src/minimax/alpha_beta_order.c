/* Moves of the minimax search: which there are, and which come first. */
#include <string.h>

#include "minimax/alpha_beta_core.h"
#include "propnet/propnet.h"

enum {
  MOST_HISTORY = 1 << 14,
  RANK_ENDS = 1 << 29, /* one that wins at once */
  RANK_KILLER = 1 << 16,
  RANK_REPLY = 1 << 15,
  RANK_TRADE = 1 << 24, /* one that takes or makes something */
  TRADE_RANKS = 8,      /* of a unit that it gains, where one that it stakes counts once */
  MOST_TRADE = 1 << 20, /* units that count */
  MANY = 8,             /* moves, among which those that trade may be told from others */
  MOST_WEIGHED = 1000,  /* moves by which it is decided whether nearly all trade, */
  NEARLY_ALL = 900,     /* which is so many of them */
  EVAL_RANKS = 16,      /* of a unit of the evaluation's steps */
};

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
  if (ply == 0 || ab->plies[ply].passed || ab->plies[ply - 1].choosers == 0) return NULL;
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

/* The dearest is to be taken by the cheapest: what is gained counts first, and against it
 * the value of the pieces that come where it was. */
static int32_t rank_of_trade(const alea_alpha_beta *ab, int32_t sign, int32_t gain,
                             const uint64_t *from, const uint64_t *to) {
  int32_t stake = 0;
  for (size_t w = 0; w < ab->word_count; w++) {
    for (uint64_t come = to[w] & ~from[w]; come != 0; come &= come - 1) {
      size_t fluent = 64 * w + (unsigned)__builtin_ctzll(come);
      if (ab->effects.kinds[fluent] != 0) stake += sign * ab->eval->scores[fluent];
    }
  }
  if (gain > MOST_TRADE) gain = MOST_TRADE;
  if (stake > MOST_TRADE) stake = MOST_TRADE;
  if (stake < -MOST_TRADE) stake = -MOST_TRADE;
  return TRADE_RANKS * gain - stake;
}

/* The score of the position behind a move of 'role', without going there. */
static int32_t score_behind(alea_alpha_beta *ab, uint32_t ply, uint32_t role, alea_move move) {
  const uint64_t *from = ab->words + ply * ab->word_count;
  ab_stand(ab, ply);
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

/* How much the order makes of the score behind a move, which is found out; at the last
 * depth that may be a value that it is not expected to exceed. */
static int32_t rank_by_score(alea_alpha_beta *ab, uint32_t ply, int depth, uint32_t role,
                             ab_move *it) {
  int32_t sign = role == ab->setup->role ? 1 : -1;
  const uint64_t *from = ab->words + ply * ab->word_count;
  uint64_t before = ab->previews;
  it->score = depth > 1 ? score_behind(ab, ply, role, it->move)
                        : bound_behind(ab, ply, role, it->move, sign);
  int32_t gain = sign * (it->score - ab->plies[ply].score);
  if (gain > ab->eval->loud && ab->previews > before) {
    const uint64_t *to = alea_net_preview(ab->cursor, ab_joint(ab, ply));
    if (alea_move_effects_trades(&ab->effects, from, to))
      return RANK_TRADE + rank_of_trade(ab, sign, gain, from, to);
  }
  return rank_of_change(gain);
}

void ab_order(alea_alpha_beta *ab, uint32_t ply, int depth, size_t at) {
  uint32_t role = ab_chooser(ab, ply, 0);
  bool alone = ab_is_alone(ab, ply);
  size_t end = ab_list_end(ab, ply, 0);
  for (size_t i = at; i < end && !ab_is_over(ab); i++) {
    ab_move *it = &ab->moves.data[i];
    it->rank = rank_of(ab, ply, role, it->move);
    if (!alone) continue;
    it->rank += rank_by_score(ab, ply, depth, role, it);
    if (ab->credits[role][it->move] == AB_MOST_CREDIT) it->rank += RANK_ENDS;
  }
}

void ab_order_by(alea_alpha_beta *ab, uint32_t ply, const alea_linear_eval *eval) {
  const uint64_t *from = ab->words + ply * ab->word_count;
  uint32_t role = ab_chooser(ab, ply, 0);
  size_t end = ab_list_end(ab, ply, 0);
  ab_stand(ab, ply);
  for (size_t i = ab->plies[ply].first_move; i < end && !ab_is_over(ab); i++) {
    ab_joint(ab, ply)[role] = ab->moves.data[i].move;
    const uint64_t *to = alea_net_preview(ab->cursor, ab_joint(ab, ply));
    ab->moves.data[i].rank = alea_linear_eval_step(eval, from, to);
    ab->previews++;
  }
}

/* Whether a move at the end of a line changes what there is, and gains more by that than
 * usual; its score is found out. */
static bool is_loud(alea_alpha_beta *ab, uint32_t ply, uint32_t role, ab_move *it) {
  const uint64_t *from = ab->words + ply * ab->word_count;
  const alea_move_effect *known = alea_move_effects_known(&ab->effects, role, it->move, from);
  int32_t sign = role == ab->setup->role ? 1 : -1, loud = ab->eval->loud;
  if (known != NULL && known->most_loud <= loud) return false;
  it->score = score_behind(ab, ply, role, it->move);
  int32_t gain = it->rank = sign * (it->score - ab->plies[ply].score);
  if (gain <= loud) return false;
  const uint64_t *to = alea_net_preview(ab->cursor, ab_joint(ab, ply));
  it->rank = rank_of_trade(ab, sign, gain, from, to);
  return alea_move_effects_trades(&ab->effects, from, to);
}

void ab_keep_loud(alea_alpha_beta *ab, uint32_t ply, int32_t lo) {
  uint32_t role = ab_chooser(ab, ply, 0);
  int32_t sign = role == ab->setup->role ? 1 : -1;
  size_t first = ab->plies[ply].first_move, end = ab_list_end(ab, ply, 0), kept = first;
  for (size_t i = first; i < end && !ab_is_over(ab); i++) {
    ab_move it = ab->moves.data[i];
    bool has_won = ab->credits[role][it.move] > 0;
    it.score = sign * -AB_WIN;
    bool loud = is_loud(ab, ply, role, &it) && sign * it.score + ab->eval->network.drift > lo;
    if (!loud && !has_won) continue;
    if (!loud) it.score = sign * -AB_WIN; /* only to see whether it wins */
    if (has_won) it.rank += RANK_ENDS;
    ab->moves.data[kept++] = it;
  }
  ab->list_ends[(size_t)ply * ab->roles] = kept;
}

bool ab_all_trade(alea_alpha_beta *ab, uint32_t ply) {
  size_t first = ab->plies[ply].first_move, end = ab_list_end(ab, ply, 0);
  const uint64_t *from = ab->words + ply * ab->word_count;
  uint32_t role = ab_chooser(ab, ply, 0);
  for (size_t i = first; i < end && end - first >= MANY && ab->weighed < MOST_WEIGHED; i++) {
    ab_joint(ab, ply)[role] = ab->moves.data[i].move;
    const uint64_t *to = alea_net_preview(ab->cursor, ab_joint(ab, ply));
    ab->weighed++;
    ab->trades += alea_move_effects_trades(&ab->effects, from, to);
  }
  return ab->weighed == MOST_WEIGHED && ab->trades >= NEARLY_ALL;
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

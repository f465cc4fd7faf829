/* Witnesses: the order of the searches, and what they share. */
#include "match/witness.h"

#include <string.h>

#include "match/witness_finder.h"

/* Which goals hold together is asked of all gates, slowly. */
static const uint64_t most_evaluations = 30000000;

void alea_witness_limits_init(alea_witness_limits *limits, double factor) {
  *limits = (alea_witness_limits){
      .positions = (uint32_t)(10000 * factor),
      .steps = (uint64_t)(40000 * factor),
      .playouts = (uint32_t)(5000 * factor),
      .stages = factor > 1 ? 200 : 60,
      .conflicts = (uint64_t)(1000 * factor),
      .seed = 1,
  };
}

bool witness_is_wanted(const witness_finder *f, alea_witness_kind kind, uint32_t role) {
  for (size_t i = 0; i < f->found->list.count; i++) {
    const alea_witness *w = &f->found->list.data[i];
    if (w->kind == kind && (w->role == role || kind == ALEA_WITNESS_ENDLESS)) return false;
  }
  return true;
}

static alea_status note(witness_finder *f, alea_witness witness) {
  if (!witness_is_wanted(f, witness.kind, witness.role)) return ALEA_OK;
  return alea_vec_push(f->mem, &f->here, witness) ? ALEA_OK : ALEA_SYSTEM;
}

/* Evaluates the net at the cursor's position, if that is still allowed. */
static alea_status evaluate(witness_finder *f, bool *done) {
  *done = f->net != NULL && f->evaluations < most_evaluations;
  if (!*done) return ALEA_OK;
  alea_list fluents;
  alea_status status = alea_cursor_fluents(f->cursor, &fluents);
  if (status != ALEA_OK) return status;
  memset(f->values, 0, f->net->first_gate);
  f->values[0] = 1;
  for (uint32_t i = 0; i < fluents.count; i++) f->values[1 + fluents.ids[i]] = 1;
  alea_net_evaluate(f->net, f->values);
  f->evaluations += f->net->gate_count;
  return ALEA_OK;
}

/* A goal of 'role' beside 'goal' that holds after evaluate; -1: none. */
static int other_goal(const witness_finder *f, uint32_t role, int goal) {
  for (size_t i = 0; i < f->net->goals.count; i++) {
    const alea_net_goal *g = &f->net->goals.data[i];
    bool holds = f->values[g->lit >> 1] != (g->lit & 1);
    if (g->role == role && g->value != goal && holds) return g->value;
  }
  return -1;
}

static alea_status look_at_end(witness_finder *f) {
  bool evaluated = false;
  alea_status status = evaluate(f, &evaluated);
  for (uint32_t role = 0; status == ALEA_OK && role < f->game->role_count; role++) {
    int goal, other;
    if (!witness_is_player(f, role)) continue;
    if ((status = alea_cursor_goal(f->cursor, role, &goal)) != ALEA_OK) return status;
    if (goal > f->best[role]) f->best[role] = goal;
    if (goal == 100) f->won[role] = true;
    if (goal < 0) status = note(f, (alea_witness){.kind = ALEA_WITNESS_NO_GOAL, .role = role});
    if (goal < 0 || !evaluated || (other = other_goal(f, role, goal)) < 0) continue;
    status = note(
        f, (alea_witness){.kind = ALEA_WITNESS_TWO_GOALS, .role = role, .values = {other, goal}});
  }
  return status;
}

alea_status witness_look(witness_finder *f, bool *over) {
  f->here.count = 0;
  alea_status status = alea_cursor_terminal(f->cursor, over);
  if (status != ALEA_OK) return status;
  if (*over) return look_at_end(f);
  for (uint32_t role = 0; status == ALEA_OK && role < f->game->role_count; role++) {
    alea_list legal;
    if ((status = alea_cursor_legal(f->cursor, role, &legal)) != ALEA_OK) return status;
    if (legal.count > 0) continue;
    *over = true;
    status = note(f, (alea_witness){.kind = ALEA_WITNESS_NOT_PLAYABLE, .role = role});
  }
  return status;
}

alea_status witness_add(witness_finder *f, const alea_witness *witness, const alea_move *moves,
                        uint32_t steps) {
  alea_witness copy = *witness;
  size_t count = (size_t)steps * f->game->role_count;
  copy.moves = (alea_u32s){0};
  copy.steps = steps;
  if (!alea_vec_reserve(f->mem, &copy.moves, count) ||
      !alea_vec_reserve(f->mem, &f->found->list, 1)) {
    alea_vec_clear(f->mem, &copy.moves);
    return ALEA_SYSTEM;
  }
  if (count > 0) memcpy(copy.moves.data, moves, count * sizeof *moves);
  copy.moves.count = count;
  f->found->list.data[f->found->list.count++] = copy;
  return ALEA_OK;
}

alea_status witness_add_here(witness_finder *f, const alea_move *moves, uint32_t steps) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < f->here.count; i++)
    status = witness_add(f, &f->here.data[i], moves, steps);
  f->here.count = 0;
  return status;
}

/* Who can never win, where that is proved. */
static alea_status conclude(witness_finder *f) {
  alea_status status = ALEA_OK;
  for (uint32_t role = 0; status == ALEA_OK && role < f->game->role_count; role++) {
    if (!witness_is_player(f, role) || f->won[role] || !(f->all || f->never[role])) continue;
    int best = f->all ? f->best[role] : -1;
    if (f->all && best < 0) continue; /* no play ends with a goal, and others show why */
    status = witness_add(
        f, &(alea_witness){.kind = ALEA_WITNESS_NEVER_WON, .role = role, .values = {best, best}},
        NULL, 0);
  }
  return status;
}

static alea_status search(witness_finder *f) {
  alea_status status = witness_search_positions(f);
  if ((status == ALEA_OK || status == ALEA_LIMIT) && !f->all) status = witness_search_plays(f);
  if ((status == ALEA_OK || status == ALEA_LIMIT) && !f->all) status = witness_search_lanes(f);
  if ((status == ALEA_OK || status == ALEA_LIMIT) && !f->all) status = witness_search_stages(f);
  return status == ALEA_OK || status == ALEA_LIMIT ? conclude(f) : status;
}

alea_status alea_witness_find(alea_witnesses *found, const alea_game *game,
                              const alea_witness_limits *limits, alea_mem *mem) {
  *found = (alea_witnesses){.mem = mem};
  uint32_t roles = game->role_count;
  witness_finder f = {
      .game = game, .net = alea_net_of_game(game), .mem = mem, .limits = limits, .found = found};
  size_t nodes = f.net != NULL ? f.net->first_gate + (size_t)f.net->gate_count : 0;
  f.won = alea_mem_calloc(mem, roles, sizeof *f.won);
  f.never = alea_mem_calloc(mem, roles, sizeof *f.never);
  f.best = alea_mem_calloc(mem, roles, sizeof *f.best);
  f.joint = alea_mem_calloc(mem, roles, sizeof *f.joint);
  f.values = nodes > 0 ? alea_mem_alloc(mem, nodes) : NULL;
  bool good = f.won != NULL && f.never != NULL && f.best != NULL && f.joint != NULL &&
              (nodes == 0 || f.values != NULL);
  alea_status status = good ? alea_cursor_new(game, mem, &f.cursor) : ALEA_SYSTEM;
  for (uint32_t role = 0; good && role < roles; role++) f.best[role] = -1;
  if (status == ALEA_OK) status = search(&f);
  alea_cursor_free(f.cursor);
  alea_vec_clear(mem, &f.here);
  alea_mem_free(mem, f.won, roles * sizeof *f.won);
  alea_mem_free(mem, f.never, roles * sizeof *f.never);
  alea_mem_free(mem, f.best, roles * sizeof *f.best);
  alea_mem_free(mem, f.joint, roles * sizeof *f.joint);
  alea_mem_free(mem, f.values, f.values != NULL ? nodes : 0);
  return status;
}

void alea_witnesses_clear(alea_witnesses *found) {
  for (size_t i = 0; i < found->list.count; i++)
    alea_vec_clear(found->mem, &found->list.data[i].moves);
  alea_vec_clear(found->mem, &found->list);
}

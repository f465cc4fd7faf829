/* Compiling: legality, the end of the game, and payoffs. */
#include <math.h>

#include "toss/maker.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_maker maker;
typedef alea_toss_lit lit_t;
typedef alea_toss_lits lits;
typedef alea_toss_instance instance;
typedef alea_toss_roots roots;
typedef alea_toss_goal goal;
typedef ALEA_VEC(goal) goals;

static lit_t any_legal(maker *m, uint32_t location, uint32_t role) {
  lits found = {0};
  for (size_t i = 0; i < m->instances.count; i++) {
    const instance *x = &m->instances.data[i];
    if (x->location == location && x->role == role) alea_toss_maker_push(m, &found, x->any);
  }
  lit_t lit = alea_toss_circuit_or(&m->circuit, found.data, found.count);
  alea_vec_clear(m->mem, &found);
  return lit;
}

static void find_terminal(maker *m, roots *r) {
  lits ends = {0};
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    lits stuck = {0};
    if (alea_toss_maker_movers(m, l) == 0) alea_toss_maker_push(m, &stuck, ALEA_TOSS_LIT_TRUE);
    for (uint32_t p = 0; p < m->players; p++) {
      if (m->file->locations.data[l].sides[p].labels.count == 0) continue;
      alea_toss_maker_push(m, &stuck, any_legal(m, l, p) ^ 1);
    }
    lit_t here = alea_toss_circuit_or(&m->circuit, stuck.data, stuck.count);
    alea_toss_maker_push(m, &ends, alea_toss_and2(&m->circuit, alea_toss_maker_place(m, l), here));
    alea_vec_clear(m->mem, &stuck);
  }
  r->terminal = alea_toss_circuit_or(&m->circuit, ends.data, ends.count);
  alea_vec_clear(m->mem, &ends);
}

static void allow(maker *m, roots *r, uint32_t role, uint32_t move, lit_t lit) {
  while (m->status == ALEA_OK && r->legal[role].count <= move) {
    alea_toss_maker_push(m, &r->legal[role], ALEA_TOSS_LIT_FALSE);
  }
  if (m->status != ALEA_OK) return;
  lit_t *held = &r->legal[role].data[move];
  *held = alea_toss_or2(&m->circuit, *held, lit);
}

static void allow_waiting(maker *m, roots *r) {
  uint32_t noop = ALEA_TOSS_KEY_NOOP;
  for (uint32_t l = 0; l < m->file->locations.count; l++) {
    for (uint32_t p = 0; p < m->players; p++) {
      if (m->file->locations.data[l].sides[p].labels.count != 0) continue;
      allow(m, r, p, alea_toss_maker_move(m, p, &noop, 1), alea_toss_maker_place(m, l));
    }
    if (m->roles == m->players) continue;
    if (m->tokens[l] == 1) {
      allow(m, r, m->players, alea_toss_maker_move(m, m->players, &noop, 1),
            alea_toss_maker_place(m, l));
    }
    for (uint32_t i = 0; i < m->tokens[l] && m->tokens[l] > 1; i++) {
      uint32_t key[2] = {ALEA_TOSS_KEY_CHANCE, i};
      allow(m, r, m->players, alea_toss_maker_move(m, m->players, key, 2),
            alea_toss_maker_place(m, l));
    }
  }
}

static void find_legal(maker *m, roots *r) {
  for (size_t i = 0; i < m->instances.count && m->status == ALEA_OK; i++) {
    const instance x = m->instances.data[i];
    allow(m, r, x.role, x.move,
          alea_toss_and2(&m->circuit, alea_toss_maker_place(m, x.location), x.legal));
  }
  allow_waiting(m, r);
}

/* ---- payoffs ---- */

/* Rounded as the cursor does it (alea_toss_cursor_payoff), so that ties agree. */
static int scaled(maker *m, double payoff) {
  double value = 100 * ((payoff - m->file->least) / (m->file->most - m->file->least));
  int goal_value = !(value > 0) ? 0 : value >= 100 ? 100 : (int)(value + 0.5);
  bool between = value > 0 && value < 100 && fabs(value - goal_value) > 1e-9;
  if (m->precise && between) alea_toss_maker_fail(m, ALEA_UNSUPPORTED);
  return goal_value;
}

static void note_goal(maker *m, goals *list, goal g) {
  for (size_t i = 0; i < list->count; i++) {
    goal *known_goal = &list->data[i];
    if (known_goal->role == g.role && known_goal->value == g.value && known_goal->lit == g.lit) {
      known_goal->places++;
      return;
    }
  }
  if (!alea_vec_push(m->mem, list, g)) alea_toss_maker_lack(m);
}

/* The payoff of a player at a location, as conditions for goals. */
static void price(maker *m, uint32_t location, uint32_t role, goals *list) {
  alea_toss_cases cases = {0};
  uint32_t code = m->rules->payoffs[location * m->players + role];
  lit_t by_goal[101];
  for (int i = 0; i <= 100; i++) by_goal[i] = ALEA_TOSS_LIT_FALSE;
  if (code == NONE) {
    by_goal[scaled(m, 0)] = ALEA_TOSS_LIT_TRUE;
  } else {
    alea_toss_symbolic_term(&m->sym, code, &cases);
    if (m->sym.status != ALEA_OK) alea_toss_maker_fail(m, m->sym.status);
  }
  for (size_t i = 0; i < cases.count; i++) {
    lit_t *held = &by_goal[scaled(m, alea_interval_middle(cases.data[i].value))];
    *held = alea_toss_or2(&m->circuit, *held, cases.data[i].lit);
  }
  for (int i = 0; i <= 100; i++) {
    if (by_goal[i] != ALEA_TOSS_LIT_FALSE) note_goal(m, list, (goal){role, i, by_goal[i], 1});
  }
  alea_vec_clear(m->mem, &cases);
}

/* Goals that are the same everywhere need no location. */
static void find_goals(maker *m, roots *r) {
  goals everywhere = {0}, found = {0};
  uint32_t places = (uint32_t)m->file->locations.count;
  for (uint32_t p = 0; p < m->players; p++) {
    everywhere.count = 0;
    for (uint32_t l = 0; l < places; l++) price(m, l, p, &everywhere);
    for (size_t i = 0; i < everywhere.count; i++) {
      if (everywhere.data[i].places == places) note_goal(m, &found, everywhere.data[i]);
    }
    for (uint32_t l = 0; l < places; l++) {
      goals here = {0};
      price(m, l, p, &here);
      for (size_t i = 0; i < here.count; i++) {
        goal g = here.data[i];
        bool common = false;
        for (size_t j = 0; j < everywhere.count; j++) {
          const goal *e = &everywhere.data[j];
          common |= e->places == places && e->value == g.value && e->lit == g.lit;
        }
        g.lit = alea_toss_and2(&m->circuit, g.lit, alea_toss_maker_place(m, l));
        if (!common) note_goal(m, &found, g);
      }
      alea_vec_clear(m->mem, &here);
    }
  }
  alea_vec_clear(m->mem, &everywhere);
  for (size_t i = 0; i < found.count && m->status == ALEA_OK; i++) {
    if (!alea_vec_push(m->mem, &r->goals, found.data[i])) alea_toss_maker_lack(m);
  }
  alea_vec_clear(m->mem, &found);
}

void alea_toss_maker_find_roots(maker *m, roots *r) {
  find_legal(m, r);
  if (m->status == ALEA_OK) find_terminal(m, r);
  if (m->status == ALEA_OK) find_goals(m, r);
}

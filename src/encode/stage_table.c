/* One stage by constraint propagation on the template.
 *
 * The engine keeps three levels: the state, one level per action while arms
 * are listed, and the transition.  Definitions are posted in the order of what
 * they define, and queued in that order, so that with the state given each of
 * them runs about once.
 *
 * Split ([MACUCB16 §4.2], K3, D15): N'' is the part with the chance variable,
 * N' the rest.  The transition defines every variable of the next state for any
 * move and any value of chance, so forward checking of N'' removes nothing and
 * the feasibility constraint allows all: it is left out unless the stage is
 * 'checked'.  In a guarded template definitions may clash; then not the move is
 * wrong but the template, and another one is made. */
#include "encode/stage_table.h"

#include <stdlib.h>
#include <string.h>

#include "ground/fluent_map.h"
#include "propnet/propnet.h"
#include "scsp/core.h"

enum { MOST_ARMS = 20000 };

typedef struct table_stage {
  alea_stage base;
  alea_mem *mem;
  const alea_template *t;
  alea_template *own; /* a template made here, when the given one broke */
  uint8_t *whole;     /* per fluent: not to be grouped */
  bool checked;

  /* the game's numbers and the template's */
  alea_cursor *cursor;
  bool bits; /* words are bits of the game's fluents, numbered 0 ... */
  alea_fluent_map texts;
  uint32_t *game_fluent; /* per ground fluent, for bits */
  alea_move *game_move;  /* per ground move */
  alea_u32s *value_of;   /* per role: game move -> value */

  csp_engine *engine;
  uint32_t *order; /* propagators by the last variable of their scope */
  uint32_t props, state_props;
  encode_forward *forward;
  uint32_t *values; /* per variable: forward checking's assignment */
  bool *allowed;

  uint64_t *words, *after;
  size_t word_count;
  bool solved, terminal;
  int *goals;
  uint32_t *firsts;
  ALEA_VEC(alea_move) moves;
  ALEA_VEC(alea_move) arms;
} table_stage;

/* ---- the game's numbers ---- */

static bool map_fluents(table_stage *s) {
  const alea_net *net = alea_net_of_game(s->base.game);
  const alea_ground *g = s->t->ground;
  if (net == NULL) return true;
  s->bits = true;
  s->game_fluent = alea_mem_alloc(s->mem, g->fluent_count * sizeof *s->game_fluent);
  if (s->game_fluent == NULL) return false;
  memset(s->game_fluent, 0xff, g->fluent_count * sizeof *s->game_fluent);
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    uint32_t ground = alea_fluent_map_find(&s->texts, f);
    if (ground != UINT32_MAX) s->game_fluent[ground] = f;
  }
  return !s->texts.failed;
}

/* Moves of the game by their texts.  An engine that discovers moves knows them
 * once they were legal, so this is done again where one is missing. */
static bool map_moves(table_stage *s) {
  const alea_ground *g = s->t->ground;
  alea_text text;
  alea_text_init(&text, s->mem);
  bool good = true;
  for (uint32_t r = 0; r < g->role_count; r++)
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1] && good; m++) {
      if (s->game_move[m] != ALEA_NO_MOVE) continue;
      alea_text_truncate(&text, 0);
      alea_terms_print(g->terms, g->moves[m], false, &text);
      alea_move move = alea_game_move_find(s->base.game, r, alea_text_string(&text));
      s->game_move[m] = move;
      if (move == ALEA_NO_MOVE) continue;
      while (s->value_of[r].count <= move && good)
        good = alea_vec_push(s->mem, &s->value_of[r], 0u);
      if (good) s->value_of[r].data[move] = m - g->move_first[r] + 1;
    }
  good = good && !text.failed;
  alea_text_clear(&text);
  return good;
}

/* ---- the network ---- */

static alea_csp_var last_var(const csp_prop *prop) {
  alea_csp_var last = 0;
  for (uint32_t i = 0; i < prop->arity; i++)
    if (prop->scope[i] > last) last = prop->scope[i];
  return last;
}

typedef struct stage_table_ranked {
  alea_csp_var last;
  uint32_t prop;
} stage_table_ranked;

static int by_last(const void *a, const void *b) {
  const stage_table_ranked *x = a, *y = b;
  if (x->last != y->last) return x->last < y->last ? -1 : 1;
  return (x->prop > y->prop) - (x->prop < y->prop);
}

static bool order_props(table_stage *s) {
  csp_engine *engine = s->engine;
  stage_table_ranked *ranks = alea_mem_calloc(s->mem, engine->prop_count, sizeof *ranks);
  s->props = engine->prop_count;
  s->order = alea_mem_calloc(s->mem, s->props, sizeof *s->order);
  if (ranks == NULL || s->order == NULL) {
    alea_mem_free(s->mem, ranks, engine->prop_count * sizeof *ranks);
    return false;
  }
  for (uint32_t i = 0; i < s->props; i++)
    ranks[i] = (stage_table_ranked){last_var(&engine->props[i]), i};
  if (s->props > 1) qsort(ranks, s->props, sizeof *ranks, by_last);
  s->state_props = 0;
  for (uint32_t i = 0; i < s->props; i++) {
    s->order[i] = ranks[i].prop;
    if (ranks[i].last < s->t->moving)
      s->state_props++;
    else
      engine->props[ranks[i].prop].active = 0; /* until the transition is asked for */
  }
  alea_mem_free(s->mem, ranks, engine->prop_count * sizeof *ranks);
  return true;
}

static void drop_network(table_stage *s) {
  csp_engine_free(s->engine);
  s->engine = NULL;
  alea_mem_free(s->mem, s->order, s->props * sizeof *s->order);
  s->order = NULL;
  encode_forward_free(s->forward);
  s->forward = NULL;
  alea_mem_free(s->mem, s->values, s->t->var_count * sizeof *s->values);
  alea_mem_free(s->mem, s->allowed, s->t->ground->move_count + 1);
  s->values = NULL;
  s->allowed = NULL;
}

static bool take_network(table_stage *s) {
  s->props = 0;
  s->values = alea_mem_calloc(s->mem, s->t->var_count, sizeof *s->values);
  s->allowed = alea_mem_calloc(s->mem, s->t->ground->move_count + 1, 1);
  if (s->values == NULL || s->allowed == NULL) return false;
  if (s->base.options.method == ALEA_STAGE_FC) {
    s->forward = encode_forward_new(s->t, s->mem);
    return s->forward != NULL;
  }
  s->engine = csp_engine_new_in(s->t->scsp->csp, 0, s->mem);
  return s->engine != NULL && order_props(s);
}

/* A template without the groups that may have been wrong: those that are not
 * proved, and all of derived predicates.  The new one may have others that are
 * not proved, but fewer fluents are grouped every time.  ALEA_NO: there is
 * no group left that may be wrong. */
static alea_status rebuild(table_stage *s) {
  const alea_ground *g = s->t->ground;
  alea_template_options options = {
      .encoder = ALEA_ENCODER_GROUND, .game = s->base.game, .whole = s->whole};
  bool fewer = s->own == NULL;
  for (uint32_t f = 0; f < g->fluent_count; f++) {
    if (!s->t->guard[s->t->fluent_var[f]]) continue;
    fewer = fewer || !s->whole[f];
    s->whole[f] = 1;
  }
  if (!fewer) return ALEA_NO;
  alea_template *made = NULL;
  alea_status status = alea_template_new(&made, g, NULL, &options, s->mem);
  if (status != ALEA_OK) return status;
  drop_network(s);
  alea_template_free(s->own);
  s->t = s->own = made;
  return take_network(s) ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status no_memory(const table_stage *s) { return alea_mem_lack(s->mem); }

/* ---- the position ---- */

/* Values of the state variables; false when two fluents of a group hold. */
static bool set_fluent(table_stage *s, uint32_t fluent) {
  uint32_t ground = alea_fluent_map_find(&s->texts, fluent);
  if (ground == UINT32_MAX) return true;
  alea_csp_var var = s->t->fluent_var[ground];
  bool first = s->values[var] == 0;
  s->values[var] = s->t->fluent_value[ground];
  return first;
}

static alea_status read_state(table_stage *s, bool *clash) {
  *clash = false;
  memset(s->values, 0, (s->t->state_count + 1) * sizeof *s->values);
  if (s->bits) {
    for (size_t w = 0; w < s->word_count; w++)
      for (uint64_t rest = s->words[w]; rest != 0; rest &= rest - 1)
        *clash |= !set_fluent(s, (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(rest));
    return s->texts.failed ? no_memory(s) : ALEA_OK;
  }
  alea_list list;
  alea_status status = alea_cursor_load(s->cursor, s->words, s->word_count);
  if (status == ALEA_OK) status = alea_cursor_fluents(s->cursor, &list);
  for (uint32_t i = 0; i < list.count && status == ALEA_OK; i++)
    *clash |= !set_fluent(s, list.ids[i]);
  /* makes the engine number the moves that are legal here */
  for (uint32_t r = 0; r < s->t->ground->role_count && status == ALEA_OK; r++)
    status = alea_cursor_legal(s->cursor, r, &list);
  if (status == ALEA_OK && (s->texts.failed || !map_moves(s))) status = no_memory(s);
  return status;
}

static bool assign(table_stage *s, alea_csp_var var, uint32_t value) {
  uint32_t index = csp_index(csp_dom(s->engine, var)->var, (int32_t)value);
  return index != ALEA_CSP_NONE && csp_assign(s->engine, var, index);
}

/* Fixes the state and propagates up to the actions. */
static bool instantiate(table_stage *s) {
  csp_engine *engine = s->engine;
  csp_pop_to(engine, 0);
  csp_push(engine);
  for (uint32_t i = 0; i < s->state_props; i++) engine->props[s->order[i]].queued = true;
  bool good = true;
  for (uint32_t v = 0; v <= s->t->state_count && good; v++) good = assign(s, v, s->values[v]);
  return csp_propagate_in_order(engine, s->order, s->state_props) && good;
}

/* The same by forward checking. */
static bool forward_state(table_stage *s) {
  const alea_csp *csp = s->t->scsp->csp;
  for (uint32_t v = 0; v <= s->t->state_count; v++) {
    s->values[v] = csp_index(&csp->vars.data[v], (int32_t)s->values[v]);
    if (s->values[v] == ALEA_CSP_NONE) return false;
  }
  return encode_forward_state(s->forward, s->values);
}

/* The value of a variable that the state determines. */
static int32_t value_now(const table_stage *s, alea_csp_var var) {
  if (s->engine != NULL) return csp_min(csp_dom(s->engine, var));
  return csp_value(&s->t->scsp->csp->vars.data[var], s->values[var]);
}

/* ---- moves ---- */

static int by_number(const void *a, const void *b) {
  alea_move x = *(const alea_move *)a, y = *(const alea_move *)b;
  return (x > y) - (x < y);
}

static bool push_move(table_stage *s, uint32_t role, int32_t value) {
  const alea_ground *g = s->t->ground;
  if (value == 0) return true;
  alea_move move = s->game_move[g->move_first[role] + (uint32_t)value - 1];
  return move != ALEA_NO_MOVE && alea_vec_push(s->mem, &s->moves, move);
}

static bool list_role(table_stage *s, uint32_t role) {
  alea_csp_var var = s->t->action[role];
  const csp_variable *variable = &s->t->scsp->csp->vars.data[var];
  size_t start = s->moves.count;
  bool good = true;
  if (s->engine != NULL) {
    const csp_domain *domain = csp_dom(s->engine, var);
    for
      CSP_EACH(i, domain) good = good && push_move(s, role, csp_value(variable, i));
  } else {
    encode_forward_allowed(s->forward, s->values, var, s->allowed);
    for (uint32_t i = 0; i < variable->size; i++)
      if (s->allowed[i]) good = good && push_move(s, role, csp_value(variable, i));
  }
  if (s->moves.count > start + 1)
    qsort(s->moves.data + start, s->moves.count - start, sizeof *s->moves.data, by_number);
  return good;
}

static uint32_t value_of_move(const table_stage *s, uint32_t role, alea_move move) {
  if (move >= s->value_of[role].count) return 0;
  return s->value_of[role].data[move];
}

/* ---- the transition ---- */

static bool take_action(table_stage *s, uint32_t role, alea_move move) {
  uint32_t value = value_of_move(s, role, move);
  if (value == 0) return false;
  alea_csp_var var = s->t->action[role];
  if (s->engine != NULL) return assign(s, var, value);
  s->values[var] = csp_index(&s->t->scsp->csp->vars.data[var], (int32_t)value);
  if (s->values[var] == ALEA_CSP_NONE) return false;
  encode_forward_allowed(s->forward, s->values, var, s->allowed);
  return s->allowed[s->values[var]];
}

/* From the propagated state through the joint move; undone by the caller. */
static bool transit(table_stage *s, const alea_move *joint) {
  const alea_ground *g = s->t->ground;
  bool good = true;
  if (s->engine != NULL) {
    csp_push(s->engine);
    for (uint32_t i = s->state_props; i < s->props; i++) {
      csp_prop *prop = &s->engine->props[s->order[i]];
      csp_activate(s->engine, prop, true);
      prop->queued = true; /* so that nothing queues it before its turn */
    }
  }
  /* chance is assigned last, as in the order of the variables */
  for (uint32_t r = 0; r < g->role_count && good; r++)
    if ((int)r != g->random_role) good = take_action(s, r, joint[r]);
  if (good && g->random_role >= 0)
    good = take_action(s, (uint32_t)g->random_role, joint[g->random_role]);
  if (s->engine != NULL)
    return csp_propagate_in_order(s->engine, s->order + s->state_props,
                                  s->props - s->state_props) &&
           good;
  return good && encode_forward_finish(s->forward, s->values);
}

static void undo(table_stage *s) {
  if (s->engine != NULL) csp_pop(s->engine);
}

/* ---- arms ---- */

static bool player(const table_stage *s, uint32_t role) {
  return (int)role != s->t->ground->random_role;
}

/* One arm with every value of chance: all of them must have a successor. */
static bool feasible(table_stage *s, alea_move *joint) {
  int chance = s->t->ground->random_role;
  uint32_t first = chance >= 0 ? s->firsts[chance] : 0;
  uint32_t end = chance >= 0 ? s->firsts[chance + 1] : 1;
  bool good = true;
  for (uint32_t k = first; k < end && good; k++) {
    if (chance >= 0) joint[chance] = s->moves.data[k];
    s->base.stats.nodes++;
    good = transit(s, joint);
    undo(s);
  }
  if (chance >= 0) joint[chance] = ALEA_NO_MOVE;
  return good;
}

/* MAC over the actions, one level per role; forward checking tries the same
 * moves and tests each arm on the whole network. */
static bool try_move(table_stage *s, uint32_t role, alea_move move) {
  s->base.stats.nodes++;
  if (s->engine == NULL) return take_action(s, role, move);
  csp_push(s->engine);
  bool good = assign(s, s->t->action[role], value_of_move(s, role, move));
  return csp_propagate(s->engine) && good;
}

enum { MOST_ROLES = 64 };

static bool push_arm(table_stage *s, alea_move *joint, bool tested, bool *failed) {
  uint32_t roles = s->t->ground->role_count;
  if (tested && !feasible(s, joint)) {
    *failed = true;
    return true;
  }
  if (!alea_vec_reserve(s->mem, &s->arms, roles)) return false;
  memcpy(s->arms.data + s->arms.count, joint, roles * sizeof *joint);
  s->arms.count += roles;
  return true;
}

/* Lists the arms, depth first, one role after the other.  '*failed': an arm
 * failed that the domains allow.  False without memory. */
static bool list_arms(table_stage *s, bool tested, bool *failed) {
  uint32_t roles[MOST_ROLES], at[MOST_ROLES + 1], count = 0, depth = 0;
  alea_move joint[MOST_ROLES];
  *failed = false;
  for (uint32_t r = 0; r < s->t->ground->role_count; r++) {
    joint[r] = ALEA_NO_MOVE;
    if (player(s, r)) roles[count++] = r;
  }
  if (count == 0) return push_arm(s, joint, tested, failed);
  at[0] = s->firsts[roles[0]];
  for (;;) {
    uint32_t role = roles[depth < count ? depth : 0];
    if (depth < count && at[depth] < s->firsts[role + 1]) {
      joint[role] = s->moves.data[at[depth]++];
      if (try_move(s, role, joint[role])) {
        if (++depth < count) at[depth] = s->firsts[roles[depth]];
      } else {
        *failed = true;
        undo(s);
      }
      continue;
    }
    if (depth == count && !push_arm(s, joint, tested, failed)) return false;
    if (depth == 0) return true;
    depth--;
    undo(s);
  }
}

static uint64_t count_arms(const table_stage *s) {
  uint64_t arms = 1;
  for (uint32_t r = 0; r < s->t->ground->role_count; r++) {
    uint64_t moves = s->firsts[r + 1] - s->firsts[r];
    if (player(s, r)) arms = moves != 0 && arms > UINT64_MAX / moves ? UINT64_MAX : arms * moves;
    /* where chance cannot move, nobody can */
    if (!player(s, r) && moves == 0) return 0;
  }
  return arms;
}

/* ---- solving ---- */

static void read_goals(table_stage *s) {
  const alea_template *t = s->t;
  for (uint32_t r = 0; r < t->ground->role_count; r++) {
    int32_t value = t->goal[r] == ALEA_CSP_NONE ? 0 : value_now(s, t->goal[r]);
    s->goals[r] = value == 0 ? -1 : t->goal_values[t->goal_first[r] + (uint32_t)value - 1];
  }
}

static bool list_moves(table_stage *s) {
  uint32_t roles = s->t->ground->role_count;
  s->moves.count = 0;
  for (uint32_t r = 0; r < roles; r++) {
    s->firsts[r] = (uint32_t)s->moves.count;
    if (!s->terminal && !list_role(s, r)) return false;
  }
  s->firsts[roles] = (uint32_t)s->moves.count;
  return true;
}

/* Nothing is consistent: a role has no move although the game goes on.  The
 * choices are left out, and what is legal is read off one by one. */
static alea_status list_unplayable(table_stage *s) {
  const alea_ground *g = s->t->ground;
  s->moves.count = 0;
  s->terminal = false;
  for (uint32_t r = 0; r <= g->role_count; r++) s->firsts[r] = 0;
  for (uint32_t r = 0; r < g->role_count; r++) s->goals[r] = -1;
  if (s->engine == NULL) return ALEA_OK;
  csp_engine *engine = s->engine;
  csp_pop_to(engine, 0);
  csp_push(engine);
  for (uint32_t i = 0; i < s->props; i++) {
    csp_prop *prop = &engine->props[s->order[i]];
    bool choice = last_var(prop) >= s->t->closing;
    if (choice) csp_activate(engine, prop, false);
    if (!choice) csp_schedule(engine, prop);
  }
  bool good = true;
  for (uint32_t v = 0; v <= s->t->state_count && good; v++) good = assign(s, v, s->values[v]);
  if (csp_propagate(engine) && good) read_goals(s);
  return ALEA_OK;
}

static alea_status solve_here(table_stage *s, bool *broken) {
  bool clash;
  alea_status status = read_state(s, &clash);
  if (status != ALEA_OK) return status;
  *broken = clash;
  if (clash) return s->t->guarded ? ALEA_OK : ALEA_NO;
  bool good = s->engine != NULL ? instantiate(s) : forward_state(s);
  if (s->engine != NULL && s->engine->no_memory) return no_memory(s);
  if (!good) {
    *broken = s->t->guarded;
    return *broken ? ALEA_OK : list_unplayable(s);
  }
  s->terminal = value_now(s, s->t->terminal) == 1;
  read_goals(s);
  return list_moves(s) ? ALEA_OK : no_memory(s);
}

static alea_status solve_arms(table_stage *s, uint64_t *count, bool *broken) {
  uint32_t most = s->base.options.max_arms != 0 ? s->base.options.max_arms : MOST_ARMS;
  *count = s->terminal ? 0 : count_arms(s);
  s->arms.count = 0;
  if (*count == 0 || *count > most) return ALEA_OK;
  bool failed, tested = s->checked || s->engine == NULL;
  if (!list_arms(s, tested, &failed)) return no_memory(s);
  *broken = failed && s->t->guarded;
  if (failed && !*broken) *count = s->arms.count / s->t->ground->role_count;
  return ALEA_OK;
}

static alea_status table_solve(alea_stage *stage, const uint64_t *words, size_t count,
                               alea_stage_solution *solution) {
  table_stage *s = (table_stage *)stage;
  if (count != s->word_count) {
    uint64_t *room = alea_mem_calloc(s->mem, count, sizeof *room);
    if (room == NULL) return no_memory(s);
    alea_mem_free(s->mem, s->words, s->word_count * sizeof *s->words);
    alea_mem_free(s->mem, s->after, s->word_count * sizeof *s->after);
    s->words = room;
    s->word_count = count;
    s->after = alea_mem_calloc(s->mem, count, sizeof *s->after);
    if (s->after == NULL) return no_memory(s);
  }
  memmove(s->words, words, count * sizeof *words);
  s->solved = false;
  uint64_t arms = 0;
  for (bool broken = true; broken;) {
    broken = false;
    alea_status status = solve_here(s, &broken);
    if (status == ALEA_OK && !broken) status = solve_arms(s, &arms, &broken);
    if (status == ALEA_OK && broken) status = rebuild(s);
    if (status != ALEA_OK) return status;
  }
  s->solved = true;
  s->base.stats.solved++;
  s->base.stats.arms += arms;
  s->base.stats.propagations =
      s->engine != NULL ? s->engine->propagations : encode_forward_checks(s->forward);
  *solution = (alea_stage_solution){.terminal = s->terminal,
                                    .goals = s->goals,
                                    .firsts = s->firsts,
                                    .moves = s->moves.data,
                                    .arm_count = arms,
                                    .arms = s->arms.count > 0 ? s->arms.data : NULL};
  return ALEA_OK;
}

/* ---- the successor ---- */

/* The words of the state that the next variables hold. */
static alea_status write_words(table_stage *s) {
  const alea_template *t = s->t;
  memset(s->after, 0, s->word_count * sizeof *s->after);
  for (uint32_t v = 0; v < t->state_count; v++) {
    int32_t value = value_now(s, t->next[v]);
    if (s->engine != NULL && !csp_fixed(csp_dom(s->engine, t->next[v]))) return ALEA_NO;
    if (value == 0) continue;
    uint32_t fluent = s->game_fluent[t->fluents[t->value_first[v] + (uint32_t)value - 1]];
    if (fluent != UINT32_MAX) s->after[fluent / 64] |= UINT64_C(1) << (fluent % 64);
  }
  return ALEA_OK;
}

/* Do the cursor's fluents say what the network says? */
static alea_status compare(table_stage *s) {
  const alea_template *t = s->t;
  alea_list list;
  uint32_t holding = 0, known = 0;
  alea_status status = alea_cursor_fluents(s->cursor, &list);
  if (status != ALEA_OK) return status;
  for (uint32_t i = 0; i < list.count; i++) {
    uint32_t fluent = alea_fluent_map_find(&s->texts, list.ids[i]);
    if (s->texts.failed) return no_memory(s);
    if (fluent == UINT32_MAX) continue;
    known++;
    if (value_now(s, t->next[t->fluent_var[fluent]]) != (int32_t)t->fluent_value[fluent])
      return ALEA_NO;
  }
  for (uint32_t v = 0; v < t->state_count; v++) holding += value_now(s, t->next[v]) != 0;
  return holding == known ? ALEA_OK : ALEA_NO;
}

static alea_status play_cursor(table_stage *s, const alea_move *joint) {
  alea_status status = alea_cursor_load(s->cursor, s->words, s->word_count);
  return status == ALEA_OK ? alea_cursor_play(s->cursor, joint) : status;
}

static alea_status successor(table_stage *s, const alea_move *joint, const uint64_t **words,
                             size_t *count) {
  alea_status status = ALEA_OK;
  if (s->bits) {
    status = write_words(s);
    *words = s->after;
    *count = s->word_count;
  }
  if (status == ALEA_OK && (!s->bits || s->checked)) {
    status = play_cursor(s, joint);
    if (status == ALEA_OK) status = compare(s);
  }
  if (status == ALEA_OK && !s->bits) *words = alea_cursor_state(s->cursor, count);
  return status;
}

/* Is every move of the joint move one of the solution? */
static bool is_offered(const table_stage *s, const alea_move *joint) {
  for (uint32_t r = 0; r < s->t->ground->role_count; r++) {
    uint32_t at = s->firsts[r];
    while (at < s->firsts[r + 1] && s->moves.data[at] != joint[r]) at++;
    if (at == s->firsts[r + 1]) return false;
  }
  return true;
}

/* The transition of a move that is legal can only fail where a group was
 * wrong; then by another template.  The caller undoes it when it is done. */
static alea_status go_through(table_stage *s, const alea_move *joint) {
  while (!transit(s, joint)) {
    undo(s);
    if (s->engine != NULL && s->engine->no_memory) return no_memory(s);
    if (!s->t->guarded || !is_offered(s, joint)) return ALEA_USAGE;
    for (bool broken = true; broken;) {
      broken = false;
      alea_status status = rebuild(s);
      if (status == ALEA_OK) status = solve_here(s, &broken);
      if (status != ALEA_OK) return status;
    }
  }
  return ALEA_OK;
}

static alea_status table_next(alea_stage *stage, const alea_move *joint, const uint64_t **words,
                              size_t *count) {
  table_stage *s = (table_stage *)stage;
  if (!s->solved || s->terminal) return ALEA_USAGE;
  alea_status status = go_through(s, joint);
  if (status != ALEA_OK) return status;
  status = successor(s, joint, words, count);
  undo(s);
  return status;
}

/* ---- making and freeing ---- */

static void table_free(alea_stage *stage) {
  table_stage *s = (table_stage *)stage;
  alea_mem *mem = s->mem;
  const alea_ground *g = s->t->ground;
  drop_network(s);
  alea_template_free(s->own);
  alea_cursor_free(s->cursor);
  alea_mem_free(mem, s->whole, g->fluent_count);
  alea_fluent_map_clear(&s->texts);
  alea_mem_free(mem, s->game_fluent, s->bits ? g->fluent_count * sizeof *s->game_fluent : 0);
  alea_mem_free(mem, s->game_move, g->move_count * sizeof *s->game_move);
  for (uint32_t r = 0; r < g->role_count && s->value_of != NULL; r++)
    alea_vec_clear(mem, &s->value_of[r]);
  alea_mem_free(mem, s->value_of, g->role_count * sizeof *s->value_of);
  alea_mem_free(mem, s->words, s->word_count * sizeof *s->words);
  alea_mem_free(mem, s->after, s->word_count * sizeof *s->after);
  alea_mem_free(mem, s->goals, g->role_count * sizeof *s->goals);
  alea_mem_free(mem, s->firsts, (g->role_count + 1) * sizeof *s->firsts);
  alea_vec_clear(mem, &s->moves);
  alea_vec_clear(mem, &s->arms);
  alea_mem_free(mem, s, sizeof *s);
}

/* A propagation takes about 80 ns, a state of a playout 300 to 700 in most games
 * (bench/stage.md). */
static const alea_stage_class table_class = {
    .engine = "table", .state = 6, .free = table_free, .solve = table_solve, .next = table_next};

static bool fill(table_stage *s) {
  const alea_ground *g = s->t->ground;
  s->whole = alea_mem_calloc(s->mem, g->fluent_count, 1);
  s->game_move = alea_mem_alloc(s->mem, g->move_count * sizeof *s->game_move);
  s->value_of = alea_mem_calloc(s->mem, g->role_count, sizeof *s->value_of);
  s->goals = alea_mem_calloc(s->mem, g->role_count, sizeof *s->goals);
  s->firsts = alea_mem_calloc(s->mem, g->role_count + 1, sizeof *s->firsts);
  if (s->whole == NULL || s->game_move == NULL || s->value_of == NULL || s->goals == NULL ||
      s->firsts == NULL)
    return false;
  memset(s->game_move, 0xff, g->move_count * sizeof *s->game_move);
  return alea_fluent_map_init(&s->texts, g, s->base.game, s->mem) && map_fluents(s) &&
         map_moves(s) && take_network(s);
}

alea_status alea_stage_new_table(alea_stage **stage, const alea_template *t, const alea_game *game,
                                 const alea_stage_options *options,
                                 const alea_stage_table_options *table, alea_mem *mem) {
  table_stage *s = alea_mem_zalloc(mem, sizeof *s);
  *stage = NULL;
  if (s != NULL && t->ground->role_count > MOST_ROLES) {
    alea_mem_free(mem, s, sizeof *s);
    return ALEA_LIMIT;
  }
  if (s == NULL) return alea_mem_lack(mem);
  s->base = (alea_stage){.class = &table_class, .game = game};
  if (options != NULL) s->base.options = *options;
  s->mem = mem;
  s->t = t;
  s->checked = table != NULL && table->checked;
  alea_status status = alea_cursor_new(game, mem, &s->cursor);
  if (status == ALEA_OK && !fill(s)) status = no_memory(s);
  if (status == ALEA_OK)
    *stage = &s->base;
  else
    table_free(&s->base);
  return status;
}

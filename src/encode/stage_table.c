/* One stage by constraint propagation on the template.
 *
 * MAC: the closure of the position (encode/closure.h) leaves each action the
 * domain of its legal moves.  Of the constraints of N' only those of the
 * actions say anything about them: a definition gives its variable one value
 * whatever the others are, so it takes no value from them, and it is propagated
 * when its variable is asked for.  Branching on the actions, in the order of the
 * roles, then never fails before c_s is looked at.
 *
 * N'' ([MACUCB16 §4.2], K3, D15) is the part with the chance variable.  Its
 * hard constraints define the next state for any move and any value of chance,
 * so that forward checking of N'' leaves all to the feasibility constraint c_s
 * but what the threshold takes (encode/feasible.h); a stage that is 'checked'
 * tries every value all the same.
 *
 * Forward checking knows neither closure nor split: it gives the variables of
 * N' and N'' values in their order, the actions and chance each of theirs in
 * turn, and an arm is a solution when every value of chance has led to a next
 * state.
 *
 * In a guarded template definitions may clash; then not the move is wrong but
 * the template, and another one is made. */
#include "encode/stage_table.h"

#include <stdlib.h>
#include <string.h>

#include "encode/closure.h"
#include "encode/stage_numbers.h"
#include "scsp/core.h"

enum { MOST_ARMS = 20000, MOST_ROLES = 64 };

/* Where a fluent of the game is in the network. */
typedef struct stage_table_place {
  uint32_t var, index; /* ALEA_CSP_NONE: nowhere */
} stage_table_place;

typedef struct table_stage {
  alea_stage base;
  alea_mem *mem;
  const alea_template *t;
  alea_template *own;  /* a template made here, when the given one broke */
  uint8_t *whole;      /* per fluent: not to be grouped */
  bool checked, fixed; /* see alea_stage_table_options */
  encode_numbers numbers;
  alea_cursor *cursor;

  encode_closure closure;
  uint64_t followed;         /* joint moves that forward checking has taken to the next state */
  uint32_t *roots;           /* per fact */
  uint32_t root_count;       /* facts, as allocated */
  stage_table_place *places; /* per fluent of the game, for bits */
  uint32_t *undefined;       /* per state variable: the index of 0 */
  size_t next_words;         /* bits of the closure: the next state, then the moves of each role */
  size_t legal_word[MOST_ROLES + 1];
  uint64_t *state; /* the words that the closure stands at, for bits */
  uint32_t *values;

  uint64_t *words, *after;
  size_t word_count;
  bool solved, terminal;
  int *goals;
  uint32_t *firsts;
  ALEA_VEC(alea_move) moves;
  ALEA_VEC(alea_move) arms;
} table_stage;

static alea_status no_memory(const table_stage *s) { return alea_mem_lack(s->mem); }

static uint32_t role_count(const table_stage *s) { return s->t->ground->role_count; }

static bool player(const table_stage *s, uint32_t role) {
  return (int)role != s->t->ground->random_role;
}

static const csp_variable *variable(const table_stage *s, alea_csp_var var) {
  return &s->t->scsp->csp->vars.data[var];
}

static int32_t value_now(const table_stage *s, alea_csp_var var) {
  return csp_value(variable(s, var), encode_closure_value(&s->closure, var));
}

/* ---- the network ---- */

/* The number of a role's move among the bits of the closure. */
static uint32_t bit_of_move(const table_stage *s, uint32_t role, uint32_t value) {
  uint32_t m = s->t->ground->move_first[role] + value - 1;
  return s->numbers.bits ? s->numbers.game_move[m] : value - 1;
}

static void lay_out_bits(table_stage *s) {
  const alea_ground *g = s->t->ground;
  size_t at = s->next_words = s->numbers.bits ? (s->numbers.fluents + 63) / 64 : 0;
  for (uint32_t r = 0; r < g->role_count; r++) {
    uint32_t count = g->move_first[r + 1] - g->move_first[r];
    if (s->numbers.bits) count = alea_game_move_count(s->base.game, r);
    s->legal_word[r] = at;
    at += (count + 63) / 64;
  }
  s->legal_word[g->role_count] = at;
}

/* Which bit says that a fact has support: of the moves, and of the next state. */
static void set_roots(table_stage *s) {
  const alea_template *t = s->t;
  const encode_flat *flat = t->flat;
  memset(s->roots, 0xff, s->root_count * sizeof *s->roots);
  for (uint32_t r = 0; r < role_count(s); r++) {
    alea_csp_var var = t->action[r];
    for (uint32_t i = 0; i < flat->vars[var].size; i++) {
      uint32_t value = (uint32_t)csp_value(variable(s, var), i);
      if (value == 0) continue;
      uint32_t bit = bit_of_move(s, r, value);
      if (bit != ALEA_NO_MOVE)
        s->roots[flat->vars[var].first + i] = (uint32_t)(64 * s->legal_word[r]) + bit;
    }
  }
  for (uint32_t v = 0; v < t->state_count && s->numbers.bits; v++)
    for (uint32_t i = 0; i < flat->vars[t->next[v]].size; i++) {
      uint32_t value = (uint32_t)csp_value(variable(s, t->next[v]), i);
      if (value != 0)
        s->roots[flat->vars[t->next[v]].first + i] =
            s->numbers.game_fluent[t->fluents[t->value_first[v] + value - 1]];
    }
}

/* An action of which no constraint is left may always have all of its values. */
static void open_free_actions(table_stage *s) {
  const encode_flat *flat = s->t->flat;
  for (uint32_t r = 0; r < role_count(s); r++) {
    const encode_flat_var *var = &flat->vars[s->t->action[r]];
    for (uint32_t i = 0; i < var->size && var->mode == ENCODE_FLAT_GIVEN; i++) {
      uint32_t bit = s->roots[var->first + i];
      if (bit != ENCODE_FLAT_NONE) s->closure.bits[bit >> 6] |= UINT64_C(1) << (bit & 63);
    }
  }
}

static void set_places(table_stage *s) {
  for (uint32_t f = 0; f < s->numbers.fluents; f++) {
    uint32_t ground = alea_fluent_map_find(&s->numbers.texts, f);
    s->places[f] = (stage_table_place){ALEA_CSP_NONE, 0};
    if (ground == UINT32_MAX) continue;
    alea_csp_var var = s->t->fluent_var[ground];
    s->places[f] =
        (stage_table_place){var, csp_index(variable(s, var), (int32_t)s->t->fluent_value[ground])};
  }
}

static void drop_network(table_stage *s) {
  encode_closure_clear(&s->closure);
  alea_mem_free(s->mem, s->roots, s->root_count * sizeof *s->roots);
  alea_mem_free(s->mem, s->undefined, (s->t->state_count + 1) * sizeof *s->undefined);
  alea_mem_free(s->mem, s->values, (s->t->state_count + 1) * sizeof *s->values);
  s->roots = s->undefined = s->values = NULL;
}

static bool take_network(table_stage *s) {
  const encode_flat *flat = s->t->flat;
  s->root_count = flat->fact_count;
  s->roots = alea_mem_calloc(s->mem, s->root_count, sizeof *s->roots);
  s->undefined = alea_mem_calloc(s->mem, s->t->state_count + 1, sizeof *s->undefined);
  s->values = alea_mem_calloc(s->mem, s->t->state_count + 1, sizeof *s->values);
  if (s->roots == NULL || s->undefined == NULL || s->values == NULL) return false;
  set_roots(s);
  set_places(s);
  if (!encode_closure_init(&s->closure, flat, s->roots, s->legal_word[role_count(s)], s->mem))
    return false;
  open_free_actions(s);
  for (uint32_t v = 0; v <= s->t->state_count; v++) {
    s->undefined[v] = csp_index(variable(s, v), 0);
    encode_closure_set(&s->closure, v, s->undefined[v]);
  }
  if (s->numbers.bits) memset(s->state, 0, s->next_words * sizeof *s->state);
  return true;
}

/* A template without the groups that may have been wrong: those that are not
 * proved, and all of derived predicates.  The new one may have others that are
 * not proved, but fewer fluents are grouped every time.  ALEA_NO: there is
 * no group left that may be wrong. */
static alea_status rebuild(table_stage *s) {
  const alea_ground *g = s->t->ground;
  alea_template_options options = {.encoder = ALEA_ENCODER_GROUND,
                                   .game = s->base.game,
                                   .whole = s->whole,
                                   .counted = true,
                                   .flat = true};
  bool fewer = s->own == NULL;
  if (s->fixed) return ALEA_NO;
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
  return take_network(s) ? ALEA_OK : no_memory(s);
}

/* ---- the position ---- */

static void set_state(table_stage *s, uint32_t var, uint32_t index) {
  encode_closure_set(&s->closure, var, index);
}

/* Back to where nothing holds. */
static void forget_state(table_stage *s) {
  for (uint32_t v = 0; v < s->t->state_count; v++) set_state(s, v, s->undefined[v]);
  memset(s->state, 0, s->next_words * sizeof *s->state);
}

/* From the words of the last position to these: fluents that hold no longer
 * first.  True when two fluents of a group hold. */
static bool go_to_words(table_stage *s) {
  bool clash = false;
  for (int holds = 0; holds < 2; holds++)
    for (size_t w = 0; w < s->next_words; w++) {
      uint64_t change = (s->state[w] ^ s->words[w]) & (holds ? s->words[w] : s->state[w]);
      for (; change != 0; change &= change - 1) {
        stage_table_place at = s->places[64 * w + (uint32_t)__builtin_ctzll(change)];
        if (at.var == ALEA_CSP_NONE) continue;
        uint32_t now = s->closure.vars[at.var].value;
        if (holds && now != s->undefined[at.var]) clash = true;
        if (holds || now == at.index) set_state(s, at.var, holds ? at.index : s->undefined[at.var]);
      }
    }
  memcpy(s->state, s->words, s->next_words * sizeof *s->state);
  if (clash) forget_state(s);
  return clash;
}

/* The same from the fluents of the cursor. */
static alea_status go_to_fluents(table_stage *s, bool *clash) {
  alea_list list;
  memcpy(s->values, s->undefined, s->t->state_count * sizeof *s->values);
  alea_status status = alea_cursor_load(s->cursor, s->words, s->word_count);
  if (status == ALEA_OK) status = alea_cursor_fluents(s->cursor, &list);
  for (uint32_t i = 0; status == ALEA_OK && i < list.count; i++) {
    uint32_t ground = alea_fluent_map_find(&s->numbers.texts, list.ids[i]);
    if (ground == UINT32_MAX) continue;
    alea_csp_var var = s->t->fluent_var[ground];
    *clash = *clash || s->values[var] != s->undefined[var];
    s->values[var] = csp_index(variable(s, var), (int32_t)s->t->fluent_value[ground]);
  }
  for (uint32_t v = 0; status == ALEA_OK && v < s->t->state_count; v++)
    set_state(s, v, s->values[v]);
  /* makes the engine number the moves that are legal here */
  for (uint32_t r = 0; r < role_count(s) && status == ALEA_OK; r++)
    status = alea_cursor_legal(s->cursor, r, &list);
  if (status == ALEA_OK && (s->numbers.texts.failed || !encode_numbers_map_moves(&s->numbers)))
    status = no_memory(s);
  return status;
}

static alea_status read_state(table_stage *s, bool *clash) {
  *clash = false;
  if (!s->numbers.bits) return go_to_fluents(s, clash);
  if (s->word_count != s->next_words) return ALEA_USAGE;
  *clash = go_to_words(s);
  return ALEA_OK;
}

/* ---- moves ---- */

static int by_number(const void *a, const void *b) {
  alea_move x = *(const alea_move *)a, y = *(const alea_move *)b;
  return (x > y) - (x < y);
}

/* The domain of a role's action, in the game's numbers. */
static bool list_role(table_stage *s, uint32_t role) {
  const encode_numbers *n = &s->numbers;
  const uint64_t *bits = s->closure.bits + s->legal_word[role];
  size_t words = s->legal_word[role + 1] - s->legal_word[role], start = s->moves.count;
  for (size_t w = 0; w < words; w++) {
    if (!alea_vec_reserve(s->mem, &s->moves, 64)) return false;
    for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
      alea_move move = (alea_move)(64 * w) + (alea_move)__builtin_ctzll(rest);
      if (!n->bits) move = n->game_move[n->ground->move_first[role] + move];
      if (move == ALEA_NO_MOVE) return false;
      s->moves.data[s->moves.count++] = move;
    }
  }
  if (!n->bits && s->moves.count > start + 1)
    qsort(s->moves.data + start, s->moves.count - start, sizeof *s->moves.data, by_number);
  return true;
}

static bool list_moves(table_stage *s) {
  uint32_t roles = role_count(s);
  s->moves.count = 0;
  for (uint32_t r = 0; r < roles; r++) {
    s->firsts[r] = (uint32_t)s->moves.count;
    if (!s->terminal && !list_role(s, r)) return false;
  }
  s->firsts[roles] = (uint32_t)s->moves.count;
  return true;
}

/* ---- the transition ---- */

/* From the closure of the state through the joint move; undone by the caller. */
static bool transit(table_stage *s, const alea_move *joint) {
  uint32_t indexes[MOST_ROLES], roles = role_count(s);
  for (uint32_t r = 0; r < roles; r++) {
    uint32_t value = encode_numbers_of_move(&s->numbers, r, joint[r]);
    indexes[r] = csp_index(variable(s, s->t->action[r]), (int32_t)value);
  }
  return encode_closure_take(&s->closure, s->t->action, indexes, roles);
}

static void undo(table_stage *s) { encode_closure_leave(&s->closure, s->t->action, role_count(s)); }

/* Is every move of the joint move in the domain of its action? */
static bool is_offered(const table_stage *s, const alea_move *joint) {
  for (uint32_t r = 0; r < role_count(s); r++) {
    uint32_t value = encode_numbers_of_move(&s->numbers, r, joint[r]);
    if (value == 0) return false;
    uint32_t bit = bit_of_move(s, r, value);
    if (!(s->closure.bits[s->legal_word[r] + bit / 64] >> (bit % 64) & 1)) return false;
  }
  return true;
}

/* ---- arms ---- */

static uint64_t count_arms(const table_stage *s) {
  uint64_t arms = 1;
  for (uint32_t r = 0; r < role_count(s); r++) {
    uint64_t moves = s->firsts[r + 1] - s->firsts[r];
    if (moves == 0) return 0; /* where one cannot move, nobody can */
    if (player(s, r)) arms = arms > UINT64_MAX / moves ? UINT64_MAX : arms * moves;
  }
  return arms;
}

/* The actions one after the other, the last role turning fastest. */
static bool list_arms(table_stage *s, uint64_t count) {
  uint32_t roles = role_count(s), at[MOST_ROLES];
  if (!alea_vec_reserve(s->mem, &s->arms, count * roles)) return false;
  alea_move *arm = s->arms.data;
  memcpy(at, s->firsts, roles * sizeof *at);
  for (uint64_t i = 0; i < count; i++, arm += roles) {
    for (uint32_t r = 0; r < roles; r++)
      arm[r] = player(s, r) ? s->moves.data[at[r]] : ALEA_NO_MOVE;
    for (uint32_t r = roles; r-- > 0;) {
      if (!player(s, r)) continue;
      if (++at[r] < s->firsts[r + 1]) break;
      at[r] = s->firsts[r];
    }
  }
  s->arms.count = count * roles;
  s->base.stats.nodes += count;
  return true;
}

/* One arm with every value of chance: all of them must have a successor. */
static bool is_solution(table_stage *s, const alea_move *arm) {
  int chance = s->t->ground->random_role;
  uint32_t first = chance >= 0 ? s->firsts[chance] : 0;
  uint32_t end = chance >= 0 ? s->firsts[chance + 1] : 1;
  alea_move joint[MOST_ROLES];
  bool good = true;
  memcpy(joint, arm, role_count(s) * sizeof *joint);
  for (uint32_t k = first; k < end && good; k++) {
    if (chance >= 0) joint[chance] = s->moves.data[k];
    s->base.stats.nodes++;
    s->followed++;
    good = transit(s, joint);
    undo(s);
  }
  return good;
}

/* Keeps the arms that every value of chance completes. */
static uint64_t test_arms(table_stage *s, uint64_t count) {
  uint32_t roles = role_count(s);
  uint64_t kept = 0;
  for (uint64_t i = 0; i < count; i++) {
    alea_move *arm = s->arms.data + i * roles;
    if (is_solution(s, arm)) memmove(s->arms.data + kept++ * roles, arm, roles * sizeof *arm);
  }
  s->arms.count = kept * roles;
  return kept;
}

/* ---- solving ---- */

static void read_goals(table_stage *s) {
  const alea_template *t = s->t;
  for (uint32_t r = 0; r < role_count(s); r++) {
    int32_t value = t->goal[r] == ALEA_CSP_NONE ? 0 : value_now(s, t->goal[r]);
    s->goals[r] = value == 0 ? -1 : t->goal_values[t->goal_first[r] + (uint32_t)value - 1];
  }
}

static alea_status solve_here(table_stage *s, bool *broken) {
  bool clash;
  alea_status status = read_state(s, &clash);
  if (status != ALEA_OK) return status;
  bool good = encode_closure_run(&s->closure) && !clash;
  *broken = !good && s->t->guarded;
  if (*broken) return ALEA_OK;
  if (clash) return ALEA_NO;
  s->terminal = value_now(s, s->t->terminal) == 1;
  read_goals(s);
  return list_moves(s) ? ALEA_OK : no_memory(s);
}

static alea_status solve_arms(table_stage *s, uint64_t *count, bool *broken) {
  uint32_t most = s->base.options.max_arms;
  *count = s->terminal ? 0 : count_arms(s);
  s->arms.count = 0;
  if (*count == 0 || *count > most) return ALEA_OK;
  if (!list_arms(s, *count)) return no_memory(s);
  if (!s->checked && s->base.options.method == ALEA_STAGE_MAC) return ALEA_OK;
  uint64_t kept = test_arms(s, *count);
  *broken = kept < *count && s->t->guarded;
  *count = kept;
  return ALEA_OK;
}

static alea_status take_words(table_stage *s, const uint64_t *words, size_t count) {
  if (count != s->word_count) {
    uint64_t *room = alea_mem_calloc(s->mem, 2 * count, sizeof *room);
    if (room == NULL) return no_memory(s);
    alea_mem_free(s->mem, s->words, 2 * s->word_count * sizeof *s->words);
    s->words = room;
    s->after = room + count;
    s->word_count = count;
  }
  memmove(s->words, words, count * sizeof *words);
  return ALEA_OK;
}

static alea_status table_solve(alea_stage *stage, const uint64_t *words, size_t count,
                               alea_stage_solution *solution) {
  table_stage *s = (table_stage *)stage;
  alea_status status = take_words(s, words, count);
  if (status != ALEA_OK) return status;
  s->solved = false;
  uint64_t arms = 0;
  for (bool broken = true; broken;) {
    broken = false;
    status = solve_here(s, &broken);
    if (status == ALEA_OK && !broken) status = solve_arms(s, &arms, &broken);
    if (status == ALEA_OK && broken) status = rebuild(s);
    if (status != ALEA_OK) return status;
  }
  s->solved = true;
  s->base.stats.solved++;
  s->base.stats.arms += arms;
  s->base.stats.propagations = s->closure.visits + s->followed;
  *solution = (alea_stage_solution){.terminal = s->terminal,
                                    .goals = s->goals,
                                    .firsts = s->firsts,
                                    .moves = s->moves.data,
                                    .arm_count = arms,
                                    .arms = s->arms.count > 0 ? s->arms.data : NULL};
  return ALEA_OK;
}

/* ---- the successor ---- */

/* Do the cursor's fluents say what the network says? */
static alea_status compare(table_stage *s) {
  const alea_template *t = s->t;
  alea_list list;
  uint32_t holding = 0, known = 0;
  alea_status status = alea_cursor_fluents(s->cursor, &list);
  if (status != ALEA_OK) return status;
  for (uint32_t i = 0; i < list.count; i++) {
    uint32_t fluent = alea_fluent_map_find(&s->numbers.texts, list.ids[i]);
    if (s->numbers.texts.failed) return no_memory(s);
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
  if (s->numbers.bits) {
    memcpy(s->after, s->closure.bits, s->next_words * sizeof *s->after);
    *words = s->after;
    *count = s->word_count;
  }
  if (!s->numbers.bits || s->checked) {
    status = play_cursor(s, joint);
    if (status == ALEA_OK) status = compare(s);
  }
  if (status == ALEA_OK && !s->numbers.bits) *words = alea_cursor_state(s->cursor, count);
  return status;
}

/* The transition of a move that is legal can only fail where a group was
 * wrong; then by another template.  The caller undoes it when it is done. */
static alea_status go_through(table_stage *s, const alea_move *joint) {
  if (!is_offered(s, joint)) return ALEA_USAGE;
  while (!transit(s, joint)) {
    undo(s);
    if (!s->t->guarded) return ALEA_USAGE;
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
  alea_mem_free(mem, s->places, s->numbers.fluents * sizeof *s->places);
  alea_mem_free(mem, s->state, s->next_words * sizeof *s->state);
  encode_numbers_clear(&s->numbers);
  alea_mem_free(mem, s->words, 2 * s->word_count * sizeof *s->words);
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
  s->goals = alea_mem_calloc(s->mem, g->role_count, sizeof *s->goals);
  s->firsts = alea_mem_calloc(s->mem, g->role_count + 1, sizeof *s->firsts);
  if (s->whole == NULL || s->goals == NULL || s->firsts == NULL) return false;
  if (!encode_numbers_init(&s->numbers, g, s->base.game, s->mem)) return false;
  lay_out_bits(s);
  s->places = alea_mem_calloc(s->mem, s->numbers.fluents, sizeof *s->places);
  s->state = alea_mem_calloc(s->mem, s->next_words, sizeof *s->state);
  return s->places != NULL && s->state != NULL && take_network(s);
}

alea_status alea_stage_new_table(alea_stage **stage, const alea_template *t, const alea_game *game,
                                 const alea_stage_options *options,
                                 const alea_stage_table_options *table, alea_mem *mem) {
  *stage = NULL;
  if (t->flat == NULL) return ALEA_UNSUPPORTED;
  if (t->ground->role_count > MOST_ROLES) return ALEA_LIMIT;
  table_stage *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->base = (alea_stage){.class = &table_class, .game = game};
  if (options != NULL) s->base.options = *options;
  if (s->base.options.max_arms == 0) s->base.options.max_arms = MOST_ARMS;
  s->mem = mem;
  s->t = t;
  s->checked = table != NULL && table->checked;
  s->fixed = table != NULL && table->fixed;
  alea_status status = alea_cursor_new(game, mem, &s->cursor);
  if (status == ALEA_OK && !fill(s)) status = no_memory(s);
  if (status == ALEA_OK)
    *stage = &s->base;
  else
    table_free(&s->base);
  return status;
}

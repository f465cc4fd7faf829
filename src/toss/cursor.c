/* Cursors of the interpreter: a structure, a location, and the legal moves. */
#include <string.h>

#include "toss/cursor.h"
#include "toss/evaluation.h"
#include "toss/taylor.h"

#define DEFAULT_TIME 0.1
#define NONE ALEA_TOSS_NONE

static alea_status lack(const alea_toss_cursor *c) { return alea_mem_lack(c->mem); }

static void cursor_free(alea_cursor *cursor) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  alea_mem *mem = c->mem;
  size_t capacity = c->game->rules->capacity;
  alea_mem_free(mem, c->origins, c->origins != NULL ? capacity * sizeof *c->origins : 0);
  alea_toss_env_clear(&c->env);
  alea_toss_structure_free(c->structure);
  alea_toss_structure_free(c->scratch);
  for (size_t i = 0; i < ALEA_TOSS_MOST_PLAYERS + 1; i++) alea_vec_clear(mem, &c->legal[i]);
  alea_vec_clear(mem, &c->fluents);
  alea_vec_clear(mem, &c->matches);
  alea_vec_clear(mem, &c->words);
  alea_mem_free(mem, c, sizeof *c);
}

static alea_status reset(alea_cursor *cursor) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  c->location = 0;
  c->listed = c->chance_listed = false;
  return alea_toss_structure_copy(c->structure, c->game->rules->start) ? ALEA_OK : lack(c);
}

/* ---- legal moves ---- */

static const alea_toss_side *side_of(const alea_toss_cursor *c, uint32_t role) {
  return &c->game->file->locations.data[c->location].sides[role];
}

static alea_status add_move(alea_toss_cursor *c, uint32_t role, const uint32_t *key,
                            uint32_t length) {
  uint32_t id = alea_toss_ids_add(c->game->ids, 1 + role, key, length);
  if (id == UINT32_MAX || !alea_vec_push(c->mem, &c->legal[role], id)) return lack(c);
  return ALEA_OK;
}

/* One move for each combination of points. */
static alea_status add_points(alea_toss_cursor *c, uint32_t role, const alea_toss_label *label,
                              uint32_t *key, uint32_t length) {
  const alea_toss_interval *intervals[ALEA_TOSS_MOST_PARAMS + 1];
  uint32_t count = 0, total = 1, firsts[ALEA_TOSS_MOST_PARAMS + 1],
           sizes[ALEA_TOSS_MOST_PARAMS + 1];
  for (size_t i = 0; i < label->params.count; i++) intervals[count++] = &label->params.data[i];
  if (alea_toss_time_chosen(label)) intervals[count++] = &label->time;
  for (uint32_t i = 0; i < count; i++) {
    alea_toss_listed_points(intervals[i], &firsts[i], &sizes[i]);
    total *= sizes[i];
  }
  if (length + count > ALEA_TOSS_MOST_KEY || total > ALEA_TOSS_MOST_TOKENS) return ALEA_LIMIT;
  alea_status status = ALEA_OK;
  for (uint32_t point = 0; point < total && status == ALEA_OK; point++) {
    uint32_t rest = point;
    for (uint32_t i = 0; i < count; i++) {
      key[length + i] = firsts[i] + rest % sizes[i];
      rest /= sizes[i];
    }
    status = add_move(c, role, key, length + count);
  }
  return status;
}

static bool intersects(const uint32_t *a, size_t count, const uint32_t *b, uint32_t width) {
  for (size_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < width; j++) {
      if (a[i] == b[j]) return true;
    }
  }
  return false;
}

/* Adds every non-empty set of matches that do not intersect (multiplicity *),
 * by an odometer of match numbers. */
static alea_status add_sets(alea_toss_cursor *c, uint32_t role, const alea_toss_label *label,
                            uint32_t width) {
  uint32_t count = (uint32_t)(c->matches.count / width), made = 0;
  uint32_t key[ALEA_TOSS_MOST_KEY] = {label->alias}, chosen[ALEA_TOSS_MOST_KEY];
  uint32_t depth = 0, next = 0;
  for (;;) {
    for (; next < count; next++) {
      const uint32_t *match = c->matches.data + (size_t)next * width;
      if (!intersects(key + 1, (size_t)depth * width, match, width)) break;
    }
    if (next == count) {
      if (depth == 0) return ALEA_OK;
      next = chosen[--depth] + 1;
      continue;
    }
    if (++made > ALEA_TOSS_MOST_SETS || (depth + 2) * width + 8 > ALEA_TOSS_MOST_KEY) {
      return ALEA_LIMIT;
    }
    memcpy(key + 1 + depth * width, c->matches.data + (size_t)next * width, width * sizeof *key);
    chosen[depth++] = next++;
    alea_status status = add_points(c, role, label, key, 1 + depth * width);
    if (status != ALEA_OK) return status;
  }
}

/* A rule without time that is the only one at its location is legal only if
 * `post` will hold; for other rules that is decided when they are applied. */
static bool looks_ahead(const alea_toss_cursor *c, uint32_t role, const alea_toss_label *label) {
  const alea_toss_pattern *p = &c->game->rules->patterns[label->rule];
  if (p->post == NONE || label->timed || p->inv != NONE || p->rule->dynamics.count != 0 ||
      label->many != ALEA_TOSS_ONE || label->params.count != 0) {
    return false;
  }
  for (uint32_t i = 0; i < c->game->player_count; i++) {
    if (i != role && side_of(c, i)->labels.count != 0) return false;
  }
  return true;
}

static alea_status drop_futile(alea_toss_cursor *c, uint32_t rule, uint32_t width) {
  const alea_toss_rules *rules = c->game->rules;
  size_t kept = 0;
  if (!alea_toss_structure_copy(c->scratch, c->structure)) return lack(c);
  for (size_t i = 0; i + width <= c->matches.count; i += width) {
    uint32_t images[ALEA_TOSS_MOST_SIDE], match[ALEA_TOSS_MOST_SIDE];
    memcpy(match, c->matches.data + i, width * sizeof *match);
    alea_status status = alea_toss_rewrite(rules, rule, &c->env, c->structure, match, images);
    bool good = status == ALEA_OK && alea_toss_post_holds(rules, rule, &c->env, images);
    if (!alea_toss_structure_copy(c->structure, c->scratch)) return lack(c);
    if (status != ALEA_OK) return status;
    if (good) memcpy(c->matches.data + kept, match, width * sizeof *match), kept += width;
  }
  c->matches.count = kept;
  return ALEA_OK;
}

static alea_status list_label(alea_toss_cursor *c, uint32_t role, const alea_toss_label *label) {
  uint32_t width = c->game->rules->patterns[label->rule].left_count;
  uint32_t key[ALEA_TOSS_MOST_KEY] = {label->alias};
  c->matches.count = 0;
  alea_status status = alea_toss_match(c->game->rules, label->rule, &c->env, &c->matches);
  if (status == ALEA_OK && looks_ahead(c, role, label)) {
    status = drop_futile(c, label->rule, width);
  }
  if (status != ALEA_OK || c->matches.count == 0) return status;
  if (label->many == ALEA_TOSS_ALL) return add_points(c, role, label, key, 1);
  if (label->many == ALEA_TOSS_ANY) return add_sets(c, role, label, width);
  for (size_t i = 0; i + width <= c->matches.count && status == ALEA_OK; i += width) {
    memcpy(key + 1, c->matches.data + i, width * sizeof *key);
    status = add_points(c, role, label, key, 1 + width);
  }
  return status;
}

static alea_status list_chance(alea_toss_cursor *c, uint32_t role) {
  uint32_t tokens = c->game->tokens[c->location];
  uint32_t key[2] = {ALEA_TOSS_KEY_NOOP, 0};
  if (tokens == 1) return add_move(c, role, key, 1);
  key[0] = ALEA_TOSS_KEY_CHANCE;
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < tokens && status == ALEA_OK; i++) {
    key[1] = i;
    status = add_move(c, role, key, 2);
  }
  return status;
}

static alea_status list_role(alea_toss_cursor *c, uint32_t role) {
  c->legal[role].count = 0;
  const alea_toss_side *side = side_of(c, role);
  uint32_t noop = ALEA_TOSS_KEY_NOOP;
  if (side->labels.count == 0) return add_move(c, role, &noop, 1);
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < side->labels.count && status == ALEA_OK; i++) {
    status = list_label(c, role, &side->labels.data[i]);
    if (status == ALEA_LIMIT && c->env.status == ALEA_OK && !c->mem->hit_limit)
      alea_toss_notes_add_label(c->game->rules->notes, &side->labels.data[i]);
  }
  return status;
}

static alea_status list_all(alea_toss_cursor *c) {
  if (c->listed) return ALEA_OK;
  for (uint32_t role = 0; role < c->game->player_count; role++) {
    alea_status status = list_role(c, role);
    if (status != ALEA_OK) return status;
  }
  c->listed = true;
  return ALEA_OK;
}

static alea_status legal(alea_cursor *cursor, uint32_t role, alea_list *out) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  bool chance = role == c->game->player_count;
  alea_status status = ALEA_OK;
  if (!chance) status = list_all(c);
  if (chance && !c->chance_listed) {
    c->legal[role].count = 0;
    status = list_chance(c, role);
    c->chance_listed = status == ALEA_OK;
  }
  *out = (alea_list){c->legal[role].data, (uint32_t)c->legal[role].count};
  return status;
}

/* The game ends if no tuple of labels can be applied. */
static alea_status terminal(alea_cursor *cursor, bool *result) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  alea_status status = list_all(c);
  bool labels = false, stuck = false;
  for (uint32_t role = 0; role < c->game->player_count; role++) {
    labels |= side_of(c, role)->labels.count != 0;
    stuck |= c->legal[role].count == 0;
  }
  *result = !labels || stuck;
  return status;
}

alea_status alea_toss_cursor_payoff(alea_cursor *cursor, uint32_t role, double *payoff) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  const alea_toss_file *f = c->game->file;
  uint32_t code = c->game->rules->payoffs[c->location * c->game->player_count + role];
  c->env.status = ALEA_OK;
  double value = code == NONE ? 0 : alea_interval_middle(alea_toss_evaluate(&c->env, code));
  double scaled = (value - f->least) / (f->most - f->least);
  *payoff = !(scaled > 0) ? 0 : scaled < 1 ? scaled : 1;
  return c->env.status;
}

static alea_status goal(alea_cursor *cursor, uint32_t role, int *result) {
  const alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  double payoff = 0;
  *result = -1;
  if (role >= c->game->player_count) return ALEA_OK;
  alea_status status = alea_toss_cursor_payoff(cursor, role, &payoff);
  *result = (int)(100 * payoff + 0.5);
  return status;
}

/* ---- playing ---- */

typedef struct joint {
  alea_toss_act *acts; /* one per match */
  size_t count, capacity;
  uint32_t labels[ALEA_TOSS_MOST_PLAYERS];
  uint32_t keys[ALEA_TOSS_MOST_PLAYERS][ALEA_TOSS_MOST_KEY];
  uint32_t lengths[ALEA_TOSS_MOST_PLAYERS];
  uint32_t token;
  alea_toss_matches all[ALEA_TOSS_MOST_PLAYERS]; /* of labels with multiplicity all */
} joint;

static double draw(const alea_toss_cursor *c, const alea_toss_label *label, uint32_t name,
                   uint32_t token) {
  const alea_toss_location *l = &c->game->file->locations.data[c->location];
  uint32_t rest = token / alea_toss_denominator(c->game->file, c->location);
  for (uint32_t i = 0; i < c->game->player_count; i++) {
    for (size_t j = 0; j < l->sides[i].labels.count; j++) {
      const alea_toss_label *other = &l->sides[i].labels.data[j];
      for (size_t k = 0; k < other->randoms.count; k++) {
        if (other == label && other->randoms.data[k].name == name) {
          return alea_toss_quantile(&other->randoms.data[k], rest % ALEA_TOSS_QUANTILES);
        }
        rest /= ALEA_TOSS_QUANTILES;
      }
    }
  }
  return 0;
}

static double point_value(const alea_toss_cursor *c, const alea_toss_label *label,
                          const alea_toss_interval *v, uint32_t point, uint32_t token) {
  if (point & ALEA_TOSS_POINT_VALUE) return alea_toss_point_value(c->game, point);
  double low = v->low.random == NONE ? v->low.number : draw(c, label, v->low.random, token);
  double high = v->high.random == NONE ? v->high.number : draw(c, label, v->high.random, token);
  return alea_toss_grid_value(v, point, low, high < low ? low : high);
}

static double time_of(const alea_toss_cursor *c, const alea_toss_label *label,
                      const uint32_t *point, uint32_t token) {
  if (!label->timed) return DEFAULT_TIME;
  if (alea_toss_time_chosen(label)) return point_value(c, label, &label->time, *point, token);
  double time = label->time.high.random == NONE ? label->time.high.number
                                                : draw(c, label, label->time.high.random, token);
  return time > 0 ? time : 0;
}

static bool add_act(alea_toss_cursor *c, joint *j, alea_toss_act act) {
  if (j->count == j->capacity) {
    size_t next = j->capacity != 0 ? j->capacity * 2 : 8;
    alea_toss_act *grown =
        alea_mem_resize(c->mem, j->acts, j->capacity * sizeof *grown, next * sizeof *grown);
    if (grown == NULL) return false;
    j->acts = grown;
    j->capacity = next;
  }
  j->acts[j->count++] = act;
  return true;
}

static alea_status add_acts(alea_toss_cursor *c, joint *j, uint32_t role) {
  const alea_toss_label *label = &side_of(c, role)->labels.data[j->labels[role]];
  const uint32_t *key = j->keys[role];
  uint32_t length = j->lengths[role], params = (uint32_t)label->params.count;
  uint32_t numbers = params + alea_toss_time_chosen(label);
  uint32_t width = c->game->rules->patterns[label->rule].left_count;
  if (length < 1 + numbers) return ALEA_INPUT;
  alea_toss_act act = {.rule = label->rule, .label = label};
  const alea_toss_numbers *given =
      c->numbers != NULL && c->numbers[role].given ? &c->numbers[role] : NULL;
  for (uint32_t i = 0; i < params; i++) {
    act.params[i] = given != NULL ? given->params[i]
                                  : point_value(c, label, &label->params.data[i],
                                                key[length - numbers + i], j->token);
  }
  act.time = time_of(c, label, key + length - 1, j->token);
  if (given != NULL && alea_toss_time_chosen(label)) act.time = given->time;
  const uint32_t *elements = key + 1;
  size_t count = length - 1 - numbers;
  if (label->many == ALEA_TOSS_ALL) {
    alea_status status = alea_toss_match(c->game->rules, label->rule, &c->env, &j->all[role]);
    if (status != ALEA_OK) return status;
    elements = j->all[role].data;
    count = j->all[role].count;
  }
  for (size_t i = 0; i + width <= count; i += width) {
    act.match = elements + i;
    if (!add_act(c, j, act)) return lack(c);
  }
  return ALEA_OK;
}

/* The label of a move at this location; NONE: it has none. */
static uint32_t label_of(const alea_toss_cursor *c, uint32_t role, uint32_t alias) {
  const alea_toss_side *side = side_of(c, role);
  for (uint32_t i = 0; i < side->labels.count; i++) {
    if (side->labels.data[i].alias == alias) return i;
  }
  return NONE;
}

static alea_status decode(alea_toss_cursor *c, joint *j, const alea_move *moves) {
  const alea_toss_game *g = c->game;
  if (g->game.random_role >= 0) {
    uint32_t key[2] = {0, 0};
    uint32_t role = (uint32_t)g->game.random_role;
    alea_toss_ids_key(g->ids, 1 + role, moves[role], key, 2);
    j->token = key[0] == ALEA_TOSS_KEY_CHANCE ? key[1] : 0;
  }
  for (uint32_t role = 0; role < g->player_count; role++) {
    uint32_t *key = j->keys[role];
    j->lengths[role] = alea_toss_ids_key(g->ids, 1 + role, moves[role], key, ALEA_TOSS_MOST_KEY);
    if (j->lengths[role] == 0) return ALEA_INPUT;
    j->labels[role] = key[0] == ALEA_TOSS_KEY_NOOP ? NONE : label_of(c, role, key[0]);
    bool waits = side_of(c, role)->labels.count == 0;
    if ((j->labels[role] == NONE) != waits) return ALEA_INPUT;
  }
  for (uint32_t role = 0; role < g->player_count; role++) {
    if (j->labels[role] == NONE) continue;
    alea_status status = add_acts(c, j, role);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static void follow_edge(alea_toss_cursor *c, const joint *j) {
  const alea_toss_file *f = c->game->file;
  const alea_toss_targets *targets = alea_toss_edge_of(f, c->location, j->labels);
  if (targets == NULL) return;
  uint32_t cases = alea_toss_denominator(f, c->location), token = j->token % cases;
  for (size_t i = 0; i < targets->count; i++) {
    const alea_toss_target *t = &targets->data[i];
    uint32_t share = (uint32_t)((uint64_t)cases * t->weight / t->scale);
    if (token < share || i + 1 == targets->count) {
      c->location = t->location;
      return;
    }
    token -= share;
  }
}

static void free_joint(alea_toss_cursor *c, joint *j) {
  for (size_t i = 0; i < ALEA_TOSS_MOST_PLAYERS; i++) alea_vec_clear(c->mem, &j->all[i]);
  alea_mem_free(c->mem, j->acts, j->capacity * sizeof *j->acts);
  alea_mem_free(c->mem, j, sizeof *j);
}

static alea_status play(alea_cursor *cursor, const alea_move *moves) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  joint *j = alea_mem_zalloc(c->mem, sizeof *j);
  if (j == NULL) return lack(c);
  c->env.status = ALEA_OK;
  alea_status status = decode(c, j, moves);
  for (uint32_t i = 0; c->origins != NULL && i < c->game->rules->capacity; i++) {
    c->origins[i] = c->structure->alive[i] ? i : NONE;
  }
  if (status == ALEA_OK) {
    status = alea_toss_apply(c->game->rules, &c->env, c->structure, c->scratch, j->acts, j->count,
                             c->origins);
  }
  if (status == ALEA_OK) follow_edge(c, j);
  c->listed = c->chance_listed = false;
  free_joint(c, j);
  return status;
}

alea_status alea_toss_cursor_play_with(alea_cursor *cursor, const alea_move *moves,
                                       const alea_toss_numbers *numbers) {
  alea_toss_cursor_use(cursor, numbers);
  alea_status status = play(cursor, moves);
  alea_toss_cursor_use(cursor, NULL);
  return status;
}

void alea_toss_cursor_use(alea_cursor *cursor, const alea_toss_numbers *numbers) {
  alea_toss_cursor_of(cursor)->numbers = numbers;
}

static alea_status expand_acts(alea_toss_cursor *c, joint *j, uint32_t player,
                               alea_toss_poly *values, uint32_t *elements, uint32_t *count) {
  const alea_toss_label *label = &side_of(c, player)->labels.data[j->labels[player]];
  const alea_toss_pattern *p = &c->game->rules->patterns[label->rule];
  double time = INFINITY;
  size_t own = SIZE_MAX;
  for (size_t i = 0; i < j->count; i++) {
    if (j->acts[i].time < time) time = j->acts[i].time;
    if (j->acts[i].label == label) own = i;
    if (c->game->rules->patterns[j->acts[i].rule].inv != NONE) return ALEA_UNSUPPORTED;
  }
  if (own == SIZE_MAX || label->many != ALEA_TOSS_ONE || !p->preserving) return ALEA_UNSUPPORTED;
  alea_toss_act act = j->acts[own];
  j->acts[own] = j->acts[0];
  j->acts[0] = act;
  *count = p->right_count;
  for (uint32_t i = 0; i < p->right_count; i++) elements[i] = act.match[p->rule->replaces[i]];
  return alea_toss_taylor(c->game->rules, &c->env, c->structure, j->acts, j->count, time,
                          ALEA_TOSS_TAYLOR_ORDER, values);
}

alea_status alea_toss_cursor_taylor(alea_cursor *cursor, const alea_move *moves, uint32_t player,
                                    alea_toss_poly *values, uint32_t *elements, uint32_t *count) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  joint *j = alea_mem_zalloc(c->mem, sizeof *j);
  if (j == NULL) return lack(c);
  alea_status status = decode(c, j, moves);
  if (status == ALEA_OK && j->labels[player] == NONE) status = ALEA_UNSUPPORTED;
  if (status == ALEA_OK) status = expand_acts(c, j, player, values, elements, count);
  free_joint(c, j);
  return status;
}

const alea_toss_label *alea_toss_cursor_label(alea_cursor *cursor, uint32_t role, alea_move move) {
  const alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  uint32_t key[ALEA_TOSS_MOST_KEY];
  if (alea_toss_ids_key(c->game->ids, 1 + role, move, key, ALEA_TOSS_MOST_KEY) == 0) return NULL;
  uint32_t label = role < c->game->player_count ? label_of(c, role, key[0]) : NONE;
  return label != NONE ? &side_of(c, role)->labels.data[label] : NULL;
}

/* The key of the move on the list that differs from 'key' in continuous numbers
 * alone. */
static void list_key(const alea_toss_label *label, uint32_t *key, uint32_t length) {
  uint32_t numbers = (uint32_t)label->params.count + alea_toss_time_chosen(label), count;
  for (uint32_t i = 0; i < numbers; i++) {
    bool time = i == label->params.count;
    const alea_toss_interval *v = time ? &label->time : &label->params.data[i];
    uint32_t *point = &key[length - numbers + i];
    if (alea_toss_is_continuous(v) || *point & ALEA_TOSS_POINT_VALUE) {
      alea_toss_listed_points(v, point, &count);
    }
  }
}

/* A move with other numbers than those listed is admitted if the corresponding
 * move on the list is legal. */
static alea_status admits(alea_cursor *cursor, uint32_t role, alea_move move, bool *result) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  uint32_t key[ALEA_TOSS_MOST_KEY];
  *result = false;
  const alea_toss_label *label = alea_toss_cursor_label(cursor, role, move);
  if (label == NULL) return ALEA_OK;
  uint32_t length = alea_toss_ids_key(c->game->ids, 1 + role, move, key, ALEA_TOSS_MOST_KEY);
  if (length < 1 + label->params.count + alea_toss_time_chosen(label)) return ALEA_OK;
  list_key(label, key, length);
  uint32_t same = alea_toss_ids_find(c->game->ids, 1 + role, key, length);
  alea_status status = list_all(c);
  for (size_t i = 0; status == ALEA_OK && i < c->legal[role].count; i++) {
    *result |= c->legal[role].data[i] == same;
  }
  return status;
}

alea_status alea_toss_cursor_kinds(alea_cursor *cursor, uint32_t role, alea_u32s *moves) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  uint32_t key[ALEA_TOSS_MOST_KEY];
  alea_status status = list_all(c);
  for (size_t i = 0; status == ALEA_OK && i < c->legal[role].count; i++) {
    alea_move move = c->legal[role].data[i];
    const alea_toss_label *label = alea_toss_cursor_label(cursor, role, move);
    uint32_t same = move;
    if (label != NULL) {
      uint32_t length = alea_toss_ids_key(c->game->ids, 1 + role, move, key, ALEA_TOSS_MOST_KEY);
      list_key(label, key, length);
      same = alea_toss_ids_find(c->game->ids, 1 + role, key, length);
    }
    if (same == move && !alea_vec_push(c->mem, moves, move)) status = lack(c);
  }
  return status;
}

static alea_status percepts(alea_cursor *cursor, uint32_t role, alea_list *out) {
  (void)cursor, (void)role;
  *out = (alea_list){NULL, 0};
  return ALEA_OK;
}

static const alea_cursor_class cursor_class = {
    .free = cursor_free,
    .reset = reset,
    .load = alea_toss_cursor_load,
    .state = alea_toss_cursor_state,
    .hash = alea_toss_cursor_hash,
    .fluents = alea_toss_cursor_fluents,
    .terminal = terminal,
    .goal = goal,
    .legal = legal,
    .play = play,
    .percepts = percepts,
    .admits = admits,
};

alea_status alea_toss_cursor_new(const alea_toss_game *game, alea_mem *mem, alea_cursor **cursor) {
  *cursor = NULL;
  alea_toss_cursor *c = alea_mem_zalloc(mem, sizeof *c);
  if (c == NULL) return alea_mem_lack(mem);
  c->cursor.class = &cursor_class;
  c->cursor.game = &game->game;
  c->game = game;
  c->mem = mem;
  c->structure = alea_toss_rules_structure(game->rules, mem);
  c->scratch = alea_toss_rules_structure(game->rules, mem);
  bool good = c->structure != NULL && c->scratch != NULL;
  if (good && game->rules->capacity != game->file->start.elements.count) {
    c->origins = alea_mem_calloc(mem, game->rules->capacity, sizeof *c->origins);
    good = c->origins != NULL;
  }
  alea_status status = good ? ALEA_OK : lack(c);
  if (status == ALEA_OK) {
    status = alea_toss_env_init(&c->env, &game->rules->logic, c->structure, mem);
  }
  if (status == ALEA_OK) status = reset(&c->cursor);
  if (status != ALEA_OK) {
    cursor_free(&c->cursor);
    return status;
  }
  *cursor = &c->cursor;
  return ALEA_OK;
}

const alea_toss_structure *alea_toss_cursor_structure(alea_cursor *cursor, uint32_t *location) {
  const alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  *location = c->location;
  return c->structure;
}

const uint32_t *alea_toss_cursor_origins(alea_cursor *cursor) {
  return alea_toss_cursor_of(cursor)->origins;
}

alea_toss_structure *alea_toss_cursor_begin(alea_cursor *cursor, uint32_t location) {
  alea_toss_cursor *c = alea_toss_cursor_of(cursor);
  if (reset(cursor) != ALEA_OK) return NULL;
  c->location = location;
  return c->structure;
}

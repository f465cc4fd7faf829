/* Rules and locations. */
#include <math.h>

#include "toss/parser.h"

typedef alea_toss_parser parser;

static uint32_t find(const alea_toss_picture *picture, uint32_t name) {
  for (uint32_t i = 0; i < picture->elements.count; i++) {
    if (picture->elements.data[i] == name) return i;
  }
  return ALEA_TOSS_NONE;
}

static uint32_t read_side(parser *p, const alea_toss_picture *side, const char *which) {
  alea_toss_token token = p->token;
  uint32_t name = alea_toss_name(p, "an element");
  if (!alea_toss_good(p)) return 0;
  uint32_t index = find(side, name);
  if (index != ALEA_TOSS_NONE) return index;
  p->token = token;
  alea_toss_fail(p, "unknown-element", "'%s' is not an element of the %s side",
                 alea_toss_text(p->file, name), which);
  return 0;
}

/* `with [r <- l, ...]`; without it equal names correspond. */
static void read_map(parser *p, alea_toss_rule *rule) {
  for (size_t i = 0; i < rule->right.elements.count; i++) {
    rule->replaces[i] = find(&rule->left, rule->right.elements.data[i]);
  }
  if (!alea_toss_accept(p, "with")) return;
  for (size_t i = 0; i < ALEA_TOSS_MOST_SIDE; i++) rule->replaces[i] = ALEA_TOSS_NONE;
  rule->explicit_map = true;
  alea_toss_expect(p, "[");
  while (alea_toss_good(p) && !alea_toss_at(p, "]")) {
    uint32_t right = read_side(p, &rule->right, "right");
    alea_toss_expect(p, "<-");
    uint32_t left = read_side(p, &rule->left, "left");
    if (alea_toss_good(p)) rule->replaces[right] = left;
    if (!alea_toss_accept(p, ",")) break;
  }
  alea_toss_expect(p, "]");
}

static void read_equations(parser *p, alea_toss_rule *rule, bool dynamics) {
  const alea_toss_picture *side = dynamics ? &rule->left : &rule->right;
  do {
    alea_toss_equation equation = {.line = p->token.line, .column = p->token.column};
    alea_toss_expect(p, ":");
    equation.function = alea_toss_name(p, "a function");
    alea_toss_expect(p, "(");
    equation.element = read_side(p, side, dynamics ? "left" : "right");
    alea_toss_expect(p, ")");
    while (alea_toss_accept(p, "'")) equation.order++;
    if (alea_toss_good(p) && ((equation.order != 0) != dynamics || equation.order > 4))
      alea_toss_point(p, equation.line, equation.column);
    if (alea_toss_good(p) && (equation.order != 0) != dynamics) {
      alea_toss_fail(p, "bad-equation",
                     dynamics ? "dynamics give a derivative, as in :x(a)' = 1"
                              : "an update gives a value, not a derivative");
    }
    if (equation.order > 4) alea_toss_fail(p, "bad-equation", "derivatives go up to the fourth");
    alea_toss_expect(p, "=");
    equation.term = alea_toss_term(p);
    if (dynamics) {
      alea_toss_push(p, &rule->dynamics, equation);
    } else {
      alea_toss_push(p, &rule->update, equation);
    }
  } while (alea_toss_accept(p, ";"));
}

static bool read_condition(parser *p, const char *word, uint32_t *node) {
  if (!alea_toss_at(p, word)) return false;
  if (*node != ALEA_TOSS_NONE) {
    alea_toss_fail(p, "twice", "a second '%s' in one rule", word);
    return true;
  }
  alea_toss_advance(p);
  *node = alea_toss_formula(p);
  return true;
}

static bool read_clause(parser *p, alea_toss_rule *rule) {
  if (alea_toss_accept(p, "emb")) {
    do {
      alea_toss_spot spot = {p->token.line, p->token.column};
      uint32_t name = alea_toss_name(p, "a relation");
      alea_toss_push(p, &rule->exact, name);
      alea_toss_push(p, &rule->exact_spots, spot);
    } while (alea_toss_accept(p, ","));
    return true;
  }
  if (alea_toss_accept(p, "dynamics")) return read_equations(p, rule, true), true;
  if (alea_toss_accept(p, "carry")) return alea_toss_carry_read(p, rule), true;
  if (alea_toss_accept(p, "update")) return read_equations(p, rule, false), true;
  return read_condition(p, "pre", &rule->pre) || read_condition(p, "inv", &rule->inv) ||
         read_condition(p, "post", &rule->post);
}

static void check_sides(parser *p, const alea_toss_rule *rule) {
  if (!alea_toss_good(p)) return;
  alea_toss_token next = p->token;
  alea_toss_point(p, rule->line, rule->column);
  if (rule->left.elements.count > ALEA_TOSS_MOST_SIDE ||
      rule->right.elements.count > ALEA_TOSS_MOST_SIDE) {
    alea_toss_fail(p, "too-many", "a side of a rule has at most %d elements", ALEA_TOSS_MOST_SIDE);
  } else if (rule->left.values.count + rule->right.values.count != 0) {
    alea_toss_fail(p, "bad-rule", "rules give values by 'update', not in their pictures");
  } else if (rule->left.elements.count == 0) {
    alea_toss_fail(p, "bad-rule", "the left side of a rule needs an element");
  }
  p->token = next;
}

void alea_toss_rule_read(parser *p) {
  alea_toss_rule made = {.line = p->token.line,
                         .column = p->token.column,
                         .pre = ALEA_TOSS_NONE,
                         .inv = ALEA_TOSS_NONE,
                         .post = ALEA_TOSS_NONE};
  made.name = alea_toss_name(p, "the name of a rule");
  if (alea_toss_good(p)) alea_toss_push(p, &p->file->rules, made);
  if (!alea_toss_good(p)) return;
  alea_toss_rule *rule = &p->file->rules.data[p->file->rules.count - 1];
  alea_toss_expect(p, ":");
  alea_toss_picture_read(p, &rule->left, false);
  alea_toss_expect(p, "->");
  alea_toss_picture_read(p, &rule->right, false);
  check_sides(p, rule);
  if (!alea_toss_good(p)) return;
  read_map(p, rule);
  while (alea_toss_good(p) && read_clause(p, rule)) continue;
  alea_toss_carry_apply(p, rule);
}

/* ---- locations ---- */

/* A probability `1`, `1/3` or `0.25` as weight and scale. */
static void read_probability(parser *p, alea_toss_target *target) {
  alea_toss_token token = p->token;
  double value = alea_toss_number(p);
  double scale = alea_toss_accept(p, "/") ? alea_toss_number(p) : 1;
  if (!alea_toss_good(p)) return;
  while (value != floor(value) && scale < 1e4) value *= 10, scale *= 10;
  if (value < 1 || scale < value || scale > 1e4 || value != floor(value) || scale != floor(scale)) {
    p->token = token;
    alea_toss_fail(p, "bad-probability", "a probability is a fraction such as 1/3 or 0.25");
    return;
  }
  target->weight = (uint32_t)value;
  target->scale = (uint32_t)scale;
}

/* `3` or `3 : 1/2, 4 : 1/2`. */
static void read_targets(parser *p, alea_toss_targets *targets) {
  do {
    alea_toss_target target = {
        .weight = 1, .scale = 1, .line = p->token.line, .column = p->token.column};
    target.location = alea_toss_integer(p, 1000000);
    if (alea_toss_accept(p, ":")) read_probability(p, &target);
    if (alea_toss_good(p)) alea_toss_push(p, targets, target);
  } while (alea_toss_accept(p, ","));
}

static alea_toss_bound read_bound(parser *p) {
  if (!alea_toss_accept(p, ":")) return (alea_toss_bound){alea_toss_number(p), ALEA_TOSS_NONE};
  return (alea_toss_bound){0, alea_toss_name(p, "a random parameter")};
}

static void read_interval(parser *p, alea_toss_interval *interval) {
  alea_toss_expect(p, ":");
  alea_toss_token start = p->token;
  interval->low = read_bound(p);
  alea_toss_expect(p, "--");
  interval->high = read_bound(p);
  if (alea_toss_accept(p, "by")) interval->step = alea_toss_number(p);
  bool fixed = interval->low.random == ALEA_TOSS_NONE && interval->high.random == ALEA_TOSS_NONE;
  if (!alea_toss_good(p)) return;
  alea_toss_token next = p->token;
  alea_toss_point(p, start.line, start.column);
  if (fixed && !(interval->low.number <= interval->high.number)) {
    alea_toss_fail(p, "bad-interval", "the interval is empty: its lower end comes first");
  } else if (interval->step < 0) {
    alea_toss_fail(p, "bad-interval", "the step is negative");
  } else if (interval->step > 0 &&
             (!fixed || (interval->high.number - interval->low.number) / interval->step > 100)) {
    alea_toss_fail(p, "bad-interval", "a step wants fixed ends and makes at most 100 points");
  }
  p->token = next;
}

/* `:x ~ N(0, 1)` */
static void read_random(parser *p, alea_toss_label *label) {
  alea_toss_random random = {.name = alea_toss_name(p, "a random parameter")};
  alea_toss_expect(p, "~");
  if (alea_toss_accept(p, "N")) {
    random.law = ALEA_TOSS_NORMAL;
  } else if (alea_toss_accept(p, "U")) {
    random.law = ALEA_TOSS_UNIFORM;
  } else if (alea_toss_accept(p, "E")) {
    random.law = ALEA_TOSS_EXPONENTIAL;
  } else {
    alea_toss_fail(p, "bad-law", "a random parameter is N(m, s), U(a, b) or E(rate)");
  }
  alea_toss_expect(p, "(");
  random.a = alea_toss_number(p);
  if (random.law != ALEA_TOSS_EXPONENTIAL) {
    alea_toss_expect(p, ",");
    random.b = alea_toss_number(p);
  }
  alea_toss_expect(p, ")");
  if (alea_toss_good(p)) alea_toss_push(p, &label->randoms, random);
}

static void read_label_part(parser *p, alea_toss_label *label) {
  if (alea_toss_accept(p, ":")) {
    read_random(p, label);
    return;
  }
  alea_toss_interval interval = {.name = ALEA_TOSS_NONE};
  if (alea_toss_accept(p, "t")) {
    read_interval(p, &interval);
    label->timed = true;
    label->time = interval;
    return;
  }
  if (label->params.count == ALEA_TOSS_MOST_PARAMS) {
    alea_toss_fail(p, "too-many", "more than %d parameters", ALEA_TOSS_MOST_PARAMS);
    return;
  }
  interval.name = alea_toss_name(p, "a parameter");
  read_interval(p, &interval);
  if (alea_toss_good(p)) alea_toss_push(p, &label->params, interval);
}

static void read_label(parser *p, alea_toss_side *side) {
  alea_toss_label made = {.line = p->token.line, .column = p->token.column};
  if (!alea_vec_push(p->file->mem, &side->labels, made)) {
    alea_toss_no_memory(p);
    return;
  }
  alea_toss_label *label = &side->labels.data[side->labels.count - 1];
  alea_toss_expect(p, "[");
  label->rule = alea_toss_name(p, "the name of a rule");
  label->alias = alea_toss_accept(p, "as") ? alea_toss_name(p, "a name") : label->rule;
  if (alea_toss_accept(p, "*")) label->many = ALEA_TOSS_ANY;
  if (alea_toss_accept(p, "all")) label->many = ALEA_TOSS_ALL;
  while (alea_toss_accept(p, ",")) read_label_part(p, label);
  if (alea_toss_accept(p, "->")) read_targets(p, &label->targets);
  alea_toss_expect(p, "]");
}

static void read_player(parser *p, alea_toss_location *location) {
  alea_toss_token token = p->token;
  uint32_t name = alea_toss_name(p, "the name of a player"), player = 0;
  if (!alea_toss_good(p)) return;
  while (player < p->file->players.count && p->file->players.data[player] != name) player++;
  if (player == p->file->players.count) {
    p->token = token;
    alea_toss_fail(p, "unknown-player", "'%s' is not one of the PLAYERS named before",
                   alea_toss_text(p->file, name));
    return;
  }
  alea_toss_side *side = &location->sides[player];
  alea_toss_expect(p, "{");
  if (alea_toss_accept(p, "PAYOFF")) side->payoff = alea_toss_term(p);
  if (alea_toss_accept(p, "MOVES")) {
    do {
      read_label(p, side);
    } while (alea_toss_good(p) && (alea_toss_accept(p, ";") || alea_toss_at(p, "[")));
  }
  alea_toss_expect(p, "}");
}

/* `EDGE [Label, -, Label] -> 2`: one label per player, `-` waits. */
static void read_edge(parser *p, alea_toss_location *location) {
  alea_toss_edge edge = {.line = p->token.line, .column = p->token.column};
  alea_toss_expect(p, "[");
  for (size_t i = 0; i < p->file->players.count && alea_toss_good(p); i++) {
    if (i > 0) alea_toss_expect(p, ",");
    edge.labels[i] = alea_toss_accept(p, "-") ? ALEA_TOSS_NONE : alea_toss_name(p, "a label");
  }
  alea_toss_expect(p, "]");
  alea_toss_expect(p, "->");
  if (!alea_toss_good(p)) return;
  alea_toss_push(p, &location->edges, edge);
  if (!alea_toss_good(p)) return;
  read_targets(p, &location->edges.data[location->edges.count - 1].targets);
}

void alea_toss_location_read(parser *p) {
  alea_toss_location made = {.line = p->token.line, .column = p->token.column};
  made.number = alea_toss_integer(p, 1000000);
  if (!alea_toss_good(p)) return;
  made.sides = alea_mem_calloc(p->file->mem, ALEA_TOSS_MOST_PLAYERS, sizeof *made.sides);
  if (made.sides == NULL || !alea_vec_push(p->file->mem, &p->file->locations, made)) {
    alea_mem_free(p->file->mem, made.sides, ALEA_TOSS_MOST_PLAYERS * sizeof *made.sides);
    alea_toss_no_memory(p);
    return;
  }
  alea_toss_location *location = &p->file->locations.data[p->file->locations.count - 1];
  for (size_t i = 0; i < ALEA_TOSS_MOST_PLAYERS; i++) location->sides[i].payoff = ALEA_TOSS_NONE;
  alea_toss_expect(p, "{");
  while (alea_toss_good(p) && !alea_toss_at(p, "}")) {
    if (alea_toss_accept(p, "PLAYER")) {
      read_player(p, location);
    } else if (alea_toss_accept(p, "EDGE")) {
      read_edge(p, location);
    } else {
      alea_toss_expect(p, "PLAYER");
    }
  }
  alea_toss_expect(p, "}");
}

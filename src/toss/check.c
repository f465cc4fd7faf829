/* Resolves names to indices and checks what the grammar does not: arities,
 * sorts, scopes, probabilities, and that every tuple of labels has a target. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "toss/parser.h"

enum { MOST_BOUND = ALEA_TOSS_DEEPEST + 2 * ALEA_TOSS_MOST_SIDE, MOST_ERRORS = 20 };

typedef struct bound_variable {
  uint32_t name;
  alea_toss_sort sort;
} bound_variable;

typedef struct checker {
  alea_toss_file *file;
  alea_diag *diag;
  alea_status status;
  size_t errors;
  bound_variable bound[MOST_BOUND];
  size_t bound_count;
  uint32_t visible;             /* formulas may use defined relations below this index */
  bool derivatives;             /* allowed here */
  const alea_toss_label *label; /* its parameters may be used; NULL: any */
  bool params;                  /* free real names are parameters */
} checker;

uint32_t alea_toss_find_relation(const alea_toss_file *file, uint32_t name) {
  for (uint32_t i = 0; i < file->relations.count; i++) {
    if (file->relations.data[i].name == name) return i;
  }
  return ALEA_TOSS_NONE;
}

uint32_t alea_toss_find_function(const alea_toss_file *file, uint32_t name) {
  for (uint32_t i = 0; i < file->functions.count; i++) {
    if (file->functions.data[i].name == name) return i;
  }
  return ALEA_TOSS_NONE;
}

static void __attribute__((format(printf, 5, 6)))
fail(checker *c, uint32_t line, uint32_t column, const char *code, const char *format, ...) {
  if (c->errors++ >= MOST_ERRORS) return;
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  alea_diag_error(c->diag, ((alea_place){c->file->file, line, column}), code, "%s", message);
  if (c->status == ALEA_OK) c->status = ALEA_INPUT;
}

static const char *text(const checker *c, uint32_t name) { return alea_toss_text(c->file, name); }

static void no_memory(checker *c) { c->status = alea_mem_lack(c->file->mem); }

/* ---- the signature ---- */

static uint32_t declare(checker *c, uint32_t name, uint32_t arity, uint32_t line, uint32_t column) {
  uint32_t index = alea_toss_find_relation(c->file, name);
  if (index != ALEA_TOSS_NONE) {
    const alea_toss_relation *known = &c->file->relations.data[index];
    if (known->arity != arity) {
      fail(c, line, column, "arity", "relation '%s' has %u arguments here but %u elsewhere",
           text(c, name), arity, known->arity);
    }
    return index;
  }
  alea_toss_relation made = {
      .name = name, .arity = arity, .body = ALEA_TOSS_NONE, .line = line, .column = column};
  if (!alea_vec_push(c->file->mem, &c->file->relations, made)) no_memory(c);
  return (uint32_t)c->file->relations.count - 1;
}

static void declare_function(checker *c, const alea_toss_declaration *d) {
  if (alea_toss_find_function(c->file, d->name) != ALEA_TOSS_NONE) return;
  alea_toss_function made = {d->name, d->line, d->column};
  if (!alea_vec_push(c->file->mem, &c->file->functions, made)) no_memory(c);
}

static void refuse_defined(checker *c, uint32_t relation, uint32_t line, uint32_t column,
                           const char *where) {
  if (c->file->relations.data[relation].body == ALEA_TOSS_NONE) return;
  fail(c, line, column, "defined-relation", "'%s' is defined by a formula and cannot stand %s",
       text(c, c->file->relations.data[relation].name), where);
}

/* 'where' is the place in messages; left sides may use defined relations. */
static void check_picture(checker *c, alea_toss_picture *picture, const char *where, bool left) {
  for (size_t i = 0; i < picture->declared.count && c->status != ALEA_SYSTEM; i++) {
    const alea_toss_declaration *d = &picture->declared.data[i];
    if (d->arity == ALEA_TOSS_NONE) {
      declare_function(c, d);
    } else {
      declare(c, d->name, d->arity, d->line, d->column);
    }
  }
  for (size_t i = 0; i < picture->tuples.count; i++) {
    alea_toss_tuple *tuple = &picture->tuples.data[i];
    tuple->relation = declare(c, tuple->relation, tuple->count, tuple->line, tuple->column);
    if (c->status == ALEA_SYSTEM || c->status == ALEA_LIMIT) return;
    if (!left) refuse_defined(c, tuple->relation, tuple->line, tuple->column, where);
    if (tuple->optional && !left) {
      fail(c, tuple->line, tuple->column, "optional-tuple",
           "optional tuples belong on the left side of a rule");
    }
  }
  for (size_t i = 0; i < picture->values.count; i++) {
    picture->values.data[i].function =
        alea_toss_find_function(c->file, picture->values.data[i].function);
  }
}

static void check_exact(checker *c, alea_toss_rule *rule) {
  for (size_t i = 0; i < rule->exact.count; i++) {
    uint32_t name = rule->exact.data[i], index = alea_toss_find_relation(c->file, name);
    alea_toss_spot at = rule->exact_spots.data[i];
    if (index == ALEA_TOSS_NONE) {
      fail(c, at.line, at.column, "unknown-relation",
           "rule '%s' embeds '%s', which is no relation of the structure: declare it with "
           "'REL %s:ARITY'",
           text(c, rule->name), text(c, name), text(c, name));
      index = 0;
    } else {
      refuse_defined(c, index, at.line, at.column, "after 'emb'");
    }
    rule->exact.data[i] = index;
  }
}

static bool same_but_for_case(const char *a, const char *b) {
  for (; *a != '\0' || *b != '\0'; a++, b++) {
    char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
    char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
    if (x != y) return false;
  }
  return true;
}

/* Moves and states are written in lower case for the rest of the program. */
static void check_distinct(checker *c) {
  const alea_toss_file *f = c->file;
  for (size_t i = 0; i < f->relations.count; i++) {
    const alea_toss_relation *r = &f->relations.data[i];
    for (size_t j = 0; j < i; j++) {
      if (!same_but_for_case(text(c, r->name), text(c, f->relations.data[j].name))) continue;
      fail(c, r->line, r->column, "twice", "relation '%s' and '%s' are the same but for case",
           text(c, r->name), text(c, f->relations.data[j].name));
    }
    uint32_t function = alea_toss_find_function(f, r->name);
    if (function != ALEA_TOSS_NONE) {
      fail(c, r->line, r->column, "twice", "'%s' is a relation and a function", text(c, r->name));
    }
  }
  for (size_t i = 0; i < f->rules.count; i++) {
    for (size_t j = 0; j < i; j++) {
      if (!same_but_for_case(text(c, f->rules.data[i].name), text(c, f->rules.data[j].name))) {
        continue;
      }
      fail(c, f->rules.data[i].line, f->rules.data[i].column, "twice",
           "rule '%s' and '%s' are the same but for case", text(c, f->rules.data[i].name),
           text(c, f->rules.data[j].name));
    }
  }
}

/* ---- formulas ---- */

static const bound_variable *find_variable(const checker *c, uint32_t name, bool numeric) {
  for (size_t i = c->bound_count; i-- > 0;) {
    if (c->bound[i].name == name && (c->bound[i].sort == ALEA_TOSS_NUMERIC) == numeric) {
      return &c->bound[i];
    }
  }
  return NULL;
}

static void check_variable(checker *c, const alea_toss_node *node, uint32_t name,
                           alea_toss_sort sort) {
  const bound_variable *found = find_variable(c, name, false);
  if (found == NULL) {
    fail(c, node->line, node->column, "unbound-variable", "nothing binds the variable '%s'",
         text(c, name));
  } else if (found->sort != sort) {
    fail(c, node->line, node->column, "wrong-sort", "'%s' is %s here but %s where it is bound",
         text(c, name), sort == ALEA_TOSS_SET ? "a set" : "an element",
         found->sort == ALEA_TOSS_SET ? "a set" : "an element");
  }
}

static void unknown_relation(checker *c, const alea_toss_node *node) {
  alea_suggestion near;
  alea_suggest_start(&near, text(c, node->name));
  for (size_t i = 0; i < c->file->relations.count; i++) {
    alea_suggest_offer(&near, text(c, c->file->relations.data[i].name));
  }
  if (near.nearest != NULL) {
    fail(c, node->line, node->column, "unknown-relation",
         "there is no relation '%s'; did you mean '%s'?", text(c, node->name), near.nearest);
  } else {
    fail(c, node->line, node->column, "unknown-relation", "there is no relation '%s'",
         text(c, node->name));
  }
}

static void check_relation(checker *c, alea_toss_node *node) {
  node->target = alea_toss_find_relation(c->file, node->name);
  if (node->target == ALEA_TOSS_NONE) {
    unknown_relation(c, node);
    return;
  }
  const alea_toss_relation *relation = &c->file->relations.data[node->target];
  if (relation->arity != node->count) {
    fail(c, node->line, node->column, "arity",
         "relation '%s' has %u arguments here but %u elsewhere", text(c, node->name), node->count,
         relation->arity);
  }
  if (relation->body != ALEA_TOSS_NONE && node->target >= c->visible) {
    fail(c, node->line, node->column, "order", "'%s' is used before its definition is complete",
         text(c, node->name));
  }
}

static void check_function(checker *c, alea_toss_node *node) {
  node->target = alea_toss_find_function(c->file, node->name);
  if (node->target == ALEA_TOSS_NONE) {
    fail(c, node->line, node->column, "unknown-function",
         "there is no function '%s' in the starting structure", text(c, node->name));
  }
  if (node->order != 0 && !c->derivatives) {
    fail(c, node->line, node->column, "bad-equation", "derivatives belong into 'dynamics'");
  }
}

static void check_real(checker *c, const alea_toss_node *node) {
  if (find_variable(c, node->name, true) != NULL) return;
  if (!c->params) {
    fail(c, node->line, node->column, "unbound-variable", "nothing binds the number ':%s'",
         text(c, node->name));
    return;
  }
  if (c->label == NULL) return;
  for (size_t i = 0; i < c->label->params.count; i++) {
    if (c->label->params.data[i].name == node->name) return;
  }
  fail(c, c->label->line, c->label->column, "missing-parameter",
       "the label gives no interval for the parameter '%s' of its rule", text(c, node->name));
}

static void check_node(checker *c, uint32_t id) {
  alea_toss_node *node = &c->file->nodes.data[id];
  const uint32_t *kids = c->file->kids.data + node->first;
  bool binds = false;
  switch (node->kind) {
    case ALEA_TOSS_REL:
    case ALEA_TOSS_EQUAL:
      if (node->kind == ALEA_TOSS_REL) check_relation(c, node);
      for (uint32_t i = 0; i < node->count; i++) {
        check_variable(c, node, kids[i], ALEA_TOSS_ELEMENT);
      }
      return;
    case ALEA_TOSS_IN:
      check_variable(c, node, kids[0], ALEA_TOSS_ELEMENT);
      check_variable(c, node, kids[1], ALEA_TOSS_SET);
      return;
    case ALEA_TOSS_FUNCTION:
      check_function(c, node);
      check_variable(c, node, kids[0], ALEA_TOSS_ELEMENT);
      return;
    case ALEA_TOSS_REAL: check_real(c, node); return;
    case ALEA_TOSS_EXISTS:
    case ALEA_TOSS_FORALL:
    case ALEA_TOSS_MIN:
    case ALEA_TOSS_SUM:
    case ALEA_TOSS_PROD: binds = true; break;
    default: break;
  }
  if (binds) c->bound[c->bound_count++] = (bound_variable){node->name, node->sort};
  for (uint32_t i = 0; i < node->count; i++) check_node(c, kids[i]);
  if (binds) c->bound_count--;
}

static void bind_elements(checker *c, const alea_toss_picture *side) {
  for (size_t i = 0; i < side->elements.count; i++) {
    c->bound[c->bound_count++] = (bound_variable){side->elements.data[i], ALEA_TOSS_ELEMENT};
  }
}

static void check_formula(checker *c, uint32_t node, const alea_toss_picture *side) {
  if (node == ALEA_TOSS_NONE) return;
  c->bound_count = 0;
  if (side != NULL) bind_elements(c, side);
  check_node(c, node);
  c->bound_count = 0;
}

static void check_definitions(checker *c) {
  for (uint32_t i = 0; i < c->file->relations.count; i++) {
    const alea_toss_relation *r = &c->file->relations.data[i];
    if (r->body == ALEA_TOSS_NONE) continue;
    c->visible = i;
    c->bound_count = 0;
    for (uint32_t j = 0; j < r->arity; j++) {
      uint32_t name = c->file->kids.data[r->first_param + j];
      if (find_variable(c, name, false) != NULL) {
        fail(c, r->line, r->column, "twice", "two arguments are called '%s'", text(c, name));
      }
      c->bound[c->bound_count++] = (bound_variable){name, ALEA_TOSS_ELEMENT};
    }
    check_node(c, r->body);
  }
  c->visible = UINT32_MAX;
}

static void check_equations(checker *c, alea_toss_rule *rule, bool dynamics, bool resolve) {
  size_t count = dynamics ? rule->dynamics.count : rule->update.count;
  alea_toss_equation *equations = dynamics ? rule->dynamics.data : rule->update.data;
  for (size_t i = 0; i < count; i++) {
    alea_toss_equation *e = &equations[i];
    c->derivatives = dynamics;
    check_formula(c, e->term, &rule->left);
    c->derivatives = false;
    if (!resolve) continue;
    uint32_t function = alea_toss_find_function(c->file, e->function);
    if (function == ALEA_TOSS_NONE) {
      fail(c, e->line, e->column, "unknown-function",
           "there is no function '%s' in the starting structure", text(c, e->function));
    }
    e->function = function;
  }
}

static void check_rule(checker *c, alea_toss_rule *rule, bool resolve) {
  c->params = true;
  check_formula(c, rule->pre, &rule->left);
  check_formula(c, rule->inv, &rule->left);
  check_formula(c, rule->post, &rule->right);
  check_equations(c, rule, true, resolve);
  check_equations(c, rule, false, resolve);
  c->params = false;
}

/* ---- locations ---- */

static uint32_t find_location(const checker *c, uint32_t number) {
  for (uint32_t i = 0; i < c->file->locations.count; i++) {
    if (c->file->locations.data[i].number == number) return i;
  }
  return ALEA_TOSS_NONE;
}

static void check_targets(checker *c, alea_toss_targets *targets) {
  uint64_t sum = 0, scale = 1;
  for (size_t i = 0; i < targets->count; i++) {
    alea_toss_target *t = &targets->data[i];
    uint32_t location = find_location(c, t->location);
    if (location == ALEA_TOSS_NONE) {
      fail(c, t->line, t->column, "unknown-location", "there is no location %u", t->location);
      location = 0;
    }
    t->location = location;
    /* sum / scale + weight / t->scale; the denominators stay small. */
    sum = sum * t->scale + scale * t->weight;
    scale *= t->scale;
    for (uint64_t d = 2; d <= 97 && scale > 1; d++) {
      while (sum % d == 0 && scale % d == 0) sum /= d, scale /= d;
    }
    if (scale > UINT32_MAX) break;
  }
  if (targets->count != 0 && sum != scale) {
    fail(c, targets->data[0].line, targets->data[0].column, "bad-probability",
         "the probabilities do not add up to 1");
  }
}

static uint32_t find_rule(const checker *c, uint32_t name) {
  for (uint32_t i = 0; i < c->file->rules.count; i++) {
    if (c->file->rules.data[i].name == name) return i;
  }
  return ALEA_TOSS_NONE;
}

static void check_randoms(checker *c, const alea_toss_label *label) {
  for (size_t i = 0; i <= label->params.count; i++) {
    const alea_toss_interval *v = i < label->params.count ? &label->params.data[i] : &label->time;
    if (i == label->params.count && !label->timed) break;
    for (int end = 0; end < 2; end++) {
      uint32_t name = end == 0 ? v->low.random : v->high.random;
      bool found = name == ALEA_TOSS_NONE;
      for (size_t j = 0; j < label->randoms.count; j++)
        found |= label->randoms.data[j].name == name;
      if (found) continue;
      fail(c, label->line, label->column, "missing-parameter",
           "the label does not say how ':%s' is drawn", text(c, name));
    }
  }
}

static void check_label(checker *c, alea_toss_side *side, size_t index) {
  alea_toss_label *label = &side->labels.data[index];
  for (size_t i = 0; i < index; i++) {
    if (!same_but_for_case(text(c, side->labels.data[i].alias), text(c, label->alias))) continue;
    fail(c, label->line, label->column, "twice",
         "two moves of one player here are called '%s'; name one with 'as'", text(c, label->alias));
  }
  uint32_t rule = find_rule(c, label->rule);
  if (rule == ALEA_TOSS_NONE) {
    fail(c, label->line, label->column, "unknown-rule", "there is no rule '%s'",
         text(c, label->rule));
    rule = 0;
  } else {
    c->label = label;
    check_rule(c, &c->file->rules.data[rule], false);
    c->label = NULL;
  }
  label->rule = rule;
  check_randoms(c, label);
  check_targets(c, &label->targets);
}

static void check_edge(checker *c, const alea_toss_location *location, alea_toss_edge *edge) {
  for (size_t player = 0; player < c->file->players.count; player++) {
    const alea_toss_side *side = &location->sides[player];
    uint32_t found = ALEA_TOSS_NONE;
    for (uint32_t i = 0; i < side->labels.count; i++) {
      if (side->labels.data[i].alias == edge->labels[player]) found = i;
    }
    bool waits = edge->labels[player] == ALEA_TOSS_NONE;
    if (waits != (side->labels.count == 0) || (!waits && found == ALEA_TOSS_NONE)) {
      fail(c, edge->line, edge->column, "unknown-label",
           "the edge names no label of player '%s' at this location",
           text(c, c->file->players.data[player]));
    }
    edge->labels[player] = found;
  }
  check_targets(c, &edge->targets);
}

static bool same_targets(const alea_toss_targets *a, const alea_toss_targets *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    if (a->data[i].location != b->data[i].location || a->data[i].weight != b->data[i].weight ||
        a->data[i].scale != b->data[i].scale) {
      return false;
    }
  }
  return true;
}

/* ---- where tuples of labels lead ---- */

enum { MOST_TUPLES = 1000000 };

static bool edge_fits(const alea_toss_edge *edge, const uint32_t *labels, size_t players) {
  return memcmp(edge->labels, labels, players * sizeof *labels) == 0;
}

static void check_edges_differ(checker *c, const alea_toss_location *location) {
  for (size_t i = 0; i < location->edges.count; i++) {
    const alea_toss_edge *edge = &location->edges.data[i];
    for (size_t j = 0; j < i; j++) {
      if (!edge_fits(&location->edges.data[j], edge->labels, c->file->players.count)) continue;
      fail(c, edge->line, edge->column, "twice",
           "a second EDGE for the same labels; one edge may have several targets with "
           "probabilities");
    }
  }
}

/* `[mark, -]`, in 'buffer'. */
static void tuple_text(const checker *c, const alea_toss_location *location, const uint32_t *labels,
                       char *buffer, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < c->file->players.count && used < size; i++) {
    const char *name = labels[i] == ALEA_TOSS_NONE
                           ? "-"
                           : text(c, location->sides[i].labels.data[labels[i]].alias);
    used += (size_t)snprintf(buffer + used, size - used, "%s%s", i == 0 ? "" : ", ", name);
  }
}

/* Without an EDGE for a tuple its labels decide, and must agree.  False after an
 * error. */
static bool check_tuple(checker *c, const alea_toss_location *location, const uint32_t *labels) {
  size_t players = c->file->players.count;
  for (size_t i = 0; i < location->edges.count; i++)
    if (edge_fits(&location->edges.data[i], labels, players)) return true;
  const alea_toss_targets *seen = NULL;
  bool differ = false;
  for (size_t i = 0; i < players; i++) {
    if (labels[i] == ALEA_TOSS_NONE) continue;
    const alea_toss_targets *targets = &location->sides[i].labels.data[labels[i]].targets;
    if (targets->count == 0) continue;
    differ |= seen != NULL && !same_targets(seen, targets);
    seen = targets;
  }
  if (seen != NULL && !differ) return true;
  char tuple[160];
  tuple_text(c, location, labels, tuple, sizeof tuple);
  fail(c, location->line, location->column, "no-target",
       differ ? "the labels [%s] lead to different places: write 'EDGE [%s] -> N'"
              : "the labels [%s] lead nowhere: write '-> N' in one of them, or 'EDGE [%s] -> N'",
       tuple, tuple);
  return false;
}

/* Every tuple of labels has an edge ([TOSS10 §4]). */
static void check_tuples(checker *c, const alea_toss_location *location) {
  size_t players = c->file->players.count;
  uint32_t labels[ALEA_TOSS_MOST_PLAYERS];
  uint64_t total = 1;
  bool moves = false;
  for (size_t i = 0; i < players; i++) {
    size_t count = location->sides[i].labels.count;
    labels[i] = count != 0 ? 0 : ALEA_TOSS_NONE;
    moves |= count != 0;
    if (count != 0 && total <= MOST_TUPLES) total *= count;
  }
  if (total > MOST_TUPLES) {
    fail(c, location->line, location->column, "too-many",
         "the labels of this location make more than %d tuples", MOST_TUPLES);
    return;
  }
  while (moves && check_tuple(c, location, labels)) {
    size_t at = 0;
    while (at < players &&
           (labels[at] == ALEA_TOSS_NONE || ++labels[at] == location->sides[at].labels.count)) {
      if (labels[at] != ALEA_TOSS_NONE) labels[at] = 0;
      at++;
    }
    if (at == players) return;
  }
}

static void check_location(checker *c, uint32_t index) {
  alea_toss_location *location = &c->file->locations.data[index];
  if (find_location(c, location->number) != index) {
    fail(c, location->line, location->column, "twice", "a second location %u", location->number);
  }
  for (size_t player = 0; player < c->file->players.count; player++) {
    alea_toss_side *side = &location->sides[player];
    check_formula(c, side->payoff, NULL);
    for (size_t i = 0; i < side->labels.count; i++) check_label(c, side, i);
  }
  for (size_t i = 0; i < location->edges.count; i++) {
    check_edge(c, location, &location->edges.data[i]);
  }
  check_edges_differ(c, location);
  check_tuples(c, location);
}

bool alea_toss_check(alea_toss_file *file, alea_diag *diag, alea_status *status) {
  checker *c = alea_mem_zalloc(file->mem, sizeof *c);
  if (c == NULL) {
    *status = alea_mem_lack(file->mem);
    return false;
  }
  c->file = file;
  c->diag = diag;
  check_picture(c, &file->start, "in the starting structure", false);
  for (size_t i = 0; i < file->rules.count; i++) {
    check_picture(c, &file->rules.data[i].left, "on a left side", true);
    check_picture(c, &file->rules.data[i].right, "on a right side", false);
    check_exact(c, &file->rules.data[i]);
  }
  check_distinct(c);
  check_definitions(c);
  for (size_t i = 0; i < file->rules.count; i++) check_rule(c, &file->rules.data[i], true);
  for (uint32_t i = 0; i < file->locations.count; i++) check_location(c, i);
  *status = c->status;
  alea_mem_free(file->mem, c, sizeof *c);
  return *status == ALEA_OK;
}

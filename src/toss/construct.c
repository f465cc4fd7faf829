/* Productions of the construction: formulas, terms, structures and games. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "toss/construction.h"

#define NONE ALEA_TOSS_NONE
enum { MOST_TEXT = 1 << 15, MOST_HEIGHT = 100, VARIABLES = ALEA_TOSS_MOST_SIDE };

typedef alea_toss_construction construction_t;
typedef alea_toss_production production_t;
typedef alea_toss_phrase phrase_t;

construction_t *alea_toss_construction_new(const alea_toss_evaluation *e, alea_mem *mem) {
  construction_t *c = alea_mem_zalloc(mem, sizeof *c);
  if (c == NULL) return NULL;
  c->mem = mem;
  c->evaluation = e;
  alea_arena_init(&c->texts, mem);
  return c;
}

void alea_toss_construction_free(construction_t *c) {
  if (c == NULL) return;
  alea_vec_clear(c->mem, &c->formulas);
  alea_vec_clear(c->mem, &c->terms);
  alea_vec_clear(c->mem, &c->structures);
  alea_vec_clear(c->mem, &c->tuples);
  alea_vec_clear(c->mem, &c->games);
  alea_vec_clear(c->mem, &c->vertices);
  alea_vec_clear(c->mem, &c->options);
  alea_vec_clear(c->mem, &c->targets);
  alea_arena_clear(&c->texts);
  alea_mem_free(c->mem, c, sizeof *c);
}

void alea_toss_construction_counts(const construction_t *c, uint32_t counts[4]) {
  counts[0] = (uint32_t)c->formulas.count;
  counts[1] = (uint32_t)c->terms.count;
  counts[2] = (uint32_t)c->structures.count;
  counts[3] = (uint32_t)c->games.count;
}

static alea_status lack(const construction_t *c) { return alea_mem_lack(c->mem); }

/* ---- formulas and terms ---- */

/* A phrase in the making; 'bad' if an operand does not exist. */
typedef struct phrasing {
  const construction_t *c;
  alea_text text;
  uint32_t free, height; /* bits of the free variables */
  bool bad;
} phrasing;

static void put_variable(phrasing *p, uint32_t variable) {
  if (variable >= VARIABLES) {
    p->bad = true;
    return;
  }
  alea_text_format(&p->text, "v%u", variable);
  p->free |= 1u << variable;
}

static void put_phrase(phrasing *p, bool term, uint32_t id) {
  size_t count = term ? p->c->terms.count : p->c->formulas.count;
  if (id >= count) {
    p->bad = true;
    return;
  }
  const phrase_t *phrase = term ? &p->c->terms.data[id] : &p->c->formulas.data[id];
  alea_text_put(&p->text, phrase->text);
  p->free |= phrase->free;
  if (phrase->height >= p->height) p->height = phrase->height + 1;
}

/* `(A mark B)` */
static void put_pair(phrasing *p, bool terms, const uint32_t *operands, const char *mark) {
  alea_text_char(&p->text, '(');
  put_phrase(p, terms, operands[0]);
  alea_text_put(&p->text, mark);
  put_phrase(p, terms, operands[1]);
  alea_text_char(&p->text, ')');
}

static void put_atom(phrasing *p, const production_t *q) {
  const alea_toss_file *f = p->c->evaluation->file;
  uint32_t relation = q->operands[0];
  p->bad |= relation >= f->relations.count;
  if (p->bad) return;
  p->bad |=
      f->relations.data[relation].body != NONE || f->relations.data[relation].arity + 1 != q->count;
  alea_text_format(&p->text, "%s(", alea_toss_text(f, f->relations.data[relation].name));
  for (uint32_t i = 1; i < q->count && !p->bad; i++) {
    if (i > 1) alea_text_put(&p->text, ", ");
    put_variable(p, q->operands[i]);
  }
  alea_text_char(&p->text, ')');
}

/* `ex x (A)`: the variable is bound, and need not be free in A. */
static void put_bound(phrasing *p, const char *word, const uint32_t *operands) {
  alea_text_format(&p->text, "(%s ", word);
  put_variable(p, operands[0]);
  alea_text_char(&p->text, ' ');
  put_phrase(p, false, operands[1]);
  alea_text_char(&p->text, ')');
  if (!p->bad) p->free &= ~(1u << operands[0]);
}

static void put_formula(phrasing *p, const production_t *q) {
  const uint32_t *x = q->operands;
  switch (q->kind) {
    case ALEA_TOSS_MAKE_TRUE: alea_text_put(&p->text, "true"); break;
    case ALEA_TOSS_MAKE_ATOM: put_atom(p, q); break;
    case ALEA_TOSS_MAKE_EQUAL:
      alea_text_char(&p->text, '(');
      put_variable(p, x[0]);
      alea_text_put(&p->text, " = ");
      put_variable(p, x[1]);
      alea_text_char(&p->text, ')');
      break;
    case ALEA_TOSS_MAKE_LESS: put_pair(p, true, x, " < "); break;
    case ALEA_TOSS_MAKE_NOT:
      alea_text_put(&p->text, "(not ");
      put_phrase(p, false, x[0]);
      alea_text_char(&p->text, ')');
      break;
    case ALEA_TOSS_MAKE_AND: put_pair(p, false, x, " and "); break;
    case ALEA_TOSS_MAKE_OR: put_pair(p, false, x, " or "); break;
    case ALEA_TOSS_MAKE_EXISTS: put_bound(p, "ex", x); break;
    default: put_bound(p, "all", x); break;
  }
}

static void put_sum(phrasing *p, const uint32_t *operands) {
  alea_text_put(&p->text, "Sum (");
  put_variable(p, operands[0]);
  alea_text_put(&p->text, " | ");
  put_phrase(p, false, operands[1]);
  alea_text_put(&p->text, " : ");
  put_phrase(p, true, operands[2]);
  alea_text_char(&p->text, ')');
  if (!p->bad) p->free &= ~(1u << operands[0]);
}

static void put_label(phrasing *p, const uint32_t *operands) {
  const alea_toss_file *f = p->c->evaluation->file;
  p->bad |= operands[0] >= f->functions.count;
  if (p->bad) return;
  alea_text_format(&p->text, ":%s(", alea_toss_text(f, f->functions.data[operands[0]].name));
  put_variable(p, operands[1]);
  alea_text_char(&p->text, ')');
}

static void put_term(phrasing *p, const production_t *q) {
  const uint32_t *x = q->operands;
  switch (q->kind) {
    case ALEA_TOSS_MAKE_NUMBER:
      p->bad |= !(fabs(q->number) <= 1e9);
      alea_text_format(&p->text, "(%.12f)", q->number);
      break;
    case ALEA_TOSS_MAKE_LABEL: put_label(p, x); break;
    case ALEA_TOSS_MAKE_PLUS: put_pair(p, true, x, " + "); break;
    case ALEA_TOSS_MAKE_TIMES: put_pair(p, true, x, " * "); break;
    case ALEA_TOSS_MAKE_CHAR:
      alea_text_put(&p->text, ":(");
      put_phrase(p, false, x[0]);
      alea_text_char(&p->text, ')');
      break;
    default: put_sum(p, x); break;
  }
}

static alea_status make_phrase(construction_t *c, const production_t *q, bool term,
                               uint32_t *made) {
  phrasing p = {.c = c, .height = 1};
  alea_text_init(&p.text, c->mem);
  if (term) put_term(&p, q);
  if (!term) put_formula(&p, q);
  alea_status status = p.bad                                                 ? ALEA_USAGE
                       : p.text.failed                                       ? lack(c)
                       : p.text.length > MOST_TEXT || p.height > MOST_HEIGHT ? ALEA_LIMIT
                                                                             : ALEA_OK;
  if (status == ALEA_OK) {
    phrase_t phrase = {alea_arena_strdup(&c->texts, p.text.data, p.text.length), p.free, p.height};
    *made = (uint32_t)(term ? c->terms.count : c->formulas.count);
    bool good = phrase.text != NULL && (term ? alea_vec_push(c->mem, &c->terms, phrase)
                                             : alea_vec_push(c->mem, &c->formulas, phrase));
    if (!good) status = lack(c);
  }
  alea_text_clear(&p.text);
  return status;
}

/* ---- structures ---- */

static bool copy_tuples(construction_t *c, uint32_t from, uint32_t shift, alea_toss_shape *to) {
  const alea_toss_shape source = c->structures.data[from];
  for (uint32_t i = 0; i < source.tuple_count; i++) {
    alea_toss_shape_tuple tuple = c->tuples.data[source.first_tuple + i];
    for (uint32_t k = 0; k < tuple.arity; k++) tuple.elements[k] += shift;
    if (!alea_vec_push(c->mem, &c->tuples, tuple)) return false;
    to->tuple_count++;
  }
  return true;
}

static bool read_tuple(const construction_t *c, const production_t *q, uint32_t elements,
                       alea_toss_shape_tuple *tuple) {
  const alea_toss_file *f = c->evaluation->file;
  uint32_t relation = q->operands[1];
  if (relation >= f->relations.count || f->relations.data[relation].body != NONE) return false;
  if (f->relations.data[relation].arity + 2 != q->count) return false;
  *tuple = (alea_toss_shape_tuple){.relation = relation, .arity = q->count - 2};
  for (uint32_t i = 2; i < q->count; i++) {
    tuple->elements[i - 2] = q->operands[i];
    if (q->operands[i] >= elements) return false;
  }
  return true;
}

static alea_status make_structure(construction_t *c, const production_t *q, uint32_t *made) {
  alea_toss_shape shape = {.elements = 1, .first_tuple = (uint32_t)c->tuples.count};
  bool point = q->kind == ALEA_TOSS_MAKE_POINT, both = q->kind == ALEA_TOSS_MAKE_TOGETHER;
  alea_toss_shape_tuple tuple = {0};
  for (uint32_t i = 0; !point && i <= (both ? 1u : 0u); i++) {
    if (q->operands[i] >= c->structures.count) return ALEA_USAGE;
  }
  if (!point) {
    uint32_t more = q->kind == ALEA_TOSS_MAKE_ELEMENT;
    shape.elements = c->structures.data[q->operands[0]].elements + more;
    if (both) shape.elements += c->structures.data[q->operands[1]].elements;
  }
  if (shape.elements > ALEA_TOSS_MOST_SIDE) return ALEA_LIMIT;
  bool drawn = q->kind == ALEA_TOSS_MAKE_TUPLE;
  if (drawn && !read_tuple(c, q, shape.elements, &tuple)) return ALEA_USAGE;
  bool good = point || copy_tuples(c, q->operands[0], 0, &shape);
  if (good && both) {
    good = copy_tuples(c, q->operands[1], c->structures.data[q->operands[0]].elements, &shape);
  }
  if (good && drawn) good = alea_vec_push(c->mem, &c->tuples, tuple), shape.tuple_count++;
  *made = (uint32_t)c->structures.count;
  return good && alea_vec_push(c->mem, &c->structures, shape) ? ALEA_OK : lack(c);
}

/* ---- games ---- */

static alea_status add_game(construction_t *c, alea_toss_vertex vertex, uint32_t *made) {
  *made = (uint32_t)c->games.count;
  uint32_t root = (uint32_t)c->vertices.count;
  bool good = alea_vec_push(c->mem, &c->vertices, vertex) && alea_vec_push(c->mem, &c->games, root);
  return good ? ALEA_OK : lack(c);
}

static alea_status make_end(construction_t *c, const production_t *q, uint32_t *made) {
  alea_toss_vertex vertex = {0};
  if (q->count != c->evaluation->game->player_count) return ALEA_USAGE;
  for (uint32_t i = 0; i < q->count; i++) {
    if (q->operands[i] >= c->terms.count) return ALEA_USAGE;
    if (c->terms.data[q->operands[i]].free != 0) return ALEA_USAGE;
    vertex.payoffs[i] = q->operands[i];
  }
  return add_game(c, vertex, made);
}

static alea_status make_chance(construction_t *c, const production_t *q, uint32_t *made) {
  uint32_t total = 0;
  if (q->count == 0 || q->count % 2 != 0) return ALEA_USAGE;
  for (uint32_t i = 0; i < q->count; i += 2) {
    if (q->operands[i] >= c->games.count || q->operands[i + 1] == 0) return ALEA_USAGE;
    if (q->operands[i + 1] > ALEA_TOSS_MOST_WEIGHT) return ALEA_USAGE;
    total += q->operands[i + 1];
  }
  if (total > ALEA_TOSS_MOST_WEIGHT) return ALEA_USAGE;
  alea_toss_option option = {NONE, NONE, NONE, (uint32_t)c->targets.count, q->count / 2, total};
  alea_toss_vertex vertex = {.first_option = (uint32_t)c->options.count, .option_count = 1};
  /* While chance is still to move no payoff counts; those of the first game are at hand. */
  memcpy(vertex.payoffs, c->vertices.data[c->games.data[q->operands[0]]].payoffs,
         sizeof vertex.payoffs);
  for (uint32_t i = 0; i < q->count; i += 2) {
    alea_toss_aim aim = {c->games.data[q->operands[i]], q->operands[i + 1]};
    if (!alea_vec_push(c->mem, &c->targets, aim)) return lack(c);
  }
  return alea_vec_push(c->mem, &c->options, option) ? add_game(c, vertex, made) : lack(c);
}

/* Whether left, right, formula and game of a choice fit together. */
static bool is_choice(const construction_t *c, const uint32_t *x) {
  if (x[2] >= c->formulas.count || x[3] >= c->games.count) return false;
  if (x[0] == NONE && x[1] == NONE) return c->formulas.data[x[2]].free == 0;
  if (x[0] >= c->structures.count || x[1] >= c->structures.count) return false;
  return c->formulas.data[x[2]].free >> c->structures.data[x[0]].elements == 0;
}

static alea_status make_choice(construction_t *c, const production_t *q, uint32_t *made) {
  if (q->count < 6 || (q->count - 2) % 4 != 0) return ALEA_USAGE;
  if (q->operands[0] >= c->evaluation->game->player_count) return ALEA_USAGE;
  if (q->operands[1] >= c->games.count) return ALEA_USAGE;
  for (uint32_t i = 2; i < q->count; i += 4) {
    if (!is_choice(c, q->operands + i)) return ALEA_USAGE;
  }
  alea_toss_vertex vertex = {.player = q->operands[0],
                             .first_option = (uint32_t)c->options.count,
                             .option_count = (q->count - 2) / 4};
  memcpy(vertex.payoffs, c->vertices.data[c->games.data[q->operands[1]]].payoffs,
         sizeof vertex.payoffs);
  for (uint32_t i = 2; i < q->count; i += 4) {
    const uint32_t *x = q->operands + i;
    alea_toss_option option = {x[0], x[1], x[2], (uint32_t)c->targets.count, 1, 1};
    alea_toss_aim aim = {c->games.data[x[3]], 1};
    if (!alea_vec_push(c->mem, &c->options, option)) return lack(c);
    if (!alea_vec_push(c->mem, &c->targets, aim)) return lack(c);
  }
  return add_game(c, vertex, made);
}

/* Copies a vertex and its edges; the targets are still those of the original. */
static bool copy_vertex(construction_t *c, uint32_t vertex, uint32_t *copy) {
  alea_toss_vertex made = c->vertices.data[vertex];
  uint32_t first = made.first_option;
  made.first_option = (uint32_t)c->options.count;
  for (uint32_t i = 0; i < made.option_count; i++) {
    alea_toss_option option = c->options.data[first + i];
    uint32_t target = option.first_target;
    option.first_target = (uint32_t)c->targets.count;
    for (uint32_t k = 0; k < option.target_count; k++) {
      alea_toss_aim aim = c->targets.data[target + k];
      if (!alea_vec_push(c->mem, &c->targets, aim)) return false;
    }
    if (!alea_vec_push(c->mem, &c->options, option)) return false;
  }
  *copy = (uint32_t)c->vertices.count;
  return alea_vec_push(c->mem, &c->vertices, made);
}

/* The vertex that stands for 'vertex' in a copy whose ends are 'root': made when
 * it is met first. */
static bool stand_in(construction_t *c, uint32_t *map, uint32_t vertex, uint32_t root,
                     uint32_t *result) {
  *result = map[vertex];
  if (*result != NONE) return true;
  if (c->vertices.data[vertex].option_count == 0) {
    *result = root;
  } else if (!copy_vertex(c, vertex, result)) {
    return false;
  }
  map[vertex] = *result;
  return true;
}

static alea_status make_sequence(construction_t *c, const production_t *q, uint32_t *made) {
  if (q->count != 2 || q->operands[0] >= c->games.count || q->operands[1] >= c->games.count) {
    return ALEA_USAGE;
  }
  size_t count = c->vertices.count;
  uint32_t *map = alea_mem_alloc(c->mem, count * sizeof *map), root;
  if (map == NULL) return lack(c);
  memset(map, 0xff, count * sizeof *map);
  uint32_t second = c->games.data[q->operands[1]];
  bool good = stand_in(c, map, c->games.data[q->operands[0]], second, &root);
  for (size_t v = count; v < c->vertices.count && good; v++) { /* copies are appended */
    alea_toss_vertex vertex = c->vertices.data[v];
    for (uint32_t i = 0; i < vertex.option_count && good; i++) {
      alea_toss_option option = c->options.data[vertex.first_option + i];
      for (uint32_t k = option.first_target; k < option.first_target + option.target_count; k++) {
        uint32_t target;
        good = good && stand_in(c, map, c->targets.data[k].vertex, second, &target);
        if (good) c->targets.data[k].vertex = target;
      }
    }
  }
  alea_mem_free(c->mem, map, count * sizeof *map);
  *made = (uint32_t)c->games.count;
  return good && alea_vec_push(c->mem, &c->games, root) ? ALEA_OK : lack(c);
}

/* ---- all of them ---- */

/* How many operands a production has; NONE: any number. */
static uint32_t operands_of(alea_toss_production_kind kind) {
  switch (kind) {
    case ALEA_TOSS_MAKE_TRUE:
    case ALEA_TOSS_MAKE_NUMBER:
    case ALEA_TOSS_MAKE_POINT: return 0;
    case ALEA_TOSS_MAKE_NOT:
    case ALEA_TOSS_MAKE_CHAR:
    case ALEA_TOSS_MAKE_ELEMENT: return 1;
    case ALEA_TOSS_MAKE_SUM: return 3;
    case ALEA_TOSS_MAKE_ATOM:
    case ALEA_TOSS_MAKE_TUPLE:
    case ALEA_TOSS_MAKE_END:
    case ALEA_TOSS_MAKE_CHANCE:
    case ALEA_TOSS_MAKE_CHOICE: return NONE;
    default: return 2;
  }
}

alea_status alea_toss_construct(construction_t *c, const production_t *q, uint32_t *made) {
  uint32_t wanted = operands_of(q->kind);
  if (q->count > ALEA_TOSS_MOST_OPERANDS || (wanted != NONE && q->count != wanted))
    return ALEA_USAGE;
  if (q->kind == ALEA_TOSS_MAKE_ATOM && q->count < 1) return ALEA_USAGE;
  if (q->kind == ALEA_TOSS_MAKE_TUPLE && q->count < 2) return ALEA_USAGE;
  if (c->formulas.count + c->terms.count + c->vertices.count > ALEA_TOSS_MOST_PHRASES) {
    return ALEA_LIMIT;
  }
  if (q->kind <= ALEA_TOSS_MAKE_FORALL) return make_phrase(c, q, false, made);
  if (q->kind <= ALEA_TOSS_MAKE_SUM) return make_phrase(c, q, true, made);
  switch (q->kind) {
    case ALEA_TOSS_MAKE_END: return make_end(c, q, made);
    case ALEA_TOSS_MAKE_CHANCE: return make_chance(c, q, made);
    case ALEA_TOSS_MAKE_CHOICE: return make_choice(c, q, made);
    case ALEA_TOSS_MAKE_SEQUENCE: return make_sequence(c, q, made);
    default: return make_structure(c, q, made);
  }
}

alea_status alea_toss_construct_by(construction_t *c, alea_toss_chooser *chooser, void *context) {
  production_t next = {0};
  alea_status status = ALEA_OK;
  while ((status == ALEA_OK || status == ALEA_USAGE) && chooser(context, c, &next)) {
    uint32_t made;
    status = alea_toss_construct(c, &next, &made);
    next = (production_t){0};
  }
  return status == ALEA_USAGE ? ALEA_OK : status;
}

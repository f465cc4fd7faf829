/* Draws positions of rewriting games as boards and graphs. */
#include "draw/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "draw/structure_core.h"

#define NONE ALEA_TOSS_NONE

typedef alea_structure_drawing drawing;

static alea_status lack(const drawing *d) { return alea_mem_lack(d->mem); }

static void clear_position(drawing *d) {
  for (size_t i = 0; i < d->elements.count; i++) {
    alea_element *e = &d->elements.data[i];
    e->has_x = e->has_y = false;
    e->alive = !d->varies;
    alea_text_truncate(&e->marks, 0);
    alea_text_truncate(&e->labels, 0);
    if (i < d->start_count) continue;
    alea_text_clear(&e->marks);
    alea_text_clear(&e->labels);
  }
  if (d->elements.count > d->start_count) d->elements.count = d->start_count;
  d->arrows.count = 0;
  alea_text_truncate(&d->rest, 0);
}

static uint32_t add_element(drawing *d, const char *name) {
  alea_element made = {0};
  snprintf(made.name, sizeof made.name, "%s", name);
  alea_text_init(&made.marks, d->mem);
  alea_text_init(&made.labels, d->mem);
  made.alive = !d->varies;
  if (!alea_vec_push(d->mem, &d->elements, made)) return NONE;
  return (uint32_t)d->elements.count - 1;
}

drawing *alea_structure_drawing_new(const char *rulesheet, alea_mem *mem) {
  drawing *d = alea_mem_zalloc(mem, sizeof *d);
  if (d == NULL) return NULL;
  d->mem = mem;
  alea_text_init(&d->rest, mem);
  d->terms = alea_terms_new(NULL, mem);
  bool good = d->terms != NULL &&
              alea_toss_read(&d->file, rulesheet, strlen(rulesheet), "game", mem, NULL) == ALEA_OK;
  for (size_t i = 0; good && i < d->file->start.elements.count; i++) {
    good = add_element(d, alea_toss_text(d->file, d->file->start.elements.data[i])) != NONE;
  }
  if (!good) {
    alea_structure_drawing_free(d);
    return NULL;
  }
  d->start_count = d->elements.count;
  for (size_t i = 0; i < d->file->rules.count; i++) {
    d->varies |= !alea_toss_is_preserving(&d->file->rules.data[i]);
  }
  return d;
}

void alea_structure_drawing_free(drawing *d) {
  if (d == NULL) return;
  for (size_t i = 0; i < d->elements.count; i++) {
    alea_text_clear(&d->elements.data[i].marks);
    alea_text_clear(&d->elements.data[i].labels);
  }
  alea_vec_clear(d->mem, &d->elements);
  alea_vec_clear(d->mem, &d->arrows);
  alea_text_clear(&d->rest);
  alea_terms_free(d->terms);
  alea_toss_free(d->file);
  alea_mem_free(d->mem, d, sizeof *d);
}

/* ---- reading a position ---- */

alea_structure_fact alea_structure_fact_read(alea_terms *terms, const char *fluent) {
  alea_structure_fact fact = {.name = ""};
  alea_term term = alea_terms_parse(terms, fluent, NULL);
  if (term == ALEA_NO_TERM) return fact;
  fact.name = alea_symbols_text(terms->symbols, alea_terms_name(terms, term));
  fact.arity = alea_terms_arity(terms, term);
  for (uint32_t i = 0; i < fact.arity && i < 2; i++) {
    alea_term arg = alea_terms_args(terms, term)[i];
    fact.args[i] = alea_symbols_text(terms->symbols, alea_terms_name(terms, arg));
  }
  return fact;
}

static uint32_t find_element(drawing *d, const char *name) {
  for (uint32_t i = 0; i < d->elements.count; i++) {
    if (strcasecmp(d->elements.data[i].name, name) == 0) return i;
  }
  return add_element(d, name);
}

uint32_t alea_structure_relation(const alea_toss_file *f, const char *name) {
  for (uint32_t i = 0; i < f->relations.count; i++) {
    if (strcasecmp(alea_toss_text(f, f->relations.data[i].name), name) == 0) return i;
  }
  return NONE;
}

static bool is_function(const alea_toss_file *f, const char *name) {
  for (uint32_t i = 0; i < f->functions.count; i++) {
    if (strcasecmp(alea_toss_text(f, f->functions.data[i].name), name) == 0) return true;
  }
  return false;
}

static void add_mark(drawing *d, uint32_t element_id, uint32_t relation) {
  alea_text *marks = &d->elements.data[element_id].marks;
  if (marks->length > 0) alea_text_char(marks, '+');
  alea_text_put(marks, alea_toss_text(d->file, d->file->relations.data[relation].name));
}

static void add_label(alea_element *e, const char *name, const char *value) {
  if (strcmp(name, "x") == 0) e->has_x = true, e->x = strtod(value, NULL);
  if (strcmp(name, "y") == 0) e->has_y = true, e->y = strtod(value, NULL);
  alea_text_format(&e->labels, "%s%s %s", e->labels.length > 0 ? "  " : "", name, value);
}

static bool add_arrow(drawing *d, uint32_t relation, uint32_t from, uint32_t to) {
  return alea_vec_push(d->mem, &d->arrows, ((alea_arrow){relation, from, to}));
}

static alea_status read_fluent(drawing *d, const char *fluent) {
  alea_structure_fact fact = alea_structure_fact_read(d->terms, fluent);
  uint32_t relation = alea_structure_relation(d->file, fact.name), one, two;
  if (fact.arity == 2 && relation == NONE && is_function(d->file, fact.name)) {
    if ((one = find_element(d, fact.args[0])) == NONE) return lack(d);
    add_label(&d->elements.data[one], fact.name, fact.args[1]);
  } else if (d->varies && fact.arity == 1 && strcmp(fact.name, "element") == 0) {
    if ((one = find_element(d, fact.args[0])) == NONE) return lack(d);
    d->elements.data[one].alive = true;
  } else if (fact.arity == 1 && relation != NONE) {
    if ((one = find_element(d, fact.args[0])) == NONE) return lack(d);
    add_mark(d, one, relation);
  } else if (fact.arity == 2 && relation != NONE) {
    one = find_element(d, fact.args[0]);
    two = find_element(d, fact.args[1]);
    if (one == NONE || two == NONE || !add_arrow(d, relation, one, two)) return lack(d);
  } else {
    alea_text_format(&d->rest, "%s%s", d->rest.length > 0 ? "  " : "", fluent);
  }
  return ALEA_OK;
}

/* Whether a rule changes a relation: what does not change is in no fluent.  Where
 * elements come and go every relation changes, as in toss/rules.c. */
static bool changes(const alea_toss_file *f, uint32_t relation) {
  for (size_t r = 0; r < f->rules.count; r++) {
    const alea_toss_rule *rule = &f->rules.data[r];
    if (!alea_toss_is_preserving(rule)) return true;
    for (size_t k = 0; k < rule->right.tuples.count; k++) {
      if (rule->right.tuples.data[k].relation == relation) return true;
    }
    for (size_t k = 0; k < rule->exact.count; k++) {
      if (rule->exact.data[k] == relation) return true;
    }
  }
  return false;
}

/* The tuples of the initial structure that never change hold. */
static alea_status read_constant(drawing *d) {
  const alea_toss_picture *start = &d->file->start;
  for (size_t i = 0; i < start->tuples.count; i++) {
    const alea_toss_tuple *t = &start->tuples.data[i];
    const uint32_t *ids = start->ids.data + t->first;
    if (changes(d->file, t->relation)) continue;
    if (t->count == 1) add_mark(d, ids[0], t->relation);
    if (t->count == 2 && !add_arrow(d, t->relation, ids[0], ids[1])) return lack(d);
  }
  return ALEA_OK;
}

alea_status alea_structure_read(drawing *d, const char *const *fluents, size_t count) {
  clear_position(d);
  alea_status status = read_constant(d);
  for (size_t i = 0; i < count && status == ALEA_OK; i++) status = read_fluent(d, fluents[i]);
  return status;
}

/* ---- boards ---- */

static const alea_element *at(const drawing *d, uint32_t column, uint32_t row) {
  char name[16];
  snprintf(name, sizeof name, "%c%u", (int)('a' + column), row + 1);
  for (size_t i = 0; i < d->start_count; i++) {
    const alea_element *e = &d->elements.data[i];
    if (strcmp(e->name, name) == 0) return e->alive ? e : NULL;
  }
  return NULL;
}

static void put_padded(alea_text *out, const char *text, size_t width) {
  alea_text_format(out, " %-*s", (int)width, text);
}

static void put_board(drawing *d, alea_text *out) {
  uint32_t columns = d->file->board_columns, rows = d->file->board_rows;
  size_t width = 1;
  for (size_t i = 0; i < d->start_count; i++) {
    size_t length = d->elements.data[i].marks.length;
    if (length > width) width = length;
  }
  for (uint32_t r = rows; r-- > 0;) {
    alea_text_format(out, "%3u ", r + 1);
    for (uint32_t c = 0; c < columns; c++) {
      const alea_element *e = at(d, c, r);
      const char *marks = e != NULL && e->marks.length > 0 ? alea_text_string(&e->marks) : ".";
      put_padded(out, e != NULL ? marks : "", width);
    }
    while (out->length > 0 && out->data[out->length - 1] == ' ') {
      alea_text_truncate(out, out->length - 1);
    }
    alea_text_char(out, '\n');
  }
  alea_text_put(out, "    ");
  for (uint32_t c = 0; c < columns; c++) {
    char letter[2] = {(char)('a' + c), '\0'};
    put_padded(out, letter, c + 1 < columns ? width : 1);
  }
  alea_text_char(out, '\n');
}

/* Elements that are not cells, and arrows that the board does not show
 * already. */
static bool is_cell(const drawing *d, uint32_t index) {
  return d->file->board_columns > 0 && index < d->start_count;
}

static bool is_of_board(const drawing *d, const alea_arrow *a) {
  const char *name = alea_toss_text(d->file, d->file->relations.data[a->relation].name);
  return is_cell(d, a->from) && is_cell(d, a->to) &&
         (strcmp(name, "R") == 0 || strcmp(name, "C") == 0);
}

static void put_rest(drawing *d, bool ascii, alea_text *out) {
  for (uint32_t i = 0; i < d->elements.count; i++) {
    const alea_element *e = &d->elements.data[i];
    if (!e->alive || (is_cell(d, i) && e->labels.length == 0)) continue;
    if (i >= d->start_count || !is_cell(d, i) || e->labels.length > 0) {
      alea_text_format(out, "%s: %s%s%s\n", e->name, alea_text_string(&e->marks),
                       e->marks.length > 0 && e->labels.length > 0 ? "  " : "",
                       alea_text_string(&e->labels));
    }
  }
  for (size_t i = 0; i < d->arrows.count; i++) {
    const alea_arrow *a = &d->arrows.data[i];
    if (is_of_board(d, a)) continue;
    alea_text_format(
        out, "%s: %s %s %s\n", alea_toss_text(d->file, d->file->relations.data[a->relation].name),
        d->elements.data[a->from].name, ascii ? "->" : "→", d->elements.data[a->to].name);
  }
  alea_text_format(out, "%s\n", alea_text_string(&d->rest));
}

alea_status alea_structure_text(drawing *d, const char *const *fluents, size_t count, bool ascii,
                                alea_text *out) {
  alea_status status = alea_structure_read(d, fluents, count);
  if (status != ALEA_OK) return status;
  if (d->file->board_columns > 0) put_board(d, out);
  put_rest(d, ascii, out);
  return out->failed ? lack(d) : ALEA_OK;
}

/* Learning to draw: shapes, leaves, positions. */
#include "draw/draw.h"

#include <string.h>

#include "draw/core.h"
#include "draw/structure.h"
#include "gdl/program.h"

enum { USUAL_WIDTH = 88 };

alea_drawing *alea_drawing_new(alea_mem *mem) {
  alea_drawing *d = alea_mem_zalloc(mem, sizeof *d);
  if (d == NULL) return NULL;
  d->mem = mem;
  d->width = USUAL_WIDTH;
  d->adjacent = ALEA_CELLS_GUESS;
  alea_text_init(&d->scratch, mem);
  d->symbols = alea_symbols_new(mem);
  d->terms = d->symbols != NULL ? alea_terms_new(d->symbols, mem) : NULL;
  if (d->terms == NULL) {
    alea_drawing_free(d);
    return NULL;
  }
  return d;
}

void alea_drawing_tint(alea_drawing *drawing, const uint32_t *tints) { drawing->tints = tints; }

void alea_drawing_colour_text(alea_drawing *drawing, bool colour) { drawing->colour = colour; }

void alea_drawing_bracket_text(alea_drawing *drawing, bool brackets) {
  drawing->brackets = brackets;
}

void alea_drawing_width(alea_drawing *drawing, uint32_t columns) { drawing->width = columns; }

void alea_drawing_possible(alea_drawing *drawing, const char *const *fluents, size_t count) {
  drawing->possible = fluents;
  drawing->possible_count = count;
}

void alea_drawing_last(alea_drawing *drawing, const char *const *fluents, size_t count) {
  drawing->last = fluents;
  drawing->last_count = count;
}

void alea_drawing_legal(alea_drawing *drawing, const char *const *moves, size_t count) {
  drawing->legal = moves;
  drawing->legal_count = count;
}

void alea_drawing_theme(alea_drawing *drawing, alea_theme theme) { drawing->theme = theme; }

alea_status alea_drawing_learn_role(alea_drawing *drawing, const char *role) {
  alea_symbol symbol = alea_symbols_add(drawing->symbols, role, strlen(role));
  bool good = symbol != ALEA_NO_SYMBOL && alea_vec_push(drawing->mem, &drawing->roles, symbol);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

void alea_drawing_free(alea_drawing *d) {
  if (d == NULL) return;
  alea_mem *mem = d->mem;
  alea_structure_drawing_free(d->structure);
  for (size_t i = 0; i < d->shapes.count; i++) {
    alea_shape *shape = &d->shapes.data[i];
    for (uint32_t j = 0; j < shape->leaf_count; j++) {
      alea_vec_clear(mem, &shape->leaves[j].values);
      alea_vec_clear(mem, &shape->leaves[j].rank);
    }
    alea_vec_clear(mem, &shape->records);
  }
  alea_vec_clear(mem, &d->shapes);
  for (size_t i = 0; i < d->boards.count; i++) {
    alea_mem_free(mem, d->boards.data[i].kinds, d->boards.data[i].kind_count);
  }
  alea_vec_clear(mem, &d->boards);
  alea_vec_clear(mem, &d->labels);
  alea_vec_clear(mem, &d->hints);
  alea_vec_clear(mem, &d->board_hints);
  alea_vec_clear(mem, &d->piece_hints);
  alea_vec_clear(mem, &d->roles);
  alea_vec_clear(mem, &d->after);
  alea_vec_clear(mem, &d->before);
  alea_text_clear(&d->scratch);
  alea_terms_free(d->terms);
  alea_symbols_free(d->symbols);
  alea_mem_free(mem, d, sizeof *d);
}

alea_status alea_drawing_use_structure(alea_drawing *d, const char *rulesheet) {
  d->structure = alea_structure_drawing_new(rulesheet, d->mem);
  return d->structure != NULL ? alea_drawing_hint(d, "grid cell 1 2") : ALEA_SYSTEM;
}

size_t alea_drawing_boards(const alea_drawing *d) { return d->boards.count; }

/* Sets map[key] = value; the map grows with ALEA_NO_INDEX. */
static bool set(alea_mem *mem, alea_u32s *map, uint32_t key, uint32_t value) {
  while (map->count <= key) {
    if (!alea_vec_push(mem, map, ALEA_NO_INDEX)) return false;
  }
  map->data[key] = value;
  return true;
}

uint32_t alea_leaf_index(const alea_leaf *leaf, alea_symbol value) {
  return value < leaf->rank.count ? leaf->rank.data[value] : ALEA_NO_INDEX;
}

/* Walks a term without recursion: writes its shape to the scratch text and
 * its leaves to 'flat'.  False: too wide or too deep to have a shape. */
static bool walk(alea_drawing *d, alea_term term, alea_flat *flat) {
  enum { DEEPEST = 16 };
  alea_term open[DEEPEST];
  uint32_t next[DEEPEST];
  size_t depth = 0;
  flat->leaf_count = 0;
  alea_text_truncate(&d->scratch, 0);
  alea_text_put(&d->scratch, alea_symbols_text(d->symbols, alea_terms_name(d->terms, term)));
  for (open[0] = term, next[0] = 0, depth = 1; depth > 0;) {
    alea_term at = open[depth - 1];
    if (next[depth - 1] == alea_terms_arity(d->terms, at)) {
      depth--;
      alea_text_char(&d->scratch, ')');
      continue;
    }
    alea_term child = alea_terms_args(d->terms, at)[next[depth - 1]++];
    alea_symbol name = alea_terms_name(d->terms, child);
    if (!alea_terms_is_list(d->terms, child)) {
      if (flat->leaf_count == ALEA_MOST_LEAVES) return false;
      flat->leaves[flat->leaf_count++] = name;
      alea_text_char(&d->scratch, '.');
    } else {
      if (depth == DEEPEST) return false;
      alea_text_format(&d->scratch, "%s(", alea_symbols_text(d->symbols, name));
      open[depth] = child;
      next[depth++] = 0;
    }
  }
  return true;
}

static alea_status add_shape(alea_drawing *d, alea_symbol key, alea_symbol name, alea_flat *flat) {
  alea_shape shape = {.key = key,
                      .name = name,
                      .leaf_count = flat->leaf_count,
                      .split = ALEA_NO_INDEX,
                      .slice = ALEA_NO_INDEX,
                      .board = ALEA_NO_INDEX};
  flat->shape = (uint32_t)d->shapes.count;
  return alea_vec_push(d->mem, &d->shapes, shape) ? ALEA_OK : ALEA_SYSTEM;
}

alea_status alea_drawing_flatten(alea_drawing *d, const char *fluent, bool add, alea_flat *flat) {
  flat->shape = ALEA_NO_INDEX;
  flat->leaf_count = 0;
  alea_term term = alea_terms_parse(d->terms, fluent, NULL);
  if (term == ALEA_NO_TERM || !walk(d, term, flat)) return ALEA_OK;
  if (d->scratch.failed) return ALEA_SYSTEM;
  alea_symbol key = alea_symbols_add(d->symbols, d->scratch.data, d->scratch.length);
  if (key == ALEA_NO_SYMBOL) return ALEA_SYSTEM;
  for (uint32_t i = 0; i < d->shapes.count; i++) {
    if (d->shapes.data[i].key == key) flat->shape = i;
  }
  if (flat->shape != ALEA_NO_INDEX && d->shapes.data[flat->shape].split != ALEA_NO_INDEX) {
    uint32_t at = d->shapes.data[flat->shape].split;
    if (alea_leaves_split(d, flat->leaves, flat->leaf_count, at)) {
      flat->leaf_count++;
    } else {
      flat->shape = ALEA_NO_INDEX;
    }
  }
  if (flat->shape != ALEA_NO_INDEX || !add) return ALEA_OK;
  return add_shape(d, key, alea_terms_name(d->terms, term), flat);
}

bool alea_leaf_note(alea_drawing *d, alea_leaf *leaf, alea_symbol value) {
  if (alea_leaf_index(leaf, value) != ALEA_NO_INDEX) return true;
  return set(d->mem, &leaf->rank, value, (uint32_t)leaf->values.count) &&
         alea_vec_push(d->mem, &leaf->values, value);
}

static alea_status learn(alea_drawing *d, const char *fluent, uint32_t position) {
  alea_flat flat;
  alea_status status = alea_drawing_flatten(d, fluent, true, &flat);
  if (status != ALEA_OK || flat.shape == ALEA_NO_INDEX) return status;
  alea_shape *shape = &d->shapes.data[flat.shape];
  bool good = alea_vec_push(d->mem, &shape->records, position);
  for (uint32_t i = 0; good && i < flat.leaf_count; i++) {
    good = alea_leaf_note(d, &shape->leaves[i], flat.leaves[i]) &&
           alea_vec_push(d->mem, &shape->records, flat.leaves[i]);
  }
  return good ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status learn_position(alea_drawing *d, const char *const *fluents, size_t count) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < count; i++) {
    status = learn(d, fluents[i], d->positions);
  }
  d->positions++;
  return status;
}

alea_status alea_drawing_learn(alea_drawing *d, const char *const *fluents, size_t count) {
  if (d->structure == NULL) return learn_position(d, fluents, count);
  if (!alea_structure_has_board(d->structure)) return ALEA_OK;
  alea_board_fluents cells;
  alea_board_fluents_init(&cells, d->mem);
  alea_status status = alea_board_fluents_read(&cells, d->structure, fluents, count);
  if (status == ALEA_OK) status = learn_position(d, cells.texts.data, cells.texts.count);
  alea_board_fluents_clear(&cells);
  return status;
}

alea_status alea_drawing_learn_possible(alea_drawing *d, const char *fluent) {
  d->has_possible = true;
  return learn(d, fluent, ALEA_NO_INDEX);
}

/* The symbol of a constant of the program in the table of the drawing. */
static alea_symbol own_symbol(alea_drawing *d, const alea_program *program,
                              alea_rule_node_id node) {
  const char *text = alea_symbols_text(program->symbols, program->nodes.data[node].name);
  return alea_symbols_add(d->symbols, text, strlen(text));
}

alea_status alea_drawing_learn_order(alea_drawing *d, const alea_program *program) {
  d->adjacent = alea_drawing_adjacency(program);
  for (size_t i = 0; i < program->rules.count; i++) {
    const alea_rule *rule = &program->rules.data[i];
    const alea_rule_node *head = &program->nodes.data[rule->head];
    if (rule->literal_count > 0 || head->arg_count != 2 || head->name < ALEA_SYM_FIRST_FREE) {
      continue;
    }
    const alea_rule_node_id *args = alea_program_args(program, rule->head);
    if (program->nodes.data[args[0]].kind != ALEA_NODE_CONSTANT ||
        program->nodes.data[args[1]].kind != ALEA_NODE_CONSTANT) {
      continue;
    }
    alea_symbol a = own_symbol(d, program, args[0]), b = own_symbol(d, program, args[1]);
    if (a == ALEA_NO_SYMBOL || b == ALEA_NO_SYMBOL) return ALEA_SYSTEM;
    /* The first fact about a name determines its successor. */
    bool fresh = (a >= d->after.count || d->after.data[a] == ALEA_NO_INDEX) &&
                 (b >= d->before.count || d->before.data[b] == ALEA_NO_INDEX) && a != b;
    if (fresh && !(set(d->mem, &d->after, a, b) && set(d->mem, &d->before, b, a))) {
      return ALEA_SYSTEM;
    }
  }
  return ALEA_OK;
}

alea_symbol alea_drawing_content(alea_drawing *d, const alea_shape *shape,
                                 const alea_symbol *leaves) {
  alea_text_truncate(&d->scratch, 0);
  for (uint32_t i = 0; i < shape->leaf_count; i++) {
    bool grid = shape->layout == ALEA_LAYOUT_GRID;
    if (i == shape->column || (grid && (i == shape->row || i == shape->slice))) continue;
    if (d->scratch.length > 0) alea_text_char(&d->scratch, ' ');
    alea_text_put(&d->scratch, alea_symbols_text(d->symbols, leaves[i]));
  }
  if (d->scratch.length == 0) return shape->name;
  if (d->scratch.failed) return ALEA_NO_SYMBOL;
  return alea_symbols_add(d->symbols, d->scratch.data, d->scratch.length);
}

alea_status alea_drawing_settle(alea_drawing *d) {
  alea_status status = alea_drawing_split_names(d);
  if (status == ALEA_OK) status = alea_drawing_find_layouts(d);
  if (status == ALEA_OK) status = alea_drawing_make_labels(d);
  return status == ALEA_OK ? alea_drawing_recognise(d) : status;
}

alea_status alea_drawing_as_cells(alea_drawing *d, const char *const *fluents, size_t count,
                                  alea_cells_drawer *draw, void *context) {
  alea_board_fluents now, before;
  alea_board_fluents_init(&now, d->mem);
  alea_board_fluents_init(&before, d->mem);
  const uint32_t *saved_tints = d->tints;
  const char *const *saved_last = d->last;
  size_t saved_count = d->last_count;
  uint32_t *tints = NULL;
  alea_status status = alea_board_fluents_read(&before, d->structure, d->last, d->last_count);
  if (status == ALEA_OK) status = alea_board_fluents_read(&now, d->structure, fluents, count);
  if (status == ALEA_OK && d->tints != NULL) {
    tints = alea_mem_calloc(d->mem, now.texts.count, sizeof *tints);
    if (tints == NULL) status = ALEA_SYSTEM;
    if (tints != NULL) memcpy(tints, d->tints, count * sizeof *tints);
  }
  if (status == ALEA_OK) {
    d->tints = tints;
    d->last = before.texts.data;
    d->last_count = d->last_count > 0 ? before.texts.count : 0;
    d->originals = now.originals.data;
    status = draw(d, now.texts.data, now.texts.count, context);
  }
  d->tints = saved_tints;
  d->last = saved_last;
  d->last_count = saved_count;
  d->originals = NULL;
  alea_mem_free(d->mem, tints, tints != NULL ? now.texts.count * sizeof *tints : 0);
  alea_board_fluents_clear(&before);
  alea_board_fluents_clear(&now);
  return status;
}

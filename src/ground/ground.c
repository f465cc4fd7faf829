/* Grounding from end to end, and the ground program as a thing. */
#include "ground/ground.h"

#include <string.h>

#include "ground/work.h"

/* ---- taking over the rules ---- */

static bool copy_symbols(work *w, const alea_symbols *from) {
  for (size_t i = 0; i < alea_symbols_count(from); i++) {
    const char *name = alea_symbols_spelling(from, (alea_symbol)i);
    if (alea_symbols_add(w->symbols, name, strlen(name)) != i) return false;
  }
  return true;
}

static bool copy_rule(work *w, const alea_program *program, const alea_rule *rule) {
  const alea_rule_node *head = &program->nodes.data[rule->head];
  wrule r = {.head = rule->head,
             .head_pred = work_pred(w, head->name, head->arg_count),
             .first = (uint32_t)w->lits.count,
             .count = rule->literal_count,
             .variable_count = rule->variable_count,
             .line = rule->line,
             .column = rule->column};
  if (r.head_pred == NO_ID) return false;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *l = &program->literals.data[rule->first_literal + i];
    wlit lit = {l->kind, NO_ID, l->atom, l->other};
    if (l->kind != ALEA_LITERAL_DISTINCT) {
      const alea_rule_node *atom = &program->nodes.data[l->atom];
      lit.pred = work_pred(w, atom->name, atom->arg_count);
      if (lit.pred == NO_ID) return false;
    }
    if (!alea_vec_push(w->mem, &w->lits, lit)) return false;
  }
  return alea_vec_push(w->mem, &w->rules, r);
}

static bool copy_program(work *w, const alea_program *program) {
  if (!copy_symbols(w, program->symbols)) return false;
  for (size_t i = 0; i < program->nodes.count; i++)
    if (!alea_vec_push(w->mem, &w->nodes, program->nodes.data[i])) return false;
  for (size_t i = 0; i < program->children.count; i++)
    if (!alea_vec_push(w->mem, &w->children, program->children.data[i])) return false;
  for (size_t i = 0; i < program->rules.count; i++)
    if (!copy_rule(w, program, &program->rules.data[i])) return false;
  for (size_t i = 0; i < program->roles.count; i++) {
    if (!alea_vec_push(w->mem, &w->roles, program->roles.data[i])) return false;
    if (alea_terms_constant(w->terms, program->roles.data[i]) == ALEA_NO_TERM) return false;
  }
  /* The words of play exist as predicates even where no rule mentions them. */
  return work_pred(w, ALEA_SYM_TRUE, 1) != NO_ID && work_pred(w, ALEA_SYM_DOES, 2) != NO_ID &&
         work_pred(w, ALEA_SYM_LEGAL, 2) != NO_ID && work_pred(w, ALEA_SYM_NEXT, 1) != NO_ID &&
         work_pred(w, ALEA_SYM_GOAL, 2) != NO_ID && work_pred(w, ALEA_SYM_SEES, 2) != NO_ID &&
         work_pred(w, ALEA_SYM_TERMINAL, 0) != NO_ID && work_pred(w, ALEA_SYM_INIT, 1) != NO_ID;
}

static void clear_indexes(work *w) {
  for (size_t i = 0; i < w->indexes.count; i++) {
    findex *index = &w->indexes.data[i];
    alea_vec_clear(w->mem, &index->entries);
    alea_mem_free(w->mem, index->slots, index->slot_count * sizeof *index->slots);
  }
  alea_vec_clear(w->mem, &w->indexes);
}

/* What only the evaluation needs; the rest may be large in its turn. */
static void clear_evaluation(work *w) {
  clear_indexes(w);
  alea_vec_clear(w->mem, &w->match_ops);
  alea_vec_clear(w->mem, &w->build_ops);
  alea_vec_clear(w->mem, &w->steps);
  alea_vec_clear(w->mem, &w->plans);
  alea_vec_clear(w->mem, &w->by_stratum);
  alea_vec_clear(w->mem, &w->seen);
  alea_vec_clear(w->mem, &w->agenda);
  alea_vec_clear(w->mem, &w->later);
  alea_vec_clear(w->mem, &w->chain);
  alea_vec_clear(w->mem, &w->passed);
  alea_vec_clear(w->mem, &w->bindings);
  alea_vec_clear(w->mem, &w->registers);
  alea_vec_clear(w->mem, &w->stack);
}

static void clear_work(work *w) {
  clear_evaluation(w);
  for (size_t p = 0; p < w->preds.count; p++) {
    pred *q = &w->preds.data[p];
    alea_vec_clear(w->mem, &q->rules);
    alea_vec_clear(w->mem, &q->atoms);
    alea_vec_clear(w->mem, &q->plans);
    alea_vec_clear(w->mem, &q->indexes);
    work_free_dense(w, (uint32_t)p);
    alea_mem_free(w->mem, q->distinct, q->arity * sizeof *q->distinct);
  }
  alea_vec_clear(w->mem, &w->preds);
  alea_hash_map_clear(&w->pred_map, w->mem);
  alea_vec_clear(w->mem, &w->nodes);
  alea_vec_clear(w->mem, &w->children);
  alea_vec_clear(w->mem, &w->lits);
  alea_vec_clear(w->mem, &w->rules);
  alea_vec_clear(w->mem, &w->roles);
  alea_vec_clear(w->mem, &w->ranks);
  alea_vec_clear(w->mem, &w->flags);
  alea_vec_clear(w->mem, &w->instances);
  alea_terms_free(w->terms);
  alea_symbols_free(w->symbols);
}

static alea_status evaluate(work *w) {
  w->range_name = work_fresh_symbol(w, "range");
  if (w->range_name == ALEA_NO_SYMBOL) return work_no_memory(w);
  alea_status status = work_analyse(w);
  if (status == ALEA_OK && !w->plain) {
    status = work_split(w);
    if (status == ALEA_OK) status = work_analyse(w);
  }
  if (status == ALEA_OK) status = work_run_static(w);
  if (status == ALEA_OK) status = work_demand(w);
  if (status == ALEA_OK) status = work_run_dynamic(w);
  return status;
}

/* ---- the ground program ---- */

static alea_status make_ground(work *w, const alea_program *program, alea_ground **ground) {
  alea_ground *g = alea_mem_zalloc(w->mem, sizeof *g);
  if (g == NULL) return work_no_memory(w);
  g->mem = w->mem;
  g->random_role = program->random_role;
  g->has_sees = program->has_sees;
  g->role_count = (uint32_t)w->roles.count;
  g->roles = alea_mem_calloc(w->mem, g->role_count, sizeof *g->roles);
  alea_status status = g->roles == NULL ? work_no_memory(w) : ALEA_OK;
  if (status == ALEA_OK) {
    memcpy(g->roles, w->roles.data, g->role_count * sizeof *g->roles);
    status = work_finish(w, g);
  }
  if (status != ALEA_OK) {
    alea_ground_free(g);
    return status;
  }
  g->terms = w->terms;
  g->symbols = w->symbols;
  w->terms = NULL;
  w->symbols = NULL;
  *ground = g;
  return ALEA_OK;
}

alea_status alea_ground_new(alea_ground **ground, struct alea_program *program,
                            const alea_ground_options *options, alea_mem *mem, alea_diag *diag) {
  *ground = NULL;
  work w = {.mem = mem, .diag = diag, .file = program->file};
  w.deadline = options != NULL ? options->deadline : NULL;
  w.plain = options != NULL && options->plain;
  w.max_instances =
      options != NULL && options->max_instances != 0 ? options->max_instances : 50000000;
  w.symbols = alea_symbols_new(mem);
  w.terms = w.symbols != NULL ? alea_terms_new(w.symbols, mem) : NULL;
  alea_status status =
      w.terms == NULL || !copy_program(&w, program) ? work_no_memory(&w) : evaluate(&w);
  if (status == ALEA_OK) {
    clear_evaluation(&w);
    status = make_ground(&w, program, ground);
  }
  clear_work(&w);
  return status;
}

void alea_ground_free(alea_ground *g) {
  if (g == NULL) return;
  alea_mem *mem = g->mem;
  alea_mem_free(mem, g->roles, g->role_count * sizeof *g->roles);
  alea_mem_free(mem, g->fluents, g->fluent_count * sizeof *g->fluents);
  alea_mem_free(mem, g->init, g->fluent_count * sizeof *g->init);
  alea_mem_free(mem, g->next, g->fluent_count * sizeof *g->next);
  alea_mem_free(mem, g->moves, g->move_count * sizeof *g->moves);
  alea_mem_free(mem, g->move_first, (g->role_count + 1) * sizeof *g->move_first);
  alea_mem_free(mem, g->legal, g->move_count * sizeof *g->legal);
  alea_mem_free(mem, g->atom_terms, g->atom_count * sizeof *g->atom_terms);
  alea_vec_clear(mem, &g->rules);
  alea_vec_clear(mem, &g->lits);
  alea_vec_clear(mem, &g->goals);
  alea_vec_clear(mem, &g->percepts);
  alea_vec_clear(mem, &g->sees);
  alea_terms_free(g->terms);
  alea_symbols_free(g->symbols);
  alea_mem_free(mem, g, sizeof *g);
}

/* ---- printing ---- */

static void print_atom(const alea_ground *g, alea_atom atom, alea_text *out) {
  if (g->atom_terms[atom] != ALEA_NO_TERM) {
    alea_terms_print(g->terms, g->atom_terms[atom], true, out);
  } else {
    alea_text_format(out, "aux-%u", atom);
  }
}

static void print_literal(const alea_ground *g, alea_glit lit, alea_text *out) {
  if (lit & 1) alea_text_put(out, "(not ");
  print_atom(g, lit / 2, out);
  if (lit & 1) alea_text_char(out, ')');
}

/* A root that is not an atom of its own: constant true. */
static void print_constant(const alea_ground *g, alea_glit lit, const char *before, alea_term term,
                           const char *after, alea_text *out) {
  if (lit != ALEA_GLIT_TRUE) return;
  alea_text_put(out, before);
  alea_terms_print(g->terms, term, true, out);
  alea_text_put(out, after);
}

static void print_constants(const alea_ground *g, alea_text *out) {
  for (uint32_t i = 0; i < g->fluent_count; i++)
    print_constant(g, g->next[i], "(next ", g->fluents[i], ")\n", out);
  for (uint32_t r = 0; r < g->role_count; r++) {
    const char *role = alea_symbols_spelling(g->symbols, g->roles[r]);
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++) {
      if (g->legal[m] != ALEA_GLIT_TRUE) continue;
      alea_text_format(out, "(legal %s ", role);
      alea_terms_print(g->terms, g->moves[m], true, out);
      alea_text_put(out, ")\n");
    }
  }
  if (g->terminal == ALEA_GLIT_TRUE) alea_text_put(out, "terminal\n");
  for (size_t i = 0; i < g->goals.count; i++)
    if (g->goals.data[i].lit == ALEA_GLIT_TRUE)
      alea_text_format(out, "(goal %s %d)\n",
                       alea_symbols_spelling(g->symbols, g->roles[g->goals.data[i].role]),
                       g->goals.data[i].value);
}

void alea_ground_print(const alea_ground *g, alea_text *out) {
  for (uint32_t r = 0; r < g->role_count; r++)
    alea_text_format(out, "(role %s)\n", alea_symbols_spelling(g->symbols, g->roles[r]));
  for (uint32_t i = 0; i < g->fluent_count; i++)
    print_constant(g, g->init[i] ? ALEA_GLIT_TRUE : ALEA_GLIT_FALSE, "(init ", g->fluents[i], ")\n",
                   out);
  print_constants(g, out);
  for (size_t i = 0; i < g->rules.count; i++) {
    const alea_ground_rule *rule = &g->rules.data[i];
    alea_text_put(out, "(<= ");
    print_atom(g, rule->head, out);
    for (uint32_t k = 0; k < rule->lit_count; k++) {
      alea_text_char(out, ' ');
      print_literal(g, g->lits.data[rule->first_lit + k], out);
    }
    alea_text_put(out, ")\n");
  }
}

/* Compiling: circuits as the rules of a ground program. */
#include <string.h>

#include "toss/maker.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_maker maker;
typedef alea_toss_lit lit_t;
typedef alea_toss_lits lits;
typedef alea_toss_roots roots;
typedef alea_toss_goal goal;

static alea_term term_of(maker *m, const char *text) {
  alea_term term = alea_terms_parse(m->ground->terms, text, NULL);
  if (term == ALEA_NO_TERM) alea_toss_maker_lack(m);
  return term;
}

static void put_key(const maker *m, const uint32_t *key, uint32_t length, alea_text *out) {
  if (length > 1) alea_text_char(out, '(');
  alea_toss_folded(alea_toss_text(m->file, key[0]), true, out);
  for (uint32_t i = 1; i < length; i++) {
    alea_text_char(out, ' ');
    alea_toss_element_text(m->file, key[i], true, out);
  }
  if (length > 1) alea_text_char(out, ')');
}

/* Judged moves are `(judged 2 (mark b2))`, with the number of the verdict. */
static alea_term key_term(maker *m, uint32_t space, uint32_t id) {
  uint32_t key[2 + ALEA_TOSS_MOST_SIDE + ALEA_TOSS_MOST_ARITY];
  uint32_t length = alea_toss_ids_key(m->ids, space, id, key, sizeof key / sizeof *key);
  alea_text text;
  alea_text_init(&text, m->mem);
  if (key[0] == ALEA_TOSS_KEY_LOCATION) {
    alea_text_format(&text, "(location %u)", m->file->locations.data[key[1]].number);
  } else if (key[0] == ALEA_TOSS_KEY_NOOP) {
    alea_text_put(&text, "noop");
  } else if (key[0] == ALEA_TOSS_KEY_CHANCE) {
    alea_text_format(&text, "(chance %u)", key[1]);
  } else if (space == 0) {
    key[0] = m->file->relations.data[key[0]].name;
    put_key(m, key, length, &text);
  } else if (m->judge.evaluation == NULL) {
    put_key(m, key, length, &text);
  } else {
    alea_text_format(&text, "(judged %u ", key[length - 1]);
    put_key(m, key, length - 1, &text);
    alea_text_char(&text, ')');
  }
  alea_term term = term_of(m, alea_text_string(&text));
  alea_text_clear(&text);
  return term;
}

static alea_glit glit(const maker *m, lit_t lit) {
  return (m->atoms[lit / 2] * 2) ^ ((lit & 1) ^ m->flipped[lit / 2]);
}

static void add_rule(maker *m, alea_atom head, const lit_t *body, uint32_t count, bool flip) {
  alea_ground *g = m->ground;
  alea_ground_rule rule = {head, (uint32_t)g->lits.count, count};
  if (!alea_vec_push(m->mem, &g->rules, rule)) alea_toss_maker_lack(m);
  for (uint32_t i = 0; i < count; i++) {
    if (!alea_vec_push(m->mem, &g->lits, glit(m, body[i] ^ flip))) alea_toss_maker_lack(m);
  }
}

/* A gate that is mostly used negated is written as the equivalent or. */
static void number_gates(maker *m, const roots *r) {
  const alea_toss_circuit *c = &m->circuit;
  size_t count = c->gates.count;
  uint32_t *uses = alea_mem_calloc(m->mem, count * 2, sizeof *uses);
  if (uses == NULL) {
    alea_toss_maker_lack(m);
    return;
  }
  for (size_t i = 0; i < r->next.count; i++) uses[r->next.data[i]]++;
  for (size_t p = 0; p < m->roles; p++) {
    for (size_t i = 0; i < r->legal[p].count; i++) uses[r->legal[p].data[i]]++;
  }
  for (size_t i = 0; i < r->goals.count; i++) uses[r->goals.data[i].lit]++;
  uses[r->terminal]++;
  for (size_t node = count; node-- > 1;) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (uses[node * 2] + uses[node * 2 + 1] == 0) continue;
    m->flipped[node] = gate->count != 0 && uses[node * 2 + 1] > uses[node * 2];
    for (uint32_t i = 0; i < gate->count; i++) {
      uses[c->inputs.data[gate->first + i] ^ m->flipped[node]]++;
    }
  }
  for (uint32_t node = 1; node < count && m->status == ALEA_OK; node++) {
    const alea_toss_gate *gate = &c->gates.data[node];
    if (gate->count == 0 || uses[node * 2] + uses[node * 2 + 1] == 0) continue;
    const lit_t *body = c->inputs.data + gate->first;
    alea_atom atom = m->atoms[node] = m->ground->atom_count++;
    if (!m->flipped[node]) add_rule(m, atom, body, gate->count, false);
    for (uint32_t i = 0; m->flipped[node] && i < gate->count; i++) {
      add_rule(m, atom, body + i, 1, true);
    }
  }
  alea_mem_free(m->mem, uses, count * 2 * sizeof *uses);
}

static bool allocate(maker *m, uint32_t fluents, uint32_t moves) {
  alea_ground *g = m->ground;
  g->role_count = m->roles;
  g->fluent_count = fluents;
  g->move_count = moves;
  g->roles = alea_mem_calloc(m->mem, m->roles, sizeof *g->roles);
  g->fluents = alea_mem_calloc(m->mem, fluents, sizeof *g->fluents);
  g->init = alea_mem_calloc(m->mem, fluents, sizeof *g->init);
  g->next = alea_mem_calloc(m->mem, fluents, sizeof *g->next);
  g->moves = alea_mem_calloc(m->mem, moves, sizeof *g->moves);
  g->move_first = alea_mem_calloc(m->mem, m->roles + 1, sizeof *g->move_first);
  g->legal = alea_mem_calloc(m->mem, moves, sizeof *g->legal);
  return g->roles != NULL && g->fluents != NULL && g->init != NULL && g->next != NULL &&
         g->moves != NULL && g->move_first != NULL && g->legal != NULL;
}

static void fill_roles(maker *m) {
  alea_ground *g = m->ground;
  g->random_role = m->roles > m->players ? (int)m->players : -1;
  for (uint32_t p = 0; p < m->roles; p++) {
    const char *name =
        p < m->players ? alea_toss_text(m->file, m->file->players.data[p]) : "random";
    g->roles[p] = alea_symbols_add(g->symbols, name, strlen(name));
    if (g->roles[p] == ALEA_NO_SYMBOL) alea_toss_maker_lack(m);
  }
}

static void fill_leaves(maker *m, const lits *leaves) {
  alea_ground *g = m->ground;
  for (uint32_t f = 0; f < g->fluent_count && m->status == ALEA_OK; f++) {
    uint32_t key[1 + ALEA_TOSS_MOST_ARITY];
    alea_toss_ids_key(m->ids, 0, f, key, 1 + ALEA_TOSS_MOST_ARITY);
    g->fluents[f] = key_term(m, 0, f);
    g->init[f] = key[0] == ALEA_TOSS_KEY_LOCATION
                     ? key[1] == 0
                     : alea_toss_structure_has(m->rules->start, key[0], key + 1);
    m->atoms[leaves->data[f] / 2] = 1 + f;
  }
  uint32_t at = 0;
  for (uint32_t p = 0; p < m->roles; p++) {
    g->move_first[p] = at;
    for (uint32_t i = 0; i < m->moves[p].count && m->status == ALEA_OK; i++, at++) {
      g->moves[at] = key_term(m, 1 + p, i);
      m->atoms[m->moves[p].data[i] / 2] = 1 + g->fluent_count + at;
    }
  }
  g->move_first[m->roles] = at;
  g->atom_count = 1 + g->fluent_count + g->move_count;
}

static void fill_roots(maker *m, const roots *r) {
  alea_ground *g = m->ground;
  for (uint32_t f = 0; f < g->fluent_count; f++) g->next[f] = glit(m, r->next.data[f]);
  for (uint32_t p = 0; p < m->roles; p++) {
    for (uint32_t i = 0; i < m->moves[p].count; i++) {
      lit_t lit = i < r->legal[p].count ? r->legal[p].data[i] : ALEA_TOSS_LIT_FALSE;
      g->legal[g->move_first[p] + i] = glit(m, lit);
    }
  }
  g->terminal = glit(m, r->terminal);
  for (size_t i = 0; i < r->goals.count; i++) {
    const goal *x = &r->goals.data[i];
    alea_ground_goal made = {x->role, x->value, glit(m, x->lit)};
    if (!alea_vec_push(m->mem, &g->goals, made)) alea_toss_maker_lack(m);
  }
}

/* Fluents and moves keep their names in ground GDL; gates are auxiliary. */
static void name_atoms(maker *m) {
  alea_ground *g = m->ground;
  g->atom_terms = alea_mem_alloc(m->mem, g->atom_count * sizeof *g->atom_terms);
  alea_symbol holds = alea_symbols_add(g->symbols, "true", 4);
  alea_symbol does = alea_symbols_add(g->symbols, "does", 4);
  if (g->atom_terms == NULL || holds == ALEA_NO_SYMBOL || does == ALEA_NO_SYMBOL) {
    alea_toss_maker_lack(m);
    return;
  }
  for (uint32_t i = 0; i < g->atom_count; i++) g->atom_terms[i] = ALEA_NO_TERM;
  for (uint32_t f = 0; f < g->fluent_count; f++) {
    g->atom_terms[1 + f] = alea_terms_list(g->terms, holds, &g->fluents[f], 1);
  }
  for (uint32_t p = 0; p < m->roles; p++) {
    for (uint32_t i = g->move_first[p]; i < g->move_first[p + 1]; i++) {
      alea_term args[2] = {alea_terms_constant(g->terms, g->roles[p]), g->moves[i]};
      g->atom_terms[1 + g->fluent_count + i] = alea_terms_list(g->terms, does, args, 2);
    }
  }
}

void alea_toss_maker_write(maker *m, const roots *r, const lits *leaves) {
  size_t nodes = m->circuit.gates.count;
  uint32_t moves = 0;
  for (uint32_t p = 0; p < m->roles; p++) moves += (uint32_t)m->moves[p].count;
  m->ground = alea_mem_zalloc(m->mem, sizeof *m->ground);
  m->atoms = alea_mem_calloc(m->mem, nodes, sizeof *m->atoms);
  m->flipped = alea_mem_zalloc(m->mem, nodes);
  if (m->ground == NULL || m->atoms == NULL || m->flipped == NULL) {
    alea_toss_maker_lack(m);
    return;
  }
  alea_ground *g = m->ground;
  g->mem = m->mem;
  g->symbols = alea_symbols_new(m->mem);
  g->terms = g->symbols != NULL ? alea_terms_new(g->symbols, m->mem) : NULL;
  if (g->terms == NULL || !allocate(m, (uint32_t)leaves->count, moves)) alea_toss_maker_lack(m);
  if (m->status == ALEA_OK) fill_roles(m);
  if (m->status == ALEA_OK) fill_leaves(m, leaves);
  if (m->status == ALEA_OK) number_gates(m, r);
  if (m->status == ALEA_OK) fill_roots(m, r);
  if (m->status == ALEA_OK) name_atoms(m);
}

/* Decision lists as games, and games as text. */
#include <math.h>
#include <string.h>

#include "toss/construction.h"

#define NONE ALEA_TOSS_NONE

typedef alea_toss_construction construction_t;

/* ---- formulas of the evaluation ---- */

/* Translates the nodes of a formula, from the inside; recursion is bounded by
 * ALEA_TOSS_DEEPEST. */
typedef struct list_maker {
  construction_t *c;
  const alea_toss_file *file;
  uint32_t bound[ALEA_TOSS_MOST_SIDE], count; /* names of variables in scope */
  alea_status status;
} list_maker;

static uint32_t make(list_maker *m, alea_toss_production_kind kind, const uint32_t *operands,
                     uint32_t count) {
  uint32_t made = 0;
  alea_toss_production q = {.kind = kind, .count = count};
  if (m->status != ALEA_OK) return 0;
  memcpy(q.operands, operands, count * sizeof *operands);
  m->status = alea_toss_construct(m->c, &q, &made);
  return made;
}

static uint32_t variable_of(list_maker *m, uint32_t name) {
  for (uint32_t i = m->count; i-- > 0;) {
    if (m->bound[i] == name) return i;
  }
  m->status = ALEA_UNSUPPORTED;
  return 0;
}

static uint32_t translate(list_maker *m, uint32_t id);

static uint32_t translate_bound(list_maker *m, const alea_toss_node *node) {
  if (node->sort != ALEA_TOSS_ELEMENT || m->count == ALEA_TOSS_MOST_SIDE) {
    m->status = ALEA_UNSUPPORTED;
    return 0;
  }
  uint32_t variable = m->count;
  m->bound[m->count++] = node->name;
  uint32_t body = translate(m, m->file->kids.data[node->first]);
  m->count--;
  bool exists = node->kind == ALEA_TOSS_EXISTS;
  return make(m, exists ? ALEA_TOSS_MAKE_EXISTS : ALEA_TOSS_MAKE_FORALL,
              (uint32_t[]){variable, body}, 2);
}

static uint32_t translate_atom(list_maker *m, const alea_toss_node *node) {
  uint32_t operands[1 + ALEA_TOSS_MOST_ARITY] = {node->target};
  for (uint32_t i = 0; i < node->count; i++) {
    operands[1 + i] = variable_of(m, m->file->kids.data[node->first + i]);
  }
  return make(m, ALEA_TOSS_MAKE_ATOM, operands, 1 + node->count);
}

static uint32_t translate(list_maker *m, uint32_t id) {
  const alea_toss_node *node = &m->file->nodes.data[id];
  const uint32_t *kids = m->file->kids.data + node->first;
  uint32_t made;
  if (m->status != ALEA_OK) return 0;
  switch (node->kind) {
    case ALEA_TOSS_TRUE: return make(m, ALEA_TOSS_MAKE_TRUE, kids, 0);
    case ALEA_TOSS_FALSE:
      made = make(m, ALEA_TOSS_MAKE_TRUE, kids, 0);
      return make(m, ALEA_TOSS_MAKE_NOT, &made, 1);
    case ALEA_TOSS_REL: return translate_atom(m, node);
    case ALEA_TOSS_EQUAL:
      return make(m, ALEA_TOSS_MAKE_EQUAL,
                  (uint32_t[]){variable_of(m, kids[0]), variable_of(m, kids[1])}, 2);
    case ALEA_TOSS_NOT: made = translate(m, kids[0]); return make(m, ALEA_TOSS_MAKE_NOT, &made, 1);
    case ALEA_TOSS_AND:
    case ALEA_TOSS_OR:
      made = translate(m, kids[0]);
      for (uint32_t i = 1; i < node->count; i++) {
        uint32_t next = translate(m, kids[i]);
        made = make(m, node->kind == ALEA_TOSS_AND ? ALEA_TOSS_MAKE_AND : ALEA_TOSS_MAKE_OR,
                    (uint32_t[]){made, next}, 2);
      }
      return made;
    case ALEA_TOSS_EXISTS:
    case ALEA_TOSS_FORALL: return translate_bound(m, node);
    default: m->status = ALEA_UNSUPPORTED; return 0;
  }
}

/* ---- the list ---- */

/* An end with payoffs of 0 to 1, which are scaled to the range of the game. */
static uint32_t make_end(list_maker *m, const double *payoffs) {
  const alea_toss_game *g = m->c->evaluation->game;
  uint32_t terms[ALEA_TOSS_MOST_PLAYERS];
  for (uint32_t p = 0; p < g->player_count; p++) {
    alea_toss_production q = {.kind = ALEA_TOSS_MAKE_NUMBER};
    q.number = g->file->least + payoffs[p] * (g->file->most - g->file->least);
    if (m->status == ALEA_OK) m->status = alea_toss_construct(m->c, &q, &terms[p]);
  }
  return m->status == ALEA_OK ? make(m, ALEA_TOSS_MAKE_END, terms, g->player_count) : 0;
}

/* Probabilities as weights that add up to MOST_WEIGHT: rounded, and the rest given
 * to the likeliest. */
static void find_weights(const alea_toss_verdict *v, uint32_t *weights) {
  uint32_t total = 0, likeliest = 0;
  for (uint32_t i = 0; i < v->outcome_count; i++) {
    weights[i] = (uint32_t)lround(v->outcomes[i].probability * ALEA_TOSS_MOST_WEIGHT);
    total += weights[i];
    if (weights[i] > weights[likeliest]) likeliest = i;
  }
  weights[likeliest] += ALEA_TOSS_MOST_WEIGHT - total;
}

static uint32_t make_chance(list_maker *m, const alea_toss_verdict *v) {
  uint32_t weights[ALEA_TOSS_MOST_OUTCOMES] = {0}, operands[2 * ALEA_TOSS_MOST_OUTCOMES], count = 0;
  find_weights(v, weights);
  for (uint32_t i = 0; i < v->outcome_count; i++) {
    if (weights[i] == 0) continue;
    operands[count++] = make_end(m, v->outcomes[i].payoffs);
    operands[count++] = weights[i];
  }
  return make(m, ALEA_TOSS_MAKE_CHANCE, operands, count);
}

/* "If the formula holds the chance of this verdict, else the rest of the list."
 * One of the two is always possible, so the player has no choice. */
static uint32_t make_case(list_maker *m, const alea_toss_verdict *v, uint32_t none, uint32_t rest) {
  uint32_t holds = translate(m, v->node), chance = make_chance(m, v);
  uint32_t fails = make(m, ALEA_TOSS_MAKE_NOT, &holds, 1);
  uint32_t operands[] = {0, none, NONE, NONE, holds, chance, NONE, NONE, fails, rest};
  return make(m, ALEA_TOSS_MAKE_CHOICE, operands, sizeof operands / sizeof *operands);
}

alea_status alea_toss_construct_list(construction_t *c, uint32_t location, uint32_t *game) {
  const alea_toss_evaluation *e = c->evaluation;
  list_maker m = {.c = c, .file = e->file};
  double even[ALEA_TOSS_MOST_PLAYERS];
  for (uint32_t p = 0; p < e->game->player_count; p++) even[p] = 0.5;
  uint32_t none = make_end(&m, even);
  *game = none;
  for (size_t i = e->verdicts.count; i-- > 0 && m.status == ALEA_OK;) {
    const alea_toss_verdict *v = &e->verdicts.data[i];
    if (v->location != location) continue;
    if (v->kind != ALEA_TOSS_OUTCOMES) return ALEA_UNSUPPORTED;
    *game = make_case(&m, v, none, *game);
  }
  return m.status;
}

/* ---- printing ---- */

typedef ALEA_VEC(uint32_t) vertex_list;

static void put_shape(const construction_t *c, uint32_t structure, alea_text *out) {
  const alea_toss_file *f = c->evaluation->file;
  alea_toss_shape point = {.elements = 1};
  const alea_toss_shape *s = structure != NONE ? &c->structures.data[structure] : &point;
  alea_text_char(out, '[');
  for (uint32_t i = 0; i < s->elements; i++) alea_text_format(out, i == 0 ? "v%u" : ", v%u", i);
  alea_text_put(out, " |");
  for (uint32_t i = 0; i < s->tuple_count; i++) {
    const alea_toss_shape_tuple *t = &c->tuples.data[s->first_tuple + i];
    alea_text_format(out, "%s %s(", i == 0 ? "" : ";",
                     alea_toss_text(f, f->relations.data[t->relation].name));
    for (uint32_t k = 0; k < t->arity; k++) {
      alea_text_format(out, k == 0 ? "v%u" : ", v%u", t->elements[k]);
    }
    alea_text_char(out, ')');
  }
  alea_text_put(out, " | ]");
}

static uint32_t number_of(const vertex_list *list, uint32_t vertex) {
  uint32_t i = 0;
  while (i < list->count && list->data[i] != vertex) i++;
  return i;
}

static bool collect(const construction_t *c, uint32_t root, vertex_list *list) {
  if (!alea_vec_push(c->mem, list, root)) return false;
  for (size_t at = 0; at < list->count; at++) {
    const alea_toss_vertex *v = &c->vertices.data[list->data[at]];
    for (uint32_t i = v->first_option; i < v->first_option + v->option_count; i++) {
      const alea_toss_option *o = &c->options.data[i];
      for (uint32_t k = o->first_target; k < o->first_target + o->target_count; k++) {
        uint32_t vertex = c->targets.data[k].vertex;
        if (number_of(list, vertex) < list->count) continue;
        if (!alea_vec_push(c->mem, list, vertex)) return false;
      }
    }
  }
  return true;
}

static void put_rules(const construction_t *c, const vertex_list *list, uint32_t at,
                      alea_text *out) {
  const alea_toss_vertex *v = &c->vertices.data[list->data[at]];
  for (uint32_t i = 0; i < v->option_count; i++) {
    const alea_toss_option *o = &c->options.data[v->first_option + i];
    alea_text_format(out, "RULE r%u_%u: ", at, i);
    put_shape(c, o->left, out);
    alea_text_put(out, " -> ");
    put_shape(c, o->right, out);
    if (o->formula != NONE) alea_text_format(out, " pre %s", c->formulas.data[o->formula].text);
    alea_text_char(out, '\n');
  }
}

static void put_moves(const construction_t *c, const vertex_list *list, uint32_t at,
                      alea_text *out) {
  const alea_toss_vertex *v = &c->vertices.data[list->data[at]];
  for (uint32_t i = 0; i < v->option_count; i++) {
    const alea_toss_option *o = &c->options.data[v->first_option + i];
    alea_text_format(out, "%s[r%u_%u%s ->", i == 0 ? " MOVES " : "; ", at, i,
                     o->left == NONE ? " all" : "");
    for (uint32_t k = 0; k < o->target_count; k++) {
      const alea_toss_aim *aim = &c->targets.data[o->first_target + k];
      alea_text_format(out, "%s %u", k == 0 ? "" : ",", number_of(list, aim->vertex));
      if (o->target_count > 1) alea_text_format(out, " : %u/%u", aim->weight, o->scale);
    }
    alea_text_char(out, ']');
  }
}

static void put_location(const construction_t *c, const vertex_list *list, uint32_t at,
                         alea_text *out) {
  const alea_toss_vertex *v = &c->vertices.data[list->data[at]];
  const alea_toss_file *f = c->evaluation->game->file;
  alea_text_format(out, "LOC %u {", at);
  for (uint32_t p = 0; p < f->players.count; p++) {
    alea_text_format(out, " PLAYER %s { PAYOFF %s", alea_toss_text(f, f->players.data[p]),
                     c->terms.data[v->payoffs[p]].text);
    if (p == v->player) put_moves(c, list, at, out);
    alea_text_put(out, " }");
  }
  alea_text_put(out, " }\n");
}

alea_status alea_toss_construction_print(const construction_t *c, uint32_t game, alea_text *out) {
  vertex_list list = {0};
  bool good = collect(c, c->games.data[game], &list);
  for (uint32_t i = 0; i < list.count && good; i++) put_rules(c, &list, i, out);
  for (uint32_t i = 0; i < list.count && good; i++) put_location(c, &list, i, out);
  alea_vec_clear(c->mem, &list);
  return good && !out->failed ? ALEA_OK : alea_mem_lack(c->mem);
}

alea_status alea_toss_evaluation_as_games(const alea_toss_evaluation *e, alea_text *out,
                                          alea_mem *mem) {
  const alea_toss_file *f = e->game->file;
  construction_t *c = alea_toss_construction_new(e, mem);
  alea_status status = c != NULL ? ALEA_OK : alea_mem_lack(mem);
  for (uint32_t l = 0; l < f->locations.count && status == ALEA_OK; l++) {
    bool judged = false;
    uint32_t game;
    for (size_t i = 0; i < e->verdicts.count; i++) judged |= e->verdicts.data[i].location == l;
    if (!judged) continue;
    status = alea_toss_construct_list(c, l, &game);
    alea_text_format(out, "GAME %u\n", f->locations.data[l].number);
    if (status == ALEA_OK) status = alea_toss_construction_print(c, game, out);
    alea_text_put(out, "END\n");
  }
  alea_toss_construction_free(c);
  return status;
}

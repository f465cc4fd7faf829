/* What a game is made of. */
#include "page/pictures.h"

#include <stdio.h>
#include <string.h>

#include "encode/services.h"
#include "page/table.h"

/* A picture of more than this is a blot. */
enum { MOST_NODES = 700, MOST_VARIABLES = 260, MOST_GENERATORS = 12, MOST_MOVED = 400 };
static const double part_seconds = 8;

/* ---- the network ---- */

/* The distance of each gate from fluents and moves; gates of a cycle count as one step.
 * Inputs have smaller numbers except within a cycle. */
static alea_u32s find_levels(const alea_net *net, alea_mem *mem, bool *good) {
  alea_u32s levels = {0};
  for (uint32_t n = 0; n < net->first_gate; n++) *good = *good && alea_vec_push(mem, &levels, 0);
  for (uint32_t g = 0; *good && g < net->gate_count; g++) {
    const alea_net_gate *gate = &net->gates[g];
    uint32_t level = 0;
    for (uint32_t i = 0; i < gate->input_count; i++) {
      uint32_t from = net->inputs.data[gate->first_input + i] >> 1;
      if (from < levels.count && levels.data[from] > level) level = levels.data[from];
    }
    *good = alea_vec_push(mem, &levels, level + 1);
  }
  return levels;
}

static void put_level_counts(const alea_net *net, const alea_u32s *levels, alea_json *json) {
  uint32_t deepest = 0;
  for (size_t n = 0; n < levels->count; n++)
    if (levels->data[n] > deepest) deepest = levels->data[n];
  alea_json_key(json, "levels");
  alea_json_open(json, '[');
  for (uint32_t level = 1; level <= deepest; level++) {
    uint64_t gates = 0;
    for (size_t n = net->first_gate; n < levels->count; n++) gates += levels->data[n] == level;
    alea_json_count(json, gates);
  }
  alea_json_close(json, ']');
}

static void put_node(const char *kind, uint32_t level, const char *text, alea_json *json) {
  alea_json_open(json, '{');
  alea_json_put_string(json, "kind", kind);
  alea_json_put_count(json, "level", level);
  alea_json_put_string(json, "text", text);
  alea_json_close(json, '}');
}

static void put_edge(alea_lit from, uint64_t to, alea_json *json) {
  if (from >> 1 == 0) return; /* a constant */
  alea_json_open(json, '[');
  alea_json_count(json, from >> 1);
  alea_json_count(json, to);
  alea_json_count(json, from & 1);
  alea_json_close(json, ']');
}

/* What the network is for: a node behind all gates for each. */
typedef struct pictures_roots {
  alea_json *json;
  uint64_t next; /* the number of the next node */
  bool edges;    /* edges to them are put, in place of the nodes */
  uint32_t level;
} pictures_roots;

static void put_root(pictures_roots *roots, const char *kind, const char *text, alea_lit lit) {
  if (lit >> 1 == 0) return;
  if (roots->edges) {
    put_edge(lit, roots->next, roots->json);
  } else {
    put_node(kind, roots->level, text, roots->json);
  }
  roots->next++;
}

static void put_roots(pictures_roots *roots, const alea_net *net, alea_text *text) {
  for (uint32_t m = 0; m < net->move_count; m++)
    put_root(roots, "legal", net->move_spelling[m], net->legal[m]);
  for (uint32_t f = 0; f < net->fluent_count; f++)
    put_root(roots, "next", net->fluent_spelling[f], net->next[f]);
  for (size_t i = 0; i < net->goals.count; i++) {
    alea_text_truncate(text, 0);
    alea_text_format(text, "%s %d", net->role_spelling[net->goals.data[i].role],
                     net->goals.data[i].value);
    put_root(roots, "goal", alea_text_string(text), net->goals.data[i].lit);
  }
  put_root(roots, "terminal", "terminal", net->terminal);
}

static void put_nodes(const alea_net *net, const alea_u32s *levels, alea_text *text,
                      alea_json *json) {
  uint32_t deepest = 0;
  for (size_t n = 0; n < levels->count; n++)
    if (levels->data[n] > deepest) deepest = levels->data[n];
  pictures_roots roots = {json, levels->count, false, deepest + 1};
  alea_json_key(json, "nodes");
  alea_json_open(json, '[');
  put_node("constant", 0, "true", json);
  for (uint32_t f = 0; f < net->fluent_count; f++)
    put_node("fluent", 0, net->fluent_spelling[f], json);
  for (uint32_t m = 0; m < net->move_count; m++) put_node("move", 0, net->move_spelling[m], json);
  for (uint32_t g = 0; g < net->gate_count; g++)
    put_node(net->gates[g].kind == ALEA_GATE_AND ? "and" : "or", levels->data[net->first_gate + g],
             "", json);
  put_roots(&roots, net, text);
  alea_json_close(json, ']');
  alea_json_key(json, "edges");
  alea_json_open(json, '[');
  for (uint32_t g = 0; g < net->gate_count; g++)
    for (uint32_t i = 0; i < net->gates[g].input_count; i++)
      put_edge(net->inputs.data[net->gates[g].first_input + i], net->first_gate + g, json);
  roots = (pictures_roots){json, levels->count, true, 0};
  put_roots(&roots, net, text);
  alea_json_close(json, ']');
}

static alea_status put_network(alea_page_table *t, alea_json *json) {
  const alea_net *net = t->opened.net;
  bool good = true;
  alea_json_key(json, "network");
  if (net == NULL) {
    alea_json_null(json);
    return ALEA_OK;
  }
  alea_u32s levels = find_levels(net, &t->mem, &good);
  alea_json_open(json, '{');
  alea_json_put_count(json, "fluents", net->fluent_count);
  alea_json_put_count(json, "moves", net->move_count);
  alea_json_put_count(json, "gates", net->gate_count);
  put_level_counts(net, &levels, json);
  if (good && net->first_gate + net->gate_count <= MOST_NODES) {
    put_nodes(net, &levels, &t->text, json);
  } else {
    alea_json_key(json, "nodes");
    alea_json_null(json);
  }
  alea_json_close(json, '}');
  alea_vec_clear(&t->mem, &levels);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- constraints ---- */

static void put_constraints(alea_page_table *t, alea_json *json) {
  const alea_template *template = NULL;
  alea_status status = ALEA_UNSUPPORTED;
  static const alea_encoder encoders[] = {ALEA_ENCODER_PAPER, ALEA_ENCODER_GROUND};
  for (size_t i = 0; t->opened.services != NULL && i < 2 && status != ALEA_OK; i++) {
    alea_deadline deadline = alea_deadline_in(part_seconds);
    status = alea_services_template(t->opened.services, encoders[i], &deadline, &template);
  }
  alea_json_key(json, "constraints");
  if (status == ALEA_OK) {
    alea_template_json(template, MOST_VARIABLES, json);
  } else {
    alea_json_null(json);
  }
}

/* ---- symmetries ---- */

/* The fluents that a permutation moves, each with its image. */
static void put_generator(alea_page_table *t, const alea_game_symmetry *group,
                          const uint32_t *permutation, alea_json *json) {
  size_t moved = 0;
  alea_json_open(json, '[');
  for (uint32_t f = 0; f < group->group.fluent_count && moved < MOST_MOVED; f++) {
    if (permutation[f] == f) continue;
    alea_json_open(json, '[');
    for (int image = 0; image < 2; image++) {
      alea_text_truncate(&t->text, 0);
      alea_game_fluent_text(t->game, image ? permutation[f] : f, false, &t->text);
      alea_json_string(json, alea_text_string(&t->text));
    }
    alea_json_close(json, ']');
    moved++;
  }
  alea_json_close(json, ']');
}

static void put_symmetry(alea_page_table *t, alea_json *json) {
  const alea_game_symmetry *group = NULL;
  alea_deadline deadline = alea_deadline_in(part_seconds);
  alea_status status = ALEA_UNSUPPORTED;
  if (t->opened.services != NULL)
    status = alea_services_game_symmetry(t->opened.services, ALEA_SYMMETRY_GAME, &deadline, &group);
  alea_json_key(json, "symmetry");
  if (group == NULL || (status != ALEA_OK && status != ALEA_LIMIT)) {
    alea_json_null(json);
    return;
  }
  alea_json_open(json, '{');
  alea_json_put_real(json, "order", group->group.order);
  alea_json_put_bool(json, "complete", status == ALEA_OK);
  alea_json_put_count(json, "generator_count", group->group.generator_count);
  alea_json_key(json, "generators");
  alea_json_open(json, '[');
  for (uint32_t g = 0; g < group->group.generator_count && g < MOST_GENERATORS; g++)
    put_generator(t, group, alea_game_symmetry_generator(group, g), json);
  alea_json_close(json, ']');
  alea_json_close(json, '}');
}

int alea_page_pictures_run(int argc, char **argv) {
  alea_page_inbox quiet = {.count = 0}; /* nobody interrupts */
  alea_page_table t;
  alea_json json;
  (void)argc, (void)argv;
  json_t *wishes = json_loadf(stdin, 0, NULL);
  if (!json_is_object(wishes)) return ALEA_INPUT;
  alea_page_table_init(&t, &quiet);
  alea_status status = alea_page_table_open(&t, wishes);
  alea_json_start(&json, &t.line);
  alea_json_open(&json, '{');
  if (status == ALEA_OK) status = put_network(&t, &json);
  if (status == ALEA_OK) put_constraints(&t, &json);
  if (status == ALEA_OK) put_symmetry(&t, &json);
  alea_json_close(&json, '}');
  if (status == ALEA_OK && !t.line.failed)
    fwrite(alea_text_string(&t.line), 1, t.line.length, stdout);
  if (status != ALEA_OK) fprintf(stderr, "%s\n", alea_status_text(status));
  alea_page_table_clear(&t);
  return (int)status;
}

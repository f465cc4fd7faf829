/* Fluents that only count. */
#include "minimax/counting_fluents.h"

#include <string.h>

#include "propnet/propnet.h"

/* Nodes that something depends on, at any time to come. */
typedef struct reach {
  const alea_net *net;
  alea_mem *mem;
  uint8_t *seen; /* by node: 0, or the mark that it was first seen with */
  uint8_t mark;
  alea_u32s todo;
  bool failed;
} reach;

static void add(reach *r, alea_lit lit) {
  uint32_t node = lit >> 1;
  if (r->seen[node] != 0) return;
  r->seen[node] = r->mark;
  if (!alea_vec_push(r->mem, &r->todo, node)) r->failed = true;
}

/* What a node needs: a gate its inputs, a fluent what makes it true. */
static void follow(reach *r, uint32_t node) {
  const alea_net *net = r->net;
  if (node > 0 && node <= net->fluent_count) add(r, net->next[node - 1]);
  if (node < net->first_gate) return;
  alea_net_gate gate = net->gates[node - net->first_gate];
  for (uint32_t i = 0; i < gate.input_count; i++) add(r, net->inputs.data[gate.first_input + i]);
}

enum { NEEDED = 1, ONLY_FOR_THE_END };

static bool follow_all(reach *r) {
  while (r->todo.count > 0 && !r->failed) follow(r, r->todo.data[--r->todo.count]);
  return !r->failed;
}

/* What is legal and what the goals are depends on the one, whether it is the end alone on
 * the other. */
static bool mark_all(reach *r) {
  const alea_net *net = r->net;
  r->mark = NEEDED;
  for (uint32_t m = 0; m < net->move_count; m++) add(r, net->legal[m]);
  for (size_t i = 0; i < net->goals.count; i++) add(r, net->goals.data[i].lit);
  if (!follow_all(r)) return false;
  r->mark = ONLY_FOR_THE_END;
  add(r, net->terminal);
  return follow_all(r);
}

/* Whether the first position would be an end with this count. */
static alea_status is_last(const alea_counting_fluents *c, alea_cursor *cursor,
                           const uint64_t *first, uint64_t *words, uint32_t fluent, bool *last) {
  for (size_t w = 0; w < c->word_count; w++) words[w] = first[w] & ~c->words[w];
  if (fluent != ALEA_NO_FLUENT) words[fluent >> 6] |= UINT64_C(1) << (fluent & 63);
  alea_status status = alea_cursor_load(cursor, words, c->word_count);
  return status == ALEA_OK ? alea_cursor_terminal(cursor, last) : status;
}

static alea_status find_last(alea_counting_fluents *c, alea_cursor *cursor) {
  size_t size = c->word_count * sizeof(uint64_t);
  uint64_t *first = alea_mem_alloc(c->mem, size), *words = alea_mem_alloc(c->mem, size);
  bool last = false;
  size_t count;
  alea_status status = first == NULL || words == NULL ? alea_mem_lack(c->mem) : ALEA_OK;
  if (status == ALEA_OK) {
    memcpy(first, alea_cursor_state(cursor, &count), size);
    status = is_last(c, cursor, first, words, ALEA_NO_FLUENT, &last);
  }
  uint32_t end = last ? 0 : (uint32_t)(64 * c->word_count); /* it may be over without any */
  for (uint32_t f = 0; status == ALEA_OK && f < end && c->last == ALEA_NO_FLUENT; f++) {
    if ((c->words[f >> 6] >> (f & 63) & 1) == 0) continue;
    status = is_last(c, cursor, first, words, f, &last);
    if (last) c->last = f;
  }
  alea_mem_free(c->mem, first, size);
  alea_mem_free(c->mem, words, size);
  return status;
}

alea_status alea_counting_fluents_init(alea_counting_fluents *c, alea_cursor *cursor,
                                       alea_mem *mem) {
  const alea_net *net = alea_net_of_game(cursor->game);
  *c = (alea_counting_fluents){.mem = mem, .last = ALEA_NO_FLUENT};
  (void)alea_cursor_state(cursor, &c->word_count);
  c->words = alea_mem_calloc(mem, c->word_count, sizeof *c->words);
  size_t nodes = (size_t)net->first_gate + net->gate_count;
  reach r = {.net = net, .mem = mem, .seen = alea_mem_calloc(mem, nodes, 1)};
  bool good = c->words != NULL && r.seen != NULL && mark_all(&r);
  for (uint32_t f = 0; good && f < net->fluent_count; f++)
    if (r.seen[f + 1] == ONLY_FOR_THE_END) c->words[f >> 6] |= UINT64_C(1) << (f & 63);
  alea_mem_free(mem, r.seen, nodes);
  alea_vec_clear(mem, &r.todo);
  alea_status status = good ? alea_cursor_reset(cursor) : alea_mem_lack(mem);
  if (status == ALEA_OK) status = find_last(c, cursor);
  return status == ALEA_OK ? alea_cursor_reset(cursor) : status;
}

void alea_counting_fluents_clear(alea_counting_fluents *c) {
  if (c->mem == NULL) return;
  alea_mem_free(c->mem, c->words, c->word_count * sizeof *c->words);
  *c = (alea_counting_fluents){0};
}

void alea_counting_fluents_run_out(const alea_counting_fluents *c, const uint64_t *words,
                                   uint64_t *over) {
  for (size_t w = 0; w < c->word_count; w++) over[w] = words[w] & ~c->words[w];
  over[c->last >> 6] |= UINT64_C(1) << (c->last & 63);
}

/* Percepts of states on a device. */
#include "gpu/step_percepts.h"

#include <string.h>

typedef alea_lane_word word;

enum { WORDS = ALEA_LANES / 32 }; /* of the device, in a word of lanes */

struct alea_step_percepts {
  alea_mem *mem;
  const alea_lanes *lanes;
  size_t count, stride;
  alea_lanes_percepts *percepts;
  alea_step_copies copies;
  word *fluents, *moves; /* of the block at work */
};

static size_t fluents_of(const alea_step_percepts *p) { return p->lanes->net->fluent_count; }
static size_t moves_of(const alea_step_percepts *p) { return p->lanes->net->move_count; }

void alea_step_percepts_free(alea_step_percepts *p) {
  if (p == NULL) return;
  alea_mem *mem = p->mem;
  size_t line = p->stride * sizeof(uint32_t);
  alea_lanes_percepts_free(p->percepts);
  alea_mem_free(mem, p->copies.planes, fluents_of(p) * line);
  alea_mem_free(mem, p->copies.chosen, moves_of(p) * line);
  alea_mem_free(mem, p->copies.terminal, line);
  alea_mem_free(mem, p->copies.refused, line);
  alea_mem_free(mem, p->fluents, fluents_of(p) * sizeof(word));
  alea_mem_free(mem, p->moves, moves_of(p) * sizeof(word));
  alea_mem_free(mem, p, sizeof *p);
}

static bool allocate(alea_step_percepts *p) {
  size_t line = p->stride * sizeof(uint32_t);
  p->copies.planes = alea_mem_calloc(p->mem, fluents_of(p), line);
  p->copies.chosen = alea_mem_calloc(p->mem, moves_of(p), line);
  p->copies.terminal = alea_mem_calloc(p->mem, 1, line);
  p->copies.refused = alea_mem_calloc(p->mem, 1, line);
  p->fluents = alea_mem_calloc(p->mem, fluents_of(p), sizeof *p->fluents);
  p->moves = alea_mem_calloc(p->mem, moves_of(p), sizeof *p->moves);
  return p->copies.planes != NULL && p->copies.chosen != NULL && p->copies.terminal != NULL &&
         p->copies.refused != NULL && p->fluents != NULL && p->moves != NULL;
}

alea_status alea_step_percepts_new(alea_step_percepts **percepts, const alea_lanes *lanes,
                                   size_t count, size_t stride, alea_mem *mem) {
  *percepts = NULL;
  alea_step_percepts *p = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return alea_mem_lack(mem);
  p->mem = mem;
  p->lanes = lanes;
  p->count = count;
  p->stride = stride;
  alea_status status = allocate(p) ? ALEA_OK : alea_mem_lack(mem);
  if (status == ALEA_OK) status = alea_lanes_percepts_new(&p->percepts, lanes->net, count, mem);
  if (status == ALEA_OK)
    *percepts = p;
  else
    alea_step_percepts_free(p);
  return status;
}

const alea_step_copies *alea_step_percepts_room(const alea_step_percepts *p) { return &p->copies; }

/* Words of the device as one of lanes: bits are numbered alike, lower ones first. */
static void gather(word *to, const uint32_t *line) {
  for (uint32_t k = 0; k < ALEA_LANE_PARTS; k++)
    to->part[k] = line[2 * k] | (uint64_t)line[2 * k + 1] << 32;
}

static void note_block(alea_step_percepts *p, size_t block) {
  const alea_step_copies *c = &p->copies;
  size_t at = block * WORDS, left = p->count - block * ALEA_LANES;
  size_t lanes = left < ALEA_LANES ? left : ALEA_LANES;
  word moved = alea_lane_fill(false), stays;
  for (uint32_t i = 0; i < lanes; i++) alea_lane_set(&moved, i);
  gather(&stays, c->terminal + at);
  moved = alea_lane_andn(moved, stays);
  gather(&stays, c->refused + at);
  moved = alea_lane_andn(moved, stays);
  for (size_t f = 0; f < fluents_of(p); f++) gather(&p->fluents[f], c->planes + f * p->stride + at);
  for (size_t m = 0; m < moves_of(p); m++) gather(&p->moves[m], c->chosen + m * p->stride + at);
  alea_lanes_percepts_note(p->percepts, &p->lanes->general, p->fluents, p->moves, moved, lanes);
}

void alea_step_percepts_note(alea_step_percepts *p) {
  alea_lanes_percepts_begin(p->percepts);
  for (size_t block = 0; block * ALEA_LANES < p->count; block++) note_block(p, block);
}

alea_status alea_step_percepts_told(const alea_step_percepts *p, const uint64_t **first,
                                    const uint32_t **list) {
  return alea_lanes_percepts_told(p->percepts, first, list);
}

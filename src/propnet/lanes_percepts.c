/* Percepts of blocks of states. */
#include "propnet/lanes_percepts.h"

#include <string.h>

#include "propnet/lanes_eval.h"
#include "propnet/lanes_transpose.h"

typedef alea_lane_word word;

struct alea_lanes_percepts {
  alea_mem *mem;
  const alea_net *net;
  alea_lanes_program program; /* its goals are the percepts */
  alea_lane_block slots, tiles;
  uint64_t *rows;    /* of a block: [lane][word], a bit for each entry of net->percepts */
  size_t row_words;  /* words of a row */
  uint32_t *entries; /* per role and one more: its first entry */
  size_t count;      /* states times roles */
  uint64_t *first;   /* [count + 1] */
  size_t noted;      /* of 'first' */
  alea_u32s list;
  bool lacking; /* memory did not suffice for the list */
};

/* ---- the program ---- */

/* A network that has the percepts for its goals: the program for goals alone then is one
 * for percepts.  Where the goals read nothing but fluents, these read moves too. */
static alea_status compile(alea_lanes_percepts *p) {
  alea_net view = *p->net;
  memset(&view.goals, 0, sizeof view.goals);
  view.phase_end[ALEA_PHASE_NEXT] = view.phase_end[ALEA_PHASE_SEES];
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < p->net->percepts.count; i++) {
    const alea_net_percept *percept = &p->net->percepts.data[i];
    if (!alea_vec_push(p->mem, &view.goals,
                       ((alea_net_goal){.role = percept->role, .lit = percept->lit})))
      status = alea_mem_lack(p->mem);
  }
  /* As if all moves could be made at once: their ORs are then gates like others. */
  alea_lanes_tuning tuning = {.lanes = ALEA_LANES, .chosen = p->net->move_count + 1};
  if (status == ALEA_OK)
    status = alea_lanes_program_init(&p->program, &view, NULL, 0, NULL, ALEA_LANES_ONLY_GOALS,
                                     &tuning, p->mem);
  alea_vec_clear(p->mem, &view.goals);
  return status;
}

/* ---- the object ---- */

void alea_lanes_percepts_free(alea_lanes_percepts *p) {
  if (p == NULL) return;
  alea_mem *mem = p->mem;
  if (p->program.mem != NULL) alea_lanes_program_clear(&p->program);
  ALEA_LANES_FN(block_clear)(&p->slots, mem);
  ALEA_LANES_FN(block_clear)(&p->tiles, mem);
  alea_mem_free(mem, p->rows, ALEA_LANES * p->row_words * sizeof *p->rows);
  alea_mem_free(mem, p->entries, (p->net->role_count + 1) * sizeof *p->entries);
  alea_mem_free(mem, p->first, (p->count + 1) * sizeof *p->first);
  alea_vec_clear(mem, &p->list);
  alea_mem_free(mem, p, sizeof *p);
}

static bool allocate(alea_lanes_percepts *p) {
  p->rows = alea_mem_calloc(p->mem, ALEA_LANES, p->row_words * sizeof *p->rows);
  p->entries = alea_mem_calloc(p->mem, p->net->role_count + 1, sizeof *p->entries);
  p->first = alea_mem_calloc(p->mem, p->count + 1, sizeof *p->first);
  return p->rows != NULL && p->entries != NULL && p->first != NULL &&
         ALEA_LANES_FN(block_init)(&p->slots, p->program.slot_count, p->mem) &&
         ALEA_LANES_FN(block_init)(&p->tiles, 64 * p->row_words, p->mem);
}

alea_status alea_lanes_percepts_new(alea_lanes_percepts **percepts, const alea_net *net,
                                    size_t count, alea_mem *mem) {
  *percepts = NULL;
  alea_lanes_percepts *p = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return alea_mem_lack(mem);
  p->mem = mem;
  p->net = net;
  p->count = count * net->role_count;
  p->row_words = (net->percepts.count + 63) / 64;
  alea_status status = compile(p);
  if (status == ALEA_OK && !allocate(p)) status = alea_mem_lack(mem);
  if (status != ALEA_OK) {
    alea_lanes_percepts_free(p);
    return status;
  }
  p->slots.words[ALEA_LANES_TRUE_SLOT] = alea_lane_fill(true);
  for (size_t i = 0; i < net->percepts.count; i++) p->entries[net->percepts.data[i].role + 1]++;
  for (uint32_t r = 0; r < net->role_count; r++) p->entries[r + 1] += p->entries[r];
  *percepts = p;
  return ALEA_OK;
}

/* ---- a step ---- */

void alea_lanes_percepts_begin(alea_lanes_percepts *p) {
  p->noted = p->list.count = 0;
  p->lacking = false;
}

/* Position and moves into the slots.  A role that has but one move at this tick makes it,
 * and the picker does not enter it. */
static void enter(alea_lanes_percepts *p, const alea_lanes_program *program, const word *fluents,
                  const word *moves) {
  const alea_net *net = p->net;
  word *slots = p->slots.words + ALEA_LANES_FIRST_FLUENT, *made = slots + net->fluent_count;
  memcpy(slots, fluents, net->fluent_count * sizeof(word));
  memcpy(made, moves, net->move_count * sizeof(word));
  for (uint32_t r = 0; r < net->role_count; r++)
    if (program->roles[r].move_count == 1)
      made[net->move_first[r] + program->roles[r].only_move] = alea_lane_fill(true);
}

/* The values as a row of bits for each lane; how many hold in all. */
static size_t write_rows(const alea_lanes_percepts *p, word moved, size_t lanes) {
  size_t width = p->net->percepts.count, total = 0;
  word *tiles = p->tiles.words;
  for (size_t i = 0; i < 64 * p->row_words; i++) {
    tiles[i] = alea_lane_fill(false);
    if (i < width)
      tiles[i] = alea_lane_and(moved, alea_lanes_value(p->slots.words, p->program.goals[i]));
    total += alea_lane_count(tiles[i]);
  }
  for (size_t t = 0; t < p->row_words; t++) alea_lanes_transpose(tiles + 64 * t);
  alea_lane_rows rows = {.bits = p->rows, .width = width, .lanes = lanes};
  alea_lanes_write_rows(tiles, &rows);
  return total;
}

/* Adds what the entries from .. end-1 of a row say; there is room for it. */
static void append(alea_lanes_percepts *p, const uint64_t *row, uint32_t from, uint32_t end) {
  for (uint32_t i = from; i < end;) {
    uint64_t bits = row[i / 64] >> (i % 64);
    if (bits == 0) {
      i = (i / 64 + 1) * 64;
      continue;
    }
    i += (uint32_t)__builtin_ctzll(bits);
    if (i < end) p->list.data[p->list.count++] = p->net->percepts.data[i].percept;
    i++;
  }
}

void alea_lanes_percepts_note(alea_lanes_percepts *p, const alea_lanes_program *program,
                              const word *fluents, const word *moves, word moved, size_t lanes) {
  size_t total = 0;
  if (p->net->percepts.count > 0 && alea_lane_any(moved)) {
    enter(p, program, fluents, moves);
    ALEA_LANES_FN(eval)(&p->program, ALEA_LANES_GOAL, ALEA_LANES_ANEW, p->slots.words);
    total = write_rows(p, moved, lanes);
  }
  if (total > 0 && !alea_vec_reserve(p->mem, &p->list, total)) {
    p->lacking = true;
    total = 0;
  }
  for (size_t lane = 0; lane < lanes; lane++)
    for (uint32_t r = 0; r < p->net->role_count; r++) {
      if (total > 0) append(p, p->rows + lane * p->row_words, p->entries[r], p->entries[r + 1]);
      p->first[++p->noted] = p->list.count;
    }
}

alea_status alea_lanes_percepts_told(const alea_lanes_percepts *p, const uint64_t **first,
                                     const uint32_t **list) {
  *first = p->first;
  *list = p->list.data;
  return p->lacking ? alea_mem_lack(p->mem) : ALEA_OK;
}

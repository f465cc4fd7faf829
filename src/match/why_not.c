/* Why a move is not legal here. */
#include "match/why_not.h"

enum { MOST_STEPS = 20000, ENOUGH = 100, LONGEST_PLAY = 500 };

typedef struct asking {
  alea_why_not *why;
  alea_cursor *cursor;
  uint32_t role;
  alea_move move;
  alea_move *joint;
  alea_rng rng;
  alea_mem *mem;
} asking;

/* Keeps of 'missing' what holds at the cursor. */
static alea_status meet(asking *a) {
  alea_list fluents;
  alea_u32s *missing = &a->why->missing;
  alea_status status = alea_cursor_fluents(a->cursor, &fluents);
  if (status != ALEA_OK) return status;
  size_t kept = 0;
  if (a->why->met++ == 0) {
    for (uint32_t i = 0; i < fluents.count; i++)
      if (!alea_vec_push(a->mem, missing, fluents.ids[i])) return ALEA_SYSTEM;
    return ALEA_OK;
  }
  for (size_t i = 0; i < missing->count; i++)
    if (alea_list_has(fluents, missing->data[i])) missing->data[kept++] = missing->data[i];
  missing->count = kept;
  return ALEA_OK;
}

/* One random move; ALEA_NO: the play ends here. */
static alea_status step(asking *a) {
  bool over;
  alea_list legal;
  alea_status status = alea_cursor_terminal(a->cursor, &over);
  if (status == ALEA_OK && over) return ALEA_NO;
  for (uint32_t r = 0; status == ALEA_OK && r < a->cursor->game->role_count; r++) {
    status = alea_cursor_legal(a->cursor, r, &legal);
    if (status != ALEA_OK) break;
    if (legal.count == 0) return ALEA_NO;
    if (r == a->role && alea_list_has(legal, a->move)) {
      status = meet(a);
      if (status == ALEA_OK) status = alea_cursor_legal(a->cursor, r, &legal);
      if (status != ALEA_OK) break;
    }
    a->joint[r] = legal.ids[alea_rng_below(&a->rng, legal.count)];
  }
  return status == ALEA_OK ? alea_cursor_play(a->cursor, a->joint) : status;
}

static alea_status look_around(asking *a) {
  alea_status status = ALEA_OK;
  for (uint32_t steps = 0; status == ALEA_OK && steps < MOST_STEPS;) {
    status = alea_cursor_reset(a->cursor);
    for (uint32_t i = 0; status == ALEA_OK && i < LONGEST_PLAY; i++, steps++) status = step(a);
    if (status == ALEA_NO) status = ALEA_OK;
    steps++;
    if (a->why->met >= ENOUGH) break;
  }
  return status;
}

alea_status alea_why_not_legal(alea_why_not *why, alea_cursor *here, uint32_t role, alea_move move,
                               alea_mem *mem) {
  uint32_t roles = here->game->role_count;
  asking a = {.why = why, .role = role, .move = move, .mem = mem};
  *why = (alea_why_not){0};
  alea_rng_seed(&a.rng, 1);
  a.joint = alea_mem_calloc(mem, roles, sizeof *a.joint);
  alea_status status = a.joint != NULL ? ALEA_OK : ALEA_SYSTEM;
  if (status == ALEA_OK) status = alea_cursor_new(here->game, mem, &a.cursor);
  if (status == ALEA_OK) status = look_around(&a);
  alea_list fluents;
  if (status == ALEA_OK) status = alea_cursor_fluents(here, &fluents);
  size_t kept = 0;
  for (size_t i = 0; status == ALEA_OK && i < why->missing.count; i++)
    if (!alea_list_has(fluents, why->missing.data[i]))
      why->missing.data[kept++] = why->missing.data[i];
  why->missing.count = kept;
  alea_cursor_free(a.cursor);
  alea_mem_free(mem, a.joint, roles * sizeof *a.joint);
  return status;
}

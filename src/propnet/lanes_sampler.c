/* The sampler of lanes as an object, and all successors of one position. */
#include "propnet/lanes_sampler.h"

#include <assert.h>

typedef alea_lane_word word;

/* ---- expand ---- */

/* Where a position is: which program is for it, and which for its successors. */
typedef struct lanes_sampler_place {
  const alea_lanes_program *now, *after;
} lanes_sampler_place;

static lanes_sampler_place find_place(const alea_lanes *lanes, const uint64_t *words) {
  uint32_t ticks = lanes->clock.ticks, tick = alea_lanes_clock_tick(&lanes->clock, words);
  if (tick == ticks) return (lanes_sampler_place){&lanes->general, &lanes->general};
  return (lanes_sampler_place){&lanes->ticks[tick], &lanes->ticks[(tick + 1) % ticks]};
}

/* Lane i plays moves[i] for 'role', and all lanes others[r] for role r. */
static void force_moves(alea_lanes_sampler *s, const alea_lanes_program *program, uint32_t role,
                        const alea_move *moves, uint32_t count, const alea_move *others) {
  const alea_net *net = s->lanes->net;
  word *slots = s->slots.words;
  uint32_t first = program->first_move_slot;
  ALEA_LANES_FN(picker_retract)(&s->picker, slots);
  for (uint32_t r = 0; r < net->role_count; r++)
    if (r != role) slots[first + net->move_first[r] + others[r]] = alea_lane_fill(true);
  for (uint32_t i = 0; i < count; i++)
    alea_lane_set(&slots[first + net->move_first[role] + moves[i]], i);
  if (program->scatter_first == NULL) return;
  ALEA_LANES_FN(clear_scatters)(program, slots);
  for (uint32_t r = 0; r < net->role_count; r++)
    if (r != role) alea_lanes_scatter_move(program, first + net->move_first[r] + others[r], slots);
  for (uint32_t i = 0; i < count; i++)
    alea_lanes_scatter_move(program, first + net->move_first[role] + moves[i], slots);
}

static void unforce_moves(alea_lanes_sampler *s, uint32_t role, const alea_move *moves,
                          uint32_t count, const alea_move *others) {
  const alea_net *net = s->lanes->net;
  word *chosen = s->slots.words + 1 + net->fluent_count;
  for (uint32_t r = 0; r < net->role_count; r++)
    if (r != role) chosen[net->move_first[r] + others[r]] = alea_lane_fill(false);
  for (uint32_t i = 0; i < count; i++)
    chosen[net->move_first[role] + moves[i]] = alea_lane_fill(false);
}

static void read_goals(const alea_lanes_sampler *s, const alea_lanes_program *program,
                       uint32_t count, int *goals) {
  const alea_net *net = s->lanes->net;
  for (uint32_t i = 0; i < count * net->role_count; i++) goals[i] = -1;
  for (size_t i = 0; i < net->goals.count; i++) { /* the largest value comes first */
    uint32_t g = s->lanes->goal_order[i];
    word holds = alea_lanes_value(s->slots.words, program->goals[g]);
    for (uint32_t lane; (lane = alea_lane_pop(&holds)) < count;) {
      int *goal = &goals[lane * net->role_count + net->goals.data[g].role];
      if (*goal < net->goals.data[g].value) *goal = net->goals.data[g].value;
    }
  }
}

static void expand_some(alea_lanes_sampler *s, const uint64_t *words, uint32_t role,
                        const alea_move *moves, uint32_t count, const alea_move *others,
                        bool *terminal, int *goals) {
  word *slots = s->slots.words;
  lanes_sampler_place at = find_place(s->lanes, words);
  ALEA_LANES_FN(load_one)
  (slots + ALEA_LANES_FIRST_FLUENT, s->lanes->net->fluent_count, words, alea_lane_fill(true));
  ALEA_LANES_FN(eval)(at.now, ALEA_LANES_STATE, ALEA_LANES_ANEW, slots);
  force_moves(s, at.now, role, moves, count, others);
  ALEA_LANES_FN(eval)(at.now, ALEA_LANES_NEXT, ALEA_LANES_ANEW, slots);
  unforce_moves(s, role, moves, count, others);
  ALEA_LANES_FN(eval)(at.after, ALEA_LANES_STATE, ALEA_LANES_ANEW, slots);
  ALEA_LANES_FN(eval)(at.after, ALEA_LANES_GOAL, ALEA_LANES_ANEW, slots);
  word ended = alea_lanes_value(slots, at.after->terminal);
  for (uint32_t i = 0; i < count; i++) terminal[i] = alea_lane_get(&ended, i);
  read_goals(s, at.after, count, goals);
}

static bool moves_exist(const alea_net *net, uint32_t role, const alea_move *moves, size_t count,
                        const alea_move *others) {
  for (size_t i = 0; i < count; i++)
    if (moves[i] >= net->move_first[role + 1] - net->move_first[role]) return false;
  for (uint32_t r = 0; r < net->role_count; r++)
    if (r != role && others[r] >= net->move_first[r + 1] - net->move_first[r]) return false;
  return true;
}

static alea_status expand(alea_sampler *sampler, const uint64_t *words, size_t word_count,
                          uint32_t role, const alea_move *moves, size_t move_count,
                          const alea_move *others, bool *terminal, int *goals) {
  alea_lanes_sampler *s = (alea_lanes_sampler *)(void *)sampler;
  const alea_net *net = s->lanes->net;
  if (words != NULL && word_count != s->word_count) return ALEA_USAGE;
  if (role >= net->role_count || !moves_exist(net, role, moves, move_count, others))
    return ALEA_USAGE;
  for (size_t i = 0; i < move_count; i += ALEA_LANES) {
    size_t left = move_count - i;
    expand_some(s, words != NULL ? words : s->initial, role, moves + i,
                (uint32_t)(left < ALEA_LANES ? left : ALEA_LANES), others, terminal + i,
                goals + i * net->role_count);
  }
  return ALEA_OK;
}

/* ---- the object ---- */

static void sampler_free(alea_sampler *sampler) {
  alea_lanes_sampler *s = (alea_lanes_sampler *)(void *)sampler;
  alea_mem *mem = s->mem;
  ALEA_LANES_FN(picker_clear)(&s->picker);
  ALEA_LANES_FN(block_clear)(&s->slots, mem);
  ALEA_LANES_FN(block_clear)(&s->finished, mem);
  alea_mem_free(mem, s->initial, s->word_count * sizeof *s->initial);
  ALEA_LANES_FN(log_free)(s->log, mem);
  if (s->album != NULL) ALEA_LANES_FN(album_clear)(s->album, mem);
  alea_mem_free(mem, s->album, sizeof *s->album);
  alea_mem_free(mem, s->lane_goals, (size_t)ALEA_LANES * s->lanes->net->role_count);
  alea_lanes_free(s->own);
  alea_mem_free(mem, s, sizeof *s);
}

static const alea_sampler_class lanes_class = {
    .engine = "lanes", .free = sampler_free, .run = ALEA_LANES_FN(run), .expand = expand};

static bool prepare(alea_lanes_sampler *s, uint64_t seed) {
  const alea_net *net = s->lanes->net;
  s->word_count = ((size_t)net->fluent_count + 63) / 64;
  s->initial = alea_mem_calloc(s->mem, s->word_count, sizeof *s->initial);
  if (s->initial == NULL || !ALEA_LANES_FN(block_init)(&s->slots, s->lanes->slot_count, s->mem))
    return false;
  if (!ALEA_LANES_FN(block_init)(&s->finished, s->lanes->goals.slot_count, s->mem)) return false;
  for (uint32_t f = 0; f < net->fluent_count; f++)
    s->initial[f / 64] |= (uint64_t)(net->init[f] != 0) << (f % 64);
  s->slots.words[ALEA_LANES_TRUE_SLOT] = alea_lane_fill(true);
  s->finished.words[ALEA_LANES_TRUE_SLOT] = alea_lane_fill(true);
  return ALEA_LANES_FN(picker_init)(&s->picker, net->role_count, s->lanes->group_count, seed,
                                    s->mem) == ALEA_OK;
}

alea_status ALEA_LANES_FN(sampler_new)(alea_sampler **sampler, const alea_lanes *lanes,
                                       alea_lanes *own, const alea_game *game, uint64_t seed,
                                       alea_mem *mem) {
  assert(lanes->width == ALEA_LANES);
  *sampler = NULL;
  alea_lanes_sampler *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->base = (alea_sampler){.class = &lanes_class, .game = game};
  s->mem = mem;
  s->lanes = lanes;
  s->picker.mem = mem;
  if (!prepare(s, seed)) {
    sampler_free(&s->base);
    return alea_mem_lack(mem);
  }
  s->own = own;
  *sampler = &s->base;
  return ALEA_OK;
}

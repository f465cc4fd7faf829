/* Compares lanes with the engine `net`. */
#include "support/lane_check.h"

#include <stdlib.h>
#include <string.h>

#include "propnet/lanes_sampler.h"

/* After so many steps a third of the lanes begins again, where the clock is as it was. */
enum { AGAIN = 6 };

typedef struct checker {
  lane_check *check;
  const alea_lanes *lanes;
  const alea_net *net;
  alea_lanes_sampler *s;
  alea_cursor *cursor;
  uint32_t tick;
  const alea_lanes_program *program;
  alea_lane_word live;
  bool begun;      /* games begin at this step */
  uint64_t *words; /* of one lane */
  alea_move joint[ALEA_LANES][16];
} checker;

/* The position in one lane; the clock fluent is derived, not stored. */
static void read_lane(checker *c, uint32_t lane, uint32_t tick) {
  memset(c->words, 0, c->s->word_count * sizeof *c->words);
  for (uint32_t f = 0; f < c->net->fluent_count; f++) {
    uint8_t fixed = ALEA_LANES_FREE;
    if (!c->check->general && c->lanes->clock.ticks > 0)
      fixed = c->lanes->clock.fixed[(size_t)tick * c->net->fluent_count + f];
    bool holds = fixed == ALEA_LANES_FREE ? alea_lane_get(&c->s->slots.words[1 + f], lane)
                                          : fixed == ALEA_LANES_TRUE;
    c->words[f / 64] |= (uint64_t)holds << (f % 64);
  }
}

static bool lit_in_lane(const checker *c, uint32_t lit, uint32_t lane) {
  alea_lane_word value = alea_lanes_value(c->s->slots.words, lit);
  return alea_lane_get(&value, lane);
}

static const char *compare_legal(checker *c, uint32_t role, uint32_t lane) {
  alea_list list;
  if (alea_cursor_legal(c->cursor, role, &list) != ALEA_OK) return "legal failed";
  const alea_lanes_role *r = &c->program->roles[role];
  uint32_t count = 0;
  if (r->move_count == 1 && alea_lane_get(&c->s->slots.words[r->only], lane)) {
    if (list.count != 1 || list.ids[0] != r->only_move) return "another only move is legal";
    return NULL;
  }
  for (uint32_t g = r->first_group; g < r->first_group + r->group_count; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      const alea_lanes_group *group = &c->program->groups.data[g];
      if (!alea_lane_get(&c->s->slots.words[group->legal[i] / sizeof(alea_lane_word)], lane))
        continue;
      bool found = false;
      for (uint32_t k = 0; k < list.count; k++) found |= list.ids[k] == group->move[i];
      if (!found) return "a move is legal in a lane only";
      count++;
    }
  return count == list.count ? NULL : "a move is legal in the net only";
}

static const char *compare_goals(checker *c, uint32_t lane) {
  for (uint32_t role = 0; role < c->net->role_count; role++) {
    int goal, best = -1;
    for (size_t g = 0; g < c->net->goals.count; g++)
      if (c->net->goals.data[g].role == role && c->net->goals.data[g].value > best &&
          lit_in_lane(c, c->program->goals[g], lane))
        best = c->net->goals.data[g].value;
    if (alea_cursor_goal(c->cursor, role, &goal) != ALEA_OK || goal != best) return "goals differ";
  }
  return NULL;
}

/* Afterwards 'live' tells whether the game of the lane goes on. */
static const char *compare_state(checker *c, uint32_t lane) {
  bool terminal;
  if (alea_cursor_load(c->cursor, c->words, c->s->word_count) != ALEA_OK) return "load failed";
  if (alea_cursor_terminal(c->cursor, &terminal) != ALEA_OK) return "terminal failed";
  if (terminal != lit_in_lane(c, c->program->terminal, lane)) return "terminal differs";
  const char *wrong = compare_goals(c, lane);
  for (uint32_t r = 0; wrong == NULL && r < c->net->role_count; r++)
    wrong = compare_legal(c, r, lane);
  if (terminal) c->live.part[lane / 64] &= ~(UINT64_C(1) << (lane % 64));
  c->check->states++;
  return wrong;
}

/* The move of 'role' in the lane.  A move that no next value depends on leaves
 * no trace: then any such legal move is accepted. */
static alea_move chosen_move(checker *c, uint32_t role, uint32_t lane) {
  const alea_lanes_role *r = &c->program->roles[role];
  alea_move unseen = ALEA_NO_MOVE, chosen = ALEA_NO_MOVE;
  if (r->move_count == 1) return r->only_move;
  for (uint32_t g = r->first_group; g < r->first_group + r->group_count; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      const alea_lanes_group *group = &c->program->groups.data[g];
      if (!alea_lane_get(&c->s->slots.words[group->legal[i] / sizeof(alea_lane_word)], lane))
        continue;
      if (group->chosen[i] == alea_lanes_false_slot(c->net) + 1)
        unseen = group->move[i];
      else if (alea_lane_get(&c->s->slots.words[group->chosen[i]], lane))
        chosen = chosen == ALEA_NO_MOVE ? group->move[i] : ALEA_NO_MOVE - 1;
    }
  return chosen == ALEA_NO_MOVE ? unseen : chosen;
}

static uint32_t ticks_of(const checker *c) {
  return c->check->general || c->lanes->clock.ticks == 0 ? 1 : c->lanes->clock.ticks;
}

/* Puts 'lanes' to the initial position, as a batch does that goes on with other games. */
static void begin(checker *c, alea_lane_word lanes) {
  alea_lane_word *slots = c->s->slots.words;
  ALEA_LANES_FN(load_one)(slots + 1, c->net->fluent_count, c->s->initial, lanes);
  ALEA_LANES_FN(forget)(&c->lanes->general, lanes, slots);
  c->live = alea_lane_or(c->live, lanes);
  c->begun = true;
}

static const char *step(checker *c) {
  uint32_t ticks = ticks_of(c);
  c->program = ticks == 1 ? &c->lanes->general : &c->lanes->ticks[c->tick];
  alea_lane_word *slots = c->s->slots.words;
  ALEA_LANES_FN(eval)
  (c->program, ALEA_LANES_STATE, c->begun ? ALEA_LANES_GROWN : ALEA_LANES_LAST, slots);
  ALEA_LANES_FN(eval)(c->program, ALEA_LANES_GOAL, ALEA_LANES_GROWN, slots);
  c->begun = false;
  alea_lane_word before = c->live;
  for (uint32_t lane = 0; lane < ALEA_LANES; lane += c->check->stride) {
    if (!alea_lane_get(&before, lane)) continue;
    read_lane(c, lane, c->tick);
    const char *wrong = compare_state(c, lane);
    if (wrong != NULL) return wrong;
  }
  for (uint32_t r = 0; r < c->net->role_count; r++)
    c->live =
        alea_lane_andn(c->live, ALEA_LANES_FN(pick)(&c->s->picker, c->program, r, slots, c->live));
  uint64_t *copies = malloc(ALEA_LANES * c->s->word_count * sizeof *copies);
  for (uint32_t lane = 0; lane < ALEA_LANES; lane += c->check->stride) {
    read_lane(c, lane, c->tick);
    memcpy(copies + lane * c->s->word_count, c->words, c->s->word_count * sizeof *copies);
    for (uint32_t r = 0; r < c->net->role_count; r++) c->joint[lane][r] = chosen_move(c, r, lane);
  }
  ALEA_LANES_FN(picker_scatter)(&c->s->picker, c->program, slots);
  ALEA_LANES_FN(eval)(c->program, ALEA_LANES_NEXT, ALEA_LANES_GROWN, slots);
  const char *wrong = NULL;
  for (uint32_t lane = 0; wrong == NULL && lane < ALEA_LANES; lane += c->check->stride) {
    if (!alea_lane_get(&c->live, lane)) continue;
    for (uint32_t r = 0; r < c->net->role_count; r++)
      if (c->joint[lane][r] >= ALEA_NO_MOVE - 1) wrong = "no move, or two, chosen";
    if (wrong != NULL) break;
    size_t count;
    (void)alea_cursor_load(c->cursor, copies + lane * c->s->word_count, c->s->word_count);
    (void)alea_cursor_play(c->cursor, c->joint[lane]);
    read_lane(c, lane, (c->tick + 1) % ticks);
    const uint64_t *after = alea_cursor_state(c->cursor, &count);
    if (memcmp(after, c->words, count * sizeof *after) != 0) wrong = "next states differ";
  }
  free(copies);
  c->tick = (c->tick + 1) % ticks;
  return wrong;
}

const char *lane_check_run(lane_check *check, alea_mem *mem) {
  checker *c = calloc(1, sizeof *c);
  alea_sampler *sampler = NULL;
  c->check = check;
  c->lanes = check->lanes;
  c->net = check->lanes->net;
  const char *wrong = NULL;
  if (c->net->role_count > 16) wrong = "too many roles for this check";
  if (alea_lanes_sampler_new_shared(&sampler, c->lanes, check->game, check->seed, mem) != ALEA_OK ||
      alea_cursor_new(check->game, mem, &c->cursor) != ALEA_OK)
    wrong = "no memory";
  if (wrong == NULL) {
    c->s = (alea_lanes_sampler *)sampler;
    c->words = calloc(c->s->word_count + 1, sizeof *c->words);
    alea_lane_word third = alea_lane_fill(false);
    for (uint32_t lane = 0; lane < ALEA_LANES; lane++)
      if (lane / check->stride % 3 == 1) alea_lane_set(&third, lane);
    begin(c, alea_lane_fill(true));
    for (uint32_t i = 0; wrong == NULL && i < check->steps && alea_lane_any(c->live); i++) {
      if (i > 0 && i % AGAIN == 0 && c->tick == 0) begin(c, third);
      wrong = step(c);
    }
  }
  free(c->words);
  alea_cursor_free(c->cursor);
  alea_sampler_free(sampler);
  free(c);
  return wrong;
}

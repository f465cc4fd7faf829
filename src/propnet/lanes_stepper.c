/* Stepping blocks of states with given moves. */
#include "propnet/lanes_stepper.h"

#include <string.h>

#include "propnet/lanes_compile.h"
#include "propnet/lanes_eval.h"
#include "propnet/lanes_load.h"
#include "propnet/lanes_percepts.h"
#include "propnet/lanes_pick.h"
#include "propnet/lanes_sampler.h"
#include "propnet/lanes_transpose.h"

typedef alea_lane_word word;

#define NO_TICK ALEA_LANES_NO_TICK

typedef struct stepper_block {
  word used;     /* lanes that hold a state */
  word terminal; /* states that are terminal; unused lanes are not */
  uint32_t tick; /* of all that are not terminal, or NO_TICK */
} stepper_block;

/* What playouts need; made for the first of them. */
typedef struct stepper_playouts {
  alea_sampler *sampler;
  uint64_t *rows; /* the positions, one after the other */
  word *from;     /* per block */
  uint32_t *ticks;
} stepper_playouts;

struct alea_stepper {
  alea_mem *mem;
  const alea_lanes *lanes;
  const alea_net *net;
  size_t count, block_count;
  bool auto_reset;
  uint64_t seed;
  uint32_t step_cap;
  alea_lanes_picker picker;
  alea_lane_block slots;  /* of the block at work */
  uint32_t evaluated;     /* the tick whose program evaluated them last */
  alea_lane_block planes; /* [block][fluent] */
  alea_lane_block tiles;  /* scratch: columns that are transposed */
  stepper_block *blocks;
  uint64_t *initial;     /* words of the initial position */
  bool initial_terminal; /* a game that is over before it begins */
  uint32_t *legal;       /* [program][move]: the slot that says so; the program for all
                            positions comes after those of the ticks */
  uint64_t *first_legal; /* bits: moves that are legal in the initial position */
  uint8_t *marks;        /* per move: in 'touched' */
  alea_u32s touched;     /* moves whose slot is not all false */
  stepper_playouts playouts;
  alea_lanes_percepts *percepts; /* NULL: not wanted */
};

/* ---- programs ---- */

static uint32_t program_index(const alea_stepper *s, uint32_t tick) {
  return tick == NO_TICK ? s->lanes->clock.ticks : tick;
}

static const alea_lanes_program *program_at(const alea_stepper *s, uint32_t tick) {
  return tick == NO_TICK ? &s->lanes->general : &s->lanes->ticks[tick];
}

static const uint32_t *legal_slots(const alea_stepper *s, uint32_t tick) {
  return s->legal + (size_t)program_index(s, tick) * s->net->move_count;
}

static uint32_t tick_after(const alea_stepper *s, uint32_t tick) {
  return tick == NO_TICK ? NO_TICK : (tick + 1) % s->lanes->clock.ticks;
}

static void find_legal_slots(alea_stepper *s, uint32_t tick) {
  const alea_lanes_program *program = program_at(s, tick);
  uint32_t *slots = s->legal + (size_t)program_index(s, tick) * s->net->move_count;
  for (uint32_t m = 0; m < s->net->move_count; m++) slots[m] = alea_lanes_false_slot(s->net);
  for (uint32_t r = 0; r < program->role_count; r++) {
    const alea_lanes_role *role = &program->roles[r];
    uint32_t *of_role = slots + s->net->move_first[r];
    if (role->move_count == 1) of_role[role->only_move] = role->only;
    for (uint32_t g = 0; g < role->group_count; g++) {
      const alea_lanes_group *group = &program->groups.data[role->first_group + g];
      for (int i = 0; i < ALEA_LANES_GROUP; i++)
        if (group->move[i] != ALEA_NO_MOVE)
          of_role[group->move[i]] = group->legal[i] / (uint32_t)sizeof(word);
    }
  }
}

/* ---- blocks ---- */

static word *planes_of(const alea_stepper *s, size_t block) {
  return s->planes.words + block * s->net->fluent_count;
}

static word *slot_fluents(const alea_stepper *s) {
  return s->slots.words + ALEA_LANES_FIRST_FLUENT;
}

static size_t lanes_of(const alea_stepper *s, size_t block) {
  size_t left = s->count - block * ALEA_LANES;
  return left < ALEA_LANES ? left : ALEA_LANES;
}

static word playing_in(const stepper_block *block) {
  return alea_lane_andn(block->used, block->terminal);
}

/* Lanes of 'live' where a gate of the clock is not as at tick 't'. */
static word gates_off(const alea_lanes_clock *clock, uint32_t t, const word *planes, word live) {
  word off = alea_lane_fill(false);
  for (size_t i = 0; i < clock->gates.count; i++) {
    const alea_lanes_clock_gate *gate = &clock->gates.data[i];
    bool value = clock->gate_values.data[t * clock->gates.count + i];
    word any = alea_lane_fill(false);
    for (uint32_t k = 0; k < gate->count; k++) {
      alea_lit lit = clock->lits.data[gate->first + k];
      word fluent = planes[(lit >> 1) - 1];
      any = alea_lane_or(any, (lit & 1) != 0 ? alea_lane_andn(live, fluent) : fluent);
    }
    bool wanted = value != gate->complement; /* of the OR */
    off = alea_lane_or(off, wanted ? alea_lane_andn(live, any) : alea_lane_and(live, any));
  }
  return off;
}

/* The tick at which all lanes of 'live' stand, or NO_TICK. */
static uint32_t find_tick(const alea_stepper *s, size_t block, word live) {
  const alea_lanes_clock *clock = &s->lanes->clock;
  const word *planes = planes_of(s, block);
  for (uint32_t t = 0; t < clock->ticks; t++) {
    const uint8_t *fixed = clock->fixed + (size_t)t * clock->fluent_count;
    word off = gates_off(clock, t, planes, live);
    for (size_t i = 0; i < clock->fluents.count; i++) {
      uint32_t f = clock->fluents.data[i];
      word wrong = fixed[f] == ALEA_LANES_TRUE ? alea_lane_andn(live, planes[f])
                                               : alea_lane_and(live, planes[f]);
      off = alea_lane_or(off, wrong);
    }
    if (!alea_lane_any(off)) return t;
  }
  return NO_TICK;
}

static void enter_slots(alea_stepper *s, size_t block) {
  memcpy(slot_fluents(s), planes_of(s, block), s->net->fluent_count * sizeof(word));
}

/* Keeps the fluents of the lanes 'moved' from the slots, at the tick they have
 * come to. */
static void leave_slots(alea_stepper *s, size_t block, word moved, uint32_t tick) {
  const alea_lanes_clock *clock = &s->lanes->clock;
  word *to = planes_of(s, block), *from = slot_fluents(s);
  for (size_t i = 0; tick != NO_TICK && i < clock->fluents.count; i++) {
    uint32_t f = clock->fluents.data[i]; /* programs that know the clock do not store it */
    from[f] =
        alea_lane_fill(clock->fixed[(size_t)tick * clock->fluent_count + f] == ALEA_LANES_TRUE);
  }
  for (uint32_t f = 0; f < s->net->fluent_count; f++) ALEA_LANE_EACH_UNIT(u) {
      to[f].unit[u] = (to[f].unit[u] & ~moved.unit[u]) | (from[f].unit[u] & moved.unit[u]);
    }
}

/* ---- moves ---- */

static void untouch(alea_stepper *s) {
  word *slots = s->slots.words + s->lanes->general.first_move_slot;
  for (size_t i = 0; i < s->touched.count; i++) {
    slots[s->touched.data[i]] = alea_lane_fill(false);
    s->marks[s->touched.data[i]] = 0;
  }
  s->touched.count = 0;
}

/* Enters the actions of a role in the lanes 'live' of part 'p'.  Lanes that are to
 * draw a move go to '*random', those whose action is no move to '*wrong'. */
static inline void enter_part(alea_stepper *s, uint32_t role, const int32_t *actions, uint32_t p,
                              uint64_t live, uint64_t *random, uint64_t *wrong) {
  uint32_t roles = s->net->role_count, first = s->net->move_first[role];
  uint32_t moves = s->net->move_first[role + 1] - first;
  word *slots = s->slots.words + s->lanes->general.first_move_slot + first;
  uint8_t *marks = s->marks + first;
  const int32_t *of_part = actions + (size_t)64 * p * roles + role;
  for (uint64_t left = live; left != 0; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left), move = (uint32_t)of_part[(size_t)i * roles];
    uint64_t bit = UINT64_C(1) << i;
    if (move >= moves) {
      *(move == (uint32_t)ALEA_BATCH_RANDOM ? random : wrong) |= bit;
      continue;
    }
    slots[move].part[p] |= bit;
    if (marks[move] != 0) continue;
    marks[move] = 1;
    s->touched.data[s->touched.count++] = first + move; /* there is room for every move */
  }
}

static void enter_actions(alea_stepper *s, uint32_t role, const int32_t *actions, word live,
                          word *random, word *wrong) {
  for (uint32_t p = 0; p < ALEA_LANE_PARTS; p++) {
    random->part[p] = wrong->part[p] = 0;
    enter_part(s, role, actions, p, live.part[p], &random->part[p], &wrong->part[p]);
  }
}

/* Draws the moves of a role in the lanes 'random' and in no other; returns the
 * lanes where it has none. */
static word draw_moves(alea_stepper *s, const alea_lanes_program *program, uint32_t role,
                       word random) {
  word stuck = ALEA_LANES_FN(pick)(&s->picker, program, role, s->slots.words, random);
  const alea_lanes_picked *picked = &s->picker.roles[role];
  for (uint32_t i = 0; i < picked->count; i++) {
    const alea_lanes_group *group = &picked->from[picked->groups[i]];
    for (int k = 0; k < ALEA_LANES_GROUP; k++) {
      word *slot = &s->slots.words[group->chosen[k]];
      *slot = alea_lane_and(*slot, random);
    }
  }
  return stuck;
}

/* Lanes with an action that is not legal.  Completes the ORs of moves. */
static word check_actions(alea_stepper *s, const alea_lanes_program *program,
                          const uint32_t *legal) {
  word wrong = alea_lane_fill(false), *slots = s->slots.words;
  for (size_t i = 0; i < s->touched.count; i++) {
    uint32_t m = s->touched.data[i], slot = program->first_move_slot + m;
    wrong = alea_lane_or(wrong, alea_lane_andn(slots[slot], slots[legal[m]]));
    if (program->scatter_first != NULL) alea_lanes_scatter_move(program, slot, slots);
  }
  return wrong;
}

/* Chooses the moves of all roles in the lanes 'live'; returns those of them that
 * cannot move.  'actions' are those of the block, or NULL. */
static word choose_moves(alea_stepper *s, uint32_t tick, const int32_t *actions, word live) {
  const alea_lanes_program *program = program_at(s, tick);
  word wrong = alea_lane_fill(false);
  ALEA_LANES_FN(picker_retract)(&s->picker, s->slots.words);
  for (uint32_t r = 0; r < s->net->role_count; r++) {
    word random = live, bad = alea_lane_fill(false);
    if (actions != NULL) enter_actions(s, r, actions, live, &random, &bad);
    wrong = alea_lane_or(wrong, bad);
    if (!alea_lane_any(random)) continue;
    wrong = alea_lane_or(wrong, draw_moves(s, program, r, random));
    /* A draw writes whole groups of moves: what was entered there is entered again. */
    word given = alea_lane_andn(alea_lane_andn(live, random), bad);
    if (alea_lane_any(given)) enter_actions(s, r, actions, given, &random, &bad);
  }
  ALEA_LANES_FN(picker_scatter)(&s->picker, program, s->slots.words);
  return alea_lane_or(wrong, check_actions(s, program, legal_slots(s, tick)));
}

/* ---- arrays ---- */

/* What a block has to tell after a step. */
typedef struct stepper_report {
  word ended;   /* states that this step made terminal, or that were so before */
  word begun;   /* states that began again */
  word refused; /* states that did not move though they should */
} stepper_report;

static void write_rewards(const alea_stepper *s, const alea_lanes_program *program, word finished,
                          size_t lanes, float *rewards) {
  uint32_t roles = s->net->role_count, role = UINT32_MAX;
  memset(rewards, 0, lanes * roles * sizeof *rewards);
  word left = finished;
  for (size_t i = 0; i < s->net->goals.count && alea_lane_any(finished); i++) {
    uint32_t g = s->lanes->goal_order[i]; /* by role, the largest value first */
    const alea_net_goal *goal = &s->net->goals.data[g];
    if (goal->role != role) left = finished;
    role = goal->role;
    word holds = alea_lane_and(left, alea_lanes_value(s->slots.words, program->goals[g]));
    left = alea_lane_andn(left, holds);
    for (uint32_t lane; (lane = alea_lane_pop(&holds)) < ALEA_LANES;)
      rewards[(size_t)lane * roles + role] = (float)goal->value;
  }
}

/* Legal moves from the slots, where the state of the block was evaluated; lanes
 * that began again have those of the initial position. */
static void write_legal(const alea_stepper *s, size_t block, const stepper_report *report,
                        const alea_batch_arrays *out) {
  size_t first = block * ALEA_LANES, moves = s->net->move_count, words = (moves + 63) / 64;
  alea_lane_rows rows = {.bits = out->legal_bits != NULL ? out->legal_bits + first * words : NULL,
                         .bytes = out->legal != NULL ? out->legal + first * moves : NULL,
                         .width = moves,
                         .lanes = lanes_of(s, block)};
  const uint32_t *legal = legal_slots(s, s->evaluated);
  word playing = alea_lane_andn(playing_in(&s->blocks[block]), report->begun),
       *tiles = s->tiles.words;
  for (size_t m = 0; m < 64 * words; m++) {
    bool first_legal = m < moves && (s->first_legal[m / 64] >> (m % 64) & 1) != 0;
    tiles[m] = first_legal ? report->begun : alea_lane_fill(false);
    if (m < moves)
      tiles[m] = alea_lane_or(tiles[m], alea_lane_and(s->slots.words[legal[m]], playing));
  }
  for (size_t t = 0; t < words; t++) alea_lanes_transpose(tiles + 64 * t);
  alea_lanes_write_rows(tiles, &rows);
}

static void write_fluents(const alea_stepper *s, size_t block, const alea_batch_arrays *out) {
  size_t first = block * ALEA_LANES, width = s->net->fluent_count, words = (width + 63) / 64;
  alea_lane_rows rows = {
      .bits = out->fluent_bits != NULL ? out->fluent_bits + first * words : NULL,
      .bytes = out->fluents != NULL ? out->fluents + first * width : NULL,
      .floats = out->fluent_floats != NULL ? out->fluent_floats + first * width : NULL,
      .width = width,
      .lanes = lanes_of(s, block)};
  const word *planes = planes_of(s, block);
  word *tiles = s->tiles.words;
  for (size_t f = 0; f < 64 * words; f++) tiles[f] = f < width ? planes[f] : alea_lane_fill(false);
  for (size_t t = 0; t < words; t++) alea_lanes_transpose(tiles + 64 * t);
  alea_lanes_write_rows(tiles, &rows);
}

static bool wants_legal(const alea_batch_arrays *out) {
  return out->legal != NULL || out->legal_bits != NULL;
}

static void write_arrays(const alea_stepper *s, size_t block, const stepper_report *report,
                         const alea_batch_arrays *out) {
  if (out->flags != NULL)
    alea_lanes_write_flags(&report->ended, &report->refused, lanes_of(s, block),
                           out->flags + block * ALEA_LANES);
  if (wants_legal(out)) write_legal(s, block, report, out);
  if (out->fluents != NULL || out->fluent_floats != NULL || out->fluent_bits != NULL)
    write_fluents(s, block, out);
}

/* ---- a step ---- */

/* Evaluates the position of the block in the slots. */
static void evaluate(alea_stepper *s, size_t block) {
  s->evaluated = s->blocks[block].tick;
  ALEA_LANES_FN(eval)
  (program_at(s, s->evaluated), ALEA_LANES_STATE, ALEA_LANES_ANEW, s->slots.words);
}

/* What the moves in the slots tell the roles in the lanes 'moved' of a block. */
static void note_percepts(const alea_stepper *s, size_t block, uint32_t tick, word moved) {
  if (s->percepts == NULL) return;
  const alea_lanes_program *program = program_at(s, tick);
  alea_lanes_percepts_note(s->percepts, program, planes_of(s, block),
                           s->slots.words + program->first_move_slot, moved, lanes_of(s, block));
}

/* Moves the lanes 'live' of a block; returns those that were refused. */
static word move_block(alea_stepper *s, size_t block, const int32_t *actions, word live) {
  stepper_block *b = &s->blocks[block];
  uint32_t tick = b->tick;
  enter_slots(s, block);
  evaluate(s, block);
  word refused = choose_moves(s, tick, actions, live);
  note_percepts(s, block, tick, alea_lane_andn(live, refused));
  ALEA_LANES_FN(eval)(program_at(s, tick), ALEA_LANES_NEXT, ALEA_LANES_ANEW, s->slots.words);
  untouch(s);
  bool any_refused = alea_lane_any(refused);
  leave_slots(s, block, alea_lane_andn(live, refused), tick_after(s, tick));
  b->tick = tick == NO_TICK || any_refused ? find_tick(s, block, live) : tick_after(s, tick);
  if (any_refused || b->tick != tick_after(s, tick)) enter_slots(s, block);
  return refused;
}

/* Puts the lanes 'ended' back to the initial position. */
static void begin_again(alea_stepper *s, size_t block, word ended) {
  stepper_block *b = &s->blocks[block];
  ALEA_LANES_FN(load_one)(planes_of(s, block), s->net->fluent_count, s->initial, ended);
  b->terminal =
      s->initial_terminal ? alea_lane_or(b->terminal, ended) : alea_lane_andn(b->terminal, ended);
  b->tick = find_tick(s, block, playing_in(b));
}

/* The states that the step has made terminal, with their rewards. */
static word finish_block(alea_stepper *s, size_t block, word live, const alea_batch_arrays *out) {
  const alea_lanes_program *program = program_at(s, s->evaluated);
  word finished = alea_lane_and(live, alea_lanes_value(s->slots.words, program->terminal));
  if (out->rewards == NULL) return finished;
  if (alea_lane_any(finished))
    ALEA_LANES_FN(eval)(program, ALEA_LANES_GOAL, ALEA_LANES_ANEW, s->slots.words);
  write_rewards(s, program, finished, lanes_of(s, block),
                out->rewards + block * ALEA_LANES * s->net->role_count);
  return finished;
}

static bool step_block(alea_stepper *s, size_t block, const int32_t *actions,
                       const alea_batch_arrays *out) {
  stepper_block *b = &s->blocks[block];
  stepper_report report = {.ended = b->terminal};
  word live = playing_in(b), finished = live;
  if (alea_lane_any(live)) {
    report.refused = move_block(s, block, actions, live);
    evaluate(s, block);
  } else {
    note_percepts(s, block, NO_TICK, live);
  }
  finished = finish_block(s, block, live, out);
  report.ended = b->terminal = alea_lane_or(b->terminal, finished);
  if (s->auto_reset && !s->initial_terminal && alea_lane_any(finished)) {
    report.begun = finished;
    begin_again(s, block, finished);
  }
  write_arrays(s, block, &report, out);
  return !alea_lane_any(report.refused);
}

alea_status alea_stepper_step(alea_stepper *s, const int32_t *actions,
                              const alea_batch_arrays *out) {
  bool all = true;
  if (s->percepts != NULL) alea_lanes_percepts_begin(s->percepts);
  for (size_t b = 0; b < s->block_count; b++) {
    const int32_t *own = actions != NULL ? actions + b * ALEA_LANES * s->net->role_count : NULL;
    all = step_block(s, b, own, out) && all;
  }
  return all ? ALEA_OK : ALEA_INPUT;
}

alea_status alea_stepper_percepts(const alea_stepper *s, const uint64_t **first,
                                  const uint32_t **percepts) {
  return s->percepts != NULL ? alea_lanes_percepts_told(s->percepts, first, percepts) : ALEA_USAGE;
}

/* ---- without a step ---- */

void alea_stepper_look(alea_stepper *s, const alea_batch_arrays *out) {
  if (out->rewards != NULL)
    memset(out->rewards, 0, s->count * s->net->role_count * sizeof *out->rewards);
  for (size_t b = 0; b < s->block_count; b++) {
    stepper_report report = {.ended = s->blocks[b].terminal};
    if (wants_legal(out)) {
      enter_slots(s, b);
      evaluate(s, b);
    }
    write_arrays(s, b, &report, out);
  }
}

void alea_stepper_reset(alea_stepper *s, const uint8_t *which) {
  for (size_t b = 0; b < s->block_count; b++) {
    word lanes = s->blocks[b].used;
    if (which != NULL) {
      lanes = alea_lane_fill(false);
      for (uint32_t i = 0; i < lanes_of(s, b); i++)
        if (which[b * ALEA_LANES + i] != 0) alea_lane_set(&lanes, i);
    }
    begin_again(s, b, lanes);
  }
}

size_t alea_stepper_playing(const alea_stepper *s) {
  size_t playing = 0;
  for (size_t b = 0; b < s->block_count; b++) playing += alea_lane_count(playing_in(&s->blocks[b]));
  return playing;
}

const uint64_t *alea_stepper_planes(const alea_stepper *s) { return s->planes.words->part; }

/* Finds out which states of a block are terminal, after others were loaded. */
static void judge_block(alea_stepper *s, size_t block) {
  stepper_block *b = &s->blocks[block];
  b->tick = find_tick(s, block, b->used);
  enter_slots(s, block);
  evaluate(s, block);
  b->terminal =
      alea_lane_and(b->used, alea_lanes_value(s->slots.words, program_at(s, b->tick)->terminal));
  b->tick = find_tick(s, block, playing_in(b));
}

alea_status alea_stepper_load(alea_stepper *s, size_t first, size_t count, const uint64_t *words) {
  size_t width = ((size_t)s->net->fluent_count + 63) / 64, over = s->net->fluent_count % 64;
  if (first > s->count || count > s->count - first) return ALEA_USAGE;
  for (size_t i = 0; over != 0 && i < count; i++)
    if (words[(i + 1) * width - 1] >> over != 0) return ALEA_INPUT;
  for (size_t i = 0; i < count;) {
    size_t block = (first + i) / ALEA_LANES, lane = (first + i) % ALEA_LANES;
    const uint64_t *states[ALEA_LANES];
    word mask = alea_lane_fill(false);
    for (; i < count && lane < ALEA_LANES; i++, lane++) {
      states[lane] = words + i * width;
      alea_lane_set(&mask, (uint32_t)lane);
    }
    ALEA_LANES_FN(load_many)(planes_of(s, block), s->net->fluent_count, states, mask);
    judge_block(s, block);
  }
  return ALEA_OK;
}

/* ---- playouts ---- */

static size_t row_words(const alea_stepper *s) { return ((size_t)s->net->fluent_count + 63) / 64; }

static void clear_playouts(alea_stepper *s) {
  stepper_playouts *p = &s->playouts;
  alea_sampler_free(p->sampler);
  alea_mem_free(s->mem, p->rows, s->count * row_words(s) * sizeof *p->rows);
  alea_mem_free(s->mem, p->from, s->block_count * sizeof *p->from);
  alea_mem_free(s->mem, p->ticks, s->block_count * sizeof *p->ticks);
  *p = (stepper_playouts){0};
}

static alea_status make_playouts(alea_stepper *s) {
  stepper_playouts *p = &s->playouts;
  p->rows = alea_mem_calloc(s->mem, s->count, row_words(s) * sizeof *p->rows);
  p->from = alea_mem_calloc(s->mem, s->block_count, sizeof *p->from);
  p->ticks = alea_mem_calloc(s->mem, s->block_count, sizeof *p->ticks);
  alea_status status =
      p->rows != NULL && p->from != NULL && p->ticks != NULL ? ALEA_OK : alea_mem_lack(s->mem);
  if (status == ALEA_OK) /* not the moves that steps draw */
    status = alea_lanes_sampler_new_shared(&p->sampler, s->lanes, NULL, ~s->seed, s->mem);
  if (status != ALEA_OK) clear_playouts(s);
  return status;
}

alea_status alea_stepper_playout(alea_stepper *s, float *goals, uint64_t *steps) {
  stepper_playouts *p = &s->playouts;
  alea_status status = p->sampler == NULL ? make_playouts(s) : ALEA_OK;
  if (status != ALEA_OK) return status;
  alea_batch_arrays rows = {.size = sizeof rows, .fluent_bits = p->rows};
  for (size_t b = 0; b < s->block_count; b++) {
    write_fluents(s, b, &rows);
    p->from[b] = playing_in(&s->blocks[b]);
    p->ticks[b] = s->blocks[b].tick;
  }
  alea_lanes_starts starts = {
      .words = p->rows, .count = s->count, .from = p->from, .ticks = p->ticks, .goals = goals};
  status = ALEA_LANES_FN(play_each)(p->sampler, &starts, s->step_cap);
  if (steps != NULL) *steps = starts.states;
  return status;
}

/* ---- the object ---- */

void alea_stepper_free(alea_stepper *s) {
  if (s == NULL) return;
  alea_mem *mem = s->mem;
  size_t programs = s->lanes->clock.ticks + 1u, moves = s->net->move_count;
  clear_playouts(s);
  alea_lanes_percepts_free(s->percepts);
  ALEA_LANES_FN(picker_clear)(&s->picker);
  ALEA_LANES_FN(block_clear)(&s->slots, mem);
  ALEA_LANES_FN(block_clear)(&s->planes, mem);
  ALEA_LANES_FN(block_clear)(&s->tiles, mem);
  alea_mem_free(mem, s->blocks, s->block_count * sizeof *s->blocks);
  alea_mem_free(mem, s->initial, ((size_t)s->net->fluent_count + 63) / 64 * sizeof *s->initial);
  alea_mem_free(mem, s->legal, programs * moves * sizeof *s->legal);
  alea_mem_free(mem, s->first_legal, (moves + 63) / 64 * sizeof *s->first_legal);
  alea_mem_free(mem, s->marks, moves);
  alea_vec_clear(mem, &s->touched);
  alea_mem_free(mem, s, sizeof *s);
}

static bool allocate(alea_stepper *s) {
  alea_mem *mem = s->mem;
  size_t programs = s->lanes->clock.ticks + 1u, moves = s->net->move_count;
  size_t fluents = s->net->fluent_count;
  if (fluents != 0 && s->block_count > SIZE_MAX / sizeof(word) / 2 / fluents) return false;
  s->blocks = alea_mem_calloc(mem, s->block_count, sizeof *s->blocks);
  s->initial = alea_mem_calloc(mem, (fluents + 63) / 64, sizeof *s->initial);
  s->legal = alea_mem_calloc(mem, programs * moves, sizeof *s->legal);
  s->first_legal = alea_mem_calloc(mem, (moves + 63) / 64, sizeof *s->first_legal);
  s->marks = alea_mem_calloc(mem, moves, 1);
  return s->blocks != NULL && s->initial != NULL && s->legal != NULL && s->first_legal != NULL &&
         s->marks != NULL && alea_vec_reserve(mem, &s->touched, moves) &&
         ALEA_LANES_FN(block_init)(&s->slots, s->lanes->slot_count, mem) &&
         ALEA_LANES_FN(block_init)(&s->planes, s->block_count * fluents, mem) &&
         ALEA_LANES_FN(block_init)(&s->tiles, (moves > fluents ? moves : fluents) + 64, mem) &&
         ALEA_LANES_FN(picker_init)(&s->picker, s->net->role_count, s->lanes->group_count, s->seed,
                                    mem) == ALEA_OK;
}

/* What is the same in every state: the initial position, and what is legal
 * there. */
static void prepare(alea_stepper *s) {
  const alea_net *net = s->net;
  for (uint32_t t = 0; t < s->lanes->clock.ticks; t++) find_legal_slots(s, t);
  find_legal_slots(s, NO_TICK);
  for (uint32_t f = 0; f < net->fluent_count; f++)
    s->initial[f / 64] |= (uint64_t)(net->init[f] != 0) << (f % 64);
  s->evaluated = NO_TICK;
  s->slots.words[ALEA_LANES_TRUE_SLOT] = alea_lane_fill(true);
  ALEA_LANES_FN(load_one)(slot_fluents(s), net->fluent_count, s->initial, alea_lane_fill(true));
  ALEA_LANES_FN(eval)(&s->lanes->general, ALEA_LANES_STATE, ALEA_LANES_ANEW, s->slots.words);
  word terminal = alea_lanes_value(s->slots.words, s->lanes->general.terminal);
  s->initial_terminal = alea_lane_any(terminal);
  const uint32_t *legal = legal_slots(s, NO_TICK);
  for (uint32_t m = 0; m < net->move_count; m++)
    s->first_legal[m / 64] |= (uint64_t)alea_lane_get(&s->slots.words[legal[m]], 0) << (m % 64);
  for (size_t b = 0; b < s->block_count; b++)
    for (uint32_t i = 0; i < lanes_of(s, b); i++) alea_lane_set(&s->blocks[b].used, i);
  alea_stepper_reset(s, NULL);
}

alea_status alea_stepper_compile(alea_lanes **lanes, const alea_net *net, alea_mem *mem) {
  alea_lanes_tuning tuning = {.lanes = ALEA_LANES_WIDE, .all_moves = net->percepts.count > 0};
  return alea_lanes_new_tuned(lanes, net, &tuning, mem);
}

alea_status alea_stepper_new(alea_stepper **stepper, const alea_lanes *lanes, size_t count,
                             const alea_batch_options *options, alea_mem *mem) {
  *stepper = NULL;
  alea_stepper *s = alea_mem_zalloc(mem, sizeof *s);
  if (s == NULL) return alea_mem_lack(mem);
  s->mem = s->picker.mem = mem;
  s->lanes = lanes;
  s->net = lanes->net;
  s->count = count;
  s->block_count = count / ALEA_LANES + (count % ALEA_LANES != 0);
  s->auto_reset = options->auto_reset;
  s->seed = options->seed;
  s->step_cap = options->steps;
  alea_status status = allocate(s) ? ALEA_OK : alea_mem_lack(mem);
  if (status == ALEA_OK && options->percepts)
    status = alea_lanes_percepts_new(&s->percepts, s->net, count, mem);
  if (status != ALEA_OK) {
    alea_stepper_free(s);
    return status;
  }
  prepare(s);
  *stepper = s;
  return ALEA_OK;
}

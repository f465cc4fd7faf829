/* Random playouts that adapt their policy to the best of them. */
#include "planning/policy_adaptation.h"

#include <math.h>
#include <string.h>

enum {
  STEP_CAP = 2000, /* moves of a playout */
  PLAYOUTS_PER_UPDATE = 50,
  PATIENCE = 60, /* updates without progress before all begins anew */
};
static const double RATE = 1.0; /* of learning, in the exponent */

/* A playout with the moves that were legal: choices[firsts[i] .. firsts[i + 1])
 * at its move i. */
typedef struct adaptation_line {
  int goal;
  alea_u32s moves, firsts, choices;
} adaptation_line;

struct alea_policy_adaptation {
  alea_mem *mem;
  const alea_game *game;
  alea_cursor *cursor;
  alea_rng rng;
  alea_u64s start;
  uint32_t move_count;
  double *weight;                 /* per move: the exponential of its policy parameter */
  adaptation_line now, run, best; /* current playout; best since all began anew; best of all */
  int worst;
  bool learning; /* every other time: a goal value can also lead astray */
  uint32_t since_update, idle;
  uint32_t longest;
  uint64_t steps;
};

static void clear_line(alea_policy_adaptation *p, adaptation_line *l) {
  alea_vec_clear(p->mem, &l->moves);
  alea_vec_clear(p->mem, &l->firsts);
  alea_vec_clear(p->mem, &l->choices);
}

static void begin_anew(alea_policy_adaptation *p) {
  for (uint32_t m = 0; m < p->move_count; m++) p->weight[m] = 1;
  p->learning = !p->learning;
  p->run.goal = -1;
  p->since_update = p->idle = 0;
}

alea_status alea_policy_adaptation_new(alea_policy_adaptation **adaptation, const alea_game *game,
                                       const uint64_t *words, size_t word_count, uint64_t seed,
                                       alea_mem *mem) {
  alea_policy_adaptation *p = *adaptation = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return alea_mem_lack(mem);
  p->mem = mem;
  p->game = game;
  p->worst = 101;
  p->best.goal = -1;
  alea_rng_seed(&p->rng, seed);
  p->move_count = alea_game_move_count(game, 0);
  p->weight = alea_mem_calloc(mem, p->move_count, sizeof *p->weight);
  alea_status status =
      p->weight != NULL ? alea_cursor_new(game, mem, &p->cursor) : alea_mem_lack(mem);
  if (status == ALEA_OK && !alea_vec_reserve(mem, &p->start, word_count))
    status = alea_mem_lack(mem);
  if (status != ALEA_OK) {
    alea_policy_adaptation_free(p);
    *adaptation = NULL;
    return status;
  }
  memcpy(p->start.data, words, word_count * sizeof *words);
  p->start.count = word_count;
  p->learning = true;
  begin_anew(p);
  return ALEA_OK;
}

void alea_policy_adaptation_free(alea_policy_adaptation *p) {
  if (p == NULL) return;
  clear_line(p, &p->now);
  clear_line(p, &p->run);
  clear_line(p, &p->best);
  alea_vec_clear(p->mem, &p->start);
  alea_mem_free(p->mem, p->weight, p->move_count * sizeof *p->weight);
  alea_cursor_free(p->cursor);
  alea_mem_free(p->mem, p, sizeof *p);
}

/* ---- one playout ---- */

static alea_move choose(alea_policy_adaptation *p, alea_list legal) {
  double sum = 0;
  for (uint32_t i = 0; i < legal.count; i++) sum += p->weight[legal.ids[i]];
  double left = alea_rng_unit(&p->rng) * sum;
  for (uint32_t i = 0; i < legal.count; i++) {
    left -= p->weight[legal.ids[i]];
    if (left < 0) return legal.ids[i];
  }
  return legal.ids[legal.count - 1];
}

static alea_status remember(alea_policy_adaptation *p, alea_list legal, alea_move move) {
  adaptation_line *l = &p->now;
  if (!alea_vec_push(p->mem, &l->moves, move) ||
      !alea_vec_reserve(p->mem, &l->choices, legal.count))
    return alea_mem_lack(p->mem);
  memcpy(l->choices.data + l->choices.count, legal.ids, legal.count * sizeof *legal.ids);
  l->choices.count += legal.count;
  return alea_vec_push(p->mem, &l->firsts, (uint32_t)l->choices.count) ? ALEA_OK
                                                                       : alea_mem_lack(p->mem);
}

/* Plays into p->now; its goal is -1 where the playout does not end. */
static alea_status play(alea_policy_adaptation *p) {
  adaptation_line *l = &p->now;
  l->moves.count = l->choices.count = l->firsts.count = 0;
  l->goal = -1;
  if (!alea_vec_push(p->mem, &l->firsts, 0)) return alea_mem_lack(p->mem);
  alea_status status = alea_cursor_load(p->cursor, p->start.data, p->start.count);
  for (uint32_t step = 0; status == ALEA_OK && step < STEP_CAP; step++) {
    bool terminal;
    alea_list legal;
    status = alea_cursor_terminal(p->cursor, &terminal);
    if (status == ALEA_OK && terminal) {
      status = alea_cursor_goal(p->cursor, 0, &l->goal);
      if (l->goal < 0) l->goal = 0;
      return status;
    }
    if (status == ALEA_OK) status = alea_cursor_legal(p->cursor, 0, &legal);
    if (status != ALEA_OK || legal.count == 0) return status;
    alea_move move = choose(p, legal);
    status = remember(p, legal, move);
    if (status == ALEA_OK) status = alea_cursor_play(p->cursor, &move);
    p->steps++;
  }
  return status;
}

/* ---- adapting ---- */

/* One step along the gradient of the probability of the best line. */
static void learn(alea_policy_adaptation *p) {
  const adaptation_line *l = &p->run;
  for (size_t i = 0; i < l->moves.count; i++) {
    double sum = 0;
    for (uint32_t k = l->firsts.data[i]; k < l->firsts.data[i + 1]; k++)
      sum += p->weight[l->choices.data[k]];
    for (uint32_t k = l->firsts.data[i]; k < l->firsts.data[i + 1]; k++) {
      alea_move move = l->choices.data[k];
      double change = (move == l->moves.data[i]) - p->weight[move] / sum;
      double next = p->weight[move] * exp(RATE * change);
      p->weight[move] = next < 1e-9 ? 1e-9 : next > 1e9 ? 1e9 : next;
    }
  }
}

static bool copy(alea_policy_adaptation *p, alea_u32s *to, const alea_u32s *from) {
  to->count = 0;
  if (!alea_vec_reserve(p->mem, to, from->count)) return false;
  if (from->count > 0) memcpy(to->data, from->data, from->count * sizeof *from->data);
  to->count = from->count;
  return true;
}

static alea_status copy_line(alea_policy_adaptation *p, adaptation_line *to,
                             const adaptation_line *from) {
  to->goal = from->goal;
  bool copied = copy(p, &to->moves, &from->moves) && copy(p, &to->firsts, &from->firsts) &&
                copy(p, &to->choices, &from->choices);
  return copied ? ALEA_OK : alea_mem_lack(p->mem);
}

/* Takes the playout into account. */
static alea_status note_playout(alea_policy_adaptation *p) {
  const adaptation_line *l = &p->now;
  alea_status status = ALEA_OK;
  if (l->moves.count > p->longest) p->longest = (uint32_t)l->moves.count;
  if (l->goal < 0) return ALEA_OK;
  if (l->goal < p->worst) p->worst = l->goal;
  if (l->goal > p->run.goal) p->idle = 0;
  if (l->goal >= p->run.goal) status = copy_line(p, &p->run, l);
  if (status == ALEA_OK && l->goal > p->best.goal) status = copy_line(p, &p->best, l);
  if (status != ALEA_OK || ++p->since_update < PLAYOUTS_PER_UPDATE) return status;
  p->since_update = 0;
  if (p->learning && p->run.goal > p->worst) learn(p);
  if (++p->idle > PATIENCE) begin_anew(p);
  return ALEA_OK;
}

alea_status alea_policy_adaptation_run(alea_policy_adaptation *p, int target, uint64_t steps,
                                       const alea_deadline *deadline) {
  uint64_t stop = p->steps + steps;
  alea_status status = ALEA_OK;
  while (status == ALEA_OK && p->best.goal < target && p->steps < stop &&
         !alea_deadline_passed(deadline)) {
    p->steps++; /* a terminal start counts too */
    status = play(p);
    if (status == ALEA_OK) status = note_playout(p);
  }
  return status;
}

uint64_t alea_policy_adaptation_steps(const alea_policy_adaptation *p) { return p->steps; }
uint32_t alea_policy_adaptation_longest(const alea_policy_adaptation *p) { return p->longest; }
int alea_policy_adaptation_best(const alea_policy_adaptation *p) { return p->best.goal; }

alea_list alea_policy_adaptation_moves(const alea_policy_adaptation *p) {
  return (alea_list){.ids = p->best.moves.data, .count = (uint32_t)p->best.moves.count};
}

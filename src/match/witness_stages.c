/* Witnesses by clauses: what is wrong after at most so many stages?
 *
 * A question asks for a play that ends in a state with some property.  It is
 * asked for stages 0 to 4, 5 to 8, 9 to 16 and so on, until a play is found, the
 * horizon is reached or a limit ends it. */
#include <string.h>

#include "match/witness_finder.h"
#include "unroll/unroll.h"

/* A property of states.  NEVER_WON asks for the opposite, a play that is won. */
typedef struct stage_question {
  alea_witness_kind kind;
  uint32_t role;
  bool open;    /* neither answered nor given up */
  bool refuted; /* for all states so far */
} stage_question;

typedef struct stage_search {
  witness_finder *f;
  alea_unroll *unroll;
  ALEA_VEC(stage_question) questions;
  ALEA_VEC(alea_slit) ends; /* per state, of the question that is asked */
  ALEA_VEC(alea_slit) lits; /* scratch */
  alea_u32s values;         /* goals of the role of the question */
  alea_u32s moves;          /* of the play found */
} stage_search;

static bool add_lit(stage_search *s, alea_slit lit) {
  return alea_vec_push(s->f->mem, &s->lits, lit);
}

static alea_slit conjunction(stage_search *s) {
  return alea_sat_gate(alea_unroll_sat(s->unroll), false, s->lits.data, s->lits.count);
}

/* State t is not terminal, and 'role' has no legal move. */
static alea_status stuck_state(stage_search *s, uint32_t t, uint32_t role, alea_slit *lit) {
  uint32_t moves = alea_game_move_count(s->f->game, role);
  s->lits.count = 0;
  bool good = add_lit(s, -alea_unroll_terminal(s->unroll, t));
  for (alea_move m = 0; good && m < moves; m++)
    good = add_lit(s, -alea_unroll_legal(s->unroll, t, role, m));
  if (good) *lit = conjunction(s);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* State t is terminal without any goal of 'role'. */
static alea_status goalless_state(stage_search *s, uint32_t t, uint32_t role, alea_slit *lit) {
  s->lits.count = 0;
  bool good = add_lit(s, alea_unroll_terminal(s->unroll, t));
  for (size_t i = 0; good && i < s->values.count; i++) {
    alea_slit goal;
    alea_status status = alea_unroll_goal_is(s->unroll, t, role, (int)s->values.data[i], &goal);
    if (status != ALEA_OK) return status;
    good = add_lit(s, -goal);
  }
  if (good) *lit = conjunction(s);
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* State t is terminal with two goals of 'role'. */
static alea_status ambiguous_state(stage_search *s, uint32_t t, uint32_t role, alea_slit *lit) {
  alea_sat *sat = alea_unroll_sat(s->unroll);
  alea_slit one = ALEA_SLIT_FALSE, two = ALEA_SLIT_FALSE;
  for (size_t i = 0; i < s->values.count; i++) {
    alea_slit goal;
    alea_status status = alea_unroll_goal_is(s->unroll, t, role, (int)s->values.data[i], &goal);
    if (status != ALEA_OK) return status;
    alea_slit second = alea_sat_gate(sat, false, (alea_slit[]){one, goal}, 2);
    two = alea_sat_gate(sat, true, (alea_slit[]){two, second}, 2);
    one = alea_sat_gate(sat, true, (alea_slit[]){one, goal}, 2);
  }
  *lit = alea_sat_gate(sat, false, (alea_slit[]){two, alea_unroll_terminal(s->unroll, t)}, 2);
  return ALEA_OK;
}

static alea_status won_state(stage_search *s, uint32_t t, uint32_t role, alea_slit *lit) {
  alea_slit goal;
  alea_status status = alea_unroll_goal_is(s->unroll, t, role, 100, &goal);
  if (status != ALEA_OK) return status;
  *lit = alea_sat_gate(alea_unroll_sat(s->unroll), false,
                       (alea_slit[]){goal, alea_unroll_terminal(s->unroll, t)}, 2);
  return ALEA_OK;
}

static alea_status make_end(stage_search *s, const stage_question *q, uint32_t t, alea_slit *lit) {
  switch (q->kind) {
    case ALEA_WITNESS_NOT_PLAYABLE: return stuck_state(s, t, q->role, lit);
    case ALEA_WITNESS_NO_GOAL: return goalless_state(s, t, q->role, lit);
    case ALEA_WITNESS_TWO_GOALS: return ambiguous_state(s, t, q->role, lit);
    default: return won_state(s, t, q->role, lit);
  }
}

/* Replays the model up to the first state that was asked for; the cursor's look
 * at the end decides what it is. */
static alea_status take_play(stage_search *s, uint32_t last) {
  witness_finder *f = s->f;
  bool over = false;
  s->moves.count = 0;
  alea_status status = alea_cursor_reset(f->cursor);
  for (uint32_t t = 0; status == ALEA_OK; t++) {
    if ((status = witness_look(f, &over)) != ALEA_OK || over || t == last) break;
    for (uint32_t role = 0; role < f->game->role_count; role++) {
      bool legal = false;
      f->joint[role] = alea_unroll_chosen(s->unroll, t, role);
      if (f->joint[role] != ALEA_NO_MOVE)
        status = alea_cursor_admits(f->cursor, role, f->joint[role], &legal);
      if (status != ALEA_OK || !legal) return status;
      if (!alea_vec_push(f->mem, &s->moves, f->joint[role])) return ALEA_SYSTEM;
    }
    status = alea_cursor_play(f->cursor, f->joint);
  }
  if (status != ALEA_OK || !over) return status;
  return witness_add_here(f, s->moves.data, (uint32_t)(s->moves.count / f->game->role_count));
}

/* Asks for states first .. last. */
static alea_status ask(stage_search *s, stage_question *q, uint32_t first, uint32_t last) {
  witness_finder *f = s->f;
  s->ends.count = 0;
  if (!alea_vec_reserve(f->mem, &s->ends, last + (size_t)1)) return ALEA_SYSTEM;
  alea_status status = alea_unroll_values(f->game, q->role, &s->values, f->mem);
  for (uint32_t t = 0; status == ALEA_OK && t <= last; t++) {
    s->ends.data[t] = ALEA_SLIT_FALSE;
    if (t >= first) status = make_end(s, q, t, &s->ends.data[t]);
  }
  if (status != ALEA_OK) return status;
  bool possible = false;
  for (uint32_t t = first; t <= last; t++) possible |= s->ends.data[t] != ALEA_SLIT_FALSE;
  if (!possible) return ALEA_OK;
  alea_slit asked;
  alea_verdict answer;
  status = alea_unroll_ask_ends(s->unroll, s->ends.data, 0, last, &asked);
  if (status == ALEA_OK)
    status = alea_unroll_solve(s->unroll, &asked, 1, f->limits->conflicts, &answer);
  if (status != ALEA_OK) return status;
  if (answer != ALEA_VERDICT_REFUTED) q->open = q->refuted = false;
  return answer == ALEA_VERDICT_PROVED ? take_play(s, last) : ALEA_OK;
}

static bool is_answered(const witness_finder *f, const stage_question *q) {
  return q->kind == ALEA_WITNESS_NEVER_WON ? f->won[q->role]
                                           : !witness_is_wanted(f, q->kind, q->role);
}

static alea_status ask_all(stage_search *s, uint32_t first, uint32_t last) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < s->questions.count; i++) {
    stage_question *q = &s->questions.data[i];
    if (!q->open || is_answered(s->f, q)) continue;
    status = ask(s, q, first, last);
    if (status == ALEA_OK && alea_deadline_passed(s->f->limits->deadline)) status = ALEA_LIMIT;
  }
  return status;
}

static alea_status make_questions(stage_search *s) {
  static const alea_witness_kind kinds[] = {ALEA_WITNESS_NOT_PLAYABLE, ALEA_WITNESS_NO_GOAL,
                                            ALEA_WITNESS_TWO_GOALS, ALEA_WITNESS_NEVER_WON};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (uint32_t role = 0; role < s->f->game->role_count; role++) {
      stage_question q = {kinds[k], role, true, true};
      if (!witness_is_player(s->f, role) && q.kind != ALEA_WITNESS_NOT_PLAYABLE) continue;
      if (!is_answered(s->f, &q) && !alea_vec_push(s->f->mem, &s->questions, q)) return ALEA_SYSTEM;
    }
  }
  return ALEA_OK;
}

static bool any_open(const stage_search *s) {
  for (size_t i = 0; i < s->questions.count; i++)
    if (s->questions.data[i].open && !is_answered(s->f, &s->questions.data[i])) return true;
  return false;
}

static alea_status search(stage_search *s) {
  const alea_witness_limits *limits = s->f->limits;
  bool bounded = limits->horizon > 0 && limits->horizon <= limits->stages;
  uint32_t most = bounded ? limits->horizon : limits->stages;
  uint32_t first = 0, last = most < 4 ? most : 4;
  alea_status status = make_questions(s);
  while (status == ALEA_OK && any_open(s)) {
    while (status == ALEA_OK && alea_unroll_stages(s->unroll) < last)
      status = alea_unroll_extend(s->unroll);
    if (status == ALEA_OK) status = ask_all(s, first, last);
    if (status != ALEA_OK || last == most) break;
    first = last + 1;
    last = 2 * last < most ? 2 * last : most;
  }
  for (size_t i = 0; status == ALEA_OK && bounded && i < s->questions.count; i++) {
    const stage_question *q = &s->questions.data[i];
    if (q->kind == ALEA_WITNESS_NEVER_WON && q->refuted) s->f->never[q->role] = true;
  }
  return status;
}

alea_status witness_search_stages(witness_finder *f) {
  if (f->net == NULL || f->limits->stages == 0) return ALEA_LIMIT;
  stage_search s = {.f = f};
  alea_unroll_options options = {.deadline = f->limits->deadline, .style = ALEA_SAT_SHORT};
  alea_list fluents;
  alea_status status = alea_cursor_reset(f->cursor);
  if (status == ALEA_OK) status = alea_cursor_fluents(f->cursor, &fluents);
  if (status == ALEA_OK) status = alea_unroll_new(&s.unroll, f->game, fluents, &options, f->mem);
  if (status == ALEA_OK) status = search(&s);
  alea_unroll_free(s.unroll);
  alea_vec_clear(f->mem, &s.questions);
  alea_vec_clear(f->mem, &s.ends);
  alea_vec_clear(f->mem, &s.lits);
  alea_vec_clear(f->mem, &s.values);
  alea_vec_clear(f->mem, &s.moves);
  return status;
}

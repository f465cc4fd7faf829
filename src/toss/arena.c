/* Arenas: a judged network, or the interpreter. */
#include "toss/arena.h"
#include "game/position.h"

#include <stdlib.h>
#include <string.h>

#define NONE ALEA_TOSS_NONE

typedef alea_toss_arena arena_t;
typedef alea_toss_joints joints_t;

/* ---- the moves of the network ---- */

/* The verdict in `(judged 2 (mark b2))`; the text after it is the move. */
static uint32_t read_verdict(const char *text, const char **move, size_t *length) {
  static const char opening[] = "(judged ";
  *move = text;
  *length = strlen(text);
  if (strncmp(text, opening, sizeof opening - 1) != 0) return NONE;
  char *end;
  unsigned long verdict = strtoul(text + sizeof opening - 1, &end, 10);
  *move = end + strspn(end, " ");
  *length = strlen(*move) - 1;
  return (uint32_t)verdict;
}

static alea_status read_meaning(arena_t *a, uint32_t role, alea_move move, alea_text *text) {
  alea_toss_meaning *m = &a->meanings[role];
  const char *inner;
  size_t length;
  alea_text_truncate(text, 0);
  alea_game_move_text(a->network, role, move, true, text);
  m->verdicts[move] = read_verdict(alea_text_string(text), &inner, &length);
  size_t start = (size_t)(inner - alea_text_string(text));
  if (text->failed) return alea_mem_lack(a->mem);
  alea_text_truncate(text, start + length);
  m->moves[move] = alea_game_move_find(&a->source->game, role, alea_text_string(text) + start);
  return m->moves[move] != ALEA_NO_MOVE ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status read_meanings(arena_t *a) {
  alea_text text;
  alea_text_init(&text, a->mem);
  alea_status status = ALEA_OK;
  for (uint32_t role = 0; role < a->roles && status == ALEA_OK; role++) {
    alea_toss_meaning *m = &a->meanings[role];
    m->count = alea_game_move_count(a->network, role);
    m->verdicts = alea_mem_calloc(a->mem, m->count, sizeof *m->verdicts);
    m->moves = alea_mem_calloc(a->mem, m->count, sizeof *m->moves);
    if (m->verdicts == NULL || m->moves == NULL) status = alea_mem_lack(a->mem);
    for (uint32_t i = 0; i < m->count && status == ALEA_OK; i++) {
      status = read_meaning(a, role, i, &text);
    }
  }
  alea_text_clear(&text);
  return status;
}

/* ---- opening ---- */

/* ALEA_UNSUPPORTED: the game must be interpreted. */
static alea_status open_network(arena_t *a, alea_toss_builder *build) {
  alea_ground *ground = NULL;
  alea_status status =
      alea_toss_ground_judged(&ground, a->source->file, a->evaluation, a->mem, NULL);
  if (status == ALEA_OK) status = build(&a->network, ground, a->mem);
  alea_ground_free(ground);
  if (status == ALEA_OK) status = read_meanings(a);
  return status == ALEA_OK ? alea_cursor_new(a->network, a->mem, &a->cursor) : status;
}

static alea_status open_interpreter(arena_t *a) {
  alea_status status = alea_cursor_new(&a->source->game, a->mem, &a->cursor);
  if (status != ALEA_OK || a->evaluation == NULL) return status;
  a->before = alea_toss_rules_structure(a->source->rules, a->mem);
  if (a->before == NULL) return alea_mem_lack(a->mem);
  return alea_toss_stage_init(&a->stage, a->evaluation, a->mem);
}

alea_status alea_toss_arena_open(arena_t *a, const alea_game *source,
                                 const alea_toss_evaluation *evaluation, alea_toss_builder *build,
                                 alea_mem *mem) {
  *a = (arena_t){.mem = mem, .evaluation = evaluation};
  if (strcmp(source->class->engine, "toss") != 0) return ALEA_USAGE;
  a->source = alea_toss_of(source);
  a->players = a->source->player_count;
  a->roles = source->role_count;
  alea_status status = build != NULL ? open_network(a, build) : ALEA_UNSUPPORTED;
  return status == ALEA_UNSUPPORTED ? open_interpreter(a) : status;
}

void alea_toss_arena_close(arena_t *a) {
  if (a->mem == NULL) return;
  alea_cursor_free(a->cursor);
  alea_game_free(a->network);
  for (uint32_t role = 0; role < a->roles; role++) {
    alea_toss_meaning *m = &a->meanings[role];
    alea_mem_free(a->mem, m->verdicts, m->verdicts != NULL ? m->count * sizeof *m->verdicts : 0);
    alea_mem_free(a->mem, m->moves, m->moves != NULL ? m->count * sizeof *m->moves : 0);
  }
  if (a->stage.mem != NULL) alea_toss_stage_clear(&a->stage);
  alea_toss_structure_free(a->before);
  alea_vec_clear(a->mem, &a->here);
  *a = (arena_t){0};
}

/* ---- joint actions ---- */

alea_status alea_toss_arena_joints(arena_t *a, joints_t *j) {
  uint64_t total = 1;
  uint32_t choosers = 0;
  *j = (joints_t){.chance = 1};
  for (uint32_t role = 0; role < a->roles; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(a->cursor, role, &list);
    if (status != ALEA_OK) return status;
    j->counts[role] = list.count;
    total *= list.count;
    if (total == 0) return ALEA_NONE;
    if (total > ALEA_TOSS_MOST_JOINTS) return ALEA_LIMIT;
    if (role == a->players) {
      j->chance = list.count;
    } else if (list.count > 1) {
      if (choosers++ == 0) j->mover = role;
    }
  }
  if (choosers > 1) j->mover = NONE;
  j->total = (uint32_t)total;
  return ALEA_OK;
}

alea_status alea_toss_arena_moves(arena_t *a, const joints_t *j, uint32_t code, alea_move *moves) {
  for (uint32_t role = 0; role < a->roles; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(a->cursor, role, &list);
    if (status != ALEA_OK) return status;
    moves[role] = list.ids[code % j->counts[role]];
    code /= j->counts[role];
  }
  return ALEA_OK;
}

alea_status alea_toss_arena_play(arena_t *a, const joints_t *j, uint32_t code) {
  alea_move moves[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_status status = alea_toss_arena_moves(a, j, code, moves);
  return status == ALEA_OK ? alea_cursor_play(a->cursor, moves) : status;
}

/* ---- verdicts ---- */

/* How every joint action is judged, and where the results go. */
typedef struct judging {
  uint32_t plays;
  alea_rng *rng;
  uint32_t *verdicts;
  double *values, *squares;
} judging;

static alea_status assess(arena_t *a, const judging *how, uint32_t code, alea_toss_stage *stage) {
  size_t cell = (size_t)code * a->players;
  return alea_toss_verdict_assess(a->evaluation, stage, how->verdicts[code], how->plays, how->rng,
                                  how->values + cell, how->squares + cell);
}

static alea_status judge_by_name(arena_t *a, const joints_t *j, const judging *how) {
  alea_list list;
  alea_status status = alea_cursor_legal(a->cursor, j->mover, &list);
  for (uint32_t code = 0; code < j->total && status == ALEA_OK; code++) {
    how->verdicts[code] = a->meanings[j->mover].verdicts[list.ids[code % list.count]];
    status = assess(a, how, code, NULL);
  }
  return status;
}

static alea_status save_here(arena_t *a) {
  alea_status status = alea_position_keep(&a->here, a->cursor, a->mem);
  return status == ALEA_OK && a->here.count == 0 ? alea_mem_lack(a->mem) : status;
}

/* Sets the stage for the move that was just made from a->before at 'location'. */
static alea_status judge_here(arena_t *a, uint32_t location, uint32_t *verdict) {
  uint32_t here;
  const alea_toss_structure *s = alea_toss_cursor_structure(a->cursor, &here);
  alea_toss_transition move = {a->before, s, alea_toss_cursor_origins(a->cursor)};
  alea_status status = alea_toss_stage_set(&a->stage, a->evaluation, &move, here);
  if (status != ALEA_OK) return status;
  *verdict = alea_toss_evaluation_verdict(a->evaluation, &a->stage, location);
  return a->stage.env.status;
}

static alea_status judge_by_trying(arena_t *a, const joints_t *j, const judging *how) {
  uint32_t location;
  const alea_toss_structure *s = alea_toss_cursor_structure(a->cursor, &location);
  alea_status status = save_here(a);
  if (!alea_toss_structure_copy(a->before, s)) status = alea_mem_lack(a->mem);
  for (uint32_t code = 0; code < j->total && status == ALEA_OK; code++) {
    /* The codes refer to the order of moves after loading. */
    status = alea_cursor_load(a->cursor, a->here.data, a->here.count);
    if (status == ALEA_OK) status = alea_toss_arena_play(a, j, code);
    if (status == ALEA_OK) status = judge_here(a, location, &how->verdicts[code]);
    if (status == ALEA_OK) status = assess(a, how, code, &a->stage);
  }
  alea_status back = alea_cursor_load(a->cursor, a->here.data, a->here.count);
  return status == ALEA_OK ? back : status;
}

alea_status alea_toss_arena_judge(arena_t *a, const joints_t *j, uint32_t plays, alea_rng *rng,
                                  uint32_t *verdicts, double *values, double *squares) {
  judging how = {plays, rng, verdicts, values, squares};
  return a->network != NULL ? judge_by_name(a, j, &how) : judge_by_trying(a, j, &how);
}

alea_status alea_toss_arena_try(arena_t *a, const alea_move *joint,
                                const alea_toss_numbers *numbers, uint32_t *verdict,
                                double *payoffs) {
  uint32_t location;
  const alea_toss_structure *s = alea_toss_cursor_structure(a->cursor, &location);
  if (!alea_toss_structure_copy(a->before, s)) return alea_mem_lack(a->mem);
  alea_status status = alea_toss_cursor_play_with(a->cursor, joint, numbers);
  if (status == ALEA_OK) status = judge_here(a, location, verdict);
  if (status != ALEA_OK) return status;
  return alea_toss_verdict_steady(a->evaluation, &a->stage, *verdict, payoffs);
}

alea_status alea_toss_arena_payoffs(arena_t *a, double *payoffs) {
  alea_status status = ALEA_OK;
  for (uint32_t p = 0; p < a->players && status == ALEA_OK; p++) {
    int goal = 0;
    if (a->network == NULL) {
      status = alea_toss_cursor_payoff(a->cursor, p, &payoffs[p]);
      continue;
    }
    status = alea_cursor_goal(a->cursor, p, &goal); /* exact: the payoffs are whole percentages */
    payoffs[p] = goal > 0 ? goal / 100.0 : 0;
  }
  return status;
}

/* ---- move numbers of the interpreter ---- */

alea_move alea_toss_arena_export(arena_t *a, uint32_t role, alea_move move) {
  return a->network != NULL ? a->meanings[role].moves[move] : move;
}

alea_status alea_toss_arena_follow(arena_t *a, const alea_move *joint) {
  alea_move moves[ALEA_TOSS_MOST_PLAYERS + 1];
  if (a->network == NULL) return alea_cursor_play(a->cursor, joint);
  for (uint32_t role = 0; role < a->roles; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(a->cursor, role, &list);
    if (status != ALEA_OK) return status;
    moves[role] = ALEA_NO_MOVE;
    for (uint32_t i = 0; i < list.count && moves[role] == ALEA_NO_MOVE; i++) {
      if (a->meanings[role].moves[list.ids[i]] == joint[role]) moves[role] = list.ids[i];
    }
    if (moves[role] == ALEA_NO_MOVE) return ALEA_INPUT;
  }
  return alea_cursor_play(a->cursor, moves);
}

/* Compares games with their constraint networks. */
#include "support/stage_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "match/open.h"
#include "propnet/propnet.h"

enum { MOST_JOINT = 64 };

static alea_status read_program(stage_subject *s, const char *path) {
  alea_text text;
  alea_text_init(&text, &s->mem);
  alea_status status = alea_open_file(path, &text, &s->diag);
  if (status == ALEA_OK)
    status = alea_program_new(&s->program, alea_text_string(&text), text.length, path, NULL,
                              &s->mem, &s->diag);
  alea_text_clear(&text);
  return status;
}

/* The game is not played on plain ground rules.  Its network is optimised only
 * briefly. */
static alea_status make_game(stage_subject *s, bool plain, const alea_deadline *deadline) {
  alea_ground_options options = {.deadline = deadline};
  alea_deadline soon = {.thread_at = alea_clock_thread() + 3};
  alea_net_options few = {.deadline = &soon};
  alea_ground *split = NULL;
  alea_net *net = NULL;
  alea_status status = ALEA_OK;
  if (plain) status = alea_ground_new(&split, s->program, &options, &s->mem, &s->diag);
  if (status == ALEA_OK)
    status = alea_net_new(&net, plain ? split : s->ground, &few, &s->mem, &s->diag);
  alea_ground_free(split);
  return status == ALEA_OK ? alea_net_game_new(&s->game, net, &s->mem) : status;
}

alea_status stage_open(stage_subject *s, const char *path, alea_encoder encoder,
                       const alea_stage_options *options, bool checked,
                       const stage_limits *limits) {
  *s = (stage_subject){0};
  alea_mem_init(&s->mem, (size_t)(getenv("ALEA_FULL") != NULL ? 12 : 2) << 30);
  alea_diag_init(&s->diag, &s->mem);
  alea_deadline deadline = {0};
  if (limits->open_seconds > 0) deadline.thread_at = alea_clock_thread() + limits->open_seconds;
  alea_status status = read_program(s, path);
  bool plain = encoder == ALEA_ENCODER_PAPER;
  alea_ground_options ground = {
      .deadline = &deadline, .plain = plain, .max_instances = plain ? 1000000 : 0};
  if (limits->literals != 0) ground.max_instances = 20 * limits->literals;
  if (status == ALEA_OK)
    status = alea_ground_new(&s->ground, s->program, &ground, &s->mem, &s->diag);
  if (status == ALEA_OK && limits->literals != 0 && s->ground->lits.count > limits->literals)
    status = ALEA_LIMIT;
  if (status == ALEA_OK) status = make_game(s, plain, &deadline);
  /* Tables if there is time for them, otherwise rules, as players use them. */
  bool large = status == ALEA_OK && s->ground->lits.count > 50000;
  alea_template_options how = {.encoder = encoder,
                               .table_rows = large ? 8 : 4096,
                               .prove_seconds = limits->prove_seconds,
                               .game = s->game,
                               .deadline = &deadline,
                               .flat = true};
  if (status == ALEA_OK) status = alea_template_new(&s->t, s->ground, s->program, &how, &s->mem);
  alea_stage_table_options table = {.checked = checked};
  if (status == ALEA_OK)
    status = alea_stage_new_table(&s->stage, s->t, s->game, options, &table, &s->mem);
  if (status == ALEA_OK) status = alea_stage_new_net(&s->net, s->game, options, &s->mem);
  if (status == ALEA_OK) status = alea_cursor_new(s->game, &s->mem, &s->cursor);
  return status;
}

void stage_close(stage_subject *s) {
  alea_cursor_free(s->cursor);
  alea_stage_free(s->stage);
  alea_stage_free(s->net);
  alea_template_free(s->t);
  alea_ground_free(s->ground);
  alea_game_free(s->game);
  alea_program_free(s->program);
  alea_diag_clear(&s->diag);
  assert_int_equal(s->mem.used, 0);
}

/* ---- one state ---- */

static bool differ(stage_subject *s, const char *what, long a, long b) {
  snprintf(s->why, sizeof s->why, "%s: %ld instead of %ld, state %lu", what, a, b,
           (unsigned long)s->states);
  return false;
}

static int ascending(const void *a, const void *b) {
  alea_move x = *(const alea_move *)a, y = *(const alea_move *)b;
  return (x > y) - (x < y);
}

/* Whether the moves of one role, sorted, are those of the solution. */
static bool same_moves(stage_subject *s, const alea_stage_solution *solution, uint32_t role) {
  alea_list list;
  assert_int_equal(alea_cursor_legal(s->cursor, role, &list), ALEA_OK);
  uint32_t first = solution->firsts[role], count = solution->firsts[role + 1] - first;
  if (list.count != count) return differ(s, "number of moves", count, list.count);
  alea_move *moves = malloc((list.count + 1) * sizeof *moves);
  memcpy(moves, list.ids, list.count * sizeof *moves);
  qsort(moves, list.count, sizeof *moves, ascending);
  bool same = memcmp(moves, solution->moves + first, count * sizeof *moves) == 0;
  free(moves);
  return same || differ(s, "moves of role", role, role);
}

/* Arms are the product, in order: the last role varies fastest. */
static bool same_arms(stage_subject *s, const alea_stage_solution *solution) {
  uint32_t roles = s->game->role_count, at[MOST_JOINT];
  uint64_t product = 1;
  for (uint32_t r = 0; r < roles; r++) {
    at[r] = solution->firsts[r];
    if ((int)r != s->game->random_role)
      product *= solution->firsts[r + 1] - solution->firsts[r];
    else if (solution->firsts[r + 1] == solution->firsts[r])
      product = 0;
  }
  if (solution->arm_count != product)
    return differ(s, "number of arms", (long)solution->arm_count, (long)product);
  for (uint64_t a = 0; solution->arms != NULL && a < product; a++) {
    for (uint32_t r = 0; r < roles; r++) {
      alea_move want = (int)r == s->game->random_role ? ALEA_NO_MOVE : solution->moves[at[r]];
      if (solution->arms[a * roles + r] != want) return differ(s, "arm", (long)a, (long)r);
    }
    for (uint32_t r = roles; r-- > 0;) {
      if ((int)r == s->game->random_role) continue;
      if (++at[r] < solution->firsts[r + 1]) break;
      at[r] = solution->firsts[r];
    }
  }
  return product == 0 || solution->arms != NULL || product > 20000 ||
         differ(s, "arms missing", 0, (long)product);
}

/* The cursor is at the state that the stage has just solved. */
static bool same_state(stage_subject *s, const alea_stage_solution *solution) {
  bool terminal;
  assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
  if (terminal != solution->terminal) return differ(s, "terminal", solution->terminal, terminal);
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    int goal;
    assert_int_equal(alea_cursor_goal(s->cursor, r, &goal), ALEA_OK);
    if (goal != solution->goals[r]) return differ(s, "goal", solution->goals[r], goal);
  }
  if (terminal)
    return solution->arm_count == 0 || differ(s, "arms at the end", (long)solution->arm_count, 0);
  bool playable = true;
  for (uint32_t r = 0; r < s->game->role_count; r++) {
    alea_list list;
    assert_int_equal(alea_cursor_legal(s->cursor, r, &list), ALEA_OK);
    playable = playable && list.count > 0;
  }
  if (!playable)
    return solution->arm_count == 0 || differ(s, "arms where a role cannot move", 1, 0);
  for (uint32_t r = 0; r < s->game->role_count; r++)
    if (!same_moves(s, solution, r)) return false;
  return same_arms(s, solution);
}

/* ---- graphs ---- */

typedef struct visited {
  size_t words, count, slots;
  uint64_t *states;
  uint32_t *table; /* number + 1 */
} visited;

/* True if the state is new. */
static bool visit(visited *v, const uint64_t *words) {
  if (2 * (v->count + 1) > v->slots) {
    size_t slots = v->slots == 0 ? 1024 : 2 * v->slots;
    v->table = realloc(v->table, slots * sizeof *v->table);
    v->states = realloc(v->states, (slots + 1) * v->words * sizeof *v->states);
    memset(v->table, 0, slots * sizeof *v->table);
    v->slots = slots;
    for (size_t i = 0; i < v->count; i++) {
      size_t at = alea_hash_bytes(v->states + i * v->words, v->words * 8) & (slots - 1);
      while (v->table[at] != 0) at = (at + 1) & (slots - 1);
      v->table[at] = (uint32_t)i + 1;
    }
  }
  size_t at = alea_hash_bytes(words, v->words * 8) & (v->slots - 1);
  while (v->table[at] != 0) {
    if (memcmp(v->states + (v->table[at] - 1) * v->words, words, v->words * 8) == 0) return false;
    at = (at + 1) & (v->slots - 1);
  }
  memcpy(v->states + v->count * v->words, words, v->words * 8);
  v->table[at] = (uint32_t)++v->count;
  return true;
}

/* Every joint move, chance included, leads to the same state in both. */
static bool same_arcs(stage_subject *s, const alea_stage_solution *solution, const uint64_t *from,
                      visited *seen, const stage_limits *limits, double until) {
  uint32_t roles = s->game->role_count, at[MOST_JOINT];
  uint32_t firsts[MOST_JOINT + 1];
  alea_move joint[MOST_JOINT];
  memcpy(firsts, solution->firsts, (roles + 1) * sizeof *firsts);
  alea_move *moves = malloc((firsts[roles] + 1) * sizeof *moves);
  memcpy(moves, solution->moves, firsts[roles] * sizeof *moves);
  memcpy(at, firsts, roles * sizeof *at);
  bool same = true, more = solution->arm_count > 0;
  while (same && more && alea_clock_thread() < until &&
         (limits->transitions == 0 || s->transitions < limits->transitions)) {
    const uint64_t *words;
    size_t count, other;
    for (uint32_t r = 0; r < roles; r++) joint[r] = moves[at[r]];
    alea_status status = alea_stage_next(s->stage, joint, &words, &count);
    if (status != ALEA_OK) {
      same = differ(s, "no successor, status", (long)status, 0);
      break;
    }
    assert_int_equal(alea_cursor_load(s->cursor, from, seen->words), ALEA_OK);
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
    const uint64_t *want = alea_cursor_state(s->cursor, &other);
    same = (count == other && memcmp(words, want, count * sizeof *words) == 0) ||
           differ(s, "successor", (long)s->transitions, 0);
    s->transitions++;
    visit(seen, want);
    uint32_t r = roles;
    for (; r > 0; r--) {
      if (++at[r - 1] < firsts[r]) break;
      at[r - 1] = firsts[r - 1];
    }
    more = r > 0;
  }
  free(moves);
  return same;
}

static double end_of(const stage_limits *limits) {
  return alea_clock_thread() + (limits->seconds > 0 ? limits->seconds : 1e9);
}

bool stage_compare_graphs(stage_subject *s, const stage_limits *limits) {
  double until = end_of(limits);
  visited seen = {0};
  bool same = true;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  const uint64_t *start = alea_cursor_state(s->cursor, &seen.words);
  visit(&seen, start);
  uint64_t *from = malloc((seen.words + 1) * sizeof *from);
  size_t level_end = 1;
  uint32_t ply = 0;
  for (size_t i = 0; i < seen.count && i < limits->states && same; i++) {
    if (i == level_end) {
      ply++;
      level_end = seen.count;
    }
    s->cut = alea_clock_thread() > until;
    if (s->cut) break;
    if (limits->transitions != 0 && s->transitions >= limits->transitions) break;
    memcpy(from, seen.states + i * seen.words, seen.words * sizeof *from);
    alea_stage_solution solution;
    assert_int_equal(alea_cursor_load(s->cursor, from, seen.words), ALEA_OK);
    alea_status status = alea_stage_solve(s->stage, from, seen.words, &solution);
    same = status == ALEA_OK || differ(s, "solve, status", (long)status, 0);
    same = same && same_state(s, &solution);
    s->states++;
    if (same && ply < limits->depth) same = same_arcs(s, &solution, from, &seen, limits, until);
  }
  free(from);
  free(seen.states);
  free(seen.table);
  return same;
}

/* Compares the position of the cursor with one engine. */
static bool same_position(stage_subject *s, alea_stage *stage, alea_stage_solution *solution) {
  size_t count;
  const uint64_t *words = alea_cursor_state(s->cursor, &count);
  alea_status status = alea_stage_solve(stage, words, count, solution);
  if (status != ALEA_OK) return differ(s, "solve, status", (long)status, 0);
  return same_state(s, solution);
}

/* The cursor has played the joint move; an engine must find the same
 * successor. */
static bool same_successor(stage_subject *s, alea_stage *stage, const alea_move *joint) {
  const uint64_t *words;
  size_t count, other;
  alea_status status = alea_stage_next(stage, joint, &words, &count);
  if (status != ALEA_OK) return differ(s, "no successor, status", (long)status, 0);
  const uint64_t *want = alea_cursor_state(s->cursor, &other);
  return (count == other && memcmp(words, want, count * sizeof *words) == 0) ||
         differ(s, "successor", 0, 0);
}

bool stage_compare_plays(stage_subject *s, uint64_t seed, const stage_limits *limits) {
  double until = end_of(limits);
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  uint64_t end = s->states + limits->states;
  uint32_t steps = 0;
  bool same = true;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (s->cut = false; same && s->states < end; s->states++) {
    alea_stage_solution solution, other;
    if ((s->cut = alea_clock_thread() > until)) break;
    if (!same_position(s, s->stage, &solution) || !same_position(s, s->net, &other)) return false;
    if (solution.arm_count == 0 || ++steps > 200) {
      steps = 0;
      assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
      continue;
    }
    alea_move joint[MOST_JOINT];
    for (uint32_t r = 0; r < s->game->role_count; r++)
      joint[r] = solution.moves[solution.firsts[r] +
                                alea_rng_below(&rng, solution.firsts[r + 1] - solution.firsts[r])];
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
    s->transitions++;
    same = same_successor(s, s->stage, joint) && same_successor(s, s->net, joint);
  }
  return same;
}

bool stage_compare_line(stage_subject *s, const alea_move *joints, uint32_t plies) {
  alea_stage_solution solution;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (uint32_t ply = 0; ply < plies; ply++, s->states++, s->transitions++) {
    const alea_move *joint = joints + (size_t)ply * s->game->role_count;
    if (!same_position(s, s->stage, &solution)) return false;
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
    if (!same_successor(s, s->stage, joint)) return false;
  }
  return same_position(s, s->stage, &solution);
}

/* Known facts about translated games: exact values, chance, percepts, sizes,
 * and that what is written can be read again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "encode/oblivious.h"
#include "scsp/json.h"
#include "support/forward_check.h"
#include "support/stage_check.h"

static void open_game(stage_subject *s, const char *name, alea_encoder encoder) {
  char path[512];
  snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s.kif", name);
  assert_int_equal(stage_open(s, path, encoder, NULL, true, &(stage_limits){.prove_seconds = 1}),
                   ALEA_OK);
}

static double solve(alea_scsp *scsp) {
  alea_scsp_result result;
  assert_int_equal(alea_scsp_solve(scsp, &(alea_scsp_options){0}, &result), ALEA_OK);
  return result.value;
}

/* K6: the light Orchard whose choice is a step of its own. */
static void light_orchard(void **state) {
  (void)state;
  static const double best[] = {0, 0, 0, 0, 27.0 / 128, 21.0 / 64, 737.0 / 2048};
  for (int encoder = 0; encoder < 2; encoder++) {
    stage_subject s;
    open_game(&s, "orchard-light", (alea_encoder)encoder);
    alea_process *process = alea_template_process(s.t);
    for (uint32_t n = 0; n < 7; n++) {
      alea_scsp *scsp = alea_process_unroll(process, n);
      assert_true(fabs(solve(scsp) - best[n]) < 1e-12);
      alea_scsp_free(scsp);
      alea_scsp_result result;
      alea_process_solve(process, n, &(alea_scsp_options){0}, &result);
      assert_int_equal(result.status, ALEA_OK);
      assert_true(fabs(result.value - best[n]) < 1e-12);
    }
    alea_scsp_result limit;
    alea_process_solve(process, -1, &(alea_scsp_options){0}, &limit);
    assert_true(fabs(limit.value - 107.0 / 288) < 1e-9);
    alea_process_free(process);
    stage_close(&s);
  }
}

static void written_and_read(void **state) {
  (void)state;
  stage_subject s;
  open_game(&s, "orchard-light", ALEA_ENCODER_GROUND);
  alea_process *process = alea_template_process(s.t);
  json_t *root = alea_process_write_json(process);
  assert_non_null(root);
  alea_status status;
  alea_process *again = alea_process_read_json(&s.mem, root, "again", NULL, &status);
  json_decref(root);
  assert_int_equal(status, ALEA_OK);
  alea_scsp_result result;
  alea_process_solve(again, 4, &(alea_scsp_options){0}, &result);
  assert_true(fabs(result.value - 27.0 / 128) < 1e-12);
  alea_process_free(again);
  alea_process_free(process);
  stage_close(&s);
}

/* Both pennies are to match the coin: half of the plays can be won. */
static void pennies(void **state) {
  (void)state;
  for (int encoder = 0; encoder < 2; encoder++) {
    stage_subject s;
    open_game(&s, "matching-pennies", (alea_encoder)encoder);
    alea_process *process = alea_template_process(s.t);
    alea_scsp_result best, worst;
    alea_process_solve(process, -1, &(alea_scsp_options){0}, &best);
    alea_process_solve(process, -1, &(alea_scsp_options){.aim = ALEA_SCSP_WORST}, &worst);
    assert_int_equal(best.status, ALEA_OK);
    print_message("pennies: best %g, worst %g\n", best.value, worst.value);
    assert_true(fabs(best.value - 0.5) < 1e-12);
    assert_true(worst.value < 1e-12);
    alea_process_free(process);
    stage_close(&s);
  }
}

/* One stage of tic-tac-toe has the nine first moves as solutions. */
static void first_moves(void **state) {
  (void)state;
  for (int encoder = 0; encoder < 2; encoder++) {
    stage_subject s;
    open_game(&s, "tictactoe", (alea_encoder)encoder);
    alea_scsp *scsp = alea_template_stage(s.t);
    alea_csp_options options = alea_csp_defaults();
    alea_csp_result result;
    options.goal = ALEA_CSP_COUNT;
    alea_csp_solve(alea_scsp_network(scsp), &options, &result);
    assert_int_equal(result.solutions, 9);
    alea_scsp_free(scsp);
    stage_close(&s);
  }
}

/* K7: nine cells, control, terminal, two actions, and what the
 * rules derive: marked, line, decided, open. */
static void tictactoe_sizes(void **state) {
  (void)state;
  stage_subject s;
  open_game(&s, "tictactoe", ALEA_ENCODER_PAPER);
  assert_int_equal(s.t->after.vars, 17);
  assert_int_equal(s.t->state_count, 10);
  assert_true(s.t->after.max_domain == 11); /* nine marks, noop, undefined */
  assert_int_equal(s.t->log.statics, 4);    /* index, owner, other, role */
  assert_int_equal(s.t->before.vars, 17 + 4);
  stage_close(&s);
}

/* The orchard in one fluent: the product of its arguments, four trees of 0..3
 * and a raven of 0..2, and `undefined`.  With ten fruits and nine pieces it is
 * the 11*11*11*11*10 = 146,410 of the published table. */
static void orchard_sizes(void **state) {
  (void)state;
  stage_subject s;
  assert_int_equal(
      stage_open(&s, ALEA_SOURCE_DIR "/tests/golden/games/orchard-state.kif", ALEA_ENCODER_PAPER,
                 NULL, false, &(stage_limits){.prove_seconds = 0.1}),
      ALEA_OK);
  alea_csp_var var = alea_csp_find(alea_scsp_network(s.t->scsp), "state");
  assert_true(var != ALEA_CSP_NONE);
  assert_int_equal(alea_csp_size(alea_scsp_network(s.t->scsp), var), 4 * 4 * 4 * 4 * 3 + 1);
  stage_close(&s);
}

/* The orchard in the form of figure 1 has the nine variables of the published
 * table: state, control, terminal, role, succ, tree, two actions, and what says
 * that the die counts.  The Booleans that say which faces the die may show are not
 * of that form, since its faces are facts; where they depend on the state they
 * count. */
static void orchard_variables(void **state) {
  (void)state;
  stage_subject s;
  open_game(&s, "orchard-state", ALEA_ENCODER_PAPER);
  assert_int_equal(s.t->log.statics, 3); /* role, succ, tree */
  assert_int_equal(s.t->before.vars, 9);
  assert_true(s.t->before.max_domain == 3 * 3 * 2 + 1);
  uint32_t flags = 0;
  for (uint32_t v = 0; v < s.t->var_count; v++) flags += s.t->kinds[v] == ALEA_VAR_FLAG;
  assert_int_equal(flags, 4);
  stage_close(&s);
  open_game(&s, "orchard-state", ALEA_ENCODER_GROUND);
  uint64_t with_flags = s.t->before.vars;
  assert_true(with_flags > 9 + flags);
  stage_close(&s);
}

/* The rulesheet of the paper's figure 1 is of the paper's class; where the die
 * rests while the player chooses, it is not. */
static void oblivious(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool yes;
    const char *why;
  } games[] = {{"orchard-state", true, ""},
               {"orchard-light", false, "depends on the state"},
               {"guess-dice", false, "depends on the state"}};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    stage_subject s;
    alea_text why;
    open_game(&s, games[i].name, ALEA_ENCODER_GROUND);
    alea_text_init(&why, &s.mem);
    assert_int_equal(alea_is_oblivious(s.ground, &why), games[i].yes);
    assert_non_null(strstr(alea_text_string(&why), games[i].why));
    alea_text_clear(&why);
    stage_close(&s);
  }
}

/* ---- percepts ---- */

/* The joint move is followed through the network by forward checking, and what
 * each role sees there is what the cursor says. */
static void check_percepts(stage_subject *s, forward_check *forward, uint32_t *values,
                           const alea_move *joint, const uint32_t *fluents, uint32_t count) {
  const alea_ground *g = s->ground;
  memset(values, 0, s->t->var_count * sizeof *values);
  for (uint32_t i = 0; i < count; i++)
    values[s->t->fluent_var[fluents[i]]] = s->t->fluent_value[fluents[i]];
  assert_true(forward_check_state(forward, values));
  for (uint32_t r = 0; r < g->role_count; r++) values[s->t->action[r]] = joint[r] + 1;
  assert_true(forward_check_finish(forward, values));
  for (uint32_t r = 0; r < g->role_count; r++) {
    alea_list list;
    uint32_t seen = 0;
    assert_int_equal(alea_cursor_percepts(s->cursor, r, &list), ALEA_OK);
    for (size_t i = 0; i < g->sees.count; i++) {
      if (g->sees.data[i].role != r) continue;
      if (values[s->t->sees_var[i]] != s->t->sees_value[i]) continue;
      seen++;
      alea_text ours, theirs;
      bool found = false;
      alea_text_init(&ours, &s->mem);
      alea_terms_print(g->terms, g->percepts.data[g->sees.data[i].percept], false, &ours);
      for (uint32_t k = 0; k < list.count && !found; k++) {
        alea_text_init(&theirs, &s->mem);
        alea_game_percept_text(s->game, list.ids[k], false, &theirs);
        found = strcmp(alea_text_string(&ours), alea_text_string(&theirs)) == 0;
        alea_text_clear(&theirs);
      }
      alea_text_clear(&ours);
      assert_true(found);
    }
    assert_int_equal(seen, list.count);
  }
}

/* The ground program of the encoder `ground` numbers fluents and moves as the
 * game does. */
static uint64_t play_seeing(stage_subject *s, forward_check *forward, uint32_t *values,
                            alea_rng *rng) {
  uint64_t steps = 0;
  assert_int_equal(alea_cursor_reset(s->cursor), ALEA_OK);
  for (;; steps++) {
    alea_move joint[16];
    uint32_t fluents[1024];
    alea_list list;
    bool terminal;
    assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
    if (terminal) return steps;
    for (uint32_t r = 0; r < s->game->role_count; r++) {
      assert_int_equal(alea_cursor_legal(s->cursor, r, &list), ALEA_OK);
      joint[r] = list.ids[alea_rng_below(rng, list.count)];
    }
    assert_int_equal(alea_cursor_fluents(s->cursor, &list), ALEA_OK);
    uint32_t count = list.count;
    memcpy(fluents, list.ids, count * sizeof *fluents);
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
    check_percepts(s, forward, values, joint, fluents, count);
  }
}

static void percepts(void **state) {
  (void)state;
  static const char *const names[] = {"monty-hall",      "guess-dice", "kuhn-poker",
                                      "blind-tictactoe", "mastermind", "wumpus"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    stage_subject s;
    open_game(&s, names[i], ALEA_ENCODER_GROUND);
    forward_check *forward = forward_check_new(s.t, &s.mem);
    uint32_t *values = alea_mem_calloc(&s.mem, s.t->var_count, sizeof *values);
    alea_rng rng;
    alea_rng_seed(&rng, 7);
    uint64_t steps = 0;
    for (int play = 0; play < 30; play++) steps += play_seeing(&s, forward, values, &rng);
    print_message("%s: %lu steps\n", names[i], (unsigned long)steps);
    alea_mem_free(&s.mem, values, s.t->var_count * sizeof *values);
    forward_check_free(forward);
    stage_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(light_orchard),     cmocka_unit_test(written_and_read),
      cmocka_unit_test(pennies),           cmocka_unit_test(first_moves),
      cmocka_unit_test(tictactoe_sizes),   cmocka_unit_test(orchard_sizes),
      cmocka_unit_test(orchard_variables), cmocka_unit_test(oblivious),
      cmocka_unit_test(percepts),
  };
  return cmocka_run_group_tests_name("translate", tests, NULL, NULL);
}

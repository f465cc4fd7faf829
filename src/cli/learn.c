/* alea learn: learns an evaluation of a game by self-play. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/session.h"
#include "draw/eval_map.h"
#include "learning/eval_learning.h"
#include "minimax/eval_file.h"
#include "play/toss.h"
#include "toss/construct.h"
#include "toss/learn.h"

/* clang-format off */
#define FORMS(word) word(FORM_LIST, "list") word(FORM_GAME, "game") word(FORM_SHORT, "short")
#define OPTIONS(row)                                                                        \
  row(integer, playouts, "100000", -1, 1e12, "N", "GDL games: random plays; -1 is as many as the time allows") \
  row(integer, games, "0", -1, 1e12, "N", "GDL games: games of a shallow minimax against itself; -1 is as many as the time allows") \
  row(integer, network, "0", -1, 1e12, "N", "GDL games: positions that searches value for a small network beside it, where two play and one loses what the other wins; -1 is as many as the time allows") \
  row(integer, td, "0", 0, 1e12, "N", "GDL games: positions of games one move ahead that a network learns from before, by temporal differences; 0 is thirty for each of --network, with --gpu a thousand") \
  row(integer, proved, "0", 0, 1e9, "N", "GDL games: positions whose values are proved, about, that the network is learnt from first; worth it where the end is seen from afar, as where a board is filled") \
  row(text, from, "", 0, 0, "FILE", "GDL games: an evaluation that was saved, to go on from: no plays are made, and its network goes on being learnt, without games unless --td says so; needs --network, --td or --proved") \
  row(flag, gpu, "", 0, 0, "", "GDL games: play the games of --td, and fit the network to them, on a GPU; here if there is none") \
  row(integer, rounds, "2", 1, 1000, "N", "rounds; each plays with what the last one learnt") \
  row(integer, plays, "10", 1, 100000, "N", "games per round")                              \
  row(integer, iterations, "300", 1, 1e9, "N", "iterations of the search for each move")    \
  row(integer, threshold, "3", 1, 1e9, "N", "plays per move that make the moves of a position examples") \
  row(integer, variables, "2", 1, 3, "N", "variables in a formula")                         \
  row(integer, literals, "4", 1, 6, "N", "literals in a formula")                           \
  row(real, support, "0.01", 0.0001, 0.5, "S", "least share of the examples that a formula holds in") \
  row(integer, e_n, "0", 0, 1000, "N", "plays of the evaluation per move in later rounds; 0 is its value") \
  row(real, seconds, "600", 0, 1e9, "S", "time for playing, before the formulas are sought; 0 is no limit")          \
  row(real, ground_seconds, "60", 0, 1e6, "S", "GDL games: time limit for grounding and building the network, before anything is learnt; 0 is none") \
  row(integer, seed, "1", 0, 1e15, "N", "seed of the random numbers")                       \
  row(integer, threads, "1", 1, 64, "N", "GDL games: threads for the proofs, searches and trials of a network; what is learnt does not depend on it") \
  row(choice, form, "list", 0, 0, ALEA_CHOICE_WORDS(FORMS), "rewriting games: write cases, or the games that these are; GDL games: numbers with names, or short without") \
  row(text, out, "", 0, 0, "FILE", "where to save the evaluation; standard output if absent") \
  row(text, picture, "", 0, 0, "FILE", "GDL games: where to save what was learnt by square, as SVG where the name ends so, or as text") \
  row(bytes, memory, "4G", 0, 0, "BYTES", "memory limit; 0 is none")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)
enum { FORMS(ALEA_CHOICE_CONSTANT) };

static const alea_command command = {
    .name = "learn",
    .operands = "GAME",
    .summary = "learns an evaluation of a game by self-play",
    .details =
        "Of a rewriting game each line of the result is a formula over the structure before\n"
        "(R_old) and after (R) a move, with the outcomes that were seen where it held.  Of a\n"
        "GDL game the result is a number for every fluent and role, in thousandths of the\n"
        "logit of the goal, and perhaps a network, for 'ab:eval=FILE'; of the options, playouts,\n"
        "games, network, td, proved, from, gpu, seconds, seed, threads, form, out, picture and "
        "memory "
        "count\n"
        "there.  Ctrl-C ends the play; what was learnt so far is saved, a network only if it had\n"
        "won already, exit status 4.",
    .example = "alea learn toss-tictactoe --plays 3 --iterations 200 --threshold 20",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

static alea_status save(alea_text *text, const char *path) {
  return path == NULL ? alea_cli_write(text) : alea_cli_write_file(path, text);
}

static void say_round(void *context, uint32_t round, uint32_t play, size_t examples) {
  alea_cli_progress_say(context, "round %u, game %u, %zu examples", round + 1, play + 1, examples);
}

/* Where nothing was learnt every move is worth as much: cases that say so. */
static void put_even(const alea_toss_game *game, alea_text *out) {
  for (size_t i = 0; i < game->file->locations.count; i++) {
    alea_text_format(out, "EVAL %u true => (", game->file->locations.data[i].number);
    for (uint32_t p = 0; p < game->player_count; p++) alea_text_put(out, p == 0 ? "0.5" : ", 0.5");
    alea_text_put(out, ") 1\n");
  }
}

/* Replaces a list of cases by the games that it is read as. */
static alea_status make_games(alea_cli_session *session, alea_text *learned) {
  alea_mem *mem = &session->opened.mem;
  alea_toss_evaluation *list;
  alea_status status =
      alea_toss_evaluation_new(&list, session->opened.game, alea_text_string(learned), mem, NULL);
  alea_text_truncate(learned, 0);
  if (status == ALEA_OK) status = alea_toss_evaluation_as_games(list, learned, mem);
  alea_toss_evaluation_free(list);
  return status;
}

static alea_status learn(alea_cli_session *session, const values *v) {
  alea_deadline deadline = alea_deadline_in(v->seconds);
  double start = alea_clock_wall();
  deadline.stop = alea_cli_catch_stop();
  alea_toss_learn_options options = {.rounds = (uint32_t)v->rounds,
                                     .plays = (uint32_t)v->plays,
                                     .iterations = (uint32_t)v->iterations,
                                     .threshold = (uint32_t)v->threshold,
                                     .variables = (uint32_t)v->variables,
                                     .literals = (uint32_t)v->literals,
                                     .support = v->support,
                                     .eval_plays = (uint32_t)v->e_n,
                                     .seed = (uint64_t)v->seed,
                                     .deadline = &deadline};
  alea_text_format(&session->out, "// an evaluation of %s, seed %lld\n", session->opened.label,
                   (long long)v->seed);
  options.build = alea_play_toss_network;
  alea_cli_progress *progress = alea_cli_progress_start("learning", v->seconds);
  options.progress = say_round;
  options.context = progress;
  alea_text learned;
  alea_text_init(&learned, &session->opened.mem);
  alea_status status =
      alea_toss_learn(session->opened.game, &options, &learned, &session->opened.mem);
  alea_cli_progress_stop(progress);
  if (status == ALEA_OK && learned.length == 0) {
    put_even(alea_toss_of(session->opened.game), &learned);
  }
  if (status == ALEA_OK && v->form == FORM_GAME) status = make_games(session, &learned);
  alea_text_put(&session->out, alea_text_string(&learned));
  alea_text_clear(&learned);
  if (status == ALEA_OK) status = save(&session->out, v->out);
  return alea_cli_tell_stopped(status, "after %.1f s; what was learnt so far is saved",
                               alea_clock_wall() - start);
}

/* ---- GDL games ---- */

/* Of an equal part of the time, for the last roles, where the first ones took longer than theirs:
 * nothing would be learnt for them. */
static const double LEAST_PART = 0.5;

/* As many as the time allows, or so many. */
static uint64_t count_of(int64_t option) { return option < 0 ? UINT64_MAX : (uint64_t)option; }

/* Appends what was learnt for a role, or with 'both' for two of whom one wins what the other
 * loses. */
static void put_role(alea_cli_session *session, const values *v, alea_linear_eval *eval,
                     bool both) {
  if (v->form == FORM_SHORT) {
    alea_eval_file_add_short(&session->out, eval, both);
    return;
  }
  alea_eval_file_add(&session->out, eval);
  if (!both) return;
  alea_linear_eval_turn(eval);
  alea_eval_file_add(&session->out, eval);
  alea_linear_eval_turn(eval);
}

/* Reads what there is to go on from. */
static alea_status read_before(alea_cli_session *session, const char *path,
                               alea_linear_eval *eval) {
  alea_text message;
  alea_text_init(&message, &session->opened.mem);
  alea_status status = alea_eval_file_read(eval, path, &message);
  if (status == ALEA_OK && eval->plays == 0) {
    alea_text_format(&message, "%s has learnt from no plays", path);
    status = ALEA_INPUT;
  }
  if (status != ALEA_OK)
    alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "no-evaluation",
                    "%s", alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

/* Learns for one of the last 'left' roles, and appends what was learnt; where it says all
 * about the other role, too, '*both'. */
static alea_status learn_role(alea_cli_session *session, const values *v, uint32_t role,
                              uint32_t left, const alea_budget *budget, alea_eval_map *map,
                              bool *both) {
  alea_mem *mem = &session->opened.mem;
  alea_player_setup setup = {.game = session->opened.game,
                             .services = session->opened.services,
                             .role = role,
                             .seed = (uint64_t)v->seed,
                             .mem = mem};
  alea_linear_eval eval;
  alea_eval_device device = {0};
  alea_rng rng;
  alea_rng_seed_stream(&rng, (uint64_t)v->seed, role);
  alea_eval_lessons lessons = {.plays = v->from == NULL ? count_of(v->playouts) : 0,
                               .games = count_of(v->games),
                               .network = count_of(v->network),
                               .differences = (uint64_t)v->td,
                               .proved = (uint64_t)v->proved,
                               .threads = (uint32_t)v->threads,
                               .device = v->gpu ? &device : NULL,
                               .budget = budget,
                               .rng = &rng,
                               .parts = left};
  alea_status status = alea_linear_eval_init(&eval, session->opened.game, role, mem);
  if (status == ALEA_OK && v->from != NULL) status = read_before(session, v->from, &eval);
  if (status == ALEA_OK) status = alea_eval_learn(&eval, &setup, &lessons);
  if (device.why[0] != '\0')
    alea_diag_warn(&session->diag, ((alea_place){session->opened.label, 0, 0}), "no-gpu",
                   "the GPU is not used: %s", device.why);
  *both = status == ALEA_OK && eval.shares;
  if (status == ALEA_OK) put_role(session, v, &eval, *both);
  if (status == ALEA_OK && v->picture != NULL) status = alea_eval_map_add(map, &eval);
  alea_linear_eval_clear(&eval);
  return status;
}

static alea_status save_picture(const alea_eval_map *map, const char *path) {
  alea_text text;
  alea_text_init(&text, map->mem);
  alea_status status = alea_eval_map_finish(map, &text);
  if (status == ALEA_OK) status = alea_cli_write_file(path, &text);
  alea_text_clear(&text);
  return status;
}

static alea_status learn_roles(alea_cli_session *session, const values *v, alea_eval_map *map) {
  const alea_game *game = session->opened.game;
  uint32_t players = game->role_count - (game->random_role >= 0);
  alea_budget budget = {.seconds = v->seconds, .stop = alea_cli_catch_stop()};
  double start = alea_clock_wall(), part = v->seconds / players;
  alea_cli_progress *progress = alea_cli_progress_start("learning", v->seconds);
  alea_status status = ALEA_OK;
  bool all = false;
  for (uint32_t r = 0; status == ALEA_OK && !all && r < game->role_count; r++) {
    if ((int)r == game->random_role) continue;
    double left = start + v->seconds - alea_clock_wall(), least = LEAST_PART * players * part;
    if (v->seconds > 0) budget.seconds = left > least ? left : least;
    status = learn_role(session, v, r, players--, &budget, map, &all);
  }
  alea_cli_progress_stop(progress);
  if (status == ALEA_OK) status = save(&session->out, v->out);
  if (status == ALEA_OK && v->picture != NULL) status = save_picture(map, v->picture);
  return alea_cli_tell_stopped(status, "after %.1f s; what was learnt so far is saved",
                               alea_clock_wall() - start);
}

static alea_status learn_linear(alea_cli_session *session, const values *v) {
  const alea_game *game = session->opened.game;
  uint64_t fingerprint;
  if (game->has_sees || strcmp(game->class->engine, "net") != 0) {
    alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "no-evaluation",
                    "only games that hide nothing, and that the network plays, are learnt");
    return ALEA_USAGE;
  }
  alea_status status = alea_eval_fingerprint(game, &session->opened.mem, &fingerprint);
  if (status != ALEA_OK) return status;
  if (v->form == FORM_SHORT)
    alea_eval_file_begin_short(&session->out, fingerprint, game);
  else
    alea_eval_file_begin(&session->out, fingerprint);
  size_t length = v->picture != NULL ? strlen(v->picture) : 0;
  bool svg = length >= 4 && strcmp(v->picture + length - 4, ".svg") == 0;
  alea_eval_map map;
  alea_eval_map_init(&map, svg, &session->opened.mem);
  status = learn_roles(session, v, &map);
  alea_eval_map_clear(&map);
  return status;
}

/* Whether what is to be written can be, of such a game. */
static alea_status check_form(alea_cli_session *session, const values *v, bool rewriting) {
  if (v->form != (rewriting ? FORM_SHORT : FORM_GAME)) return ALEA_OK;
  alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "no-form",
                  rewriting ? "evaluations of rewriting games have no short form; use --form list"
                            : "only evaluations of rewriting games are games; use --form list");
  return ALEA_USAGE;
}

/* Whether there is something to learn from an evaluation on. */
static alea_status check_from(alea_cli_session *session, const values *v) {
  bool network = v->network != 0 || v->td > 0 || v->proved > 0;
  if (v->from == NULL || (network && v->games == 0)) return ALEA_OK;
  alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "nothing-to-learn",
                  "--from goes on with a network; say --network N, and no --games");
  return ALEA_USAGE;
}

int alea_cli_learn(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  bool rewriting = alea_open_is_toss(argv[1]);
  alea_open_options options = {.engine = rewriting ? ALEA_ENGINE_PROVER : ALEA_ENGINE_AUTO,
                               .ground_seconds = v.ground_seconds,
                               .memory = v.memory};
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  if (status == ALEA_OK) status = check_form(&session, &v, rewriting);
  if (status == ALEA_OK && !rewriting) status = check_from(&session, &v);
  if (status == ALEA_OK) status = rewriting ? learn(&session, &v) : learn_linear(&session, &v);
  return alea_cli_close(&session, status);
}

/* alea translate: writes a game as a constraint network or as ground rules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/session.h"
#include "csp/xcsp3/xcsp3.h"
#include "encode/belief_process.h"
#include "encode/services.h"
#include "game/stuck.h"
#include "scsp/json.h"

/* clang-format off */
#define TARGETS(word)                                         \
  word(TO_SCSP, "scsp") word(TO_XCSP3, "xcsp3") word(TO_GROUND, "ground") word(TO_DOT, "dot")
#define ENCODERS(word) word(ENCODER_PAPER, "paper") word(ENCODER_GROUND, "ground")
#define OPTIONS(row)                                                                         \
  row(choice, to, "scsp", 0, 0, ALEA_CHOICE_WORDS(TARGETS), "what to write (see above)")        \
  row(integer, horizon, "-1", -1, 10000, "T", "transitions; -1: one step, to be repeated")   \
  row(flag, stage, "", 0, 0, "", "one stage, in the initial state")                          \
  row(choice, encoder, "ground", 0, 0, ALEA_CHOICE_WORDS(ENCODERS), "how the rules become variables")     \
  row(bytes, tuples, "256K", 0, 0, "N", "tables up to this product of domains; else rules")  \
  row(real, prove_seconds, "2", 0.001, 1e6, "S", "time limit for proving that values exclude each other") \
  row(real, sac_seconds, "0.5", 0, 1e6, "S", "time limit for singleton arc consistency; 0 leaves it out") \
  row(integer, beliefs, "100000", 1, 1e9, "N", "most beliefs of a game with percepts and chance") \
  row(text, output, "", 0, 0, "FILE", "write to a file instead of standard output; also -o")   \
  row(flag, log, "", 0, 0, "", "say on standard error what the preprocessing removed")       \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)
enum { TARGETS(ALEA_CHOICE_CONSTANT) };
enum { ENCODERS(ALEA_CHOICE_CONSTANT) };

static const alea_command command = {
    .name = "translate",
    .operands = "GAME",
    .summary = "writes a game as a stochastic constraint network",
    .details =
        "scsp is our JSON, which `alea solve` reads: without --horizon a process (one step that\n"
        "is repeated), with it the whole network.  xcsp3 is the hard part of the same; ground\n"
        "are the rules without variables, as GDL; dot is the constraint graph for graphviz.\n"
        "Where percepts hide what chance does, the states of the scsp are beliefs, and what is\n"
        "seen is a chance variable.",
    .example = "alea translate orchard-light --horizon 4 -o orchard.json",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

static alea_status put_json(json_t *root, alea_text *out) {
  char *text = root != NULL ? json_dumps(root, JSON_COMPACT) : NULL;
  json_decref(root);
  if (text == NULL) return ALEA_SYSTEM;
  alea_text_put(out, text);
  alea_text_char(out, '\n');
  free(text);
  return ALEA_OK;
}

static alea_status too_large(alea_cli_session *session, const char *what) {
  alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "too-large", "%s",
                  what);
  return ALEA_LIMIT;
}

static alea_status put_network(alea_cli_session *session, alea_scsp *scsp, bool xcsp3) {
  if (scsp == NULL) return ALEA_SYSTEM;
  if (alea_scsp_state(scsp) != ALEA_OK) return alea_scsp_state(scsp);
  if (!xcsp3) return put_json(alea_scsp_write_json(scsp), &session->out);
  alea_status status = alea_xcsp3_write(alea_scsp_network(scsp), NULL, &session->out);
  return status == ALEA_LIMIT
             ? too_large(session, "its rules are recursive, for which XCSP3 has no constraint")
             : status;
}

static alea_status write_process(alea_cli_session *session, const values *v,
                                 const alea_process *process) {
  bool xcsp3 = v->to == TO_XCSP3;
  alea_status status = alea_scsp_state(alea_process_network(process));
  if (status == ALEA_OK && v->horizon >= 0) {
    alea_scsp *scsp = alea_process_unroll(process, (uint32_t)v->horizon);
    status = put_network(session, scsp, xcsp3);
    alea_scsp_free(scsp);
  } else if (status == ALEA_OK && xcsp3) {
    status = put_network(session, alea_process_network(process), true);
  } else if (status == ALEA_OK) {
    status = put_json(alea_process_write_json(process), &session->out);
  }
  return status;
}

static alea_status write_template(alea_cli_session *session, const values *v,
                                  const alea_template *t) {
  bool xcsp3 = v->to == TO_XCSP3;
  if (v->to == TO_DOT) {
    alea_template_dot(t, &session->out);
    return ALEA_OK;
  }
  if (v->stage) {
    alea_scsp *scsp = alea_template_stage(t);
    alea_status status = put_network(session, scsp, xcsp3);
    alea_scsp_free(scsp);
    return status;
  }
  alea_process *process = alea_template_process(t);
  alea_status status = process != NULL ? write_process(session, v, process) : ALEA_SYSTEM;
  alea_process_free(process);
  return status;
}

/* A process of beliefs, in which `sees` is chance: without it the network would
 * have the value of who sees everything. */
static alea_status write_beliefs(alea_cli_session *session, const values *v) {
  alea_belief_options options = {.horizon = v->horizon,
                                 .max_beliefs = (uint64_t)v->beliefs,
                                 .deadline = alea_deadline_in(v->ground_seconds),
                                 .label = session->opened.label};
  alea_process *process;
  alea_cli_progress *progress = alea_cli_progress_start("finding beliefs", v->ground_seconds);
  alea_status status =
      alea_belief_process(&process, session->opened.game, &options, &session->mem, &session->diag);
  alea_cli_progress_stop(progress);
  if (status == ALEA_OK) status = write_process(session, v, process);
  alea_process_free(process);
  return status;
}

static void print_log(const alea_template *t) {
  const alea_template_log *log = &t->log;
  fprintf(stderr, "before       %llu variables, largest domain %.0f, %llu constraints\n",
          (unsigned long long)t->before.vars, t->before.max_domain,
          (unsigned long long)t->before.constraints);
  fprintf(stderr, "instances    %.0f values without a ground instance removed\n", log->unsupported);
  fprintf(stderr, "same scope   %u constraints merged\n", log->merged);
  fprintf(stderr, "unary        %u constraints moved into domains\n", log->unary);
  fprintf(stderr,
          "universal    %u variables taken out of scopes, %u of static relations, %u "
          "constraints dropped\n",
          log->universal, log->statics, log->dropped);
  fprintf(stderr, "singleton    %llu values removed%s\n", (unsigned long long)log->sac,
          log->sac_complete ? "" : " (not run to the end)");
  fprintf(stderr, "after        %llu variables, largest domain %.0f, %llu constraints\n",
          (unsigned long long)t->after.vars, t->after.max_domain,
          (unsigned long long)t->after.constraints);
  fprintf(stderr, "groups       %u proved, %u seen in %llu states\n", t->groups_proved,
          t->groups_watched, (unsigned long long)t->states_sampled);
}

/* A role without a move would be a variable without a value. */
static alea_status refuse_stuck(alea_cli_session *session) {
  const alea_game *game = session->opened.game;
  const char *label = session->opened.label;
  alea_status status = alea_stuck_refuse(session->cursor, 0, label, &session->diag);
  for (uint32_t r = 0; status == ALEA_OK && r < game->role_count; r++) {
    if (alea_game_move_count(game, r) > 0) continue;
    alea_diag_error(&session->diag, ((alea_place){label, 0, 0}), "no-legal-move",
                    "%s never has a legal move, so there is nothing to choose",
                    game->role_spelling[r]);
    status = ALEA_INPUT;
  }
  return status;
}

/* Rows of all tables together that are written: a reader is done with the rules
 * they were made from much sooner than with more rows. */
enum { WRITTEN_ROWS = 1 << 16 };

static alea_status translate(alea_cli_session *session, const values *v) {
  alea_services *services = session->opened.services;
  if (services == NULL) {
    alea_diag_error(&session->diag, ((alea_place){session->opened.label, 0, 0}), "no-network",
                    session->opened.program == NULL
                        ? "is a structure rewriting game, which has no rules to translate"
                        : "is played without a network; translation needs ground rules");
    return session->opened.program == NULL ? ALEA_INPUT : ALEA_LIMIT;
  }
  alea_status status = v->to == TO_GROUND ? ALEA_OK : refuse_stuck(session);
  if (status != ALEA_OK) return status;
  if (v->to == TO_SCSP && !v->stage && alea_belief_needed(session->opened.game))
    return write_beliefs(session, v);
  bool paper = v->encoder == ENCODER_PAPER;
  alea_deadline deadline = alea_deadline_in(v->ground_seconds);
  const alea_ground *ground = NULL;
  alea_cli_progress *progress = alea_cli_progress_start("translating", 0);
  status = alea_services_ground(services, paper, &deadline, &ground);
  if (status == ALEA_OK && v->to == TO_GROUND) {
    alea_ground_print(ground, &session->out);
    alea_cli_progress_stop(progress);
    return ALEA_OK;
  }
  alea_template_options options = {.encoder = paper ? ALEA_ENCODER_PAPER : ALEA_ENCODER_GROUND,
                                   .table_rows = v->tuples,
                                   .table_cells = WRITTEN_ROWS,
                                   .prove_seconds = v->prove_seconds,
                                   .sac_seconds = v->sac_seconds,
                                   .game = session->opened.game,
                                   .deadline = &deadline};
  alea_template *t = NULL;
  if (status == ALEA_OK)
    status = alea_template_new(&t, ground, session->opened.program, &options, &session->mem);
  alea_cli_progress_stop(progress);
  if (status == ALEA_LIMIT)
    return too_large(session, "too large for a network within the limits (see --ground-seconds)");
  if (status == ALEA_OK) status = write_template(session, v, t);
  if (status == ALEA_OK && v->log) print_log(t);
  alea_template_free(t);
  return status;
}

static alea_status put_file(alea_cli_session *session, const char *path) {
  alea_text *out = &session->out;
  FILE *file = fopen(path, "wb");
  bool good = file != NULL && !out->failed;
  good = good && fwrite(alea_text_string(out), 1, out->length, file) == out->length;
  if (file != NULL && fclose(file) != 0) good = false;
  alea_text_truncate(out, 0);
  if (good) return ALEA_OK;
  alea_diag_error(&session->diag, ((alea_place){path, 0, 0}), "cannot-write",
                  "cannot be written: %s", strerror(errno));
  return ALEA_SYSTEM;
}

int alea_cli_translate(int argc, char **argv) {
  static char output[] = "--output";
  values v;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-o") == 0) argv[i] = output;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  if (v.stage && v.horizon >= 0)
    return alea_cli_fail(ALEA_USAGE, "give either --stage or --horizon");
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  if (status == ALEA_OK) status = translate(&session, &v);
  if (status == ALEA_OK)
    status = v.output != NULL ? put_file(&session, v.output) : alea_cli_write(&session.out);
  return alea_cli_close(&session, status);
}

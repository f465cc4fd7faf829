/* alea info: describes a game. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "encode/oblivious.h"
#include "encode/services.h"
#include "gdl/classify.h"
#include "gdl/header_comment.h"
#include "match/shipped.h"
#include "match/sizes.h"
#include "match/survey.h"

/* clang-format off */
#define OPTIONS(row)                                                                   \
  row(integer, plays, "100", 0, 1e6, "N", "random plays to look at")                   \
  row(real, seconds, "5", 0, 1e6, "S", "time limit for looking at plays")              \
  row(integer, step_cap, "10000", 1, 1e9, "N", "steps after which a play counts as endless") \
  row(integer, states, "20000", 0, 1e8, "N", "search games of at most N states whole") \
  row(integer, seed, "1", 0, 9e18, "N", "seed of the random plays")                    \
  row(real, symmetry_seconds, "2", 0, 1e6, "S", "CPU time limit for finding symmetries; 0 leaves them out") \
  row(real, scsp_seconds, "2", 0, 1e6, "S", "CPU time limit for each encoder of constraint networks; 0 leaves them out") \
  row(flag, json, "", 0, 0, "", "print one JSON object")                               \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "info",
    .operands = "GAME",
    .summary = "describes a game: roles, kind, sizes, times",
    .details =
        "Well-formedness is judged by random play: `no` and `yes` are proved, by a play or\n"
        "by a search of the whole game; otherwise it is unknown after so many plays.\n"
        "Ctrl-C ends the search for more; what is known is printed, exit status 4.",
    .example = "alea info tictactoe",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

/* The sizes of a game as a constraint network. */
typedef struct network {
  bool known; /* translated within the limits */
  alea_network_sizes sizes;
} network;

typedef struct facts {
  const alea_opened *opened;
  alea_class class; /* derived from the rules alone */
  alea_survey survey;
  double survey_seconds;
  uint32_t fluents, inputs;
  uint64_t gates, two_input_gates;
  const alea_semantic_symmetry *symmetry; /* NULL if unknown */
  double symmetries;                      /* order of the group, at least; 0 if unknown */
  double symmetry_seconds;
  network networks[2];             /* per encoder */
  bool oblivious, oblivious_known; /* only games with chance and ground rules */
  alea_text why_not;               /* the reason where it is not */
  const char *sampler;             /* engine of the playouts, and the measurement that chose it */
  alea_open_choice choice;
} facts;

/* Where the rules prove nothing, the random plays decide. */
static const char *information(const facts *f) {
  bool same = f->survey.plays > 0 && !f->survey.private_percepts;
  alea_information known = f->class.information;
  if (known == ALEA_INFORMATION_PRIVATE && same) known = ALEA_INFORMATION_SHARED;
  return alea_information_text(known);
}

static const char *turns(const facts *f) {
  static const char *const names[] = {"solo", "turn", "simultaneous"};
  return names[f->survey.turns];
}

static void put_answer(alea_text *out, alea_verdict answer, uint32_t plays) {
  if (answer == ALEA_VERDICT_UNKNOWN) {
    alea_text_format(out, "unknown(%u plays)", plays);
  } else {
    alea_text_put(out, answer == ALEA_VERDICT_PROVED ? "yes" : "no");
  }
}

static void json_answer(alea_json *json, const char *key, alea_verdict answer, uint32_t plays) {
  char text[64];
  snprintf(text, sizeof text, "unknown(%u plays)", plays);
  alea_json_put_string(json, key,
                       answer == ALEA_VERDICT_UNKNOWN  ? text
                       : answer == ALEA_VERDICT_PROVED ? "yes"
                                                       : "no");
}

static void json_survey(alea_json *json, const alea_survey *survey) {
  alea_json_key(json, "play");
  alea_json_open(json, '{');
  alea_json_put_count(json, "plays", survey->plays);
  double mean = survey->plays > 0 ? (double)survey->steps / survey->plays : 0;
  alea_json_put_real(json, "mean_length", mean);
  alea_json_put_count(json, "shortest", survey->shortest);
  alea_json_put_count(json, "longest", survey->longest);
  alea_json_put_count(json, "most_moves", survey->most_moves);
  alea_json_key(json, "states");
  if (survey->states > 0) {
    alea_json_count(json, survey->states);
  } else {
    alea_json_null(json);
  }
  json_answer(json, "playable", survey->playable, survey->plays);
  json_answer(json, "terminating", survey->terminating, survey->plays);
  json_answer(json, "monotonic", survey->monotonic, survey->plays);
  json_answer(json, "weakly_winnable", survey->winnable, survey->plays);
  alea_json_close(json, '}');
}

static void put_network_sizes(alea_json *json, const alea_template_sizes *sizes) {
  alea_json_put_count(json, "vars", sizes->vars);
  alea_json_put_real(json, "max_domain", sizes->max_domain);
  alea_json_put_count(json, "constraints", sizes->constraints);
}

/* The sizes of `ground` after preprocessing, and those of both encoders in
 * detail. */
static void json_networks(alea_json *json, const facts *f) {
  static const char *const names[] = {"ground", "paper"};
  alea_json_key(json, "scsp");
  if (!f->networks[0].known && !f->networks[1].known) {
    alea_json_null(json);
    return;
  }
  alea_json_open(json, '{');
  if (f->networks[0].known) put_network_sizes(json, &f->networks[0].sizes.after);
  for (int i = 0; i < 2; i++) {
    const network *n = &f->networks[i];
    alea_json_key(json, names[i]);
    if (!n->known) {
      alea_json_null(json);
      continue;
    }
    alea_json_open(json, '{');
    alea_json_key(json, "before");
    alea_json_open(json, '{');
    put_network_sizes(json, &n->sizes.before);
    alea_json_close(json, '}');
    alea_json_key(json, "after");
    alea_json_open(json, '{');
    put_network_sizes(json, &n->sizes.after);
    alea_json_close(json, '}');
    alea_json_put_real(json, "seconds", n->sizes.seconds);
    alea_json_close(json, '}');
  }
  alea_json_close(json, '}');
}

static void json_order(alea_json *json, const char *key, double order) {
  alea_json_key(json, key);
  if (order > 0) {
    alea_json_real(json, order);
  } else {
    alea_json_null(json);
  }
}

static void json_orders(alea_json *json, const char *key, alea_symmetry_orders orders) {
  alea_json_key(json, key);
  alea_json_open(json, '{');
  json_order(json, "start", orders.start);
  json_order(json, "rules", orders.rules);
  alea_json_close(json, '}');
}

/* The order of the group alone, and all that is known of it. */
static void json_symmetry(alea_json *json, const facts *f) {
  const alea_semantic_symmetry *s = f->symmetry;
  json_order(json, "symmetries", f->symmetries);
  alea_json_key(json, "symmetry");
  if (s == NULL) {
    alea_json_null(json);
    return;
  }
  alea_json_open(json, '{');
  json_orders(json, "roles_stay", s->kept);
  json_orders(json, "roles_exchanged", s->exchanged);
  alea_json_put_count(json, "tested_only", s->tested);
  alea_json_put_count(json, "tested_states", s->states);
  json_orders(json, "roles_stay_tested", s->kept_tested);
  json_orders(json, "roles_exchanged_tested", s->exchanged_tested);
  alea_json_close(json, '}');
}

static void json_sizes(alea_json *json, const facts *f) {
  const alea_opened *opened = f->opened;
  alea_json_put_count(json, "fluents", f->fluents);
  alea_json_put_count(json, "inputs", f->inputs);
  alea_json_put_count(json, "gates", f->gates);
  alea_json_put_count(json, "two_input_gates", f->two_input_gates);
  json_symmetry(json, f);
  json_networks(json, f);
  alea_json_key(json, "ground");
  alea_json_open(json, '{');
  alea_json_put_count(json, "atoms", opened->ground_atoms);
  alea_json_put_count(json, "rules", opened->ground_rules);
  alea_json_put_count(json, "literals", opened->ground_literals);
  alea_json_close(json, '}');
  alea_json_put_real(json, "memory_mb", (double)opened->mem.peak / 1e6);
  alea_json_put_real(json, "peak_rss_mb", alea_clock_peak_rss_mb());
}

static void print_json(const facts *f, alea_text *out) {
  const alea_game *game = f->opened->game;
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "game", f->opened->label);
  alea_json_key(&json, "roles");
  alea_json_open(&json, '[');
  for (uint32_t i = 0; i < game->role_count; i++) alea_json_string(&json, game->role_text[i]);
  alea_json_close(&json, ']');
  alea_json_put_bool(&json, "has_random", game->random_role >= 0);
  alea_json_put_bool(&json, "has_sees", game->has_sees);
  alea_json_put_string(&json, "information", information(f));
  alea_json_put_string(&json, "moves", turns(f));
  alea_json_key(&json, "oblivious");
  if (f->oblivious_known)
    alea_json_bool(&json, f->oblivious);
  else
    alea_json_null(&json);
  alea_json_key(&json, "horizon");
  if (f->class.horizon > 0) {
    alea_json_count(&json, f->class.horizon);
  } else {
    alea_json_null(&json);
  }
  alea_json_put_string(&json, "engine", game->class->engine);
  alea_json_put_string(&json, "playouts", f->sampler);
  if (f->choice.plain > 0) {
    alea_json_put_real(&json, "lanes_states_per_second", round(f->choice.lanes));
    alea_json_put_real(&json, "net_states_per_second", round(f->choice.plain));
  }
  json_sizes(&json, f);
  json_survey(&json, &f->survey);
  alea_json_key(&json, "seconds");
  alea_json_open(&json, '{');
  alea_json_put_real(&json, "read", f->opened->read_seconds);
  alea_json_put_real(&json, "ground", f->opened->ground_seconds);
  alea_json_put_real(&json, "build", f->opened->build_seconds);
  alea_json_put_real(&json, "ready_cpu", f->opened->cpu_seconds);
  alea_json_put_real(&json, "plays", f->survey_seconds);
  alea_json_put_real(&json, "symmetry", f->symmetry_seconds);
  alea_json_close(&json, '}');
  alea_json_close(&json, '}');
  alea_text_char(out, '\n');
}

static void text_orders(alea_symmetry_orders orders, alea_text *out) {
  if (orders.start > 0)
    alea_text_format(out, "%.10g of the start, %.10g of the rules", orders.start, orders.rules);
  else if (orders.rules > 0)
    alea_text_format(out, "%.10g of the rules", orders.rules);
  else
    alea_text_format(out, "too many to be counted");
}

static void text_symmetry(const facts *f, alea_text *out) {
  const alea_semantic_symmetry *s = f->symmetry;
  if (s == NULL && f->symmetries > 0)
    alea_text_format(out, "symmetries   %.10g of the rules at least; no time to look for more\n",
                     f->symmetries);
  if (s == NULL) return;
  alea_text_format(out, "symmetries   ");
  text_orders(s->kept, out);
  if (s->exchanged.rules > s->kept.rules) {
    alea_text_format(out, "; with exchange of roles ");
    text_orders(s->exchanged, out);
  }
  alea_text_format(out, "; proved\n");
  if (s->tested == 0) return;
  alea_text_format(out, "             not proved, but seen in %" PRIu64 " states: %u more\n",
                   s->states, s->tested);
}

static void text_survey(const alea_survey *survey, alea_text *out) {
  double mean = survey->plays > 0 ? (double)survey->steps / survey->plays : 0;
  alea_text_format(out, "length       %.1f steps on average, %u to %u in %u plays\n", mean,
                   survey->shortest, survey->longest, survey->plays);
  alea_text_format(out, "branching    at most %u moves of one role\n", survey->most_moves);
  if (survey->states > 0) alea_text_format(out, "states       %" PRIu64 "\n", survey->states);
  static const char *const names[] = {"playable", "terminating", "monotonic", "weakly-winnable"};
  const alea_verdict answers[] = {survey->playable, survey->terminating, survey->monotonic,
                                  survey->winnable};
  alea_text_put(out, "well-formed  ");
  for (size_t i = 0; i < 4; i++) {
    alea_text_format(out, "%s%s=", i > 0 ? " " : "", names[i]);
    put_answer(out, answers[i], survey->plays);
  }
  alea_text_char(out, '\n');
}

static void text_networks(const facts *f, alea_text *out) {
  for (int i = 0; i < 2; i++)
    if (f->networks[i].known)
      alea_text_format(out,
                       "%s by rules as %s: %" PRIu64 " variables, largest domain %.0f, %" PRIu64
                       " constraints\n",
                       i == 0 ? "constraints " : "            ", i == 0 ? "grounded" : "written",
                       f->networks[i].sizes.after.vars, f->networks[i].sizes.after.max_domain,
                       f->networks[i].sizes.after.constraints);
}

static void print_text(const facts *f, alea_text *out) {
  const alea_opened *opened = f->opened;
  const alea_game *game = opened->game;
  alea_text_format(out, "game         %s", opened->label);
  alea_text title;
  alea_text_init(&title, out->mem);
  if (alea_header_comment(alea_text_string(&opened->source), "title", &title)) {
    alea_text_format(out, " (%s)", alea_text_string(&title));
  }
  alea_text_clear(&title);
  alea_text_put(out, "\nroles       ");
  for (uint32_t i = 0; i < game->role_count; i++) {
    alea_text_format(out, " %s", game->role_spelling[i]);
  }
  alea_text_format(out, "\nkind         %s, %s information, %s\n",
                   game->random_role >= 0 ? "stochastic" : "deterministic", information(f),
                   turns(f));
  if (f->oblivious_known)
    alea_text_format(out, "oblivious    %s%s\n",
                     f->oblivious ? "yes" : "no: ", alea_text_string(&f->why_not));
  alea_text_format(out, "sizes        %u fluents, %u moves", f->fluents, f->inputs);
  if (opened->net != NULL) {
    alea_text_format(out, ", %" PRIu64 " gates (%" PRIu64 " of two inputs)", f->gates,
                     f->two_input_gates);
    alea_text_format(out, "\nground       %zu atoms, %zu rules, %zu literals", opened->ground_atoms,
                     opened->ground_rules, opened->ground_literals);
  }
  alea_text_char(out, '\n');
  if (f->class.horizon > 0) {
    alea_text_format(out, "horizon      at most %u steps, by the rules\n", f->class.horizon);
  }
  text_symmetry(f, out);
  text_networks(f, out);
  text_survey(&f->survey, out);
  alea_text_format(out, "engine       %s, ready in %.3f s (read %.3f, ground %.3f, build %.3f)\n",
                   game->class->engine,
                   opened->read_seconds + opened->ground_seconds + opened->build_seconds,
                   opened->read_seconds, opened->ground_seconds, opened->build_seconds);
  alea_text_format(out, "playouts     by %s", f->sampler);
  if (f->choice.plain > 0)
    alea_text_format(out, ": %.3g states/s in lanes, %.3g in net", f->choice.lanes,
                     f->choice.plain);
  alea_text_format(out, "\nmemory       %.1f MB\n", (double)opened->mem.peak / 1e6);
}

static void count_sizes(facts *f) {
  const alea_net *net = f->opened->net;
  const alea_game *game = f->opened->game;
  for (uint32_t role = 0; role < game->role_count; role++) {
    f->inputs += alea_game_move_count(game, role);
  }
  if (net == NULL) return;
  f->fluents = net->fluent_count;
  f->gates = net->gate_count;
  f->two_input_gates = alea_net_two_input_gates(net);
}

/* Finds the symmetries.  They stay unknown after any failure, such as a time
 * limit, and where no network plays. */
static void find_symmetries(facts *f, const alea_cli_session *session, double seconds) {
  if (seconds <= 0 || session->opened.services == NULL) return;
  double start = alea_clock_thread();
  alea_deadline deadline = {.thread_at = start + seconds, .stop = session->stop.stop};
  const alea_symmetry *shown;
  const alea_ground *ground;
  if (alea_services_semantic(session->opened.services, true, &deadline, &f->symmetry) == ALEA_OK)
    f->symmetries = f->symmetry->kept.rules;
  else if (alea_services_symmetry(session->opened.services, &deadline, &shown, &ground) == ALEA_OK)
    f->symmetries = shown->order;
  f->symmetry_seconds = alea_clock_thread() - start;
}

/* Whether the moves of chance are facts ([SCSP14 §2]). */
static void find_oblivious(facts *f, const alea_cli_session *session, double seconds) {
  const alea_ground *ground;
  alea_deadline deadline = {.thread_at = alea_clock_thread() + seconds, .stop = session->stop.stop};
  if (f->opened->services == NULL || f->opened->game->random_role < 0 || seconds <= 0) return;
  f->oblivious_known =
      alea_services_ground(f->opened->services, false, &deadline, &ground) == ALEA_OK;
  if (f->oblivious_known) f->oblivious = alea_is_oblivious(ground, &f->why_not);
}

/* Translates the game with both encoders, as far as the time allows. */
static void find_networks(facts *f, alea_cli_session *session, double seconds) {
  for (int i = 0; i < 2 && seconds > 0; i++) {
    alea_encoder encoder = i == 0 ? ALEA_ENCODER_GROUND : ALEA_ENCODER_PAPER;
    network *n = &f->networks[i];
    n->known =
        alea_sizes_of(&session->opened, encoder, seconds, &n->sizes, &session->mem) == ALEA_OK;
  }
}

/* Prints what is known; the survey is there. */
static alea_status print_facts(alea_cli_session *session, const values *v, facts *f) {
  count_sizes(f);
  alea_cli_progress *progress = alea_cli_progress_start("finding symmetries and constraints", 0);
  find_symmetries(f, session, v->symmetry_seconds);
  find_networks(f, session, v->scsp_seconds);
  find_oblivious(f, session, v->scsp_seconds);
  alea_cli_progress_stop(progress);
  bool lanes = false;
  alea_status status = ALEA_OK;
  if (v->plays > 0 && !alea_cli_stopped())
    status = alea_open_choose(&lanes, &session->opened, (alea_engine)v->engine, (uint64_t)v->seed,
                              &f->choice, &session->mem);
  f->sampler = alea_open_sampler_name(&session->opened, lanes);
  if (status != ALEA_OK) return status;
  (v->json ? print_json : print_text)(f, &session->out);
  return alea_cli_write(&session->out);
}

static alea_status inform(alea_cli_session *session, const values *v) {
  facts f = {.opened = &session->opened};
  alea_deadline deadline = alea_deadline_in(v->seconds);
  deadline.stop = alea_cli_session_catch(session);
  alea_cli_progress *progress = alea_cli_progress_start("playing", v->seconds);
  double start = alea_clock_wall();
  alea_status status =
      alea_survey_run(&f.survey, session->cursor, (uint32_t)v->plays, (uint32_t)v->step_cap,
                      (uint32_t)v->states, (uint64_t)v->seed, &deadline, &session->mem);
  f.survey_seconds = alea_clock_wall() - start;
  alea_cli_progress_stop(progress);
  /* A rewriting game has no rules to classify: it has perfect information. */
  if (status == ALEA_OK && session->opened.program != NULL) {
    status = alea_classify(&f.class, session->opened.program, &session->mem);
  }
  if (status == ALEA_OK) {
    alea_text_init(&f.why_not, &session->mem);
    status = print_facts(session, v, &f);
    alea_text_clear(&f.why_not);
  }
  return alea_cli_tell_stopped(status, "before everything was known");
}

int alea_cli_info(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  if (status == ALEA_OK) status = inform(&session, &v);
  return alea_cli_close(&session, status);
}

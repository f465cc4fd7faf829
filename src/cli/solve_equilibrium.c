/* alea solve GAME --equilibrium: builds the tree, iterates, prints how the
 * exploitability falls, and the strategies if asked.  With --against the
 * strategies are those of a player, and are measured only. */
#include "cli/solve_equilibrium.h"

#include <inttypes.h>

#include "cli/session.h"
#include "equilibrium/best_response.h"
#include "equilibrium/cfr_plus.h"
#include "play/sampled_strategy.h"

typedef struct equilibrium_run {
  const alea_cli_equilibrium *v;
  alea_cli_session *session;
  alea_mem mem; /* of the tree and all that is as large */
  alea_extensive tree;
  alea_cfr_plus cfr;
  double *strategy; /* the average, or the player's */
  alea_exploitability found;
  alea_deadline deadline;
  double started;
} equilibrium_run;

static alea_status refuse(equilibrium_run *run, alea_status status, const char *what) {
  alea_diag_error(&run->session->diag, (alea_place){0}, "equilibrium-limit", "%s", what);
  return status;
}

static alea_status lack(equilibrium_run *run) {
  alea_status status = alea_mem_lack(&run->mem);
  if (status != ALEA_LIMIT) return status;
  return refuse(run, status, "the strategies do not fit into the memory (the limit is --memory)");
}

/* ---- solving ---- */

static alea_status measure(equilibrium_run *run) {
  alea_cfr_plus_average(&run->cfr, run->strategy);
  alea_status status = alea_exploitability_of(&run->tree, run->strategy, &run->mem, &run->found);
  if (status != ALEA_OK) return lack(run);
  if (run->v->json) return ALEA_OK;
  alea_text_format(&run->session->out, "%10" PRIu64 "  %14.9f  %.9f\n", run->cfr.iterations,
                   run->found.gap, run->found.value);
  return alea_cli_write(&run->session->out);
}

/* Measures at powers of two and at the end: a measurement costs as much as an
 * iteration. */
static alea_status iterate(equilibrium_run *run) {
  const alea_cli_equilibrium *v = run->v;
  alea_status status = ALEA_OK;
  bool late = false, reached = false;
  while (status == ALEA_OK && !late && !reached && run->cfr.iterations < (uint64_t)v->iterations) {
    alea_cfr_plus_run(&run->cfr);
    uint64_t t = run->cfr.iterations;
    late = alea_deadline_passed(&run->deadline);
    if (!late && (t & (t - 1)) != 0 && t < (uint64_t)v->iterations) continue;
    status = measure(run);
    reached = v->gap > 0 && run->found.gap <= v->gap;
  }
  if (status != ALEA_OK || reached) return status;
  if (late) return refuse(run, ALEA_LIMIT, "time is up before --gap (the limit is --time)");
  if (v->gap == 0) return ALEA_OK;
  return refuse(run, ALEA_LIMIT,
                "the exploitability is still above --gap (the limit is --iterations)");
}

/* ---- players ---- */

/* Playouts are made by the game's own engine: which is the fastest would be a
 * measurement, and the same seed must give the same numbers. */
static alea_status ask_player(equilibrium_run *run) {
  const alea_opened *opened = &run->session->opened;
  alea_sampled_strategy_options options = {
      .player = run->v->against,
      .setup = {.game = opened->game,
                .seed = run->v->seed,
                .services = opened->services,
                .rewriting = opened->rewriting},
      .budget = {.sims = (uint64_t)run->v->sims},
      .samples = (uint32_t)run->v->samples,
      .deadline = run->deadline,
  };
  alea_text message;
  alea_text_init(&message, &run->session->mem);
  alea_cli_progress *progress = alea_cli_progress_start("asking the player", run->v->time);
  alea_status status =
      alea_sampled_strategy(&run->tree, &options, run->strategy, &run->mem, &message);
  alea_cli_progress_stop(progress);
  if (message.length > 0)
    refuse(run, status, alea_text_string(&message));
  else if (status == ALEA_LIMIT)
    refuse(run, status,
           "time was up before all information sets were asked for (the limit is --time)");
  else if (status == ALEA_NONE)
    refuse(run, status, "the player gave no legal move");
  alea_text_clear(&message);
  if (status == ALEA_OK)
    status = alea_exploitability_of(&run->tree, run->strategy, &run->mem, &run->found);
  return status;
}

/* ---- printing ---- */

/* What the player did and saw, step by step: `noop (dealt jack), check (said second bet)`. */
static alea_status put_information(equilibrium_run *run, uint32_t view, alea_text *out) {
  const alea_extensive *tree = &run->tree;
  const alea_game *game = tree->game;
  alea_u32s path = {0};
  if (!alea_player_views_path(&tree->views, view, &run->mem, &path)) return lack(run);
  for (size_t i = 0; i < path.count; i++) {
    const alea_player_view *step = &tree->views.list.data[path.data[i]];
    const uint32_t *items = tree->views.items.data + step->first;
    if (i > 0) alea_text_put(out, ", ");
    for (uint32_t k = 0; k < step->count; k++) {
      if (k > 0) alea_text_char(out, ' ');
      if (!game->has_sees)
        alea_game_move_text(game, k, items[k], true, out);
      else if (k == 0)
        alea_game_move_text(game, tree->roles[step->player], items[k], true, out);
      else
        alea_game_percept_text(game, items[k], true, out);
    }
  }
  if (path.count == 0) alea_text_put(out, "start");
  alea_vec_clear(&run->mem, &path);
  return ALEA_OK;
}

static void put_move(const equilibrium_run *run, const alea_extensive_set *set, uint32_t i,
                     alea_text *out) {
  uint32_t move = run->tree.moves.data[set->first + i];
  alea_game_move_text(run->tree.game, run->tree.roles[set->player], move, true, out);
}

static alea_status print_set(equilibrium_run *run, const alea_extensive_set *set) {
  alea_text *out = &run->session->out;
  alea_text_put(out, "  ");
  alea_status status = put_information(run, set->view, out);
  alea_text_put(out, ":");
  for (uint32_t i = 0; i < set->count; i++) {
    alea_text_put(out, i > 0 ? ", " : " ");
    put_move(run, set, i, out);
    alea_text_format(out, " %.4f", run->strategy[set->first + i]);
  }
  alea_text_char(out, '\n');
  return status;
}

static alea_status print_text(equilibrium_run *run) {
  const alea_game *game = run->tree.game;
  const char *first = game->role_spelling[run->tree.roles[0]];
  alea_text *out = &run->session->out;
  for (uint32_t p = 0; p < 2 && run->v->against != NULL; p++)
    alea_text_format(out, "best response of %s against %s as %s: %.9f\n",
                     game->role_spelling[run->tree.roles[p]], run->v->against,
                     game->role_spelling[run->tree.roles[1 - p]], run->found.responses[p]);
  alea_text_format(out, "value %.9f for %s, exploitability %.9f\n", run->found.value, first,
                   run->found.gap);
  alea_text_format(out, "%" PRIu64 " %s, %zu information sets, %zu nodes, %.3f s\n",
                   run->v->against != NULL ? (uint64_t)run->v->samples : run->cfr.iterations,
                   run->v->against != NULL ? "samples each" : "iterations", run->tree.sets.count,
                   run->tree.nodes.count, alea_clock_wall() - run->started);
  alea_status status = ALEA_OK;
  for (uint32_t p = 0; p < 2 && run->v->all; p++) {
    alea_text_format(out, "%s\n", game->role_spelling[run->tree.roles[p]]);
    for (size_t s = 0; s < run->tree.sets.count && status == ALEA_OK; s++)
      if (run->tree.sets.data[s].player == p) status = print_set(run, &run->tree.sets.data[s]);
  }
  return status;
}

static alea_status put_json_set(equilibrium_run *run, alea_json *json,
                                const alea_extensive_set *set) {
  const alea_game *game = run->tree.game;
  alea_text text;
  alea_text_init(&text, &run->mem);
  alea_json_open(json, '{');
  alea_json_put_string(json, "role", game->role_text[run->tree.roles[set->player]]);
  alea_status status = put_information(run, set->view, &text);
  alea_json_put_string(json, "information", alea_text_string(&text));
  alea_json_key(json, "moves");
  alea_json_open(json, '[');
  for (uint32_t i = 0; i < set->count; i++) {
    alea_text_truncate(&text, 0);
    put_move(run, set, i, &text);
    alea_json_open(json, '{');
    alea_json_put_string(json, "move", alea_text_string(&text));
    alea_json_put_real(json, "probability", run->strategy[set->first + i]);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_json_close(json, '}');
  if (text.failed && status == ALEA_OK) status = lack(run);
  alea_text_clear(&text);
  return status;
}

/* Value and exploitability with more digits than alea_json_real has. */
static alea_status print_json(equilibrium_run *run, const char *word) {
  alea_text *out = &run->session->out;
  alea_text_format(out, "{\"status\":\"%s\",\"value\":%.12g,\"exploitability\":%.12g", word,
                   run->found.value, run->found.gap);
  if (run->v->against != NULL)
    alea_text_format(out, ",\"responses\":[%.12g,%.12g],\"samples\":%" PRId64,
                     run->found.responses[0], run->found.responses[1], run->v->samples);
  else
    alea_text_format(out, ",\"iterations\":%" PRIu64, run->cfr.iterations);
  alea_text_format(out, ",\"information_sets\":%zu,\"nodes\":%zu", run->tree.sets.count,
                   run->tree.nodes.count);
  alea_text_format(out, ",\"seconds\":%.6f", alea_clock_wall() - run->started);
  alea_status status = ALEA_OK;
  if (run->v->all) {
    alea_json json;
    alea_text_put(out, ",\"strategy\":");
    alea_json_start(&json, out);
    alea_json_open(&json, '[');
    for (size_t s = 0; s < run->tree.sets.count && status == ALEA_OK; s++)
      status = put_json_set(run, &json, &run->tree.sets.data[s]);
    alea_json_close(&json, ']');
  }
  alea_text_put(out, "}\n");
  return status;
}

/* ---- the command ---- */

static alea_status print(equilibrium_run *run, const char *word) {
  alea_status status = run->v->json ? print_json(run, word) : print_text(run);
  return status == ALEA_OK ? alea_cli_write(&run->session->out) : status;
}

static alea_status solve(equilibrium_run *run) {
  if (alea_cfr_plus_init(&run->cfr, &run->tree, &run->mem) != ALEA_OK) return lack(run);
  if (!run->v->json) alea_text_put(&run->session->out, "iterations  exploitability  value\n");
  alea_cli_progress *progress = NULL;
  if (run->v->json) progress = alea_cli_progress_start("iterating", run->v->time);
  alea_status status = iterate(run);
  alea_cli_progress_stop(progress);
  if (status != ALEA_OK && status != ALEA_LIMIT) return status;
  alea_status printed = print(run, status == ALEA_OK ? "equilibrium" : "limit");
  return printed != ALEA_OK ? printed : status;
}

static alea_status solve_or_measure(equilibrium_run *run) {
  run->strategy = alea_mem_calloc(&run->mem, run->tree.moves.count, sizeof *run->strategy);
  if (run->strategy == NULL) return lack(run);
  if (run->v->against == NULL) return solve(run);
  alea_status status = ask_player(run);
  return status == ALEA_OK ? print(run, "measured") : status;
}

int alea_cli_solve_equilibrium(const alea_cli_equilibrium *v) {
  alea_cli_session session;
  alea_open_options open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60, .memory = v->memory};
  alea_status status = alea_cli_open(&session, v->game, &open);
  if (status != ALEA_OK) return alea_cli_close(&session, status);
  equilibrium_run run = {.v = v,
                         .session = &session,
                         .deadline = alea_deadline_in(v->time),
                         .started = alea_clock_wall()};
  alea_mem_init(&run.mem, v->memory);
  alea_extensive_limits limits = {.nodes = (uint64_t)v->nodes, .deadline = run.deadline};
  alea_cli_progress *progress = alea_cli_progress_start("building the tree", v->time);
  status = alea_extensive_init(&run.tree, session.opened.game, &limits, &run.mem, &session.diag);
  alea_cli_progress_stop(progress);
  if (status == ALEA_OK) status = solve_or_measure(&run);
  alea_cfr_plus_clear(&run.cfr);
  alea_mem_free(&run.mem, run.strategy, run.tree.moves.count * sizeof *run.strategy);
  alea_extensive_clear(&run.tree);
  return alea_cli_close(&session, status);
}

/* alea solve GAME --equilibrium: builds the graph of public states, iterates,
 * prints how the exploitability falls, and the strategies if asked.  With
 * --against the strategies are those of a player, measured over the tree of all
 * plays. */
#include "cli/solve_equilibrium.h"

#include <inttypes.h>

#include "cli/interrupt.h"
#include "cli/session.h"
#include "equilibrium/best_response.h"
#include "equilibrium/cfr_plus.h"
#include "equilibrium/public_sets.h"
#include "play/sampled_strategy.h"

typedef struct equilibrium_run {
  const alea_cli_equilibrium *v;
  alea_cli_session *session;
  alea_mem mem; /* of graph, tree and all that is as large */
  alea_public_graph graph;
  alea_cfr_plus cfr;
  alea_extensive tree; /* --against */
  double *strategy;    /* the same: of the player */
  alea_exploitability found;
  alea_deadline deadline;
  double started;
} equilibrium_run;

static alea_status refuse(equilibrium_run *run, alea_status status, const char *what) {
  if (status == ALEA_LIMIT && alea_cli_stopped())
    return alea_cli_tell_stopped(status, "after %.1f s", alea_clock_wall() - run->started);
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
  alea_cfr_plus_measure(&run->cfr, &run->found);
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

/* An information set to be printed. */
typedef struct shown_set {
  const alea_player_views *views;
  uint32_t player, view;
  const uint32_t *moves;
  uint32_t count;
  const double *strategy;
} shown_set;

typedef alea_status show_set(equilibrium_run *run, const shown_set *set, void *context);

static uint32_t role_of(const equilibrium_run *run, uint32_t player) {
  return run->v->against != NULL ? run->tree.roles[player] : run->graph.roles[player];
}

/* What the player did and saw, step by step: `noop (dealt jack), check (said second bet)`. */
static alea_status put_information(equilibrium_run *run, const shown_set *set, alea_text *out) {
  const alea_player_views *views = set->views;
  const alea_game *game = run->session->opened.game;
  alea_u32s path = {0};
  if (!alea_player_views_path(views, set->view, &run->mem, &path)) return lack(run);
  for (size_t i = 0; i < path.count; i++) {
    const alea_player_view *step = &views->list.data[path.data[i]];
    const uint32_t *items = views->items.data + step->first;
    if (i > 0) alea_text_put(out, ", ");
    for (uint32_t k = 0; k < step->count; k++) {
      if (k > 0) alea_text_char(out, ' ');
      if (!game->has_sees)
        alea_game_move_text(game, k, items[k], true, out);
      else if (k == 0)
        alea_game_move_text(game, role_of(run, set->player), items[k], true, out);
      else
        alea_game_percept_text(game, items[k], true, out);
    }
  }
  if (path.count == 0) alea_text_put(out, "start");
  alea_vec_clear(&run->mem, &path);
  return ALEA_OK;
}

static void put_move(const equilibrium_run *run, const shown_set *set, uint32_t i, alea_text *out) {
  alea_game_move_text(run->session->opened.game, role_of(run, set->player), set->moves[i], true,
                      out);
}

/* 'context' is the player whose sets are printed. */
static alea_status print_set(equilibrium_run *run, const shown_set *set, void *context) {
  alea_text *out = &run->session->out;
  if (set->player != *(const uint32_t *)context) return ALEA_OK;
  alea_text_put(out, "  ");
  alea_status status = put_information(run, set, out);
  alea_text_put(out, ":");
  for (uint32_t i = 0; i < set->count; i++) {
    alea_text_put(out, i > 0 ? ", " : " ");
    put_move(run, set, i, out);
    alea_text_format(out, " %.4f", set->strategy[i]);
  }
  alea_text_char(out, '\n');
  return status == ALEA_OK ? alea_cli_write(out) : status;
}

/* 'context' is the JSON array at work. */
static alea_status put_json_set(equilibrium_run *run, const shown_set *set, void *context) {
  const alea_game *game = run->session->opened.game;
  alea_json *json = context;
  alea_text text;
  alea_text_init(&text, &run->mem);
  alea_json_open(json, '{');
  alea_json_put_string(json, "role", game->role_text[role_of(run, set->player)]);
  alea_status status = put_information(run, set, &text);
  alea_json_put_string(json, "information", alea_text_string(&text));
  alea_json_key(json, "moves");
  alea_json_open(json, '[');
  for (uint32_t i = 0; i < set->count; i++) {
    alea_text_truncate(&text, 0);
    put_move(run, set, i, &text);
    alea_json_open(json, '{');
    alea_json_put_string(json, "move", alea_text_string(&text));
    alea_json_put_real(json, "probability", set->strategy[i]);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_json_close(json, '}');
  if (text.failed && status == ALEA_OK) status = lack(run);
  alea_text_clear(&text);
  return status;
}

/* ---- the sets of the tree, or of the graph ---- */

typedef struct graph_show {
  equilibrium_run *run;
  show_set *show;
  void *context;
  alea_reals strategy;
} graph_show;

static alea_status show_public_set(void *context, const alea_public_set *set) {
  graph_show *g = context;
  double total = 0;
  g->strategy.count = 0;
  if (!alea_vec_reserve(&g->run->mem, &g->strategy, set->count)) return lack(g->run);
  double *strategy = g->strategy.data;
  for (uint32_t i = 0; i < set->count; i++) {
    uint64_t place = set->place + (uint64_t)i * set->stride;
    alea_move_weights_load(&g->run->cfr.averages, place, 1, &strategy[i]);
    total += strategy[i];
  }
  for (uint32_t i = 0; i < set->count; i++)
    strategy[i] = total > 0 ? strategy[i] / total : 1.0 / set->count;
  shown_set shown = {&g->run->graph.views, set->player, set->view,
                     set->moves,           set->count,  strategy};
  return g->show(g->run, &shown, g->context);
}

static alea_status show_sets(equilibrium_run *run, show_set *show, void *context) {
  alea_status status = ALEA_OK;
  if (run->v->against == NULL) {
    graph_show g = {.run = run, .show = show, .context = context};
    status = alea_public_sets_visit(&run->graph, &run->mem, show_public_set, &g);
    alea_vec_clear(&run->mem, &g.strategy);
    return status;
  }
  const alea_extensive *tree = &run->tree;
  for (size_t s = 0; s < tree->sets.count && status == ALEA_OK; s++) {
    const alea_extensive_set *set = &tree->sets.data[s];
    shown_set shown = {&tree->views, set->player,
                       set->view,    tree->moves.data + set->first,
                       set->count,   run->strategy + set->first};
    status = show(run, &shown, context);
  }
  return status;
}

static alea_status print_text(equilibrium_run *run) {
  const alea_game *game = run->session->opened.game;
  alea_text *out = &run->session->out;
  double seconds = alea_clock_wall() - run->started;
  for (uint32_t p = 0; p < 2 && run->v->against != NULL; p++)
    alea_text_format(out, "best response of %s against %s as %s: %.9f\n",
                     game->role_spelling[role_of(run, p)], run->v->against,
                     game->role_spelling[role_of(run, 1 - p)], run->found.responses[p]);
  alea_text_format(out, "value %.9f for %s, exploitability %.9f\n", run->found.value,
                   game->role_spelling[role_of(run, 0)], run->found.gap);
  if (run->v->against != NULL)
    alea_text_format(out, "%" PRId64 " samples each, %zu information sets, %zu nodes, %.3f s\n",
                     run->v->samples, run->tree.sets.count, run->tree.nodes.count, seconds);
  else
    alea_text_format(out,
                     "%" PRIu64 " iterations, %" PRIu64 " information sets, %" PRIu64
                     " public nodes of %zu states, %.3f s\n",
                     run->cfr.iterations, alea_public_root(&run->graph)->sets,
                     alea_public_root(&run->graph)->nodes, run->graph.order.count, seconds);
  alea_status status = ALEA_OK;
  for (uint32_t p = 0; p < 2 && run->v->all && status == ALEA_OK; p++) {
    alea_text_format(out, "%s\n", game->role_spelling[role_of(run, p)]);
    status = show_sets(run, print_set, &p);
  }
  return status;
}

/* Value and exploitability with more digits than alea_json_real has. */
static alea_status print_json(equilibrium_run *run, const char *word) {
  alea_text *out = &run->session->out;
  alea_text_format(out, "{\"status\":\"%s\",\"value\":%.12g,\"exploitability\":%.12g", word,
                   run->found.value, run->found.gap);
  if (run->v->against != NULL)
    alea_text_format(out,
                     ",\"responses\":[%.12g,%.12g],\"samples\":%" PRId64
                     ",\"information_sets\":%zu,\"nodes\":%zu",
                     run->found.responses[0], run->found.responses[1], run->v->samples,
                     run->tree.sets.count, run->tree.nodes.count);
  else
    alea_text_format(out,
                     ",\"iterations\":%" PRIu64 ",\"information_sets\":%" PRIu64
                     ",\"public_nodes\":%" PRIu64 ",\"public_states\":%zu",
                     run->cfr.iterations, alea_public_root(&run->graph)->sets,
                     alea_public_root(&run->graph)->nodes, run->graph.order.count);
  alea_text_format(out, ",\"seconds\":%.6f", alea_clock_wall() - run->started);
  alea_status status = ALEA_OK;
  if (run->v->all) {
    alea_json json;
    alea_text_put(out, ",\"strategy\":");
    alea_json_start(&json, out);
    alea_json_open(&json, '[');
    status = show_sets(run, put_json_set, &json);
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
  alea_public_options options = {
      .positions = (uint64_t)run->v->nodes, .merge_hands = !run->v->all, .deadline = run->deadline};
  alea_cli_progress *progress = alea_cli_progress_start("finding public states", run->v->time);
  alea_status status = alea_public_graph_init(&run->graph, run->session->opened.game, &options,
                                              &run->mem, &run->session->diag);
  alea_cli_progress_stop(progress);
  if (status != ALEA_OK) return status;
  if (alea_cfr_plus_init(&run->cfr, &run->graph, &run->mem) != ALEA_OK) return lack(run);
  if (!run->v->json) alea_text_put(&run->session->out, "iterations  exploitability  value\n");
  progress = run->v->json ? alea_cli_progress_start("iterating", run->v->time) : NULL;
  status = iterate(run);
  alea_cli_progress_stop(progress);
  if (status != ALEA_OK && status != ALEA_LIMIT) return status;
  alea_status printed = print(run, status == ALEA_OK ? "equilibrium" : "limit");
  return printed != ALEA_OK ? printed : status;
}

static alea_status measure_player(equilibrium_run *run) {
  alea_extensive_limits limits = {.nodes = (uint64_t)run->v->nodes, .deadline = run->deadline};
  alea_cli_progress *progress = alea_cli_progress_start("building the tree", run->v->time);
  alea_status status = alea_extensive_init(&run->tree, run->session->opened.game, &limits,
                                           &run->mem, &run->session->diag);
  alea_cli_progress_stop(progress);
  if (status != ALEA_OK) return status;
  run->strategy = alea_mem_calloc(&run->mem, run->tree.moves.count, sizeof *run->strategy);
  if (run->strategy == NULL) return lack(run);
  status = ask_player(run);
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
  run.deadline.stop = alea_cli_catch_stop();
  alea_mem_init(&run.mem, v->memory);
  status = v->against == NULL ? solve(&run) : measure_player(&run);
  alea_cfr_plus_clear(&run.cfr);
  alea_public_graph_clear(&run.graph);
  alea_mem_free(&run.mem, run.strategy, run.tree.moves.count * sizeof *run.strategy);
  alea_extensive_clear(&run.tree);
  return alea_cli_close(&session, status);
}

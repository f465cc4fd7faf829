/* Experiments on structure rewriting games: what is learnt, how things move,
 * what a search looks like.
 *
 *   published:
 *     learn: [{game: toss-tictactoe}]
 *     trajectory: {game: toss-cat-and-mouse, players: [mc, mc], sims: 50, elements: [c, m]}
 *     tree: {game: toss-tictactoe, player: toss-uct, sims: 100}
 *
 * Settings of a scale: rounds, plays, iterations, threshold, seed, seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/experiment.h"
#include "play/toss.h"
#include "toss/learn.h"
#include "tournament/plot.h"

/* Opens a game for the interpreter. */
static alea_status open_game(const alea_experiment *e, const char *name, alea_opened *opened) {
  alea_diag diag;
  alea_diag_init(&diag, e->mem);
  alea_open_options options = {.engine = ALEA_ENGINE_PROVER, .memory = (size_t)4 << 30};
  alea_status status = alea_open(opened, name, &options, &diag);
  if (status != ALEA_OK)
    alea_yaml_error(e->file, e->root, "game '%s': %s", name,
                    diag.entries.count > 0 ? diag.entries.data[0].message : "cannot be opened");
  alea_diag_clear(&diag);
  return status;
}

/* ---- formulas ---- */

static alea_status read_settings(const alea_experiment *e, const alea_yaml *settings,
                                 alea_toss_learn_options *options, double *seconds) {
  double rounds = 2, plays = 10, iterations = 300, threshold = 3, seed = 1;
  bool good = alea_yaml_read_number(e->file, settings, "rounds", 1, 1000, true, &rounds) &&
              alea_yaml_read_number(e->file, settings, "plays", 1, 1e5, true, &plays) &&
              alea_yaml_read_number(e->file, settings, "iterations", 1, 1e9, true, &iterations) &&
              alea_yaml_read_number(e->file, settings, "threshold", 1, 1e9, true, &threshold) &&
              alea_yaml_read_number(e->file, settings, "seed", 0, 1e15, true, &seed) &&
              alea_yaml_read_number(e->file, settings, "seconds", 0, 1e9, false, seconds);
  if (!good) return ALEA_INPUT;
  *options = (alea_toss_learn_options){.rounds = (uint32_t)rounds,
                                       .plays = (uint32_t)plays,
                                       .iterations = (uint32_t)iterations,
                                       .threshold = (uint32_t)threshold,
                                       .variables = 2,
                                       .literals = 4,
                                       .seed = (uint64_t)seed,
                                       .build = alea_play_toss_network};
  return ALEA_OK;
}

/* Adds "EVAL 0 formula => payoffs // support n of m" as cells. */
static void put_formula(char *line, const char *game, alea_doc *doc) {
  if (strncmp(line, "EVAL ", 5) != 0) return;
  char *formula = strchr(line + 5, ' '), *payoffs = strstr(line, " => ");
  char *support = strstr(line, "// support ");
  if (formula == NULL || payoffs == NULL || support == NULL) return;
  *formula++ = '\0';
  *payoffs = '\0';
  support[-1] = '\0';
  alea_doc_cell(doc, "%s", game);
  alea_doc_cell(doc, "%s", line + 5);
  alea_doc_cell(doc, "`%s`", formula);
  alea_doc_cell(doc, "%s", payoffs + 4);
  alea_doc_cell(doc, "%s", support + 11);
}

static alea_status learn_game(const alea_experiment *e, const alea_yaml *settings, const char *game,
                              alea_text *text) {
  alea_opened opened;
  alea_toss_learn_options options;
  double seconds = 60;
  alea_status status = read_settings(e, settings, &options, &seconds);
  if (status != ALEA_OK) return status;
  status = open_game(e, game, &opened);
  alea_deadline deadline = alea_deadline_in(seconds);
  options.deadline = &deadline;
  if (status == ALEA_OK) status = alea_toss_learn(opened.game, &options, text, &opened.mem);
  alea_opened_clear(&opened);
  return status == ALEA_OK && text->failed ? ALEA_SYSTEM : status;
}

static alea_status learn_one(const alea_experiment *e, const char *game, alea_doc *doc) {
  alea_text text;
  alea_text_init(&text, e->mem);
  alea_status status = learn_game(e, e->settings, game, &text);
  for (char *line = text.data; status == ALEA_OK && line != NULL && *line != '\0';) {
    char *end = strchr(line, '\n');
    if (end != NULL) *end = '\0';
    put_formula(line, game, doc);
    line = end != NULL ? end + 1 : NULL;
  }
  alea_text_clear(&text);
  return status;
}

/* ---- evaluations for players ---- */

static bool is_there(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file != NULL) fclose(file);
  return file != NULL;
}

static bool have_player(const char *name) {
  size_t count;
  const alea_player_class *const *classes = alea_player_classes(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(classes[i]->name, name) == 0) return true;
  return false;
}

static alea_status prepare_one(const alea_experiment *e, const alea_yaml *item) {
  const char *path = alea_yaml_text(item, "out", ""), *game = alea_yaml_text(item, "learn", "");
  if (is_there(path) || !have_player(alea_yaml_text(item, "player", ""))) return ALEA_OK;
  alea_text text;
  alea_text_init(&text, e->mem);
  alea_status status = learn_game(e, alea_yaml_get(item, e->scale), game, &text);
  FILE *file = status == ALEA_OK ? fopen(path, "wb") : NULL;
  bool good = file != NULL && fwrite(text.data, 1, text.length, file) == text.length;
  if (file != NULL) good = fclose(file) == 0 && good;
  if (status == ALEA_OK && !good) {
    alea_yaml_error(e->file, item, "%s cannot be written", path);
    status = ALEA_SYSTEM;
  }
  alea_text_clear(&text);
  return status;
}

alea_status alea_experiment_prepare(const alea_experiment *experiment) {
  const alea_yaml *list = alea_yaml_get(experiment->root, "prepare");
  alea_status status = ALEA_OK;
  for (const alea_yaml *at = list != NULL ? list->first : NULL; status == ALEA_OK && at != NULL;
       at = at->next)
    status = prepare_one(experiment, at);
  return status;
}

static alea_status learn_all(const alea_experiment *e, const alea_yaml *list, alea_doc *doc) {
  if (list == NULL) return ALEA_OK;
  alea_doc_heading(doc, 2, "Learned formulas");
  alea_doc_table(doc, "game|location|formula|payoffs and how often|support");
  alea_status status = ALEA_OK;
  for (const alea_yaml *at = list->first; status == ALEA_OK && at != NULL; at = at->next)
    status = learn_one(e, alea_experiment_cell(at, "game"), doc);
  return status;
}

/* ---- a trajectory ---- */

/* The number in "(x c 1.5)" within the text of a state; false if missing. */
static bool coordinate(const char *state, char axis, const char *element, double *value) {
  char key[64];
  snprintf(key, sizeof key, "(%c %s ", axis, element);
  const char *at = strstr(state, key);
  if (at == NULL) return false;
  *value = strtod(at + strlen(key), NULL);
  return true;
}

enum { MOST_STEPS = 200, MOST_ELEMENTS = 8, MOST_PLAYERS = 8 };

static void plot_record(const alea_experiment *e, const alea_record *record,
                        const alea_yaml *elements, alea_doc *doc) {
  alea_plot_point points[MOST_ELEMENTS][MOST_STEPS];
  alea_plot_series series[MOST_ELEMENTS];
  size_t count = 0;
  for (const alea_yaml *at = elements->first; at != NULL && count < MOST_ELEMENTS; at = at->next) {
    size_t used = 0;
    for (size_t s = 0; s < record->states.count && used < MOST_STEPS; s++) {
      alea_plot_point p = {0};
      if (coordinate(record->states.data[s], 'x', at->text, &p.x) &&
          coordinate(record->states.data[s], 'y', at->text, &p.y))
        points[count][used++] = p;
    }
    series[count] = (alea_plot_series){.name = at->text, .points = points[count], .count = used};
    count++;
  }
  alea_plot plot = {.title = "Trajectory", .x = "x", .y = "y", .series = series, .count = count};
  alea_text svg;
  alea_text_init(&svg, e->mem);
  alea_plot_svg(&plot, &svg);
  alea_doc_figure(doc, &svg, "Where the elements were after every step");
  alea_text_clear(&svg);
}

static alea_status trajectory(const alea_experiment *e, const alea_yaml *wish, alea_doc *doc) {
  const alea_yaml *players = alea_yaml_get(wish, "players");
  const alea_yaml *elements = alea_yaml_get(wish, "elements");
  if (players == NULL || elements == NULL) return ALEA_OK;
  const char *names[MOST_PLAYERS];
  size_t count = 0;
  for (const alea_yaml *at = players->first; at != NULL && count < MOST_PLAYERS; at = at->next)
    names[count++] = at->text;
  double sims = 50;
  if (!alea_yaml_read_number(e->file, wish, "sims", 1, 1e9, true, &sims)) return ALEA_INPUT;
  alea_opened opened;
  alea_record record;
  alea_diag diag;
  alea_record_init(&record, e->mem);
  alea_diag_init(&diag, e->mem);
  alea_match_options options = {.players = names,
                                .player_count = count,
                                .sims = (uint64_t)sims,
                                .seed = 1,
                                .step_cap = MOST_STEPS,
                                .engine = ALEA_ENGINE_PROVER};
  alea_status status = open_game(e, alea_experiment_cell(wish, "game"), &opened);
  if (status == ALEA_OK) status = alea_match_run(&record, &opened, &options, NULL, NULL, &diag);
  if (status == ALEA_OK) {
    alea_doc_heading(doc, 2, "Trajectory of %s", alea_experiment_cell(wish, "game"));
    alea_doc_text(doc,
                  "%zu steps of %s with %.0f simulations a move; goals:", record.states.count - 1,
                  names[0], sims);
    alea_doc_table(doc, "role|player|goal");
    for (uint32_t r = 0; record.completed && r < record.roles; r++) {
      alea_doc_cell(doc, "%s", record.role_names[r]);
      alea_doc_cell(doc, "%s", record.players[r]);
      alea_doc_cell(doc, "%d", record.goals[r]);
    }
    plot_record(e, &record, elements, doc);
  } else if (diag.entries.count > 0) {
    alea_yaml_error(e->file, wish, "%s", diag.entries.data[0].message);
  }
  alea_diag_clear(&diag);
  alea_record_clear(&record);
  alea_opened_clear(&opened);
  return status;
}

/* ---- the root of a search ---- */

static void put_analysis(const alea_game *game, alea_player *player, alea_mem *mem, alea_doc *doc) {
  alea_analysis analysis;
  alea_text text;
  alea_text_init(&text, mem);
  alea_player_analyse(player, &analysis);
  alea_doc_table(doc, "move|visits|expected goal");
  for (size_t i = 0; i < analysis.count; i++) {
    alea_text_truncate(&text, 0);
    alea_game_move_text(game, 0, analysis.choices[i].move, false, &text);
    alea_doc_cell(doc, "%s", alea_text_string(&text));
    alea_doc_cell(doc, "%llu", (unsigned long long)analysis.choices[i].visits);
    if (analysis.choices[i].value >= 0) alea_doc_cell(doc, "%.1f", analysis.choices[i].value);
    if (analysis.choices[i].value < 0) alea_doc_cell(doc, "–");
  }
  alea_text_clear(&text);
}

static alea_status tree(const alea_experiment *e, const alea_yaml *wish, alea_doc *doc) {
  if (wish == NULL) return ALEA_OK;
  const char *name = alea_experiment_cell(wish, "player"),
             *game = alea_experiment_cell(wish, "game");
  double sims = 100;
  if (!alea_yaml_read_number(e->file, wish, "sims", 1, 1e9, true, &sims)) return ALEA_INPUT;
  alea_opened opened;
  alea_text message;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text_init(&message, e->mem);
  alea_player *player = NULL;
  alea_budget budget = {.sims = (uint64_t)sims};
  alea_move move;
  alea_status status = open_game(e, game, &opened);
  alea_player_setup setup = {.game = opened.game, .role = 0, .seed = 1, .mem = &mem};
  setup.rewriting = opened.rewriting;
  if (status == ALEA_OK) {
    status = alea_player_new(&player, name, &setup, &message);
    if (status == ALEA_USAGE) {
      alea_doc_text(doc, "Left out: %s.", alea_text_string(&message));
      status = ALEA_OK;
    }
  }
  if (status == ALEA_OK && player != NULL) {
    alea_doc_heading(doc, 2, "First moves of %s as %s sees them after %.0f simulations", game, name,
                     sims);
    status = alea_player_start(player, &budget);
    if (status == ALEA_OK) status = alea_player_select(player, &budget, &move);
    if (status == ALEA_OK) put_analysis(opened.game, player, e->mem, doc);
  }
  alea_player_free(player);
  alea_text_clear(&message);
  alea_opened_clear(&opened);
  return status;
}

alea_status alea_experiment_learned(const alea_experiment *experiment, const alea_results *results,
                                    const alea_tournament_plan *plan, alea_doc *doc) {
  (void)results, (void)plan;
  const alea_yaml *wishes = alea_yaml_get(experiment->root, "published");
  alea_status status = learn_all(experiment, alea_yaml_get(wishes, "learn"), doc);
  if (status == ALEA_OK) status = trajectory(experiment, alea_yaml_get(wishes, "trajectory"), doc);
  return status == ALEA_OK ? tree(experiment, alea_yaml_get(wishes, "tree"), doc) : status;
}

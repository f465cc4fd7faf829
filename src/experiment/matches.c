/* Experiments that are tournaments.
 *
 *   published:                      # groups of rows with the same columns
 *     - title: ...
 *       about: ...                  # what else is to be said of this table
 *       columns: [{head: MAC-UCB – UCT, first: mac-ucb, second: uct}]
 *       extra: [{head: nogoods, ours: [rules, pruned]}]   # more numbers of a row
 *       rows: [{name: Awale, game: awale, values: [56.7], sigma: [1.63], extra: [1]}]
 *   plots: dots                     # or lines over the columns' x, or none
 *   learning: {curves: [{game: awale, first: mac-ucb, second: uct}]}
 *
 * A column without 'second' is a player alone: games of one role never stand in
 * one table with matches, so that no mean mixes the two.  'budget: N' is the
 * N-th budget of the plan, the first by default; 'role: N' counts only matches
 * in which the first player has role N; 'part: [0, 0.5]' the first half of them;
 * 'pool: [NAME]' counts the matches of more players as those of the first, as of
 * runs that differ in their seeds alone; 'x' is the position of the column in a plot.  A game that
 * the scale does not play is marked as not measured, once: tables with another's rows leave it out.
 *
 * An extra column lists our values: `rules` (of the ground program), `group`
 * (symmetries), `generators`, `smaller` (the search, in percent) and `known`
 * (positions that are symmetric to others; see symmetry_gain.h) are measured by
 *
 *   symmetry: {small: {sims: 1000, positions: 3, seconds: 5}, paper: ...}
 *
 * and anything else is a counter of the first player of the first column, as a
 * mean per match. */
#include <string.h>

#include "experiment/cell.h"
#include "experiment/settings.h"
#include "experiment/symmetry_gain.h"
#include "tournament/plot.h"
#include "tournament/report.h"

typedef struct matches_context {
  const alea_experiment *e;
  const alea_results *results;
  const alea_tournament_plan *plan;
  alea_doc *doc;
} matches_context;

static alea_cell find_ours(const matches_context *c, const alea_yaml *row,
                           const alea_yaml *column) {
  alea_cell_query query = alea_cell_of(c->plan, row, column);
  return alea_cell_find(c->results, &query);
}

static const alea_yaml *rows_of(const matches_context *c, const alea_yaml *group) {
  return alea_cell_rows(alea_yaml_get(c->e->root, "published"), group);
}

/* ---- extra columns ---- */

/* Opens the game of a row and measures it; a game that cannot be opened has no
 * numbers. */
static alea_status measure(const matches_context *c, const alea_yaml *row,
                           alea_symmetry_gain *gain) {
  const alea_yaml *wish = alea_yaml_get(alea_yaml_get(c->e->root, "symmetry"), c->e->scale);
  double sims = 1000, positions = 3, seconds = 5;
  const alea_yaml_file *file = c->e->file;
  *gain = (alea_symmetry_gain){0};
  if (wish == NULL) return ALEA_OK;
  if (!alea_yaml_read_number(file, wish, "sims", 1, 1e9, true, &sims) ||
      !alea_yaml_read_number(file, wish, "positions", 1, 1e6, true, &positions) ||
      !alea_yaml_read_number(file, wish, "seconds", 0.01, 1e6, false, &seconds))
    return ALEA_INPUT;
  alea_symmetry_gain_options options = {(uint64_t)sims, (uint32_t)positions, seconds, 1};
  alea_open_options open = {
      .engine = ALEA_ENGINE_AUTO, .ground_seconds = 60, .memory = (size_t)4 << 30};
  alea_opened opened;
  alea_diag diag;
  alea_diag_init(&diag, c->e->mem);
  alea_status status = alea_open(&opened, alea_yaml_text(row, "game", ""), &open, &diag);
  alea_status measured = ALEA_OK;
  if (status == ALEA_OK) measured = alea_symmetry_gain_measure(gain, &opened, &options, c->e->mem);
  alea_diag_clear(&diag);
  alea_opened_clear(&opened);
  return status == ALEA_SYSTEM ? status : measured;
}

static const struct {
  const char *word, *head;
} measures[] = {
    {"rules", "ours: ground rules"},      {"group", "ours: order of the group"},
    {"generators", "ours: generators"},   {"smaller", "ours: smaller %"},
    {"known", "ours: known as images %"},
};
enum { MEASURES = sizeof measures / sizeof *measures };

static const char *head_of(const char *word) {
  for (size_t i = 0; i < MEASURES; i++)
    if (strcmp(measures[i].word, word) == 0) return measures[i].head;
  return NULL;
}

static void put_measured(const matches_context *c, const char *word,
                         const alea_symmetry_gain *gain) {
  bool order = gain->order > 0;
  if (strcmp(word, "rules") == 0 && gain->rules > 0) {
    alea_doc_cell(c->doc, "%llu", (unsigned long long)gain->rules);
  } else if (strcmp(word, "group") == 0 && order) {
    alea_doc_cell(c->doc, "%.10g", gain->order);
  } else if (strcmp(word, "generators") == 0 && order) {
    alea_doc_cell(c->doc, "%u", gain->generators);
  } else if (strcmp(word, "smaller") == 0 && gain->positions > 0) {
    alea_doc_cell(c->doc, "%.1f", 100 * alea_symmetry_gain_smaller(gain));
  } else if (strcmp(word, "known") == 0 && gain->positions > 0) {
    alea_doc_cell(c->doc, "%.1f", 100 * alea_symmetry_gain_known(gain));
  } else {
    alea_doc_cell(c->doc, "–");
  }
}

static void put_counter(const matches_context *c, const alea_yaml *group, const alea_yaml *row,
                        const char *word) {
  const char *player =
      alea_yaml_text(alea_cell_element(alea_yaml_get(group, "columns"), 0), "first", "");
  double mean;
  bool there =
      c->results != NULL &&
      alea_results_counter(c->results, alea_yaml_text(row, "game", ""), player, word, &mean);
  if (there) alea_doc_cell(c->doc, "%.1f", mean);
  if (!there) alea_doc_cell(c->doc, "–");
}

static void put_extra_heads(const matches_context *c, const alea_yaml *extra) {
  alea_text heads;
  alea_text_init(&heads, c->e->mem);
  alea_text_put(&heads, "game");
  for (const alea_yaml *at = extra->first; at != NULL; at = at->next) {
    const alea_yaml *own = alea_yaml_get(at, "ours");
    alea_text_format(&heads, "|%s: published",
                     at->kind == ALEA_YAML_TEXT ? at->text : alea_yaml_text(at, "head", "?"));
    for (const alea_yaml *word = own != NULL ? own->first : NULL; word != NULL; word = word->next) {
      const char *head = head_of(word->text);
      if (head != NULL) alea_text_format(&heads, "|%s", head);
      if (head == NULL) alea_text_format(&heads, "|ours: %s per match", word->text);
    }
  }
  alea_doc_table(c->doc, alea_text_string(&heads));
  if (heads.failed) c->doc->failed = true;
  alea_text_clear(&heads);
}

static alea_status put_extra_row(const matches_context *c, const alea_yaml *group,
                                 const alea_yaml *row, double *smaller, size_t *measured) {
  const alea_yaml *extra = alea_yaml_get(group, "extra");
  alea_symmetry_gain gain;
  alea_status status = measure(c, row, &gain);
  *smaller += 100 * alea_symmetry_gain_smaller(&gain);
  *measured += gain.positions > 0;
  if (status == ALEA_OK) alea_doc_cell(c->doc, "%s", alea_experiment_cell(row, "name"));
  for (size_t i = 0; status == ALEA_OK && i < extra->count; i++) {
    const alea_yaml *cell = alea_cell_element(alea_yaml_get(row, "extra"), i);
    const alea_yaml *own = alea_yaml_get(alea_cell_element(extra, i), "ours");
    alea_doc_cell(c->doc, "%s", cell != NULL ? cell->text : "–");
    for (const alea_yaml *word = own != NULL ? own->first : NULL; word != NULL; word = word->next)
      if (head_of(word->text) != NULL)
        put_measured(c, word->text, &gain);
      else
        put_counter(c, group, row, word->text);
  }
  return status;
}

static alea_status put_extras(const matches_context *c, const alea_yaml *group) {
  const alea_yaml *extra = alea_yaml_get(group, "extra");
  const alea_yaml *row = rows_of(c, group)->first;
  alea_status status = ALEA_OK;
  if (extra == NULL) return ALEA_OK;
  put_extra_heads(c, extra);
  double smaller = 0;
  size_t measured = 0;
  for (; status == ALEA_OK && row != NULL; row = row->next)
    status = put_extra_row(c, group, row, &smaller, &measured);
  if (measured > 0)
    alea_experiment_note(c->e, smaller / (double)measured, "smaller %s",
                         alea_yaml_text(group, "title", "all"));
  return status;
}

/* ---- tables ---- */

/* Whether the group has published numbers to compare with. */
static bool has_published(const matches_context *c, const alea_yaml *group) {
  for (const alea_yaml *row = rows_of(c, group)->first; row != NULL; row = row->next)
    if (alea_yaml_get(row, "values") != NULL) return true;
  return false;
}

static void put_heads(const matches_context *c, const alea_yaml *group) {
  alea_text heads;
  alea_text_init(&heads, c->e->mem);
  alea_text_put(&heads, "game");
  const alea_yaml *columns = alea_yaml_get(group, "columns");
  for (const alea_yaml *at = columns->first; at != NULL; at = at->next)
    alea_text_format(&heads, "|%s%s (95 %%)|W/D/L", alea_yaml_text(at, "head", "?"),
                     has_published(c, group) ? ": published|ours" : "");
  alea_doc_table(c->doc, alea_text_string(&heads));
  if (heads.failed) c->doc->failed = true;
  alea_text_clear(&heads);
}

static void put_published(const matches_context *c, const alea_yaml *row, size_t column) {
  const alea_yaml *value = alea_cell_element(alea_yaml_get(row, "values"), column);
  const alea_yaml *sigma = alea_cell_element(alea_yaml_get(row, "sigma"), column);
  if (value == NULL) {
    alea_doc_cell(c->doc, "–");
  } else if (sigma != NULL) {
    alea_doc_cell(c->doc, "%s (σ %s)", value->text, sigma->text);
  } else {
    alea_doc_cell(c->doc, "%s", value->text);
  }
}

static void put_ours(const matches_context *c, const alea_cell *o) {
  if (!o->there) {
    alea_doc_cell(c->doc, "not measured");
    alea_doc_cell(c->doc, "–");
    return;
  }
  alea_doc_cell(c->doc, "%.1f (%.0f–%.0f)", o->percent, o->interval.low, o->interval.high);
  alea_doc_cell(c->doc, "%llu/%llu/%llu", (unsigned long long)o->wins, (unsigned long long)o->draws,
                (unsigned long long)o->losses);
}

static void put_row(const matches_context *c, const alea_yaml *group, const alea_yaml *row) {
  const alea_yaml *columns = alea_yaml_get(group, "columns");
  alea_doc_cell(c->doc, "%s", alea_experiment_cell(row, "name"));
  for (size_t i = 0; i < columns->count; i++) {
    alea_cell o = find_ours(c, row, alea_cell_element(columns, i));
    if (has_published(c, group)) put_published(c, row, i);
    put_ours(c, &o);
  }
}

static bool is_measured(const matches_context *c, const alea_yaml *group, const alea_yaml *row) {
  const alea_yaml *column = alea_yaml_get(group, "columns")->first;
  while (column != NULL && !find_ours(c, row, column).there) column = column->next;
  return column != NULL;
}

/* The mean of the games that were measured, each counting alike as in the
 * papers, and the published mean of the same games. */
typedef struct column_mean {
  size_t games, published_games;
  uint64_t matches;
  double published;
  alea_linear sum;
} column_mean;

static column_mean mean_of(const matches_context *c, const alea_yaml *group, size_t index) {
  const alea_yaml *column = alea_cell_element(alea_yaml_get(group, "columns"), index);
  column_mean mean = {0};
  double value;
  for (const alea_yaml *row = rows_of(c, group)->first; row != NULL; row = row->next)
    mean.games += find_ours(c, row, column).there;
  for (const alea_yaml *row = rows_of(c, group)->first; row != NULL; row = row->next) {
    alea_cell o = find_ours(c, row, column);
    if (!o.there) continue;
    mean.matches += o.matches;
    alea_linear_add(&mean.sum, 1 / (double)mean.games, o.percent, o.interval);
    if (!alea_yaml_number(alea_cell_element(alea_yaml_get(row, "values"), index), &value)) continue;
    mean.published += value;
    mean.published_games++;
  }
  return mean;
}

static void put_mean(const matches_context *c, const alea_yaml *group) {
  const alea_yaml *columns = alea_yaml_get(group, "columns");
  size_t most = 0;
  for (size_t i = 0; i < columns->count; i++) {
    size_t games = mean_of(c, group, i).games;
    if (games > most) most = games;
  }
  if (most < 2) return;
  alea_doc_cell(c->doc, "mean of the games measured");
  for (size_t i = 0; i < columns->count; i++) {
    column_mean mean = mean_of(c, group, i);
    alea_bounds interval = alea_linear_interval(&mean.sum);
    if (mean.published_games > 0)
      alea_doc_cell(c->doc, "%.1f", mean.published / (double)mean.published_games);
    else if (has_published(c, group))
      alea_doc_cell(c->doc, "–");
    if (mean.games > 0)
      alea_doc_cell(c->doc, "%.1f (%.0f–%.0f)", mean.sum.value, interval.low, interval.high);
    else
      alea_doc_cell(c->doc, "not measured");
    alea_doc_cell(c->doc, "%zu games, %llu matches", mean.games, (unsigned long long)mean.matches);
  }
}

/* ---- plots ---- */

enum { MOST_ROWS = 40, MOST_COLUMNS = 32, MOST_SERIES = 16 };

static void add_plot(const matches_context *c, const alea_plot *plot, const char *caption) {
  alea_text svg;
  alea_text_init(&svg, c->e->mem);
  alea_plot_svg(plot, &svg);
  alea_doc_figure(c->doc, &svg, caption);
  alea_text_clear(&svg);
}

/* One figure per column: games down the side, published and own values next to
 * each other.  None of one game, and none of a table with another's rows. */
static void plot_dots(const matches_context *c, const alea_yaml *group, size_t index) {
  const alea_yaml *column = alea_cell_element(alea_yaml_get(group, "columns"), index);
  alea_plot_point own[MOST_ROWS], theirs[MOST_ROWS];
  const char *names[MOST_ROWS];
  size_t own_count = 0, their_count = 0, rows = 0;
  const alea_yaml *row = rows_of(c, group)->first;
  for (; row != NULL && rows < MOST_ROWS; row = row->next, rows++) {
    double value;
    names[rows] = alea_experiment_cell(row, "name");
    alea_cell o = find_ours(c, row, column);
    if (o.there)
      own[own_count++] =
          (alea_plot_point){(double)rows, o.percent, o.interval.low, o.interval.high};
    if (alea_yaml_number(alea_cell_element(alea_yaml_get(row, "values"), index), &value))
      theirs[their_count++] = (alea_plot_point){.x = (double)rows, .y = value};
  }
  alea_plot_series series[] = {{"ours, 95 %", own, own_count, false},
                               {"published", theirs, their_count, true}};
  alea_plot plot = {.title = alea_yaml_text(column, "head", ""),
                    .x = "",
                    .y = "score of the first, %",
                    .y_low = 0,
                    .y_high = 100,
                    .series = series,
                    .count = 2,
                    .names = names,
                    .name_count = rows};
  if (own_count > 0 && rows > 1) add_plot(c, &plot, alea_yaml_text(column, "head", ""));
}

/* The point of a row at column i, own or published; false: none. */
static bool line_point(const matches_context *c, const alea_yaml *row, const alea_yaml *columns,
                       size_t i, bool published, alea_plot_point *point) {
  const alea_yaml *column = alea_cell_element(columns, i);
  double x, y;
  if (!alea_yaml_number(alea_yaml_get(column, published ? "published-x" : "x"), &x)) return false;
  if (published) {
    if (!alea_yaml_number(alea_cell_element(alea_yaml_get(row, "values"), i), &y)) return false;
    *point = (alea_plot_point){.x = x, .y = y};
    return true;
  }
  alea_cell o = find_ours(c, row, column);
  *point = (alea_plot_point){x, o.percent, o.interval.low, o.interval.high};
  return o.there;
}

/* One figure per group: a line per game over the x of the columns. */
static void plot_lines(const matches_context *c, const alea_yaml *group, bool published) {
  alea_plot_point points[MOST_SERIES][MOST_COLUMNS];
  alea_plot_series series[MOST_SERIES];
  size_t count = 0;
  const alea_yaml *columns = alea_yaml_get(group, "columns");
  for (const alea_yaml *row = rows_of(c, group)->first; row != NULL && count < MOST_SERIES;
       row = row->next) {
    size_t used = 0;
    for (size_t i = 0; i < columns->count && i < MOST_COLUMNS; i++)
      used += line_point(c, row, columns, i, published, &points[count][used]);
    if (used == 0) continue;
    series[count] =
        (alea_plot_series){alea_experiment_cell(row, "name"), points[count], used, published};
    count++;
  }
  alea_plot plot = {
      .title = published ? "As published" : alea_yaml_text(group, "title", c->e->name),
      .x = alea_yaml_text(group, "x", "x"),
      .y = "score of the first, %",
      .y_low = 0,
      .y_high = 100,
      .series = series,
      .count = count};
  if (count > 0) add_plot(c, &plot, published ? "As published" : "Ours, with 95 % intervals");
}

/* ---- learning curves ---- */

enum { CURVE = 60 };

static size_t fill_curve(const alea_result *r, alea_plot_point *points) {
  size_t count = r->score_count < CURVE ? r->score_count : CURVE;
  for (size_t i = 0; i < count; i++) {
    size_t plays = (i + 1) * r->score_count / count;
    points[i] = (alea_plot_point){.x = (double)plays, .y = 100 * alea_report_running(r, plays)};
  }
  return count;
}

static void learning(const matches_context *c) {
  const alea_yaml *wish = alea_yaml_get(c->e->root, "learning");
  const alea_yaml *curves = alea_yaml_get(wish, "curves");
  if (curves == NULL || c->results == NULL) return;
  alea_plot_point points[MOST_SERIES][CURVE];
  alea_plot_series series[MOST_SERIES];
  size_t count = 0;
  for (const alea_yaml *at = curves->first; at != NULL && count < MOST_SERIES; at = at->next) {
    bool turned;
    const char *game = alea_yaml_text(at, "game", "");
    const alea_result *r =
        alea_results_find(c->results, game, NULL, alea_yaml_text(at, "first", ""),
                          alea_yaml_text(at, "second", NULL), &turned);
    if (r == NULL || turned || r->score_count < 2) continue;
    series[count] = (alea_plot_series){game, points[count], fill_curve(r, points[count]), false};
    count++;
  }
  if (count == 0) return;
  alea_doc_heading(c->doc, 2, "Score against number of plays");
  alea_doc_text(c->doc, "%s", alea_yaml_text(wish, "text", ""));
  alea_plot plot = {.title = alea_yaml_text(wish, "title", "Score against number of plays"),
                    .x = "plays",
                    .y = "score, %",
                    .y_low = 0,
                    .y_high = 100,
                    .series = series,
                    .count = count};
  add_plot(c, &plot, "Mean score of all plays so far");
}

/* ---- the whole document ---- */

static alea_status put_group(const matches_context *c, const alea_yaml *group) {
  const char *plots = alea_yaml_text(c->e->root, "plots", "dots");
  alea_doc_heading(c->doc, 2, "%s", alea_yaml_text(group, "title", "Results"));
  if (alea_yaml_get(group, "about") != NULL)
    alea_doc_text(c->doc, "%s", alea_yaml_text(group, "about", ""));
  alea_settings_put(group, rows_of(c, group), c->results, c->plan, c->doc);
  put_heads(c, group);
  bool own_rows = alea_yaml_get(group, "rows") == rows_of(c, group);
  for (const alea_yaml *row = rows_of(c, group)->first; row != NULL; row = row->next)
    if (own_rows || is_measured(c, group, row)) put_row(c, group, row);
  put_mean(c, group);
  alea_status status = put_extras(c, group);
  if (strcmp(plots, "lines") == 0) plot_lines(c, group, false);
  if (strcmp(plots, "lines") == 0 && own_rows) plot_lines(c, group, true);
  bool dots = strcmp(plots, "dots") == 0 && own_rows;
  for (size_t i = 0; dots && i < alea_yaml_get(group, "columns")->count; i++)
    plot_dots(c, group, i);
  return status;
}

static bool check_elements(const alea_yaml_file *file, const alea_yaml *list, const char *keys) {
  for (const alea_yaml *at = list->first; at != NULL; at = at->next)
    if (!alea_yaml_expect(file, at, ALEA_YAML_MAP) || !alea_yaml_keys(file, at, keys)) return false;
  return true;
}

static bool check_learning(const matches_context *c) {
  const alea_yaml *wish = alea_yaml_get(c->e->root, "learning");
  const alea_yaml *curves = alea_yaml_get(wish, "curves");
  if (wish == NULL) return true;
  if (!alea_yaml_expect(c->e->file, wish, ALEA_YAML_MAP)) return false;
  if (!alea_yaml_keys(c->e->file, wish, "title text curves")) return false;
  return curves == NULL || check_elements(c->e->file, curves, "game first second");
}

static bool check_group(const matches_context *c, const alea_yaml *group) {
  const alea_yaml_file *file = c->e->file;
  if (!alea_yaml_expect(file, group, ALEA_YAML_MAP)) return false;
  if (!alea_yaml_keys(file, group, "title about columns extra rows x")) return false;
  const alea_yaml *columns = alea_yaml_get(group, "columns");
  if (columns == NULL || rows_of(c, group) == NULL) {
    alea_yaml_error(file, group,
                    "a group needs 'columns' and 'rows', a list or the title of another group");
    return false;
  }
  return alea_yaml_expect(file, columns, ALEA_YAML_LIST) &&
         check_elements(file, columns, "head first second pool budget role part x published-x") &&
         check_elements(file, rows_of(c, group), "name game joint values sigma extra");
}

static void put_budgets(const matches_context *c) {
  alea_text text;
  alea_text_init(&text, c->e->mem);
  for (size_t i = 0; c->plan != NULL && i < c->plan->budgets.count; i++)
    alea_text_format(&text, "%s%s", i == 0 ? "" : "; ", c->plan->budgets.data[i].label);
  if (c->results != NULL) {
    uint64_t done = 0;
    for (size_t i = 0; i < c->results->pairings.count; i++)
      done += c->results->pairings.data[i].done;
    alea_doc_text(c->doc, "Played: %llu matches. Budgets per move: %s.", (unsigned long long)done,
                  alea_text_string(&text));
  }
  alea_text_clear(&text);
}

alea_status alea_experiment_matches(const alea_experiment *experiment, const alea_results *results,
                                    const alea_tournament_plan *plan, alea_doc *doc) {
  matches_context c = {.e = experiment, .results = results, .plan = plan, .doc = doc};
  const alea_yaml *groups = alea_yaml_get(experiment->root, "published");
  if (!check_learning(&c)) return ALEA_INPUT;
  put_budgets(&c);
  alea_status status = ALEA_OK;
  for (const alea_yaml *at = groups != NULL ? groups->first : NULL; at != NULL; at = at->next) {
    if (!check_group(&c, at)) return ALEA_INPUT;
    status = put_group(&c, at);
    if (status != ALEA_OK) return status;
  }
  learning(&c);
  return ALEA_OK;
}

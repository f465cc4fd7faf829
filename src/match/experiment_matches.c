/* Experiments that are tournaments.
 *
 *   published:                      # groups of rows with the same columns
 *     - title: ...
 *       columns: [{head: MAC-UCB – UCT, first: mac-ucb, second: uct}]
 *       extra: [nogoods]            # heads of numbers that are only shown
 *       rows: [{name: Awale, game: awale, values: [56.7], sigma: [1.63], extra: [1]}]
 *   plots: dots                     # or lines over the columns' x, or none
 *   learning: {first: mac-ucb, second: uct, games: [awale]}
 *
 * A column without 'second' is a player alone.  'budget: N' is the N-th budget
 * of the plan, the first by default; 'role: N' counts only matches in which the
 * first player has role N; 'x' is where the column stands in a plot. */
#include <string.h>

#include "match/experiment.h"
#include "match/plot.h"
#include "match/report.h"

typedef struct ours {
  bool there;
  double matches, percent;
  alea_bounds interval;
  uint64_t wins, draws, losses;
} ours;

typedef struct context {
  const alea_experiment *e;
  const alea_results *results;
  const alea_plan *plan;
  alea_doc *doc;
} context;

/* ---- finding our number for a cell ---- */

static void count_score(ours *o, double score, bool turned) {
  if (turned) score = 1 - score;
  o->matches++;
  if (score > 0.75) o->wins++;
  if (score < 0.25) o->losses++;
  if (score >= 0.25 && score <= 0.75) o->draws++;
}

static ours find_ours(const context *c, const alea_yaml *row, const alea_yaml *column) {
  ours o = {0};
  double budget = 0, role = -1;
  (void)alea_yaml_number(alea_yaml_get(column, "budget"), &budget);
  (void)alea_yaml_number(alea_yaml_get(column, "role"), &role);
  const char *first = alea_yaml_text(column, "first", ""), *label = NULL;
  const char *second = alea_yaml_text(column, "second", NULL);
  if (c->results == NULL || budget < 0 || budget >= (double)c->plan->budgets.count) return o;
  label = c->plan->budgets.data[(size_t)budget].label;
  bool turned;
  const char *game = alea_yaml_text(row, "game", "");
  const alea_result *r = alea_results_find(c->results, game, label, first, second, &turned);
  /* Games for one, and those played by all alike, have no opponents. */
  if (r == NULL) r = alea_results_find(c->results, game, label, first, NULL, &turned);
  if (r == NULL || r->completed == 0) return o;
  for (size_t i = 0; i < r->score_count; i++)
    if (role < 0 || (double)(r->numbers[i] % 2) == role) count_score(&o, r->scores[i], turned);
  double score = (double)o.wins + 0.5 * (double)o.draws;
  o.there = o.matches > 0;
  if (!o.there) return o;
  o.percent = 100 * score / o.matches;
  o.interval = alea_wilson(score, o.matches);
  return o;
}

/* ---- tables ---- */

static const alea_yaml *element(const alea_yaml *list, size_t index) {
  const alea_yaml *at = list != NULL ? list->first : NULL;
  while (at != NULL && index-- > 0) at = at->next;
  return at;
}

static void put_heads(const context *c, const alea_yaml *group) {
  alea_text heads;
  alea_text_init(&heads, c->e->mem);
  alea_text_put(&heads, "game");
  const alea_yaml *columns = alea_yaml_get(group, "columns"),
                  *extra = alea_yaml_get(group, "extra");
  for (const alea_yaml *at = columns->first; at != NULL; at = at->next)
    alea_text_format(&heads, "|%s: published|ours (95 %%)|W/D/L", alea_yaml_text(at, "head", "?"));
  for (size_t i = 0; extra != NULL && i < extra->count; i++)
    alea_text_format(&heads, "|%s: published", element(extra, i)->text);
  alea_doc_table(c->doc, alea_text_string(&heads));
  if (heads.failed) c->doc->failed = true;
  alea_text_clear(&heads);
}

static void put_published(const context *c, const alea_yaml *row, size_t column) {
  const alea_yaml *value = element(alea_yaml_get(row, "values"), column);
  const alea_yaml *sigma = element(alea_yaml_get(row, "sigma"), column);
  if (value == NULL) {
    alea_doc_cell(c->doc, "–");
  } else if (sigma != NULL) {
    alea_doc_cell(c->doc, "%s (σ %s)", value->text, sigma->text);
  } else {
    alea_doc_cell(c->doc, "%s", value->text);
  }
}

static void put_ours(const context *c, const ours *o) {
  if (!o->there) {
    alea_doc_cell(c->doc, "–");
    alea_doc_cell(c->doc, "–");
    return;
  }
  alea_doc_cell(c->doc, "%.1f (%.0f–%.0f)", o->percent, 100 * o->interval.low,
                100 * o->interval.high);
  alea_doc_cell(c->doc, "%llu/%llu/%llu", (unsigned long long)o->wins, (unsigned long long)o->draws,
                (unsigned long long)o->losses);
}

static void put_row(const context *c, const alea_yaml *group, const alea_yaml *row) {
  const alea_yaml *columns = alea_yaml_get(group, "columns"),
                  *extra = alea_yaml_get(group, "extra");
  alea_doc_cell(c->doc, "%s", alea_experiment_cell(row, "name"));
  for (size_t i = 0; i < columns->count; i++) {
    ours o = find_ours(c, row, element(columns, i));
    put_published(c, row, i);
    put_ours(c, &o);
  }
  for (size_t i = 0; extra != NULL && i < extra->count; i++) {
    const alea_yaml *cell = element(alea_yaml_get(row, "extra"), i);
    alea_doc_cell(c->doc, "%s", cell != NULL ? cell->text : "–");
  }
}

/* ---- plots ---- */

enum { MOST_ROWS = 40, MOST_COLUMNS = 32, MOST_SERIES = 16 };

static void add_plot(const context *c, const alea_plot *plot, const char *caption) {
  alea_text svg;
  alea_text_init(&svg, c->e->mem);
  alea_plot_svg(plot, &svg);
  alea_doc_figure(c->doc, &svg, caption);
  alea_text_clear(&svg);
}

/* One picture per column: games down the side, theirs and ours beside each other. */
static void plot_dots(const context *c, const alea_yaml *group, size_t index) {
  const alea_yaml *column = element(alea_yaml_get(group, "columns"), index);
  alea_plot_point own[MOST_ROWS], theirs[MOST_ROWS];
  const char *names[MOST_ROWS];
  size_t own_count = 0, their_count = 0, rows = 0;
  const alea_yaml *row = alea_yaml_get(group, "rows")->first;
  for (; row != NULL && rows < MOST_ROWS; row = row->next, rows++) {
    double value;
    names[rows] = alea_experiment_cell(row, "name");
    ours o = find_ours(c, row, column);
    if (o.there)
      own[own_count++] =
          (alea_plot_point){(double)rows, o.percent, 100 * o.interval.low, 100 * o.interval.high};
    if (alea_yaml_number(element(alea_yaml_get(row, "values"), index), &value))
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
  if (own_count > 0) add_plot(c, &plot, alea_yaml_text(column, "head", ""));
}

/* The point of a row at column i, ours or the published one; false: none. */
static bool line_point(const context *c, const alea_yaml *row, const alea_yaml *columns, size_t i,
                       bool published, alea_plot_point *point) {
  const alea_yaml *column = element(columns, i);
  double x, y;
  if (!alea_yaml_number(alea_yaml_get(column, published ? "published-x" : "x"), &x)) return false;
  if (published) {
    if (!alea_yaml_number(element(alea_yaml_get(row, "values"), i), &y)) return false;
    *point = (alea_plot_point){.x = x, .y = y};
    return true;
  }
  ours o = find_ours(c, row, column);
  *point = (alea_plot_point){x, o.percent, 100 * o.interval.low, 100 * o.interval.high};
  return o.there;
}

/* One picture per group: a line per game over the columns' x. */
static void plot_lines(const context *c, const alea_yaml *group, bool published) {
  alea_plot_point points[MOST_SERIES][MOST_COLUMNS];
  alea_plot_series series[MOST_SERIES];
  size_t count = 0;
  const alea_yaml *columns = alea_yaml_get(group, "columns");
  for (const alea_yaml *row = alea_yaml_get(group, "rows")->first;
       row != NULL && count < MOST_SERIES; row = row->next) {
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

static void learning(const context *c) {
  const alea_yaml *wish = alea_yaml_get(c->e->root, "learning");
  const alea_yaml *games = alea_yaml_get(wish, "games");
  if (games == NULL || c->results == NULL) return;
  alea_plot_point points[MOST_SERIES][CURVE];
  alea_plot_series series[MOST_SERIES];
  size_t count = 0;
  for (const alea_yaml *game = games->first; game != NULL && count < MOST_SERIES;
       game = game->next) {
    bool turned;
    const alea_result *r =
        alea_results_find(c->results, game->text, NULL, alea_yaml_text(wish, "first", ""),
                          alea_yaml_text(wish, "second", NULL), &turned);
    if (r == NULL || turned || r->score_count < 2) continue;
    series[count] =
        (alea_plot_series){game->text, points[count], fill_curve(r, points[count]), false};
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

/* ---- the whole ---- */

static void put_group(const context *c, const alea_yaml *group) {
  const char *plots = alea_yaml_text(c->e->root, "plots", "dots");
  alea_doc_heading(c->doc, 2, "%s", alea_yaml_text(group, "title", "Results"));
  put_heads(c, group);
  for (const alea_yaml *row = alea_yaml_get(group, "rows")->first; row != NULL; row = row->next)
    put_row(c, group, row);
  if (strcmp(plots, "lines") == 0) plot_lines(c, group, false);
  if (strcmp(plots, "lines") == 0) plot_lines(c, group, true);
  for (size_t i = 0; strcmp(plots, "dots") == 0 && i < alea_yaml_get(group, "columns")->count; i++)
    plot_dots(c, group, i);
}

static bool check_group(const context *c, const alea_yaml *group) {
  const alea_yaml_file *file = c->e->file;
  if (!alea_yaml_expect(file, group, ALEA_YAML_MAP)) return false;
  if (!alea_yaml_keys(file, group, "title columns extra rows x")) return false;
  const alea_yaml *columns = alea_yaml_get(group, "columns"), *rows = alea_yaml_get(group, "rows");
  if (columns == NULL || rows == NULL) {
    alea_yaml_error(file, group, "a group needs 'columns' and 'rows'");
    return false;
  }
  if (!alea_yaml_expect(file, columns, ALEA_YAML_LIST)) return false;
  return alea_yaml_expect(file, rows, ALEA_YAML_LIST);
}

static void put_budgets(const context *c) {
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
                                    const alea_plan *plan, alea_doc *doc) {
  context c = {.e = experiment, .results = results, .plan = plan, .doc = doc};
  const alea_yaml *groups = alea_yaml_get(experiment->root, "published");
  put_budgets(&c);
  for (const alea_yaml *at = groups != NULL ? groups->first : NULL; at != NULL; at = at->next) {
    if (!check_group(&c, at)) return ALEA_INPUT;
    put_group(&c, at);
  }
  learning(&c);
  return ALEA_OK;
}

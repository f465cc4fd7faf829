/* Reports on results. */
#include "tournament/report.h"

#include <string.h>

#include "base/json.h"
#include "tournament/plot.h"

double alea_report_running(const alea_result *result, size_t plays) {
  double sum = 0;
  for (size_t i = 0; i < plays; i++) sum += result->scores[i];
  return plays > 0 ? sum / (double)plays : 0;
}

static unsigned long long big(uint64_t number) { return (unsigned long long)number; }

/* ---- the sections ---- */

static void overview(const alea_results *results, alea_doc *doc) {
  uint64_t planned = 0, done = 0, completed = 0, faults = 0;
  for (size_t i = 0; i < results->pairings.count; i++) {
    const alea_result *r = &results->pairings.data[i];
    planned += r->planned;
    done += r->done;
    completed += r->completed;
    faults += r->faults;
  }
  alea_doc_text(doc, "%llu of %llu matches are done; %llu were aborted; %llu faults.", big(done),
                big(planned), big(done - completed), big(faults));
}

/* Sorts players by rating, best first. */
static void by_rating(const alea_results *results, size_t *order) {
  for (size_t i = 0; i < results->players.count; i++) {
    size_t at = i;
    double elo = results->players.data[i].rating.elo;
    for (; at > 0 && results->players.data[order[at - 1]].rating.elo < elo; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

static void player_row(const alea_player_result *p, alea_doc *doc) {
  double score = (double)p->wins + 0.5 * (double)p->draws, n = (double)p->matches;
  alea_bounds in = alea_wilson(score, n);
  alea_doc_cell(doc, "%s", p->name);
  alea_doc_cell(doc, "%+.0f ± %.0f", p->rating.elo, p->rating.error);
  alea_doc_cell(doc, "%.1f %%", 100 * score / n);
  alea_doc_cell(doc, "%.1f–%.1f", 100 * in.low, 100 * in.high);
  alea_doc_cell(doc, "%llu", big(p->matches));
  alea_doc_cell(doc, "%llu/%llu/%llu", big(p->wins), big(p->draws), big(p->losses));
}

static void players(const alea_results *results, alea_doc *doc) {
  size_t count = results->players.count, shown = 0;
  size_t *order = alea_mem_calloc(results->mem, count, sizeof *order);
  if (order == NULL) {
    doc->failed = true;
    return;
  }
  by_rating(results, order);
  for (size_t i = 0; i < count; i++) shown += results->players.data[i].matches > 0;
  if (shown > 0) {
    alea_doc_heading(doc, 2, "Players");
    alea_doc_table(doc, "player|Elo|score|95 %|matches|W/D/L");
    for (size_t i = 0; i < count; i++) {
      const alea_player_result *p = &results->players.data[order[i]];
      if (p->matches > 0) player_row(p, doc);
    }
    alea_doc_text(
        doc,
        "Elo: Bradley–Terry over all games, draws half, mean 0, with one imagined draw each. "
        "Intervals of scores are Wilson's.");
  }
  alea_mem_free(results->mem, order, count * sizeof *order);
}

static void result_row(const alea_result *r, alea_doc *doc) {
  double score = alea_result_score(r), n = (double)r->completed;
  alea_bounds in = alea_wilson(score, n);
  double sigma = alea_batch_deviation(r->scores, r->score_count, 100);
  alea_doc_cell(doc, "%s", r->budget);
  if (r->second != NULL) alea_doc_cell(doc, "%s – %s", r->first, r->second);
  if (r->second == NULL) alea_doc_cell(doc, "%s, all seats", r->first);
  alea_doc_cell(doc, "%.1f %%", alea_result_percent(r));
  alea_doc_cell(doc, "%.1f–%.1f", 100 * in.low, 100 * in.high);
  alea_doc_cell(doc, "%llu/%llu/%llu", big(r->wins), big(r->draws), big(r->losses));
  if (r->second != NULL) alea_doc_cell(doc, "%.1f : %.1f", r->goal, r->other_goal);
  if (r->second == NULL) alea_doc_cell(doc, "%.1f", r->goal);
  if (sigma >= 0) alea_doc_cell(doc, "%.2f", 100 * sigma);
  if (sigma < 0) alea_doc_cell(doc, "–");
  alea_doc_cell(doc, "%.1f", r->steps);
}

static bool first_of_game(const alea_results *results, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (strcmp(results->pairings.data[i].game, results->pairings.data[at].game) == 0) return false;
  return true;
}

static void games(const alea_results *results, alea_doc *doc) {
  for (size_t i = 0; i < results->pairings.count; i++) {
    if (!first_of_game(results, i)) continue;
    const char *game = results->pairings.data[i].game;
    alea_doc_heading(doc, 2, "%s", game);
    alea_doc_table(doc, "budget|players|score of the first|95 %|W/D/L|mean goals|σ of 100|steps");
    for (size_t k = i; k < results->pairings.count; k++)
      if (strcmp(results->pairings.data[k].game, game) == 0 &&
          results->pairings.data[k].completed > 0)
        result_row(&results->pairings.data[k], doc);
  }
}

/* ---- learning curves ---- */

enum { CURVE = 60, MOST_CURVES = 8, LEAST_PLAYS = 8 };

static size_t fill_curve(const alea_result *r, alea_plot_point points[CURVE]) {
  size_t count = r->score_count < CURVE ? r->score_count : CURVE, plays = 0;
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    size_t until = (i + 1) * r->score_count / count;
    while (plays < until) sum += r->scores[plays++];
    points[i] = (alea_plot_point){.x = (double)plays, .y = 100 * sum / (double)plays};
  }
  return count;
}

static void curve_row(const alea_result *r, const char *name, alea_doc *doc) {
  size_t n = r->score_count;
  alea_doc_cell(doc, "%s", name);
  for (size_t part = 1; part <= 4; part++)
    alea_doc_cell(doc, "%.1f (%zu)", 100 * alea_report_running(r, n * part / 4), n * part / 4);
}

static void curves(const alea_results *results, alea_doc *doc) {
  alea_plot_point points[MOST_CURVES][CURVE];
  alea_plot_series series[MOST_CURVES];
  alea_text names[MOST_CURVES], svg;
  size_t count = 0;
  for (size_t i = 0; i < results->pairings.count && count < MOST_CURVES; i++) {
    const alea_result *r = &results->pairings.data[i];
    if (r->score_count < LEAST_PLAYS) continue;
    if (count == 0) {
      alea_doc_heading(doc, 2, "Score against number of plays");
      alea_doc_table(doc, "pairing|a quarter|half|three quarters|all");
    }
    alea_text_init(&names[count], results->mem);
    alea_text_format(&names[count], "%s: %s", r->game, r->first);
    if (r->second != NULL) alea_text_format(&names[count], " – %s", r->second);
    alea_text_format(&names[count], ", %s", r->budget);
    series[count] = (alea_plot_series){.name = alea_text_string(&names[count]),
                                       .points = points[count],
                                       .count = fill_curve(r, points[count])};
    curve_row(r, alea_text_string(&names[count]), doc);
    count++;
  }
  if (count > 0) {
    alea_plot plot = {.title = "Score against number of plays",
                      .x = "plays",
                      .y = "score of the first, %",
                      .y_low = 0,
                      .y_high = 100,
                      .series = series,
                      .count = count};
    alea_text_init(&svg, results->mem);
    alea_plot_svg(&plot, &svg);
    alea_doc_figure(doc, &svg, "Mean score of all plays so far");
    alea_text_clear(&svg);
  }
  for (size_t i = 0; i < count; i++) alea_text_clear(&names[i]);
}

/* ---- time ---- */

static void times(const alea_results *results, alea_doc *doc) {
  alea_doc_heading(doc, 2, "Time");
  alea_doc_table(doc, "player|steps|seconds a step|slowest move|simulations a step|nodes a step");
  for (size_t i = 0; i < results->players.count; i++) {
    const alea_player_result *p = &results->players.data[i];
    double moves = p->moves > 0 ? (double)p->moves : 1;
    alea_doc_cell(doc, "%s", p->name);
    alea_doc_cell(doc, "%llu", big(p->moves));
    if (p->seconds > 0) alea_doc_cell(doc, "%.4f", p->seconds / moves);
    if (p->seconds <= 0) alea_doc_cell(doc, "–");
    if (p->seconds > 0) alea_doc_cell(doc, "%.4f", p->slowest);
    if (p->seconds <= 0) alea_doc_cell(doc, "–");
    alea_doc_cell(doc, "%.0f", p->sims / moves);
    alea_doc_cell(doc, "%.0f", p->nodes / moves);
  }
  alea_doc_table(doc, "started|version|host|workers|cores|matches");
  for (size_t i = 0; i < results->runs.count; i++) {
    const alea_run_result *r = &results->runs.data[i];
    alea_doc_cell(doc, "%s", r->started);
    alea_doc_cell(doc, "%s", r->version);
    alea_doc_cell(doc, "%s", r->host);
    alea_doc_cell(doc, "%llu", big(r->workers));
    alea_doc_cell(doc, "%llu", big(r->cores));
    alea_doc_cell(doc, "%llu", big(r->matches));
  }
}

/* Plot of the ratings of all players. */
static void rating_plot(const alea_results *results, alea_doc *doc) {
  enum { MOST = 40 };
  alea_plot_point points[MOST];
  const char *names[MOST];
  size_t count = 0;
  for (size_t i = 0; i < results->players.count && count < MOST; i++) {
    const alea_player_result *p = &results->players.data[i];
    if (p->matches == 0) continue;
    names[count] = p->name;
    points[count] = (alea_plot_point){.x = (double)count,
                                      .y = p->rating.elo,
                                      .low = p->rating.elo - p->rating.error,
                                      .high = p->rating.elo + p->rating.error};
    count++;
  }
  if (count < 2) return;
  alea_plot_series series = {.name = "Elo, 95 %", .points = points, .count = count};
  alea_plot plot = {.title = "Ratings",
                    .x = "",
                    .y = "Elo",
                    .series = &series,
                    .count = 1,
                    .names = names,
                    .name_count = count};
  alea_text svg;
  alea_text_init(&svg, results->mem);
  alea_plot_svg(&plot, &svg);
  alea_doc_figure(doc, &svg, "Ratings with their 95 % intervals");
  alea_text_clear(&svg);
}

void alea_report_doc(const alea_results *results, const char *title, alea_doc *doc) {
  alea_doc_heading(doc, 1, "%s", title);
  overview(results, doc);
  players(results, doc);
  rating_plot(results, doc);
  games(results, doc);
  curves(results, doc);
  times(results, doc);
}

/* ---- CSV ---- */

/* Quotes the text if necessary. */
static void put_csv(alea_text *out, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    alea_text_put(out, text);
    return;
  }
  alea_text_char(out, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"') alea_text_char(out, '"');
    alea_text_char(out, *text);
  }
  alea_text_char(out, '"');
}

void alea_report_csv(const alea_results *results, alea_text *out) {
  alea_text_put(out,
                "game,budget,first,second,planned,done,completed,wins,draws,losses,score,low,high,"
                "goal,other_goal,steps,seconds,faults\r\n");
  for (size_t i = 0; i < results->pairings.count; i++) {
    const alea_result *r = &results->pairings.data[i];
    alea_bounds in = alea_wilson(alea_result_score(r), (double)r->completed);
    const char *texts[] = {r->game, r->budget, r->first, r->second != NULL ? r->second : ""};
    for (size_t k = 0; k < 4; k++) {
      put_csv(out, texts[k]);
      alea_text_char(out, ',');
    }
    alea_text_format(out,
                     "%llu,%llu,%llu,%llu,%llu,%llu,%.6f,%.6f,%.6f,%.4f,%.4f,%.2f,%.6f,%llu\r\n",
                     big(r->planned), big(r->done), big(r->completed), big(r->wins), big(r->draws),
                     big(r->losses), alea_result_percent(r) / 100, in.low, in.high, r->goal,
                     r->other_goal, r->steps, r->seconds, big(r->faults));
  }
}

/* ---- JSON ---- */

/* The mean score after some of the matches: [[matches, score], ...]. */
static void json_curve(alea_json *json, const alea_result *r) {
  enum { POINTS = 50 };
  double sum = 0;
  size_t stride = r->score_count / POINTS + 1;
  alea_json_key(json, "curve");
  alea_json_open(json, '[');
  for (size_t i = 0; i < r->score_count; i++) {
    sum += r->scores[i];
    if ((i + 1) % stride != 0 && i + 1 != r->score_count) continue;
    alea_json_open(json, '[');
    alea_json_count(json, i + 1);
    alea_json_real(json, sum / (double)(i + 1));
    alea_json_close(json, ']');
  }
  alea_json_close(json, ']');
}

static void json_pairing(alea_json *json, const alea_result *r) {
  alea_bounds in = alea_wilson(alea_result_score(r), (double)r->completed);
  alea_json_open(json, '{');
  alea_json_put_string(json, "game", r->game);
  alea_json_put_string(json, "budget", r->budget);
  alea_json_put_string(json, "first", r->first);
  alea_json_key(json, "second");
  if (r->second != NULL) alea_json_string(json, r->second);
  if (r->second == NULL) alea_json_null(json);
  alea_json_put_count(json, "planned", r->planned);
  alea_json_put_count(json, "done", r->done);
  alea_json_put_count(json, "completed", r->completed);
  alea_json_put_count(json, "wins", r->wins);
  alea_json_put_count(json, "draws", r->draws);
  alea_json_put_count(json, "losses", r->losses);
  alea_json_put_real(json, "score", alea_result_percent(r) / 100);
  alea_json_put_real(json, "low", in.low);
  alea_json_put_real(json, "high", in.high);
  alea_json_put_real(json, "goal", r->goal);
  alea_json_put_real(json, "other_goal", r->other_goal);
  alea_json_put_real(json, "steps", r->steps);
  alea_json_put_real(json, "seconds", r->seconds);
  alea_json_put_count(json, "faults", r->faults);
  json_curve(json, r);
  alea_json_close(json, '}');
}

static void json_player(alea_json *json, const alea_player_result *p) {
  alea_json_open(json, '{');
  alea_json_put_string(json, "player", p->name);
  alea_json_put_count(json, "matches", p->matches);
  alea_json_put_count(json, "wins", p->wins);
  alea_json_put_count(json, "draws", p->draws);
  alea_json_put_count(json, "losses", p->losses);
  alea_json_put_real(json, "elo", p->rating.elo);
  alea_json_put_real(json, "elo_error", p->rating.error);
  alea_json_put_count(json, "steps", p->moves);
  alea_json_put_real(json, "seconds", p->seconds);
  alea_json_put_real(json, "slowest", p->slowest);
  alea_json_put_real(json, "sims", p->sims);
  alea_json_close(json, '}');
}

void alea_report_json(const alea_results *results, alea_text *out) {
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_key(&json, "players");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < results->players.count; i++) json_player(&json, &results->players.data[i]);
  alea_json_close(&json, ']');
  alea_json_key(&json, "pairings");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < results->pairings.count; i++)
    json_pairing(&json, &results->pairings.data[i]);
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
  alea_text_char(out, '\n');
}

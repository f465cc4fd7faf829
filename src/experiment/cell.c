/* Cells of an experiment's tables. */
#include "experiment/cell.h"

#include <math.h>
#include <string.h>

const alea_yaml *alea_cell_element(const alea_yaml *list, size_t index) {
  const alea_yaml *at = list != NULL ? list->first : NULL;
  while (at != NULL && index-- > 0) at = at->next;
  return at;
}

const alea_yaml *alea_cell_group(const alea_yaml *groups, const char *title) {
  const alea_yaml *at = groups != NULL ? groups->first : NULL;
  while (at != NULL && strcmp(alea_yaml_text(at, "title", ""), title) != 0) at = at->next;
  return at;
}

const alea_yaml *alea_cell_rows(const alea_yaml *groups, const alea_yaml *group) {
  const alea_yaml *rows = alea_yaml_get(group, "rows");
  if (rows != NULL && rows->kind == ALEA_YAML_TEXT)
    rows = alea_yaml_get(alea_cell_group(groups, rows->text), "rows");
  return rows != NULL && rows->kind == ALEA_YAML_LIST ? rows : NULL;
}

alea_cell_query alea_cell_of(const alea_tournament_plan *plan, const alea_yaml *row,
                             const alea_yaml *column) {
  alea_cell_query query = {.game = alea_yaml_text(row, "game", ""),
                           .first = alea_yaml_text(column, "first", ""),
                           .second = alea_yaml_text(column, "second", NULL),
                           .pool = alea_yaml_get(column, "pool"),
                           .role = -1,
                           .to = 1};
  double budget = 0;
  (void)alea_yaml_number(alea_yaml_get(column, "budget"), &budget);
  (void)alea_yaml_number(alea_yaml_get(column, "role"), &query.role);
  query.joint = strcmp(alea_yaml_text(row, "joint", "false"), "true") == 0;
  if (plan != NULL && budget >= 0 && budget < (double)plan->budgets.count)
    query.budget = plan->budgets.data[(size_t)budget].label;
  const alea_yaml *part = alea_yaml_get(column, "part");
  (void)alea_yaml_number(alea_cell_element(part, 0), &query.from);
  (void)alea_yaml_number(alea_cell_element(part, 1), &query.to);
  query.from = fmax(0, fmin(query.from, 1));
  query.to = fmax(0, fmin(query.to, 1));
  return query;
}

static void count_score(alea_cell *cell, double score) {
  cell->matches++;
  if (score > 0.75) cell->wins++;
  if (score < 0.25) cell->losses++;
  if (score >= 0.25 && score <= 0.75) cell->draws++;
}

static void settle(alea_cell *cell) {
  double score = (double)cell->wins + 0.5 * (double)cell->draws, count = (double)cell->matches;
  cell->there = cell->matches > 0;
  if (!cell->there) return;
  cell->percent = 100 * score / count;
  cell->interval = alea_wilson(score, count);
  cell->interval.low *= 100;
  cell->interval.high *= 100;
}

static void count_player(alea_cell *cell, const alea_results *results, const alea_cell_query *query,
                         const char *first) {
  bool turned;
  const alea_result *r =
      alea_results_find(results, query->game, query->budget, first, query->second, &turned);
  if (r == NULL) return;
  size_t from = (size_t)((double)r->score_count * query->from);
  size_t to = (size_t)((double)r->score_count * query->to);
  for (size_t i = from; i < to && i < r->score_count; i++) {
    if (query->role >= 0 && (double)(r->numbers[i] % 2) != query->role) continue;
    double score = turned ? 1 - r->scores[i] : r->scores[i];
    count_score(cell, query->joint ? r->lowest[i] >= 100 : score);
  }
}

alea_cell alea_cell_find(const alea_results *results, const alea_cell_query *query) {
  alea_cell cell = {0};
  if (results == NULL || query->budget == NULL) return cell;
  count_player(&cell, results, query, query->first);
  const alea_yaml *other = query->pool != NULL ? query->pool->first : NULL;
  for (; other != NULL; other = other->next) count_player(&cell, results, query, other->text);
  settle(&cell);
  return cell;
}

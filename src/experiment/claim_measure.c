/* The number that decides a claim. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "experiment/cell.h"
#include "experiment/claims.h"

#define MEASURES(word)                                                                         \
  word(MEASURE_MEAN, "mean") word(MEASURE_DIFFERENCE, "difference") word(MEASURE_BEST, "best") \
      word(MEASURE_VALUE, "value")
typedef enum measure_kind { MEASURES(ALEA_CHOICE_CONSTANT) } measure_kind;

static const double points = 5;            /* precision of percentages */
static const double table_rounding = 0.05; /* tables print one digit after the point */

typedef struct measuring {
  const alea_yaml_file *file;
  const alea_yaml *claim, *variant;
  const alea_evidence *evidence;
  const alea_yaml *group, *rows; /* of the claim's table */
  alea_estimate *ours;
  alea_claimed *claimed;
} measuring;

/* A key of the variant, or else of the claim. */
static const alea_yaml *pick(const measuring *m, const char *key) {
  const alea_yaml *node = alea_yaml_get(m->variant, key);
  return node != NULL ? node : alea_yaml_get(m->claim, key);
}

static alea_status wrong(const measuring *m, const char *why) {
  alea_yaml_error(m->file, m->claim, "%s", why);
  return ALEA_INPUT;
}

/* ---- what is claimed ---- */

/* Half a unit of the last digit printed. */
static double rounding_of(const char *number) {
  const char *point = strchr(number, '.');
  return point != NULL ? 0.5 * pow(10, -(double)strlen(point + 1)) : 0.5;
}

static bool read_range(const alea_yaml *claim, alea_bounds *range) {
  const alea_yaml *between = alea_yaml_get(claim, "between");
  *range = (alea_bounds){-INFINITY, INFINITY};
  if (alea_yaml_number(alea_yaml_get(claim, "above"), &range->low)) return true;
  if (alea_yaml_number(alea_yaml_get(claim, "below"), &range->high)) return true;
  return alea_yaml_number(alea_cell_element(between, 0), &range->low) &&
         alea_yaml_number(alea_cell_element(between, 1), &range->high);
}

static alea_status read_claimed(measuring *m) {
  alea_claimed *claimed = m->claimed;
  const alea_yaml *equals = alea_yaml_get(m->claim, "equals");
  *claimed = (alea_claimed){.precision = points};
  claimed->ranged = read_range(m->claim, &claimed->range);
  claimed->comparable = strcmp(alea_yaml_text(m->claim, "comparable", "true"), "false") != 0;
  claimed->numbered = alea_yaml_number(equals, &claimed->number);
  if (claimed->numbered) claimed->rounding = rounding_of(equals->text);
  if (claimed->ranged || claimed->numbered) return ALEA_OK;
  return wrong(m, "a claim needs 'above', 'below', 'between' or 'equals', with numbers");
}

/* ---- means and differences ---- */

static bool wanted(const measuring *m, const alea_yaml *row) {
  const alea_yaml *games = alea_yaml_get(m->claim, "games");
  if (games == NULL) return true;
  for (const alea_yaml *at = games->first; at != NULL; at = at->next)
    if (strcmp(at->text, alea_yaml_text(row, "game", "")) == 0) return true;
  return false;
}

static alea_cell find_cell(const measuring *m, const alea_yaml *row, const alea_yaml *column) {
  const alea_evidence *e = m->evidence;
  alea_cell_query query = alea_cell_of(e->planned ? &e->plan : NULL, row, column);
  return alea_cell_find(e->played ? &e->results : NULL, &query);
}

static double number_or(const alea_yaml *map, const char *key, double fallback) {
  (void)alea_yaml_number(alea_yaml_get(map, key), &fallback);
  return fallback;
}

static bool same_column(const alea_yaml *a, const alea_yaml *b) {
  return strcmp(alea_yaml_text(a, "first", ""), alea_yaml_text(b, "first", "")) == 0 &&
         strcmp(alea_yaml_text(a, "second", ""), alea_yaml_text(b, "second", "")) == 0 &&
         number_or(a, "budget", 0) == number_or(b, "budget", 0) &&
         number_or(a, "role", -1) == number_or(b, "role", -1);
}

/* The published number of a row in the column that counts what 'column' does. */
static bool find_published(const measuring *m, const alea_yaml *row, const alea_yaml *column,
                           double *number) {
  size_t index = 0;
  const alea_yaml *at = alea_yaml_get(m->group, "columns")->first;
  while (at != NULL && !same_column(at, column)) at = at->next, index++;
  return at != NULL &&
         alea_yaml_number(alea_cell_element(alea_yaml_get(row, "values"), index), number);
}

/* One game's part of a mean or difference. */
typedef struct row_part {
  alea_cell cell, less; /* less: of `minus`, if there is one */
  bool there, printed;
  double published;
} row_part;

static row_part part_of(const measuring *m, const alea_yaml *row) {
  const alea_yaml *minus = alea_yaml_get(m->claim, "minus");
  row_part part = {.cell = find_cell(m, row, pick(m, "column"))};
  double less = 0;
  part.there = part.cell.there;
  part.printed = find_published(m, row, alea_yaml_get(m->claim, "column"), &part.published);
  if (minus == NULL) return part;
  part.less = find_cell(m, row, pick(m, "minus"));
  part.there = part.there && part.less.there;
  part.printed = part.printed && find_published(m, row, minus, &less);
  part.published -= less;
  return part;
}

/* The published mean is that of the games that were measured; where none was, of
 * all of them, to show what there is to measure. */
static void mean_of_published(measuring *m) {
  double sum = 0;
  size_t count = 0;
  for (const alea_yaml *row = m->rows->first; row != NULL; row = row->next) {
    row_part part = wanted(m, row) ? part_of(m, row) : (row_part){0};
    if (!part.printed || (m->ours->games > 0 && !part.there)) continue;
    sum += part.published;
    count++;
  }
  if (count == 0 || m->claimed->numbered) return;
  m->claimed->numbered = true;
  m->claimed->number = sum / (double)count;
  m->claimed->rounding = table_rounding;
}

static alea_status measure_mean(measuring *m) {
  alea_linear sum = {0};
  alea_estimate *ours = m->ours;
  if (alea_yaml_get(m->claim, "column") == NULL) return wrong(m, "the claim needs a 'column'");
  for (const alea_yaml *row = m->rows->first; row != NULL; row = row->next)
    ours->games += wanted(m, row) && part_of(m, row).there;
  mean_of_published(m);
  ours->there = ours->games > 0;
  if (!ours->there) return ALEA_OK;
  double weight = 1 / (double)ours->games;
  for (const alea_yaml *row = m->rows->first; row != NULL; row = row->next) {
    row_part part = wanted(m, row) ? part_of(m, row) : (row_part){0};
    if (!part.there) continue;
    alea_linear_add(&sum, weight, part.cell.percent, part.cell.interval);
    if (part.less.there) alea_linear_add(&sum, -weight, part.less.percent, part.less.interval);
    ours->matches += part.cell.matches + part.less.matches;
  }
  ours->value = sum.value;
  ours->interval = alea_linear_interval(&sum);
  return ALEA_OK;
}

/* ---- the best column ---- */

enum { RESAMPLES = 1000 };

typedef struct curve {
  size_t columns, games;
  alea_cell *cells; /* games of the first column, of the second, ... */
  double *x;        /* of the columns */
} curve;

static double resampled_score(const alea_cell *cell, alea_rng *rng) {
  uint64_t score = 0; /* in halves */
  for (uint64_t i = 0; i < cell->matches; i++) {
    uint64_t drawn = alea_rng_below(rng, (uint32_t)cell->matches);
    score += drawn < cell->wins ? 2 : drawn < cell->wins + cell->draws ? 1 : 0;
  }
  return (double)score / (double)cell->matches;
}

/* The x of the largest mean; as measured, or with 'rng' as drawn anew. */
static double best_of(const curve *c, alea_rng *rng) {
  double best = -1, x = 0;
  for (size_t i = 0; i < c->columns; i++) {
    double sum = 0;
    for (size_t g = 0; g < c->games; g++) {
      const alea_cell *cell = &c->cells[i * c->games + g];
      sum += rng != NULL ? resampled_score(cell, rng) : cell->percent / 100;
    }
    if (sum > best) x = c->x[i];
    if (sum > best) best = sum;
  }
  return x;
}

static void resample(const curve *c, alea_estimate *ours) {
  double found[RESAMPLES];
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  for (size_t i = 0; i < RESAMPLES; i++) {
    double x = best_of(c, &rng);
    size_t at = i;
    for (; at > 0 && found[at - 1] > x; at--) found[at] = found[at - 1];
    found[at] = x;
  }
  ours->value = best_of(c, NULL);
  ours->interval = (alea_bounds){found[RESAMPLES / 40], found[RESAMPLES - 1 - RESAMPLES / 40]};
}

/* Fills the cells of one game; false if a column was not measured. */
static bool fill_game(const measuring *m, const alea_yaml *row, const alea_yaml *columns, curve *c,
                      size_t stride, size_t game) {
  for (size_t i = 0; i < columns->count; i++) {
    alea_cell cell = find_cell(m, row, alea_cell_element(columns, i));
    if (!cell.there) return false;
    c->cells[i * stride + game] = cell;
  }
  return true;
}

static void fill_curve(const measuring *m, const alea_yaml *columns, curve *c) {
  size_t stride = m->rows->count;
  for (const alea_yaml *row = m->rows->first; row != NULL; row = row->next) {
    if (!wanted(m, row) || !fill_game(m, row, columns, c, stride, c->games)) continue;
    for (size_t i = 0; i < columns->count; i++)
      m->ours->matches += c->cells[i * stride + c->games].matches;
    c->games++;
  }
  for (size_t i = 0; i < c->columns; i++) {
    c->x[i] = number_or(alea_cell_element(columns, i), "x", 0);
    memmove(c->cells + i * c->games, c->cells + i * stride, c->games * sizeof *c->cells);
  }
}

static alea_status measure_best(measuring *m) {
  const alea_yaml *columns = alea_yaml_get(m->group, "columns");
  alea_mem *mem = m->evidence->mem;
  size_t room = columns->count * m->rows->count;
  curve c = {.columns = columns->count};
  c.cells = alea_mem_calloc(mem, room, sizeof *c.cells);
  c.x = alea_mem_calloc(mem, c.columns, sizeof *c.x);
  alea_status status = c.cells != NULL && c.x != NULL ? ALEA_OK : alea_mem_lack(mem);
  if (status == ALEA_OK) {
    fill_curve(m, columns, &c);
    m->ours->games = c.games;
    m->ours->there = c.games > 0;
    if (c.games > 0) resample(&c, m->ours);
  }
  if (c.cells != NULL) alea_mem_free(mem, c.cells, room * sizeof *c.cells);
  if (c.x != NULL) alea_mem_free(mem, c.x, c.columns * sizeof *c.x);
  return status;
}

/* ---- all measures ---- */

static alea_status measure_value(measuring *m) {
  const char *name = alea_yaml_text(m->claim, "value", NULL);
  if (name == NULL) return wrong(m, "the claim needs a 'value'");
  const alea_yaml *values = m->evidence->noted ? m->evidence->values.root : NULL;
  double value;
  if (!alea_yaml_number(alea_yaml_get(values, name), &value)) return ALEA_OK;
  *m->ours = (alea_estimate){.there = true, .value = value, .interval = {value, value}};
  return ALEA_OK;
}

/* A name that is misspelt would otherwise never be measured, and nobody would
 * know why. */
static bool known_player(const measuring *m, const char *name) {
  const alea_tournament_plan *plan = &m->evidence->plan;
  for (size_t i = 0; m->evidence->planned && i < plan->players.count; i++)
    if (strcmp(plan->players.data[i].name, name) == 0) return true;
  return false;
}

static alea_status check_column(const measuring *m, const char *key) {
  const alea_yaml *column = pick(m, key);
  const char *second = alea_yaml_text(column, "second", NULL);
  if (column == NULL) return ALEA_OK;
  if (!known_player(m, alea_yaml_text(column, "first", "")) ||
      (second != NULL && !known_player(m, second)))
    return wrong(m, "the claim names a player that its experiment does not have");
  return ALEA_OK;
}

static alea_status check_games(const measuring *m) {
  const alea_yaml *games = alea_yaml_get(m->claim, "games");
  size_t found = 0;
  for (const alea_yaml *row = m->rows->first; row != NULL; row = row->next) found += wanted(m, row);
  if (games != NULL && found != games->count)
    return wrong(m, "the claim names a game that its table does not have");
  return ALEA_OK;
}

static alea_status find_table(measuring *m) {
  const alea_yaml *groups = alea_yaml_get(m->evidence->file.root, "published");
  const alea_yaml *title = pick(m, "table");
  m->group = title != NULL ? alea_cell_group(groups, title->text) : NULL;
  m->rows = m->group != NULL ? alea_cell_rows(groups, m->group) : NULL;
  if (m->rows == NULL || alea_yaml_get(m->group, "columns") == NULL)
    return wrong(m, "the claim needs the 'table' of its experiment");
  alea_status status = check_column(m, "column");
  if (status == ALEA_OK) status = check_column(m, "minus");
  return status == ALEA_OK ? check_games(m) : status;
}

alea_status alea_claim_measure(const alea_yaml_file *file, const alea_yaml *claim,
                               const alea_yaml *variant, const alea_evidence *evidence,
                               alea_estimate *ours, alea_claimed *claimed) {
  measuring m = {.file = file,
                 .claim = claim,
                 .variant = variant,
                 .evidence = evidence,
                 .ours = ours,
                 .claimed = claimed};
  *ours = (alea_estimate){0};
  int kind =
      alea_choice_find(ALEA_CHOICE_WORDS(MEASURES), alea_yaml_text(claim, "measure", "mean"));
  if (kind == ALEA_NO_CHOICE)
    return wrong(&m, "a measure is 'mean', 'difference', 'best' or 'value'");
  if ((kind == MEASURE_DIFFERENCE) != (alea_yaml_get(claim, "minus") != NULL))
    return wrong(&m, "a difference, and nothing else, needs 'minus'");
  alea_status status = read_claimed(&m);
  if (status == ALEA_OK && kind != MEASURE_VALUE) status = find_table(&m);
  if (status != ALEA_OK) return status;
  switch ((measure_kind)kind) {
    case MEASURE_BEST: return measure_best(&m);
    case MEASURE_VALUE: return measure_value(&m);
    case MEASURE_MEAN:
    case MEASURE_DIFFERENCE: break;
  }
  return measure_mean(&m);
}

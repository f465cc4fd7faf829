/* Rows that are multiples of each other, then columns of what is left. */
#include "equilibrium/public_ends.h"

#include <string.h>

typedef struct end_matrix {
  double *entries; /* rows * columns; of the rows, later of the classes of rows */
  size_t rows, columns;
  alea_mem *mem;
} end_matrix;

/* Makes one row of those that are multiples of each other, and writes the class
 * and scale of each.  A row's first entry that is not 0 becomes 1. */
static uint32_t reduce_rows(end_matrix *matrix, uint32_t *class_of, double *scales) {
  size_t kept = 0, columns = matrix->columns;
  for (size_t r = 0; r < matrix->rows; r++) {
    double *row = matrix->entries + r * columns;
    size_t c = 0, k = 0;
    while (c < columns && row[c] == 0) c++;
    scales[r] = c < columns ? row[c] : 0;
    for (size_t i = c; i < columns; i++) row[i] /= scales[r];
    while (k < kept && memcmp(matrix->entries + k * columns, row, columns * sizeof *row) != 0) k++;
    if (k == kept) memmove(matrix->entries + kept++ * columns, row, columns * sizeof *row);
    class_of[r] = (uint32_t)k;
  }
  matrix->rows = kept;
  return (uint32_t)kept;
}

static bool transpose(end_matrix *matrix) {
  size_t count = matrix->rows * matrix->columns;
  double *copy = alea_mem_alloc(matrix->mem, count * sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, matrix->entries, count * sizeof *copy);
  for (size_t r = 0; r < matrix->rows; r++)
    for (size_t c = 0; c < matrix->columns; c++)
      matrix->entries[c * matrix->rows + r] = copy[r * matrix->columns + c];
  alea_mem_free(matrix->mem, copy, count * sizeof *copy);
  size_t rows = matrix->rows;
  matrix->rows = matrix->columns;
  matrix->columns = rows;
  return true;
}

static void read_payoffs(const alea_public_graph *graph, const alea_public_state *state,
                         uint32_t player, end_matrix *matrix) {
  size_t pairs = matrix->rows * matrix->columns;
  const double *payoffs = graph->payoffs.data + state->end + player * pairs;
  for (size_t i = 0; i < matrix->rows; i++)
    for (size_t j = 0; j < matrix->columns; j++)
      matrix->entries[i * matrix->columns + j] =
          player == 0 ? payoffs[i * matrix->columns + j] : payoffs[j * matrix->rows + i];
}

/* The columns of each class, one class after the other. */
static bool list_members(alea_public_graph *graph, alea_public_end *end) {
  alea_u32s *list = &graph->end_classes;
  uint32_t classes = end->classes[1], columns = end->hands[1], count = 0;
  end->members = list->count;
  if (!alea_vec_reserve(graph->mem, list, (size_t)classes + columns)) return false;
  list->count += (size_t)classes + columns;
  const uint32_t *class_of = list->data + end->class_of[1];
  uint32_t *ends = list->data + end->members, *members = ends + classes;
  for (uint32_t c = 0; c < classes; c++) {
    for (uint32_t j = 0; j < columns; j++)
      if (class_of[j] == c) members[count++] = j;
    ends[c] = count;
  }
  return true;
}

static bool reduce(alea_public_graph *graph, end_matrix *matrix, alea_public_end *end) {
  for (uint32_t side = 0; side < 2; side++) {
    end->hands[side] = (uint32_t)matrix->rows;
    end->class_of[side] = graph->end_classes.count;
    end->scales[side] = graph->end_numbers.count;
    if (!alea_vec_reserve(graph->mem, &graph->end_classes, matrix->rows) ||
        !alea_vec_reserve(graph->mem, &graph->end_numbers, matrix->rows))
      return false;
    graph->end_classes.count += matrix->rows;
    graph->end_numbers.count += matrix->rows;
    end->classes[side] = reduce_rows(matrix, graph->end_classes.data + end->class_of[side],
                                     graph->end_numbers.data + end->scales[side]);
    if (!transpose(matrix)) return false;
  }
  if (!list_members(graph, end)) return false;
  size_t count = matrix->rows * matrix->columns;
  end->core = graph->end_numbers.count;
  if (!alea_vec_reserve(graph->mem, &graph->end_numbers, count) ||
      !alea_vec_push(graph->mem, &graph->ends, *end))
    return false;
  memcpy(graph->end_numbers.data + end->core, matrix->entries, count * sizeof(double));
  graph->end_numbers.count += count;
  return true;
}

static bool fill(alea_public_graph *graph, const alea_public_state *state, uint32_t player) {
  end_matrix matrix = {
      .rows = state->hands[player], .columns = state->hands[1 - player], .mem = graph->mem};
  size_t size = matrix.rows * matrix.columns * sizeof *matrix.entries;
  alea_public_end end = {0};
  matrix.entries = alea_mem_alloc(graph->mem, size);
  if (matrix.entries == NULL) return false;
  read_payoffs(graph, state, player, &matrix);
  bool good = reduce(graph, &matrix, &end);
  alea_mem_free(graph->mem, matrix.entries, size);
  return good;
}

bool alea_public_ends_fill(alea_public_graph *graph) {
  for (size_t k = 0; k < graph->order.count; k++) {
    alea_public_state *state = &graph->states.data[graph->order.data[k]];
    if (state->end == ALEA_NO_END) continue;
    state->first_end = graph->ends.count;
    if (!fill(graph, state, 0) || !fill(graph, state, 1)) return false;
  }
  return true;
}

void alea_public_end_add(const alea_public_graph *graph, const alea_public_state *state,
                         uint32_t player, const double *reach, double share, double *sums,
                         double *values) {
  const alea_public_end *end = &graph->ends.data[state->first_end + player];
  const uint32_t *rows = graph->end_classes.data + end->class_of[0];
  const uint32_t *class_ends = graph->end_classes.data + end->members;
  const uint32_t *members = class_ends + end->classes[1];
  const double *row_scales = graph->end_numbers.data + end->scales[0];
  const double *column_scales = graph->end_numbers.data + end->scales[1];
  const double *core = graph->end_numbers.data + end->core;
  double *totals = sums + end->classes[1], most = 0;
  for (uint32_t c = 0, k = 0; c < end->classes[1]; c++) {
    double sum = 0;
    for (; k < class_ends[c]; k++) sum += column_scales[members[k]] * reach[members[k]];
    sums[c] = share * sum;
    most = sum > most ? sum : most;
  }
  if (most == 0) return; /* payoffs are never below 0, and nobody comes here */
  for (uint32_t r = 0; r < end->classes[0]; r++) {
    double total = 0;
    for (uint32_t c = 0; c < end->classes[1]; c++) total += *core++ * sums[c];
    totals[r] = total;
  }
  for (uint32_t i = 0; i < end->hands[0]; i++) values[i] += row_scales[i] * totals[rows[i]];
}

/* Moves that kinds give. */
#include "learning/eval_mobility.h"

#include <math.h>
#include <string.h>

enum {
  MOST_KINDS = 256,
  LEAST_POSITIONS = 200, /* at which one role chooses */
};
static const double RIDGE = 1;

/* One unknown for each feature that kinds of pieces are tied to, and the last for being
 * the one who chooses. */
typedef struct equations {
  alea_linear_eval *eval;
  uint32_t count;                /* unknowns */
  uint32_t unknown[MOST_KINDS];  /* by kind: its unknown + 1; 0: it is no piece */
  uint32_t feature[MOST_KINDS];  /* by unknown: the feature */
  double *squares, *sides;       /* the normal equations, and then their solution in 'sides' */
  double *values, *held, *found; /* by unknown: of one position; how many held, of either sign;
                                    what they were worth together */
  uint64_t positions;
} equations;

/* Notes which kinds have several at once at a position, or any at the first one: others, such
 * as where a man may be taken in passing, tell what was played last rather than what is
 * there. */
static void note_pieces(const alea_linear_eval *eval, const uint64_t *words, uint32_t least,
                        bool *pieces) {
  const alea_eval_features *features = &eval->features;
  uint32_t counts[MOST_KINDS] = {0};
  for (size_t w = 0; w < eval->word_count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      uint32_t kind = features->kind_of[64 * w + (unsigned)__builtin_ctzll(bits)];
      if (++counts[kind] >= least &&
          alea_eval_features_kind_size(features, kind) >= ALEA_EVAL_LEAST_PLACES)
        pieces[kind] = true;
    }
}

static void name_unknowns(equations *m, const bool *pieces) {
  const alea_eval_features *features = &m->eval->features;
  for (uint32_t k = 0; k < features->kind_count; k++) {
    uint32_t root = features->list.data[features->fluent_count + k].tied;
    if (!pieces[k] || features->list.data[root].void_) continue;
    uint32_t i = 0;
    while (i < m->count && m->feature[i] != root) i++;
    if (i == m->count) m->feature[m->count++] = root;
    m->unknown[k] = i + 1;
  }
}

/* Counts what holds at a position. */
static void count_kinds(equations *m, const uint64_t *words) {
  const alea_eval_features *features = &m->eval->features;
  memset(m->values, 0, (m->count + 1) * sizeof *m->values);
  for (size_t w = 0; w < m->eval->word_count; w++)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      uint32_t fluent = (uint32_t)(64 * w) + (unsigned)__builtin_ctzll(bits);
      uint32_t kind = features->kind_of[fluent], i = m->unknown[kind];
      if (i == 0) continue;
      double sign = features->list.data[features->fluent_count + kind].opposite ? -1 : 1;
      m->values[i - 1] += sign;
      m->held[i - 1] += 1;
      m->found[i - 1] += sign * m->eval->scores[fluent] / ALEA_EVAL_UNIT;
    }
}

/* Moves of the only role that chooses, with a sign; 0: there is none. */
static alea_status signed_moves(const alea_linear_eval *eval, alea_cursor *cursor, double *moves) {
  uint32_t choosers = 0;
  *moves = 0;
  for (uint32_t r = 0; r < eval->game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count < 2) continue;
    choosers += (int)r == eval->game->random_role ? 2 : 1;
    *moves = r == eval->role ? legal.count : -(double)legal.count;
  }
  if (choosers != 1) *moves = 0;
  return ALEA_OK;
}

alea_status alea_eval_mobility_count(const alea_linear_eval *eval, alea_cursor *cursor,
                                     const alea_u64s *positions, bool (*over)(void *context),
                                     void *context, alea_eval_moves *moves) {
  alea_status status = ALEA_OK;
  size_t words = eval->word_count, count = positions->count / words;
  for (size_t i = moves->count; status == ALEA_OK && i < count && !over(context); i++) {
    double some = 0;
    status = alea_cursor_load(cursor, positions->data + i * words, words);
    if (status == ALEA_OK) status = signed_moves(eval, cursor, &some);
    if (status == ALEA_OK && !alea_vec_push(eval->mem, moves, some))
      status = alea_mem_lack(eval->mem);
  }
  return status;
}

static void add_position(equations *m, const uint64_t *words, double moves) {
  uint32_t n = m->count + 1;
  count_kinds(m, words);
  m->values[m->count] = moves > 0 ? 1 : -1;
  for (uint32_t i = 0; i < n; i++) {
    m->sides[i] += m->values[i] * moves;
    for (uint32_t k = 0; k < n; k++) m->squares[i * n + k] += m->values[i] * m->values[k];
  }
  m->positions++;
}

/* Gauss; the ridge keeps pivots above 0. */
static void solve(equations *m) {
  uint32_t n = m->count + 1;
  double *a = m->squares, *b = m->sides;
  for (uint32_t i = 0; i < n; i++) a[i * n + i] += RIDGE;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++) {
      double factor = a[j * n + i] / a[i * n + i];
      for (uint32_t k = i; k < n; k++) a[j * n + k] -= factor * a[i * n + k];
      b[j] -= factor * b[i];
    }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; k++) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
}

/* The slope of what kinds were found to be worth over their moves. */
static double worth_of_move(const equations *m) {
  double both = 0, moves = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->held[i] == 0) continue;
    both += m->sides[i] * m->found[i] / m->held[i];
    moves += m->sides[i] * m->sides[i];
  }
  return moves > 0 ? fmax(0, both / moves) : 0;
}

static alea_status measure(equations *m, const alea_u64s *positions, const alea_eval_moves *moves,
                           alea_eval_mobility *out) {
  for (size_t i = 0; i < moves->count; i++)
    if (moves->data[i] != 0)
      add_position(m, positions->data + i * m->eval->word_count, moves->data[i]);
  if (m->positions < LEAST_POSITIONS) return ALEA_OK;
  solve(m);
  out->worth = worth_of_move(m);
  for (uint32_t i = 0; i < m->count; i++) {
    alea_eval_kind_moves kind = {m->feature[i], m->sides[i]};
    if (!alea_vec_push(m->eval->mem, &out->kinds, kind)) return alea_mem_lack(m->eval->mem);
  }
  return ALEA_OK;
}

alea_status alea_eval_mobility_init(alea_eval_mobility *out, alea_linear_eval *eval,
                                    alea_cursor *cursor, const alea_u64s *positions,
                                    const alea_eval_moves *moves) {
  equations m = {.eval = eval};
  bool pieces[MOST_KINDS] = {false};
  size_t count;
  *out = (alea_eval_mobility){0};
  alea_status status = alea_cursor_reset(cursor);
  if (status != ALEA_OK || eval->features.kind_count > MOST_KINDS) return status;
  note_pieces(eval, alea_cursor_state(cursor, &count), 1, pieces);
  for (size_t at = 0; at < positions->count; at += eval->word_count)
    note_pieces(eval, positions->data + at, 2, pieces);
  name_unknowns(&m, pieces);
  uint32_t n = m.count + 1;
  size_t total = (size_t)n * n + 4 * (size_t)n;
  m.squares = alea_mem_calloc(eval->mem, total, sizeof *m.squares);
  if (m.squares == NULL) return alea_mem_lack(eval->mem);
  m.sides = m.squares + (size_t)n * n;
  m.values = m.sides + n;
  m.held = m.values + n;
  m.found = m.held + n;
  status = measure(&m, positions, moves, out);
  alea_mem_free(eval->mem, m.squares, total * sizeof *m.squares);
  return status;
}

void alea_eval_mobility_clear(alea_eval_mobility *mobility, alea_mem *mem) {
  alea_vec_clear(mem, &mobility->kinds);
}

void alea_eval_mobility_add(const alea_eval_mobility *mobility, alea_linear_eval *eval,
                            double worth) {
  for (size_t i = 0; i < mobility->kinds.count; i++) {
    const alea_eval_kind_moves *kind = &mobility->kinds.data[i];
    eval->features.list.data[kind->feature].weight += (float)(worth * kind->moves);
  }
}

double alea_eval_mobility_unit(const alea_eval_mobility *mobility) {
  double sum = 0;
  for (size_t i = 0; i < mobility->kinds.count; i++) sum += fabs(mobility->kinds.data[i].moves);
  return sum > 0 ? (double)mobility->kinds.count / sum : 0;
}

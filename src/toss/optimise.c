/* The best parameters of a move. */
#include "toss/optimise.h"

#include <string.h>

#include "game/position.h"
#include "toss/taylor.h"

enum { SOBOL_POINTS = 64, PIECES = 64, MOST_REFINING = 400, MOST_RIGHT = ALEA_TOSS_MOST_SIDE };
#define NONE ALEA_TOSS_NONE
#define FINEST 1e-7 /* fraction of the box at which refining ends */
#define GAIN 1e-12  /* minimum improvement */

typedef struct seeker {
  alea_toss_arena *arena;
  const alea_move *joint;
  uint32_t player, dims;
  double low[ALEA_TOSS_MOST_PARAMS], high[ALEA_TOSS_MOST_PARAMS];
  alea_u64s here;
  double best, point[ALEA_TOSS_MOST_PARAMS];
  uint32_t verdict; /* of all points so far; NONE if they differ */
  bool tried;
  alea_status status;
} seeker;

static void go_back(seeker *s) {
  alea_status status = alea_cursor_load(s->arena->cursor, s->here.data, s->here.count);
  if (s->status == ALEA_OK) s->status = status;
}

/* Evaluates a point; the best is kept. */
static double try(seeker *s, const double *x) {
  double payoffs[ALEA_TOSS_MOST_PLAYERS] = {0};
  uint32_t verdict = NONE;
  if (s->status != ALEA_OK) return 0;
  alea_status status = alea_toss_arena_try(s->arena, s->joint, s->player, x, &verdict, payoffs);
  if (status != ALEA_OK) s->status = status;
  go_back(s);
  double value = payoffs[s->player];
  if (s->tried && verdict != s->verdict) s->verdict = NONE;
  if (!s->tried) s->verdict = verdict;
  if (!s->tried || value > s->best + GAIN) {
    s->best = value;
    memcpy(s->point, x, s->dims * sizeof *x);
  }
  s->tried = true;
  return value;
}

/* ---- polynomials ---- */

typedef struct arrived {
  const alea_toss_arena *arena;
  const alea_toss_poly *values;
  uint32_t elements[MOST_RIGHT], count, functions;
} arrived;

/* The polynomial of a function of the evaluation at an element. */
static bool label_of(void *context, uint32_t function, uint32_t element, alea_toss_poly *out) {
  const arrived *a = context;
  const alea_toss_evaluation *e = a->arena->evaluation;
  for (uint32_t f = 0; f < a->functions; f++) {
    if (e->doubled.function_now[f] != function) continue;
    for (uint32_t i = 0; i < a->count; i++) {
      if (a->elements[i] != element) continue;
      *out = a->values[(size_t)i * a->functions + f];
      return true;
    }
  }
  return false;
}

/* The payoff as a polynomial in the parameters, around the middle of the box. */
static bool find_poly(seeker *s, alea_toss_poly *values, alea_toss_poly *out) {
  alea_toss_arena *a = s->arena;
  arrived at = {.arena = a, .values = values, .functions = a->before->function_count};
  alea_status status =
      alea_toss_cursor_taylor(a->cursor, s->joint, s->player, values, at.elements, &at.count);
  if (status != ALEA_OK) return false;
  double middle[ALEA_TOSS_MOST_PARAMS], payoffs[ALEA_TOSS_MOST_PLAYERS];
  uint32_t verdict;
  for (uint32_t i = 0; i < s->dims; i++) middle[i] = (s->low[i] + s->high[i]) / 2;
  status = alea_toss_arena_try(a, s->joint, s->player, middle, &verdict, payoffs);
  bool good = status == ALEA_OK && verdict < a->evaluation->verdicts.count &&
              a->evaluation->verdicts.data[verdict].kind == ALEA_TOSS_TERMS;
  if (good) { /* the stage is still that of the midpoint */
    uint32_t term = a->evaluation->verdicts.data[verdict].terms[s->player];
    good = alea_toss_term_poly(&a->stage.env, term, label_of, &at, out) == ALEA_OK;
  }
  go_back(s);
  return good;
}

/* Zeros of the derivative in one variable, by sign changes over small pieces. */
static void try_zeros(seeker *s, const alea_toss_poly *slope) {
  double step = (s->high[0] - s->low[0]) / PIECES;
  for (int i = 0; i < PIECES; i++) {
    double x[ALEA_TOSS_MOST_PARAMS] = {0}, lo = s->low[0] + i * step, hi = lo + step;
    x[0] = lo;
    double at_lo = alea_toss_poly_at(slope, x);
    x[0] = hi;
    if (at_lo * alea_toss_poly_at(slope, x) > 0) continue;
    for (int k = 0; k < 80; k++) {
      x[0] = lo + (hi - lo) / 2;
      if (at_lo * alea_toss_poly_at(slope, x) > 0) {
        lo = x[0];
      } else {
        hi = x[0];
      }
    }
    try(s, x);
  }
}

/* Solves n linear equations in place, rows of n + 1; false when singular. */
static bool solve(double m[][ALEA_TOSS_MOST_PARAMS + 1], uint32_t n) {
  for (uint32_t c = 0; c < n; c++) {
    uint32_t pivot = c;
    for (uint32_t r = c + 1; r < n; r++) {
      if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
    }
    if (fabs(m[pivot][c]) < 1e-12) return false;
    for (uint32_t k = 0; k <= n; k++) {
      double held = m[c][k];
      m[c][k] = m[pivot][k];
      m[pivot][k] = held;
    }
    for (uint32_t r = 0; r < n; r++) {
      double factor = r != c ? m[r][c] / m[c][c] : 0;
      for (uint32_t k = c; k <= n; k++) m[r][k] -= factor * m[c][k];
    }
  }
  for (uint32_t c = 0; c < n; c++) m[c][n] /= m[c][c];
  return true;
}

/* The critical point of a polynomial of degree 2 on a face of the box: each
 * coordinate is low, high or free. */
static void try_face(seeker *s, const alea_toss_poly *slopes, uint32_t face) {
  uint32_t free_at[ALEA_TOSS_MOST_PARAMS], count = 0;
  double x[ALEA_TOSS_MOST_PARAMS] = {0}, m[ALEA_TOSS_MOST_PARAMS][ALEA_TOSS_MOST_PARAMS + 1];
  for (uint32_t i = 0; i < s->dims; i++, face /= 3) {
    x[i] = face % 3 == 0 ? s->low[i] : face % 3 == 1 ? s->high[i] : 0;
    if (face % 3 == 2) free_at[count++] = i;
  }
  for (uint32_t r = 0; r < count; r++) {
    const alea_toss_poly *slope = &slopes[free_at[r]];
    double base = alea_toss_poly_at(slope, x);
    for (uint32_t c = 0; c < count; c++) {
      x[free_at[c]] = 1;
      m[r][c] = alea_toss_poly_at(slope, x) - base;
      x[free_at[c]] = 0;
    }
    m[r][count] = -base;
  }
  if (!solve(m, count)) return;
  for (uint32_t r = 0; r < count; r++) {
    x[free_at[r]] = m[r][count];
    if (!(x[free_at[r]] >= s->low[free_at[r]] && x[free_at[r]] <= s->high[free_at[r]])) return;
  }
  try(s, x);
}

/* Tries critical points and corners; false if the polynomial is of another
 * kind. */
static bool try_critical(seeker *s, const alea_toss_poly *p, alea_toss_poly *slopes) {
  uint32_t faces = 1, degree = alea_toss_poly_degree(p);
  for (uint32_t i = 0; i < s->dims; i++) {
    alea_toss_poly_derive(p, i, &slopes[i]);
    faces *= 3;
  }
  if (s->dims > 1 && degree > 2) return false;
  if (s->dims == 1) {
    try_zeros(s, &slopes[0]);
    try(s, s->low);
    try(s, s->high);
    return true;
  }
  for (uint32_t face = 0; face < faces; face++) try_face(s, slopes, face);
  return true;
}

static bool by_polynomial(seeker *s) {
  size_t count = (size_t)MOST_RIGHT * s->arena->before->function_count;
  alea_mem *mem = s->arena->mem;
  alea_toss_poly *values = alea_mem_calloc(mem, count, sizeof *values);
  alea_toss_poly *others = alea_mem_calloc(mem, 1 + ALEA_TOSS_MOST_PARAMS, sizeof *others);
  bool good = values != NULL && others != NULL && find_poly(s, values, &others[0]) &&
              try_critical(s, &others[0], others + 1);
  alea_mem_free(mem, values, values != NULL ? count * sizeof *values : 0);
  alea_mem_free(mem, others, others != NULL ? (1 + ALEA_TOSS_MOST_PARAMS) * sizeof *others : 0);
  return good && s->verdict != NONE; /* otherwise it is only one piece of the payoff */
}

/* ---- samples ---- */

/* The first coordinates of Sobol's sequence, by direction numbers. */
static double sobol(uint32_t index, uint32_t dim) {
  static const uint32_t start[ALEA_TOSS_MOST_PARAMS][3] = {
      {1, 1, 1}, {1, 3, 5}, {1, 3, 1}, {1, 1, 7}};
  static const uint32_t degree[ALEA_TOSS_MOST_PARAMS] = {0, 1, 2, 3}, taps[] = {0, 0, 1, 1};
  uint32_t m[32], s = degree[dim], result = 0;
  for (uint32_t i = 0; i < 32; i++) {
    if (s == 0) {
      m[i] = 1;
    } else if (i < s) {
      m[i] = start[dim][i];
    } else {
      m[i] = m[i - s] ^ (m[i - s] << s);
      for (uint32_t k = 1; k < s; k++) {
        if (taps[dim] >> (s - 1 - k) & 1) m[i] ^= m[i - k] << k;
      }
    }
    if (index >> i & 1) result ^= m[i] << (31 - i);
  }
  return result / 4294967296.0;
}

static void try_samples(seeker *s) {
  for (uint32_t i = 0; i < SOBOL_POINTS; i++) {
    double x[ALEA_TOSS_MOST_PARAMS];
    for (uint32_t d = 0; d < s->dims; d++) {
      x[d] = s->low[d] + (s->high[d] - s->low[d]) * sobol(i, d);
    }
    try(s, x);
  }
  for (uint32_t corner = 0; corner < 1u << s->dims; corner++) {
    double x[ALEA_TOSS_MOST_PARAMS];
    for (uint32_t d = 0; d < s->dims; d++) x[d] = corner >> d & 1 ? s->high[d] : s->low[d];
    try(s, x);
  }
}

/* Steps along the axes from the best point, with decreasing length. */
static void refine(seeker *s) {
  double size = 0.125;
  for (int tries = 0; size > FINEST && tries < MOST_REFINING && s->status == ALEA_OK;) {
    double before = s->best;
    for (uint32_t d = 0; d < s->dims; d++) {
      for (int sign = -1; sign <= 1; sign += 2, tries++) {
        double x[ALEA_TOSS_MOST_PARAMS];
        memcpy(x, s->point, sizeof x);
        x[d] += sign * size * (s->high[d] - s->low[d]);
        if (x[d] < s->low[d]) x[d] = s->low[d];
        if (x[d] > s->high[d]) x[d] = s->high[d];
        try(s, x);
      }
    }
    if (s->best <= before) size /= 2;
  }
}

/* ---- moves ---- */

static bool open_box(seeker *s, const alea_toss_label *label) {
  s->dims = (uint32_t)label->params.count;
  for (uint32_t i = 0; i < s->dims; i++) {
    const alea_toss_interval *v = &label->params.data[i];
    if (v->low.random != NONE || v->high.random != NONE || v->step > 0) return false;
    s->low[i] = v->low.number;
    s->high[i] = v->high.number;
  }
  return s->dims > 0;
}

/* The move with the best point instead of its grid points. */
static alea_move with_point(const seeker *s, const alea_toss_label *label) {
  const alea_toss_game *g = s->arena->source;
  uint32_t key[ALEA_TOSS_MOST_KEY];
  uint32_t length =
      alea_toss_ids_key(g->ids, 1 + s->player, s->joint[s->player], key, ALEA_TOSS_MOST_KEY);
  uint32_t first = length - s->dims - alea_toss_time_chosen(label);
  for (uint32_t i = 0; i < s->dims; i++) {
    key[first + i] = alea_toss_value_point(g, &label->params.data[i], s->point[i]);
    if (key[first + i] == UINT32_MAX) return s->joint[s->player];
  }
  return alea_toss_ids_add(g->ids, 1 + s->player, key, length);
}

alea_status alea_toss_optimise(alea_toss_arena *a, alea_move *joint, uint32_t player) {
  if (a->network != NULL || a->evaluation == NULL) return ALEA_OK;
  const alea_toss_label *label = alea_toss_cursor_label(a->cursor, player, joint[player]);
  seeker s = {.arena = a, .joint = joint, .player = player};
  if (label == NULL || !open_box(&s, label)) return ALEA_OK;
  alea_status status = alea_position_keep(&s.here, a->cursor, a->mem);
  if (status != ALEA_OK || s.here.count == 0) return ALEA_LIMIT;
  if (!by_polynomial(&s)) {
    try_samples(&s);
    refine(&s);
  }
  alea_move found = s.status == ALEA_OK && s.tried ? with_point(&s, label) : ALEA_NO_MOVE;
  if (found != ALEA_NO_MOVE) joint[player] = found;
  alea_vec_clear(a->mem, &s.here);
  return s.status;
}

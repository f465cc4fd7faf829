/* The best time and parameters of a move. */
#include "toss/optimise.h"

#include <string.h>

#include "game/position.h"
#include "toss/taylor.h"

enum { PIECES = 64, TIMES = 9, ROUNDS = 2, MOST_RIGHT = ALEA_TOSS_MOST_SIDE };
enum { MOST_DIMS = ALEA_TOSS_MOST_PARAMS + 1, TIME = ALEA_TOSS_MOST_PARAMS };
#define NONE ALEA_TOSS_NONE
#define GAIN 1e-12 /* minimum improvement */

/* How many points are tried: of the Sobol sequence, around the best point where no
 * axis leads on, and while refining, which ends at a fraction of the box. */
typedef struct effort {
  uint32_t samples, cloud;
  int refining;
  double finest;
} effort;
static const effort full = {64, 16, 1600, 1e-7}, brief = {8, 8, 60, 1e-2};

/* A point has a coordinate for each parameter, and the time at TIME. */
typedef struct seeker {
  alea_toss_arena *arena;
  const alea_move *joint;
  uint32_t player;
  effort effort;
  alea_toss_numbers *numbers; /* of all players; those of 'player' vary */
  uint32_t dims, coordinates[MOST_DIMS];
  double low[MOST_DIMS], high[MOST_DIMS], point[MOST_DIMS];
  alea_u64s here;
  double best;
  uint32_t verdict; /* of all points so far; NONE if they differ */
  bool tried;
  uint32_t drawn; /* points of clouds */
  alea_status status;
} seeker;

static void go_back(seeker *s) {
  alea_status status = alea_cursor_load(s->arena->cursor, s->here.data, s->here.count);
  if (s->status == ALEA_OK) s->status = status;
}

static void use_point(seeker *s, const double *x) {
  alea_toss_numbers *own = &s->numbers[s->player];
  own->given = true;
  memcpy(own->params, x, sizeof own->params);
  own->time = x[TIME];
}

/* Evaluates a point; the best is kept. */
static double try(seeker *s, const double *x) {
  double payoffs[ALEA_TOSS_MOST_PLAYERS] = {0};
  uint32_t verdict = NONE;
  if (s->status != ALEA_OK) return 0;
  use_point(s, x);
  alea_status status = alea_toss_arena_try(s->arena, s->joint, s->numbers, &verdict, payoffs);
  if (status != ALEA_OK) s->status = status;
  go_back(s);
  double value = payoffs[s->player];
  if (s->tried && verdict != s->verdict) s->verdict = NONE;
  if (!s->tried) s->verdict = verdict;
  if (!s->tried || value > s->best + GAIN) {
    s->best = value;
    memcpy(s->point, x, sizeof s->point);
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

/* The payoff as a polynomial in the parameters at the time of 'middle', around
 * that point. */
static bool find_poly(seeker *s, const double *middle, alea_toss_poly *values,
                      alea_toss_poly *out) {
  alea_toss_arena *a = s->arena;
  arrived at = {.arena = a, .values = values, .functions = a->before->function_count};
  use_point(s, middle);
  alea_toss_cursor_use(a->cursor, s->numbers);
  alea_status status =
      alea_toss_cursor_taylor(a->cursor, s->joint, s->player, values, at.elements, &at.count);
  alea_toss_cursor_use(a->cursor, NULL);
  if (status != ALEA_OK) return false;
  double payoffs[ALEA_TOSS_MOST_PLAYERS];
  uint32_t verdict;
  status = alea_toss_arena_try(a, s->joint, s->numbers, &verdict, payoffs);
  bool good = status == ALEA_OK && verdict < a->evaluation->verdicts.count &&
              a->evaluation->verdicts.data[verdict].kind == ALEA_TOSS_TERMS;
  if (good) { /* the stage is still that of the midpoint */
    uint32_t term = a->evaluation->verdicts.data[verdict].terms[s->player];
    good = alea_toss_term_poly(&a->stage.env, term, label_of, &at, out) == ALEA_OK;
  }
  go_back(s);
  return good;
}

/* Zeros of the derivative in one parameter, by sign changes over small pieces. */
static void try_zeros(seeker *s, const alea_toss_poly *slope, const double *middle) {
  uint32_t d = s->coordinates[0];
  double step = (s->high[d] - s->low[d]) / PIECES, x[MOST_DIMS];
  memcpy(x, middle, sizeof x);
  for (int i = 0; i < PIECES; i++) {
    double lo = s->low[d] + i * step, hi = lo + step;
    x[d] = lo;
    double at_lo = alea_toss_poly_at(slope, x);
    x[d] = hi;
    if (at_lo * alea_toss_poly_at(slope, x) > 0) continue;
    for (int k = 0; k < 80; k++) {
      x[d] = lo + (hi - lo) / 2;
      if (at_lo * alea_toss_poly_at(slope, x) > 0) {
        lo = x[d];
      } else {
        hi = x[d];
      }
    }
    try(s, x);
  }
  x[d] = s->low[d];
  try(s, x);
  x[d] = s->high[d];
  try(s, x);
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

/* The critical point of a polynomial of degree 2 on a face of the box: each of
 * the first 'dims' coordinates is low, high or free. */
static void try_face(seeker *s, const alea_toss_poly *slopes, const double *middle, uint32_t dims,
                     uint32_t face) {
  uint32_t free_at[ALEA_TOSS_MOST_PARAMS], count = 0;
  double x[MOST_DIMS], m[ALEA_TOSS_MOST_PARAMS][ALEA_TOSS_MOST_PARAMS + 1];
  memcpy(x, middle, sizeof x);
  for (uint32_t i = 0; i < dims; i++, face /= 3) {
    uint32_t d = s->coordinates[i];
    x[d] = face % 3 == 0 ? s->low[d] : face % 3 == 1 ? s->high[d] : 0;
    if (face % 3 == 2) free_at[count++] = d;
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

/* Tries critical points and corners in the first 'dims' coordinates; false if the
 * polynomial is of another kind. */
static bool try_critical(seeker *s, const alea_toss_poly *p, const double *middle, uint32_t dims,
                         alea_toss_poly *slopes) {
  uint32_t faces = 1;
  for (uint32_t i = 0; i < dims; i++) {
    alea_toss_poly_derive(p, s->coordinates[i], &slopes[s->coordinates[i]]);
    faces *= 3;
  }
  if (dims > 1 && alea_toss_poly_degree(p) > 2) return false;
  if (dims == 1) try_zeros(s, &slopes[s->coordinates[0]], middle);
  for (uint32_t face = 0; dims > 1 && face < faces; face++) {
    try_face(s, slopes, middle, dims, face);
  }
  return true;
}

static void middle_of(const seeker *s, double *x) {
  memcpy(x, s->point, MOST_DIMS * sizeof *x);
  for (uint32_t i = 0; i < s->dims; i++) {
    uint32_t d = s->coordinates[i];
    x[d] = (s->low[d] + s->high[d]) / 2;
  }
}

/* The time is the last coordinate if it is one: the parameters are solved for at
 * several times. */
static bool try_polynomials(seeker *s, alea_toss_poly *values, alea_toss_poly *others) {
  bool timed = s->coordinates[s->dims - 1] == TIME;
  uint32_t params = s->dims - timed, times = timed ? TIMES : 1;
  double x[MOST_DIMS];
  middle_of(s, x);
  if (params == 0) return false;
  for (uint32_t i = 0; i < times; i++) {
    if (timed) x[TIME] = s->low[TIME] + (s->high[TIME] - s->low[TIME]) * i / (TIMES - 1);
    if (!find_poly(s, x, values, &others[0])) return false;
    if (!try_critical(s, &others[0], x, params, others + 1)) return false;
  }
  return s->verdict != NONE; /* otherwise it is only one piece of the payoff */
}

static bool by_polynomial(seeker *s) {
  size_t count = (size_t)MOST_RIGHT * s->arena->before->function_count;
  alea_mem *mem = s->arena->mem;
  alea_toss_poly *values = alea_mem_calloc(mem, count, sizeof *values);
  alea_toss_poly *others = alea_mem_calloc(mem, 1 + ALEA_TOSS_MOST_PARAMS, sizeof *others);
  bool good = values != NULL && others != NULL && try_polynomials(s, values, others);
  alea_mem_free(mem, values, values != NULL ? count * sizeof *values : 0);
  alea_mem_free(mem, others, others != NULL ? (1 + ALEA_TOSS_MOST_PARAMS) * sizeof *others : 0);
  return good;
}

/* ---- samples ---- */

/* The first coordinates of Sobol's sequence, by direction numbers. */
static double sobol(uint32_t index, uint32_t dim) {
  static const uint32_t start[MOST_DIMS][3] = {
      {1, 1, 1}, {1, 3, 5}, {1, 3, 1}, {1, 1, 7}, {1, 1, 5}};
  static const uint32_t degree[MOST_DIMS] = {0, 1, 2, 3, 3}, taps[] = {0, 0, 1, 1, 2};
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
  double x[MOST_DIMS];
  middle_of(s, x);
  for (uint32_t i = 0; i < s->effort.samples; i++) {
    for (uint32_t k = 0; k < s->dims; k++) {
      uint32_t d = s->coordinates[k];
      x[d] = s->low[d] + (s->high[d] - s->low[d]) * sobol(i, k);
    }
    try(s, x);
  }
  for (uint32_t corner = 0; corner < 1u << s->dims; corner++) {
    for (uint32_t k = 0; k < s->dims; k++) {
      uint32_t d = s->coordinates[k];
      x[d] = corner >> k & 1 ? s->high[d] : s->low[d];
    }
    try(s, x);
  }
}

/* Tries a point at 'offset' (a fraction of the box for each coordinate) from
 * another, moved into the box. */
static void try_near(seeker *s, const double *from, const double *offset) {
  double x[MOST_DIMS];
  memcpy(x, from, sizeof x);
  for (uint32_t k = 0; k < s->dims; k++) {
    uint32_t d = s->coordinates[k];
    x[d] = fmin(fmax(x[d] + offset[k] * (s->high[d] - s->low[d]), s->low[d]), s->high[d]);
  }
  try(s, x);
}

/* A cloud of points: where the payoff has a ridge or a step, no axis leads up. */
static void try_cloud(seeker *s, double size) {
  double from[MOST_DIMS], offset[MOST_DIMS] = {0};
  memcpy(from, s->point, sizeof from);
  for (uint32_t i = 0; i < s->effort.cloud; i++, s->drawn++) { /* always other directions */
    for (uint32_t k = 0; k < s->dims; k++) offset[k] = size * (2 * sobol(s->drawn, k) - 1);
    try_near(s, from, offset);
  }
}

/* Goes on in the direction that led from 'base' to the best point, with doubled
 * steps while that helps: a curved ridge is followed by its chords. */
static int follow(seeker *s, const double *base) {
  double from[MOST_DIMS], offset[MOST_DIMS] = {0}, before;
  int tries = 0;
  memcpy(from, s->point, sizeof from);
  for (double length = 1; length < 1e3; length *= 2) {
    for (uint32_t k = 0; k < s->dims; k++) {
      uint32_t d = s->coordinates[k];
      offset[k] = length * (from[d] - base[d]) / (s->high[d] - s->low[d]);
    }
    before = s->best;
    try_near(s, from, offset);
    tries++;
    if (s->best <= before) break;
  }
  return tries;
}

/* Steps from the best point, with decreasing length. */
static void refine(seeker *s) {
  double size = 0.125;
  int tries = 0;
  while (size > s->effort.finest && tries < s->effort.refining && s->status == ALEA_OK) {
    double before = s->best, base[MOST_DIMS];
    memcpy(base, s->point, sizeof base);
    for (uint32_t k = 0; k < s->dims; k++) {
      for (int sign = -1; sign <= 1; sign += 2, tries++) {
        double offset[MOST_DIMS] = {0};
        offset[k] = sign * size;
        try_near(s, s->point, offset);
      }
    }
    if (s->best <= before && s->dims > 1) try_cloud(s, size), tries += (int)s->effort.cloud;
    if (s->best > before) tries += follow(s, base);
    if (s->best <= before) size /= 2;
  }
}

/* ---- moves ---- */

static void add_coordinate(seeker *s, uint32_t d, const alea_toss_interval *v) {
  s->coordinates[s->dims++] = d;
  s->low[d] = v->low.number;
  s->high[d] = v->high.number;
}

/* The box of the player's move; false if it has none.  Numbers that are not
 * continuous stay those of the move. */
static bool open_box(seeker *s, const alea_toss_label *label) {
  const alea_toss_game *g = s->arena->source;
  uint32_t key[ALEA_TOSS_MOST_KEY], count = (uint32_t)label->params.count;
  uint32_t length =
      alea_toss_ids_key(g->ids, 1 + s->player, s->joint[s->player], key, ALEA_TOSS_MOST_KEY);
  uint32_t first = length - count - alea_toss_time_chosen(label);
  for (uint32_t i = 0; i <= count; i++) {
    const alea_toss_interval *v = i < count ? &label->params.data[i] : &label->time;
    uint32_t d = i < count ? i : TIME, point = key[first + i];
    if (i == count && !alea_toss_time_chosen(label)) break;
    if (!alea_toss_is_fixed(v)) return false; /* its number depends on chance */
    if (alea_toss_is_continuous(v)) add_coordinate(s, d, v);
    s->point[d] = point & ALEA_TOSS_POINT_VALUE
                      ? alea_toss_point_value(g, point)
                      : alea_toss_grid_value(v, point, v->low.number, v->high.number);
  }
  return s->dims > 0;
}

/* The move with the best point instead of its own numbers. */
static alea_move with_point(const seeker *s, const alea_toss_label *label) {
  const alea_toss_game *g = s->arena->source;
  uint32_t key[ALEA_TOSS_MOST_KEY];
  uint32_t length =
      alea_toss_ids_key(g->ids, 1 + s->player, s->joint[s->player], key, ALEA_TOSS_MOST_KEY);
  uint32_t count = (uint32_t)label->params.count;
  uint32_t first = length - count - alea_toss_time_chosen(label);
  for (uint32_t i = 0; i < s->dims; i++) {
    uint32_t d = s->coordinates[i], at = first + (d == TIME ? count : d);
    key[at] =
        alea_toss_value_point(g, d == TIME ? &label->time : &label->params.data[d], s->point[d]);
    if (key[at] == UINT32_MAX) return s->joint[s->player];
  }
  return alea_toss_ids_add(g->ids, 1 + s->player, key, length);
}

/* The best numbers of one player, which end in s->numbers. */
static void seek(seeker *s) {
  s->status = alea_position_keep(&s->here, s->arena->cursor, s->arena->mem);
  if (s->status == ALEA_OK && s->here.count == 0) s->status = alea_mem_lack(s->arena->mem);
  bool timed = s->dims > 0 && s->coordinates[s->dims - 1] == TIME, exact = false;
  if (s->status == ALEA_OK) exact = by_polynomial(s);
  if (s->status == ALEA_OK && !exact) try_samples(s);
  if (s->status == ALEA_OK && (!exact || timed)) refine(s);
  use_point(s, s->point);
  alea_vec_clear(s->arena->mem, &s->here);
}

alea_status alea_toss_optimise(alea_toss_arena *a, alea_move *joint, uint32_t player) {
  if (a->network != NULL || a->evaluation == NULL) return ALEA_OK;
  const alea_toss_label *label = alea_toss_cursor_label(a->cursor, player, joint[player]);
  alea_toss_numbers numbers[ALEA_TOSS_MOST_PLAYERS] = {0};
  seeker s = {.arena = a, .joint = joint, .player = player, .effort = full, .numbers = numbers};
  if (label == NULL || !open_box(&s, label)) return ALEA_OK;
  seek(&s);
  alea_move found = s.status == ALEA_OK && s.tried ? with_point(&s, label) : ALEA_NO_MOVE;
  if (found != ALEA_NO_MOVE) joint[player] = found;
  return s.status;
}

/* ---- the normal form ---- */

bool alea_toss_has_box(const alea_toss_arena *a) {
  uint32_t location;
  if (a->network != NULL) return false;
  alea_toss_cursor_structure(a->cursor, &location);
  const alea_toss_location *l = &a->source->file->locations.data[location];
  for (uint32_t p = 0; p < a->players; p++) {
    for (size_t i = 0; i < l->sides[p].labels.count; i++) {
      const alea_toss_label *label = &l->sides[p].labels.data[i];
      if (alea_toss_time_chosen(label) && alea_toss_is_continuous(&label->time)) return true;
      for (size_t k = 0; k < label->params.count; k++) {
        if (alea_toss_is_continuous(&label->params.data[k])) return true;
      }
    }
  }
  return false;
}

/* The box of each player's move, and its middle or a point drawn from it. */
static void open_boxes(alea_toss_arena *a, const alea_move *joint, alea_toss_numbers *numbers,
                       alea_rng *rng, seeker *boxes) {
  for (uint32_t p = 0; p < a->players; p++) {
    const alea_toss_label *label = alea_toss_cursor_label(a->cursor, p, joint[p]);
    seeker *s = &boxes[p];
    *s = (seeker){.arena = a, .joint = joint, .player = p, .effort = brief, .numbers = numbers};
    numbers[p].given = false;
    if (label == NULL || !open_box(s, label)) {
      s->dims = 0;
      continue;
    }
    double x[MOST_DIMS];
    middle_of(s, x);
    for (uint32_t i = 0; i < s->dims && rng != NULL; i++) {
      uint32_t d = s->coordinates[i];
      x[d] = s->low[d] + (s->high[d] - s->low[d]) * alea_rng_unit(rng);
    }
    use_point(s, x);
  }
}

alea_status alea_toss_optimise_joint(alea_toss_arena *a, const alea_move *joint,
                                     alea_toss_numbers *numbers, double *payoffs) {
  seeker boxes[ALEA_TOSS_MOST_PLAYERS];
  uint32_t choosers = 0, verdict;
  alea_status status = ALEA_OK;
  open_boxes(a, joint, numbers, NULL, boxes);
  for (uint32_t p = 0; p < a->players; p++) choosers += boxes[p].dims > 0;
  for (int round = 0; round < (choosers > 1 ? ROUNDS : 1); round++) {
    for (uint32_t p = 0; p < a->players && status == ALEA_OK; p++) {
      if (boxes[p].dims == 0) continue;
      seeker s = boxes[p];
      seek(&s);
      status = s.status;
    }
  }
  alea_u64s here = {0};
  if (status == ALEA_OK) status = alea_position_keep(&here, a->cursor, a->mem);
  if (status == ALEA_OK) status = alea_toss_arena_try(a, joint, numbers, &verdict, payoffs);
  if (status == ALEA_OK) status = alea_cursor_load(a->cursor, here.data, here.count);
  alea_vec_clear(a->mem, &here);
  return status;
}

void alea_toss_draw_numbers(alea_toss_arena *a, const alea_move *joint, alea_toss_numbers *numbers,
                            alea_rng *rng) {
  seeker boxes[ALEA_TOSS_MOST_PLAYERS];
  open_boxes(a, joint, numbers, rng, boxes);
}

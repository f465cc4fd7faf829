/* Tubes, steps and frames. */
#include "toss/enclosure.h"

#include <float.h>
#include <string.h>

/* More unknowns than MOST_TURNED are enclosed by boxes: the frame of n unknowns
 * costs n^3 a step, and so many are usually independent of each other. */
enum { ORDER = 18, MOST_TURNED = 16, TRIES = 4, HALVINGS = 60 };
#define TOLERANCE 1e-16     /* of a step, relative to the values */
#define SHORTEST 1e-13      /* step, relative to the whole */
#define ROUGH_STEP 0x1p-24  /* the same, across a switch */
#define NEARLY_SINGULAR 0.1 /* rows of Q^T Q - I that are too large to invert */

typedef alea_enclosure enclosure;

static uint32_t unknowns(const enclosure *e) { return e->tape->unknowns; }

static bool is_zero(alea_interval a) { return a.lo == 0 && a.hi == 0; }

static alea_interval *room(alea_mem *mem, size_t count) {
  return alea_mem_calloc(mem, count, sizeof(alea_interval));
}

static void start_at(enclosure *e, const alea_interval *box) {
  uint32_t n = unknowns(e);
  e->spread = false;
  for (uint32_t i = 0; i < n; i++) {
    e->box[i] = box[i];
    e->centre[i] = alea_interval_middle(box[i]);
    e->offset[i] = alea_interval_sub(box[i], alea_interval_of(e->centre[i]));
    e->spread |= !is_zero(e->offset[i]);
    for (uint32_t j = 0; e->turned && j < n; j++) e->frame[i * n + j] = i == j;
  }
}

alea_status alea_enclosure_init(enclosure *e, const alea_tape *tape, const alea_interval *start) {
  alea_mem *mem = tape->mem;
  size_t n = tape->unknowns;
  *e = (enclosure){.tape = tape, .turned = n <= MOST_TURNED};
  size_t square = e->turned ? n * n : 1;
  e->box = room(mem, n);
  e->next = room(mem, n);
  e->tube = room(mem, n);
  e->offset = room(mem, n);
  e->shifted = room(mem, n);
  e->matrix = room(mem, square);
  e->product = room(mem, square);
  e->centre = alea_mem_calloc(mem, n, sizeof *e->centre);
  e->frame = alea_mem_calloc(mem, square, sizeof *e->frame);
  alea_status status = alea_tape_series_init(&e->at_box, tape, ORDER, e->turned);
  if (status == ALEA_OK) status = alea_tape_series_init(&e->at_centre, tape, ORDER, false);
  if (status == ALEA_OK) status = alea_tape_series_init(&e->at_tube, tape, ORDER, false);
  bool good = e->box != NULL && e->next != NULL && e->tube != NULL && e->offset != NULL &&
              e->shifted != NULL && e->matrix != NULL && e->product != NULL && e->centre != NULL &&
              e->frame != NULL;
  if (status == ALEA_OK && !good) status = alea_mem_lack(mem);
  if (status == ALEA_OK) start_at(e, start);
  return status;
}

static void release(alea_mem *mem, void *data, size_t size) {
  alea_mem_free(mem, data, data != NULL ? size : 0);
}

void alea_enclosure_clear(enclosure *e) {
  if (e->tape == NULL) return;
  alea_mem *mem = e->tape->mem;
  size_t n = unknowns(e), square = e->turned ? n * n : 1, size = sizeof(alea_interval);
  release(mem, e->box, n * size);
  release(mem, e->next, n * size);
  release(mem, e->tube, n * size);
  release(mem, e->offset, n * size);
  release(mem, e->shifted, n * size);
  release(mem, e->matrix, square * size);
  release(mem, e->product, square * size);
  release(mem, e->centre, n * sizeof *e->centre);
  release(mem, e->frame, square * sizeof *e->frame);
  alea_tape_series_clear(&e->at_box);
  alea_tape_series_clear(&e->at_centre);
  alea_tape_series_clear(&e->at_tube);
  *e = (enclosure){0};
}

/* ---- the tube ---- */

/* The Taylor polynomial of an unknown, without the remainder. */
static alea_interval polynomial(const alea_tape_series *s, uint32_t unknown, uint32_t order,
                                alea_interval time) {
  uint32_t degree = order - 1;
  while (degree > 0 && is_zero(alea_tape_at(s, unknown, degree))) degree--;
  alea_interval sum = alea_tape_at(s, unknown, degree);
  for (uint32_t k = degree; k-- > 0;)
    sum = alea_interval_add(alea_interval_mul(sum, time), alea_tape_at(s, unknown, k));
  return sum;
}

static alea_interval remainder_of(const enclosure *e, uint32_t unknown, alea_interval time) {
  alea_interval last = alea_tape_at(&e->at_tube, unknown, e->order);
  return is_zero(last) ? last : alea_interval_mul(alea_interval_pow(time, e->order), last);
}

/* Whether the polynomial plus a remainder that the tube confirms stays in it. */
static bool find_tube(enclosure *e, double length) {
  uint32_t n = unknowns(e);
  alea_interval time = {0, length}, power = alea_interval_pow(time, e->order);
  alea_interval *slack = e->shifted;
  for (uint32_t i = 0; i < n; i++) {
    double size = alea_interval_size(alea_tape_at(&e->at_box, i, e->order)) * power.hi;
    double margin = 2 * size + 1e-18 * alea_interval_size(e->box[i]) + 1e-290;
    slack[i] = (alea_interval){-margin, margin};
  }
  for (int try = 0; try < TRIES; try++) {
    bool inside = true;
    for (uint32_t i = 0; i < n; i++) {
      alea_interval sum = polynomial(&e->at_box, i, e->order, time);
      e->tube[i] = alea_interval_add(sum, slack[i]);
      if (!alea_interval_is_finite(e->tube[i])) return false;
    }
    if (!alea_tape_expand(&e->at_tube, e->tube, e->order, false)) return false;
    if (e->at_tube.blurred && e->order > 1) return false;
    for (uint32_t i = 0; i < n; i++) {
      alea_interval rest = remainder_of(e, i, time);
      if (alea_interval_within(rest, slack[i])) continue;
      inside = false;
      double margin = 2 * alea_interval_size(rest);
      slack[i] = (alea_interval){-margin, margin};
    }
    if (inside) return true;
  }
  return false;
}

/* The error that a step may add to an unknown. */
static double tolerance(const enclosure *e, uint32_t unknown) {
  double largest = 0;
  for (uint32_t i = 0; i < unknowns(e); i++) largest = fmax(largest, alea_interval_size(e->box[i]));
  return TOLERANCE * fmax(fmax(alea_interval_size(e->box[unknown]), 1e-6 * largest), 1e-12);
}

/* A step whose last two terms are as small as the tolerance. */
static double good_length(const enclosure *e, double most) {
  double best = most;
  for (uint32_t i = 0; i < unknowns(e); i++) {
    double allowed = tolerance(e, i);
    for (uint32_t k = ORDER - 1; k <= ORDER; k++) {
      double size = alea_interval_size(alea_tape_at(&e->at_box, i, k));
      if (size > 0) best = fmin(best, pow(allowed / size, 1.0 / k));
    }
  }
  return best;
}

/* Where the length is too large for the remainder to be small, a shorter one. */
static double shorter(const enclosure *e, double length) {
  double best = length;
  for (uint32_t i = 0; i < unknowns(e); i++) {
    double size = alea_interval_size(remainder_of(e, i, alea_interval_of(length)));
    double allowed = 100 * tolerance(e, i);
    if (size > allowed) best = fmin(best, length * pow(allowed / size, 1.0 / ORDER));
  }
  return best;
}

static bool set_end(enclosure *e, double length, double until) {
  e->end = e->time + length < until ? e->time + length : until;
  return e->end > e->time;
}

static alea_interval length_of(const enclosure *e) {
  return alea_interval_sub(alea_interval_of(e->end), alea_interval_of(e->time));
}

/* Across a switch the series ends after its first term; while the switching
 * lasts, steps get longer. */
static bool look_rough(enclosure *e, double until, double whole) {
  e->order = 1;
  if (!alea_tape_expand(&e->at_box, e->box, 1, false)) return false;
  double length = e->hint > 0 ? 2 * e->hint : ROUGH_STEP * whole;
  for (; length > SHORTEST * whole && set_end(e, length, until); length /= 2) {
    if (!find_tube(e, length_of(e).hi)) continue;
    e->hint = length;
    return true;
  }
  return false;
}

bool alea_enclosure_look(enclosure *e, double until, double whole) {
  bool plain = alea_tape_expand(&e->at_box, e->box, ORDER, e->turned && e->spread);
  if (!plain || e->at_box.blurred) return look_rough(e, until, whole);
  e->order = ORDER;
  double length = good_length(e, until - e->time);
  bool switches = false;
  for (int i = 0; i < HALVINGS && length > SHORTEST * whole; i++) {
    if (switches && length < ROUGH_STEP * whole) return look_rough(e, until, whole);
    if (!set_end(e, length, until)) break;
    bool found = find_tube(e, length_of(e).hi);
    double better = found ? shorter(e, length) : length / 2;
    switches |= !found && e->at_tube.blurred;
    if (found && better > 0.9 * length) {
      e->hint = 0;
      return true;
    }
    length = 0.9 * better;
  }
  return false;
}

void alea_enclosure_between(const enclosure *e, double from, double to, alea_interval *box) {
  alea_interval time = {from, to};
  for (uint32_t i = 0; i < unknowns(e); i++) {
    alea_interval sum = polynomial(&e->at_box, i, e->order, time);
    box[i] = alea_interval_meet(alea_interval_add(sum, remainder_of(e, i, time)), e->tube[i]);
  }
}

/* ---- the frame ---- */

/* Makes the columns of 'frame' orthonormal, nearly: by Gram and Schmidt, twice.
 * A column that the others span already is replaced by an axis. */
static void orthonormalise(double *frame, uint32_t n) {
  for (uint32_t column = 0, axis = 0; column < n;) {
    double before = 0, after = 0;
    for (uint32_t i = 0; i < n; i++) before += frame[i * n + column] * frame[i * n + column];
    for (int pass = 0; pass < 2; pass++) {
      for (uint32_t other = 0; other < column; other++) {
        double dot = 0;
        for (uint32_t i = 0; i < n; i++) dot += frame[i * n + column] * frame[i * n + other];
        for (uint32_t i = 0; i < n; i++) frame[i * n + column] -= dot * frame[i * n + other];
      }
    }
    for (uint32_t i = 0; i < n; i++) after += frame[i * n + column] * frame[i * n + column];
    bool good = after > 1e-20 * before && after > 1e-280 && isfinite(after);
    double scale = good ? 1 / sqrt(after) : 0;
    for (uint32_t i = 0; i < n; i++)
      frame[i * n + column] = good ? scale * frame[i * n + column] : i == axis;
    if (good) {
      column++;
    } else {
      axis++; /* an axis is left for every column */
    }
  }
}

/* The middle of 'matrix' with its columns as long as the offsets make them, the
 * longest first: the box is then cut along its longest direction. */
static void choose_frame(const enclosure *e, double *frame) {
  uint32_t n = unknowns(e), order[MOST_TURNED];
  double length[MOST_TURNED];
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0, width = e->offset[j].hi - e->offset[j].lo;
    for (uint32_t i = 0; i < n; i++) sum += fabs(alea_interval_middle(e->product[i * n + j]));
    length[j] = sum * width;
    uint32_t at = j;
    for (; at > 0 && length[order[at - 1]] < length[j]; at--) order[at] = order[at - 1];
    order[at] = j;
  }
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++)
      frame[i * n + j] = alea_interval_middle(e->product[i * n + order[j]]);
  }
  orthonormalise(frame, n);
}

/* An enclosure of the inverse of a matrix Q that is nearly orthonormal: with
 * Q^T Q = I + E it is (I + E)^-1 Q^T, and no entry of (I + E)^-1 differs from
 * that of I by more than |E| / (1 - |E|).  False: it is not so near. */
static bool invert(const double *frame, uint32_t n, alea_interval *inverse) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    double row = 0;
    for (uint32_t j = 0; j < n; j++) {
      alea_interval sum = alea_interval_of(i == j ? -1 : 0);
      for (uint32_t k = 0; k < n; k++)
        sum = alea_interval_add(sum, alea_interval_mul(alea_interval_of(frame[k * n + i]),
                                                       alea_interval_of(frame[k * n + j])));
      row += alea_interval_size(sum);
    }
    most = fmax(most, row);
  }
  if (!(most < NEARLY_SINGULAR)) return false;
  double off = 1.001 * most / (1 - most); /* the factor covers the rounding of these lines */
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      alea_interval sum = alea_interval_of(frame[j * n + i]);
      for (uint32_t k = 0; k < n; k++)
        sum = alea_interval_add(
            sum, alea_interval_mul((alea_interval){-off, off}, alea_interval_of(frame[j * n + k])));
      inverse[i * n + j] = sum;
    }
  }
  return true;
}

static alea_interval row_times(const alea_interval *row, const alea_interval *vector, uint32_t n) {
  alea_interval sum = {0, 0};
  for (uint32_t i = 0; i < n; i++)
    sum = alea_interval_add(sum, alea_interval_mul(row[i], vector[i]));
  return sum;
}

/* How the end depends on the offset: the derivative of the polynomial by the
 * start, times the frame. */
static void find_product(enclosure *e, alea_interval time) {
  uint32_t n = unknowns(e);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      alea_interval sum = alea_tape_change(&e->at_box, i, j, e->order - 1);
      for (uint32_t k = e->order - 1; k-- > 0;)
        sum =
            alea_interval_add(alea_interval_mul(sum, time), alea_tape_change(&e->at_box, i, j, k));
      e->matrix[i * n + j] = sum;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      alea_interval sum = {0, 0};
      for (uint32_t k = 0; k < n; k++)
        sum = alea_interval_add(
            sum, alea_interval_mul(e->matrix[i * n + k], alea_interval_of(e->frame[k * n + j])));
      e->product[i * n + j] = sum;
    }
  }
}

/* The new offset in the new frame, of the error 'shifted' of the new centre and
 * the old offset. */
static bool turn(enclosure *e) {
  uint32_t n = unknowns(e);
  double frame[MOST_TURNED * MOST_TURNED];
  choose_frame(e, frame);
  if (!invert(frame, n, e->matrix)) return false;
  alea_interval offset[MOST_TURNED];
  for (uint32_t i = 0; i < n; i++) {
    offset[i] = row_times(e->matrix + i * n, e->shifted, n);
    for (uint32_t j = 0; j < n; j++) {
      alea_interval sum = {0, 0};
      for (uint32_t k = 0; k < n; k++)
        sum =
            alea_interval_add(sum, alea_interval_mul(e->matrix[i * n + k], e->product[k * n + j]));
      offset[i] = alea_interval_add(offset[i], alea_interval_mul(sum, e->offset[j]));
    }
    if (!alea_interval_is_finite(offset[i])) return false;
  }
  memcpy(e->offset, offset, n * sizeof *offset);
  memcpy(e->frame, frame, (size_t)n * n * sizeof *frame);
  return true;
}

/* The mean value form: the polynomial at the centre, and its derivative over the
 * box times the offset. */
static void go_turned(enclosure *e, alea_interval time) {
  uint32_t n = unknowns(e);
  for (uint32_t i = 0; i < n; i++) e->shifted[i] = alea_interval_of(e->centre[i]);
  if (!alea_tape_expand(&e->at_centre, e->shifted, e->order, false)) {
    start_at(e, e->next);
    return;
  }
  find_product(e, time);
  for (uint32_t i = 0; i < n; i++) {
    alea_interval end =
        alea_interval_add(polynomial(&e->at_centre, i, e->order, time), remainder_of(e, i, time));
    alea_interval spread = row_times(e->product + (size_t)i * n, e->offset, n);
    e->next[i] = alea_interval_meet(e->next[i], alea_interval_add(end, spread));
    e->centre[i] = alea_interval_middle(end);
    e->shifted[i] = alea_interval_sub(end, alea_interval_of(e->centre[i]));
  }
  if (!turn(e)) {
    start_at(e, e->next);
    return;
  }
  /* The derivative of the next step is taken over the box; the centre has to be
   * in it for the mean value theorem to hold. */
  for (uint32_t i = 0; i < n; i++)
    e->box[i] = alea_interval_hull(e->next[i], alea_interval_of(e->centre[i]));
}

void alea_enclosure_go(enclosure *e) {
  alea_interval time = length_of(e);
  alea_enclosure_between(e, time.lo, time.hi, e->next);
  if (e->turned && e->spread && e->order > 1) {
    go_turned(e, time);
  } else {
    start_at(e, e->next);
  }
  e->time = e->end;
}

/* The game graph: grids, chance, and the targets of edges. */
#include <math.h>
#include <string.h>

#include "toss/game.h"

void alea_toss_listed_points(const alea_toss_interval *v, uint32_t *first, uint32_t *count) {
  bool end = v->name == ALEA_TOSS_NONE && alea_toss_is_continuous(v);
  *count = end ? 1 : alea_toss_grid_size(v);
  *first = end ? alea_toss_grid_size(v) - 1 : 0;
}

uint32_t alea_toss_grid_size(const alea_toss_interval *v) {
  if (v->step > 0) return (uint32_t)floor((v->high.number - v->low.number) / v->step + 1e-9) + 1;
  return alea_toss_is_fixed(v) && v->low.number == v->high.number ? 1 : 3;
}

double alea_toss_grid_value(const alea_toss_interval *v, uint32_t point, double low, double high) {
  if (v->step > 0) return low + point * v->step;
  return point == 0 ? low : point == 1 ? low + (high - low) / 2 : high;
}

uint32_t alea_toss_value_point(const alea_toss_game *game, const alea_toss_interval *v,
                               double value) {
  uint32_t key[2];
  if (!alea_toss_is_fixed(v) || !(value >= v->low.number && value <= v->high.number))
    return UINT32_MAX;
  value += 0.0; /* no negative zero */
  for (uint32_t i = 0; i < alea_toss_grid_size(v); i++) {
    if (alea_toss_grid_value(v, i, v->low.number, v->high.number) == value) return i;
  }
  memcpy(key, &value, sizeof key);
  uint32_t id = alea_toss_ids_add(game->ids, 1 + game->game.role_count, key, 2);
  return id < ALEA_TOSS_POINT_VALUE - 1 ? ALEA_TOSS_POINT_VALUE | id : UINT32_MAX;
}

double alea_toss_point_value(const alea_toss_game *game, uint32_t point) {
  uint32_t key[2] = {0, 0};
  double value;
  alea_toss_ids_key(game->ids, 1 + game->game.role_count, point & ~ALEA_TOSS_POINT_VALUE, key, 2);
  memcpy(&value, key, sizeof value);
  return value;
}

/* Random bounds of all labels at a location. */
uint32_t alea_toss_label_randoms(const alea_toss_location *location, uint32_t players) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < players; i++) {
    for (size_t j = 0; j < location->sides[i].labels.count; j++) {
      count += (uint32_t)location->sides[i].labels.data[j].randoms.count;
    }
  }
  return count;
}

static uint32_t gcd(uint32_t a, uint32_t b) {
  while (b != 0) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint32_t lcm_of(uint32_t lcm, const alea_toss_targets *targets) {
  for (size_t i = 0; i < targets->count; i++) {
    const alea_toss_target *t = &targets->data[i];
    uint32_t scale = t->scale / gcd(t->weight, t->scale);
    uint64_t next = (uint64_t)lcm / gcd(lcm, scale) * scale;
    if (next > ALEA_TOSS_MOST_TOKENS) return ALEA_TOSS_MOST_TOKENS + 1;
    lcm = (uint32_t)next;
  }
  return lcm;
}

uint32_t alea_toss_denominator(const alea_toss_file *file, uint32_t location) {
  const alea_toss_location *l = &file->locations.data[location];
  uint32_t lcm = 1;
  for (size_t i = 0; i < file->players.count; i++) {
    for (size_t j = 0; j < l->sides[i].labels.count; j++) {
      lcm = lcm_of(lcm, &l->sides[i].labels.data[j].targets);
    }
  }
  for (size_t i = 0; i < l->edges.count; i++) lcm = lcm_of(lcm, &l->edges.data[i].targets);
  return lcm;
}

bool alea_toss_has_chance(const alea_toss_file *file) {
  for (uint32_t i = 0; i < file->locations.count; i++) {
    if (alea_toss_denominator(file, i) > 1) return true;
    if (alea_toss_label_randoms(&file->locations.data[i], (uint32_t)file->players.count) > 0) {
      return true;
    }
  }
  return false;
}

static bool edge_fits(const alea_toss_edge *edge, const uint32_t *labels, size_t players) {
  for (size_t i = 0; i < players; i++) {
    if (edge->labels[i] != labels[i]) return false;
  }
  return true;
}

const alea_toss_targets *alea_toss_edge_of(const alea_toss_file *file, uint32_t location,
                                           const uint32_t *labels) {
  const alea_toss_location *l = &file->locations.data[location];
  size_t players = file->players.count;
  for (size_t i = 0; i < l->edges.count; i++) {
    if (edge_fits(&l->edges.data[i], labels, players)) return &l->edges.data[i].targets;
  }
  for (size_t i = 0; i < players; i++) {
    if (labels[i] == ALEA_TOSS_NONE) continue;
    const alea_toss_targets *targets = &l->sides[i].labels.data[labels[i]].targets;
    if (targets->count != 0) return targets;
  }
  return NULL;
}

/* The inverse of the normal distribution, by bisection. */
static double normal_quantile(double u) {
  double lo = -10, hi = 10;
  for (int i = 0; i < 80; i++) {
    double middle = (lo + hi) / 2;
    if (0.5 * erfc(-middle / sqrt(2)) < u) {
      lo = middle;
    } else {
      hi = middle;
    }
  }
  return (lo + hi) / 2;
}

double alea_toss_quantile(const alea_toss_random *random, uint32_t index) {
  double u = (index + 0.5) / ALEA_TOSS_QUANTILES;
  switch (random->law) {
    case ALEA_TOSS_NORMAL: return random->a + random->b * normal_quantile(u);
    case ALEA_TOSS_UNIFORM: return random->a + (random->b - random->a) * u;
    case ALEA_TOSS_EXPONENTIAL: return random->a > 0 ? -log(1 - u) / random->a : 0;
    default: return random->a;
  }
}

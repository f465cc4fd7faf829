/* Counts of like fluents as a heuristic. */
#include "play/piece_count.h"

#include <math.h>
#include <string.h>

enum {
  MOST_STEPS = 400, /* of a play that is learned from */
  FEWEST = 40,      /* samples below which nothing is believed */
};
static const double least_correlation = 0.2;

alea_status alea_piece_counts_init(alea_piece_counts *pieces, const alea_game *game,
                                   alea_mem *mem) {
  memset(pieces, 0, sizeof *pieces);
  pieces->mem = mem;
  pieces->game = game;
  size_t cells = (size_t)ALEA_MOST_KINDS * game->role_count;
  pieces->with = alea_mem_calloc(mem, cells, sizeof *pieces->with);
  pieces->slopes = alea_mem_calloc(mem, cells, sizeof *pieces->slopes);
  pieces->weights = alea_mem_calloc(mem, game->role_count, sizeof *pieces->weights);
  pieces->outcome = alea_mem_calloc(mem, 2 * (size_t)game->role_count, sizeof *pieces->outcome);
  pieces->counts = alea_mem_calloc(mem, 2 * ALEA_MOST_KINDS, sizeof *pieces->counts);
  pieces->terms = alea_terms_new(NULL, mem);
  bool good = pieces->terms != NULL && pieces->with != NULL && pieces->slopes != NULL &&
              pieces->weights != NULL && pieces->outcome != NULL && pieces->counts != NULL;
  return good ? ALEA_OK : alea_mem_lack(mem);
}

void alea_piece_counts_clear(alea_piece_counts *p) {
  if (p->mem == NULL) return;
  size_t cells = (size_t)ALEA_MOST_KINDS * p->game->role_count;
  alea_terms_free(p->terms);
  alea_vec_clear(p->mem, &p->kind_of);
  alea_mem_free(p->mem, p->with, cells * sizeof *p->with);
  alea_mem_free(p->mem, p->slopes, cells * sizeof *p->slopes);
  alea_mem_free(p->mem, p->weights, p->game->role_count * sizeof *p->weights);
  alea_mem_free(p->mem, p->outcome, 2 * (size_t)p->game->role_count * sizeof *p->outcome);
  alea_mem_free(p->mem, p->counts, 2 * ALEA_MOST_KINDS * sizeof *p->counts);
}

/* ---- kinds ---- */

static alea_kind kind_of_term(const alea_terms *terms, alea_term term) {
  alea_kind kind = {.name = alea_terms_name(terms, term), .last = ALEA_NO_TERM};
  for (uint32_t arity; (arity = alea_terms_arity(terms, term)) > 0; kind.depth++)
    kind.last = term = alea_terms_args(terms, term)[arity - 1];
  return kind;
}

static uint32_t find_kind(alea_piece_counts *p, alea_term term) {
  alea_kind kind = kind_of_term(p->terms, term);
  for (uint32_t k = 0; k < p->kind_count; k++)
    if (p->kinds[k].name == kind.name && p->kinds[k].last == kind.last &&
        p->kinds[k].depth == kind.depth)
      return k + 1;
  if (p->kind_count == ALEA_MOST_KINDS || p->ready) return UINT32_MAX;
  p->kinds[p->kind_count] = kind;
  return ++p->kind_count;
}

/* The kind of a fluent plus 1; UINT32_MAX: none; 0: no memory. */
static uint32_t kind_of(alea_piece_counts *p, uint32_t fluent) {
  while (p->kind_of.count <= fluent)
    if (!alea_vec_push(p->mem, &p->kind_of, 0)) return 0;
  if (p->kind_of.data[fluent] != 0) return p->kind_of.data[fluent];
  alea_term term = alea_game_fluent_term(p->game, fluent, p->terms);
  return p->kind_of.data[fluent] = term != ALEA_NO_TERM ? find_kind(p, term) : 0;
}

static alea_status count(alea_piece_counts *p, alea_cursor *cursor, uint32_t *counts) {
  alea_list list;
  alea_status status = alea_cursor_fluents(cursor, &list);
  if (status != ALEA_OK) return status;
  memset(counts, 0, ALEA_MOST_KINDS * sizeof *counts);
  for (uint32_t i = 0; i < list.count; i++) {
    uint32_t kind = kind_of(p, list.ids[i]);
    if (kind == 0) return alea_mem_lack(p->mem);
    if (kind != UINT32_MAX) counts[kind - 1]++;
  }
  return ALEA_OK;
}

/* ---- learning ---- */

/* One random step; '*over' at the end of the play. */
static alea_status step(alea_cursor *cursor, alea_rng *rng, alea_move *joint, bool *over) {
  alea_status status = alea_cursor_terminal(cursor, over);
  for (uint32_t r = 0; status == ALEA_OK && !*over && r < cursor->game->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) {
      *over = true;
    } else {
      joint[r] = legal.ids[legal.count > 1 ? alea_rng_below(rng, legal.count) : 0];
    }
  }
  return status == ALEA_OK && !*over ? alea_cursor_play(cursor, joint) : status;
}

static alea_status add_sample(alea_piece_counts *p, alea_cursor *cursor) {
  uint32_t roles = p->game->role_count;
  for (uint32_t r = 0; r < roles; r++) {
    int goal;
    alea_status status = alea_cursor_goal(cursor, r, &goal);
    if (status != ALEA_OK) return status;
    double reward = goal > 0 ? goal / 100.0 : 0;
    p->outcome[r] += reward;
    p->outcome[roles + r] += reward * reward;
    for (uint32_t k = 0; k < p->kind_count; k++)
      p->with[(size_t)k * roles + r] += reward * p->counts[k];
  }
  for (uint32_t k = 0; k < p->kind_count; k++) {
    p->kinds[k].count += p->counts[k];
    p->kinds[k].squares += (double)p->counts[k] * p->counts[k];
  }
  p->samples++;
  return ALEA_OK;
}

alea_status alea_piece_counts_learn(alea_piece_counts *pieces, alea_cursor *cursor, alea_rng *rng) {
  alea_move joint[64];
  bool over = false;
  if (pieces->game->role_count > 64) return ALEA_OK;
  alea_status status = alea_cursor_reset(cursor);
  uint32_t steps = 0;
  /* Each further step may be the one that is looked at, the later the less
   * likely: all are equally likely in the end. */
  while (status == ALEA_OK && !over && steps < MOST_STEPS) {
    if (alea_rng_below(rng, ++steps) == 0) status = count(pieces, cursor, pieces->counts);
    if (status == ALEA_OK) status = step(cursor, rng, joint, &over);
  }
  return status == ALEA_OK && over ? add_sample(pieces, cursor) : status;
}

void alea_piece_counts_finish(alea_piece_counts *p) {
  uint32_t roles = p->game->role_count;
  double n = p->samples;
  p->ready = true;
  for (uint32_t k = 0; p->samples >= FEWEST && k < p->kind_count; k++) {
    double mean = p->kinds[k].count / n, spread = p->kinds[k].squares / n - mean * mean;
    for (uint32_t r = 0; r < roles; r++) {
      double reward = p->outcome[r] / n, doubt = p->outcome[roles + r] / n - reward * reward;
      double both = p->with[(size_t)k * roles + r] / n - mean * reward;
      if (spread < 1e-9 || doubt < 1e-9) continue;
      if (fabs(both) < least_correlation * sqrt(spread * doubt)) continue;
      p->slopes[(size_t)k * roles + r] = (float)(both / spread);
      p->weights[r] += 1;
    }
  }
}

bool alea_piece_counts_guess(alea_piece_counts *p, alea_cursor *cursor, float *values) {
  uint32_t roles = p->game->role_count, *counts = p->counts + ALEA_MOST_KINDS;
  bool tells = false;
  if (!p->ready) return false;
  for (uint32_t r = 0; r < roles; r++) tells |= p->weights[r] > 0;
  if (!tells || count(p, cursor, counts) != ALEA_OK) return false;
  for (uint32_t r = 0; r < roles; r++) {
    float value = (float)(p->outcome[r] / p->samples), sum = 0;
    for (uint32_t k = 0; k < p->kind_count; k++)
      sum += p->slopes[(size_t)k * roles + r] *
             ((float)counts[k] - (float)(p->kinds[k].count / p->samples));
    if (p->weights[r] > 0) value += sum / p->weights[r];
    values[r] = value < 0 ? 0 : value > 1 ? 1 : value;
  }
  return true;
}

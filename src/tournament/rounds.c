/* Swiss and knockout pairings. */
#include "tournament/rounds.h"

#include <sqlite3.h>
#include <string.h>

#define NOBODY ALEA_TOURNAMENT_PLAN_NOBODY

/* ---- Swiss ---- */

typedef struct swiss {
  const alea_swiss_entrant *entrants;
  uint32_t count;
  uint32_t *order; /* entrants by rank */
  uint32_t *opponents;
  uint64_t steps; /* of the search */
} swiss;

/* After so many steps entrants may meet again; small events never need them. */
enum { MOST_SWISS_STEPS = 200000 };

static void rank(swiss *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t at = i;
    for (; at > 0 && s->entrants[s->order[at - 1]].points < s->entrants[i].points; at--)
      s->order[at] = s->order[at - 1];
    s->order[at] = i;
  }
}

/* The last entrant that had none; if all had one, the last. */
static uint32_t choose_bye(const swiss *s) {
  for (uint32_t i = s->count; i-- > 0;)
    if (!s->entrants[s->order[i]].had_bye) return s->order[i];
  return s->order[s->count - 1];
}

static void join(swiss *s, uint32_t a, uint32_t b) {
  s->opponents[a] = b;
  s->opponents[b] = a;
}

/* The rank of the first entrant at or after rank 'from' that may play with 'a';
 * s->count: there is none. */
static uint32_t find_opponent(const swiss *s, uint32_t a, uint32_t from, bool again) {
  for (uint32_t i = from; i < s->count; i++) {
    uint32_t b = s->order[i];
    if (b != a && s->opponents[b] == b && (again || !s->entrants[a].met[b])) return i;
  }
  return s->count;
}

static uint32_t first_free(const swiss *s, uint32_t from) {
  while (from < s->count && s->opponents[s->order[from]] != s->order[from]) from++;
  return from;
}

/* Pairs the rest, best first, going back where no opponent is left; 'choices'
 * are the ranks of the opponents chosen so far.  False: not within the steps. */
static bool search(swiss *s, uint32_t *first, uint32_t *choices) {
  uint32_t depth = 0, from = 0;
  for (;;) {
    uint32_t at = first_free(s, 0);
    if (at == s->count) return true;
    if (from == 0) from = at + 1;
    uint32_t found = find_opponent(s, s->order[at], from, false);
    if (++s->steps > MOST_SWISS_STEPS) return false;
    if (found < s->count) {
      join(s, s->order[at], s->order[found]);
      first[depth] = at;
      choices[depth++] = found;
      from = 0;
      continue;
    }
    if (depth == 0) return false;
    depth--;
    from = choices[depth] + 1;
    s->opponents[s->order[first[depth]]] = s->order[first[depth]];
    s->opponents[s->order[choices[depth]]] = s->order[choices[depth]];
  }
}

static void reset(swiss *s) {
  for (uint32_t i = 0; i < s->count; i++) s->opponents[i] = i; /* oneself: free */
  if (s->count % 2 == 1) s->opponents[choose_bye(s)] = NOBODY;
}

static void pair_greedily(swiss *s) {
  reset(s);
  for (uint32_t at; (at = first_free(s, 0)) < s->count;) {
    uint32_t a = s->order[at], found = find_opponent(s, a, at + 1, false);
    if (found == s->count) found = find_opponent(s, a, at + 1, true);
    join(s, a, s->order[found]);
  }
}

alea_status alea_swiss_pair(const alea_swiss_entrant *entrants, uint32_t count, uint32_t *opponents,
                            alea_mem *mem) {
  swiss s = {.entrants = entrants, .count = count, .opponents = opponents};
  uint32_t *scratch = alea_mem_calloc(mem, 3 * (size_t)count, sizeof *scratch);
  if (scratch == NULL) return alea_mem_lack(mem);
  s.order = scratch;
  rank(&s);
  reset(&s);
  if (!search(&s, scratch + count, scratch + 2 * (size_t)count)) pair_greedily(&s);
  alea_mem_free(mem, scratch, 3 * (size_t)count * sizeof *scratch);
  return ALEA_OK;
}

/* ---- knockout ---- */

uint32_t alea_bracket_seed(uint32_t slot, uint32_t size) {
  uint32_t seed = 0;
  for (uint32_t half = size / 2, width = 1; half > 0; half /= 2, width *= 2) {
    /* Seeds i and 2 * width - 1 - i of a bracket twice as large meet. */
    if ((slot / half) % 2 == 1) seed = 2 * width - 1 - seed;
  }
  return seed;
}

/* ---- results ---- */

/* The entrants' results so far. */
typedef struct round_results {
  alea_tournament_plan *plan;
  alea_result_store *store;
  uint32_t count;
  uint32_t last; /* round of the plan */
  bool *met;     /* count * count */
  alea_swiss_entrant *entrants;
} round_results;

/* The points of the first player of a pairing, and how many there were. */
static alea_status read_pairing(round_results *r, const alea_pairing *p, double *score,
                                double *matches, uint64_t *done) {
  sqlite3_stmt *query = NULL;
  int result = sqlite3_prepare_v2(
      alea_result_store_handle(r->store),
      "SELECT total(score), count(score), total(done) FROM matches WHERE number < ?2 AND"
      " pairing=(SELECT id FROM pairings WHERE key=?1)",
      -1, &query, NULL);
  if (result == SQLITE_OK) {
    sqlite3_bind_text(query, 1, p->key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(query, 2, p->matches);
    if (sqlite3_step(query) == SQLITE_ROW) {
      *score = sqlite3_column_double(query, 0);
      *matches = sqlite3_column_double(query, 1);
      *done = (uint64_t)sqlite3_column_double(query, 2);
    }
  }
  sqlite3_finalize(query);
  return result == SQLITE_OK ? ALEA_OK : ALEA_SYSTEM;
}

/* '*complete': all matches of the plan are stored. */
static alea_status read_results(round_results *r, bool *complete) {
  *complete = true;
  for (size_t i = 0; i < r->plan->pairings.count; i++) {
    const alea_pairing *p = &r->plan->pairings.data[i];
    double score = 0, matches = 0;
    uint64_t done = 0;
    alea_status status = read_pairing(r, p, &score, &matches, &done);
    if (status != ALEA_OK) return status;
    *complete = *complete && done == p->matches;
    r->entrants[p->first].points += score;
    r->entrants[p->second].points += matches - score;
    r->met[p->first * r->count + p->second] = r->met[p->second * r->count + p->first] = true;
    if (p->round > r->last) r->last = p->round;
  }
  return ALEA_OK;
}

/* Points of one round for who wins everything. */
static double full_points(const alea_tournament_plan *plan) {
  double points = 0;
  for (size_t g = 0; g < plan->games.count; g++) points += plan->games.data[g].matches;
  return points * (double)plan->budgets.count;
}

static bool plays_in(const alea_tournament_plan *plan, uint32_t entrant, uint32_t round) {
  for (size_t i = 0; i < plan->pairings.count; i++) {
    const alea_pairing *p = &plan->pairings.data[i];
    if (p->round == round && (p->first == entrant || p->second == entrant)) return true;
  }
  return false;
}

double alea_rounds_byes(const alea_tournament_plan *plan, uint32_t entrant) {
  size_t pairings = plan->pairings.count;
  uint32_t byes = 0, last = pairings > 0 ? plan->pairings.data[pairings - 1].round : 0;
  if (plan->system != ALEA_TOURNAMENT_SWISS) return 0;
  for (uint32_t round = 1; round <= last; round++) byes += !plays_in(plan, entrant, round);
  return byes * full_points(plan);
}

static alea_status add_pair(round_results *r, uint32_t round, uint32_t a, uint32_t b) {
  return alea_tournament_plan_pair(r->plan, round, a < b ? a : b, a < b ? b : a);
}

static alea_status next_swiss(round_results *r, bool *more) {
  if (r->last >= r->plan->rounds) return ALEA_OK;
  for (uint32_t i = 0; i < r->count; i++) {
    double byes = alea_rounds_byes(r->plan, i);
    r->entrants[i].had_bye = byes > 0;
    r->entrants[i].points += byes;
  }
  uint32_t *opponents = alea_mem_calloc(r->plan->mem, r->count, sizeof *opponents);
  if (opponents == NULL) return alea_mem_lack(r->plan->mem);
  alea_status status = alea_swiss_pair(r->entrants, r->count, opponents, r->plan->mem);
  for (uint32_t i = 0; status == ALEA_OK && i < r->count; i++)
    if (opponents[i] != NOBODY && i < opponents[i])
      status = add_pair(r, r->last + 1, i, opponents[i]);
  alea_mem_free(r->plan->mem, opponents, r->count * sizeof *opponents);
  *more = status == ALEA_OK;
  return status;
}

/* Who goes on of 'a' and 'b', after their pairings of 'round'. */
static alea_status find_winner(round_results *r, uint32_t round, uint32_t a, uint32_t b,
                               uint32_t *winner) {
  double points = 0; /* of 'a' more than of 'b' */
  for (size_t i = 0; i < r->plan->pairings.count; i++) {
    const alea_pairing *p = &r->plan->pairings.data[i];
    bool same = p->first == a && p->second == b, turned = p->first == b && p->second == a;
    if (p->round != round || (!same && !turned)) continue;
    double score = 0, matches = 0;
    uint64_t done;
    alea_status status = read_pairing(r, p, &score, &matches, &done);
    if (status != ALEA_OK) return status;
    points += (2 * score - matches) * (same ? 1 : -1);
  }
  bool first = points > 0 || (points == 0 && a < b);
  *winner = first ? a : b;
  return ALEA_OK;
}

/* Replaces the entrants of 'round' by its winners, in the order of the bracket. */
static alea_status play_bracket(round_results *r, uint32_t round, uint32_t *alive, uint32_t size) {
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; status == ALEA_OK && 2 * i < size; i++) {
    uint32_t a = alive[2 * i], b = alive[2 * i + 1];
    if (a != NOBODY && b != NOBODY) {
      status = find_winner(r, round, a, b, &alive[i]);
    } else {
      alive[i] = a != NOBODY ? a : b;
    }
  }
  return status;
}

static alea_status next_knockout(round_results *r, bool *more) {
  uint32_t size = 1;
  while (size < r->count) size *= 2;
  size_t bytes = size * sizeof(uint32_t);
  uint32_t *alive = alea_mem_alloc(r->plan->mem, bytes);
  if (alive == NULL) return alea_mem_lack(r->plan->mem);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t seed = alea_bracket_seed(i, size);
    alive[i] = seed < r->count ? seed : NOBODY;
  }
  alea_status status = ALEA_OK;
  uint32_t left = size;
  for (uint32_t round = 1; status == ALEA_OK && round <= r->last; round++, left /= 2)
    status = play_bracket(r, round, alive, left);
  for (uint32_t i = 0; status == ALEA_OK && 2 * i + 1 < left; i++) {
    if (alive[2 * i] == NOBODY || alive[2 * i + 1] == NOBODY) continue;
    status = add_pair(r, r->last + 1, alive[2 * i], alive[2 * i + 1]);
    *more = status == ALEA_OK;
  }
  if (status == ALEA_OK && left == 1) r->plan->winner = alive[0];
  alea_mem_free(r->plan->mem, alive, bytes);
  return status;
}

alea_status alea_rounds_next(alea_tournament_plan *plan, alea_result_store *store, bool *more) {
  *more = false;
  if (plan->system != ALEA_TOURNAMENT_SWISS && plan->system != ALEA_TOURNAMENT_KNOCKOUT)
    return ALEA_OK;
  size_t count = plan->players.count;
  round_results r = {.plan = plan, .store = store, .count = (uint32_t)count};
  r.met = alea_mem_calloc(plan->mem, count * count, sizeof *r.met);
  r.entrants = alea_mem_calloc(plan->mem, count, sizeof *r.entrants);
  bool complete = false, good = r.met != NULL && r.entrants != NULL;
  for (size_t i = 0; good && i < count; i++) r.entrants[i].met = r.met + i * count;
  alea_status status = good ? read_results(&r, &complete) : alea_mem_lack(plan->mem);
  bool swiss_event = plan->system == ALEA_TOURNAMENT_SWISS;
  if (status == ALEA_OK && complete) status = (swiss_event ? next_swiss : next_knockout)(&r, more);
  if (r.entrants != NULL) alea_mem_free(plan->mem, r.entrants, count * sizeof *r.entrants);
  if (r.met != NULL) alea_mem_free(plan->mem, r.met, count * count * sizeof *r.met);
  return status;
}

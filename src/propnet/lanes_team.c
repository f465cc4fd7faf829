/* Teams of lanes. */
#include "propnet/lanes_team.h"

#include <stdlib.h>

#include "propnet/lanes_adders.h"
#include "propnet/lanes_eval.h"

typedef alea_lane_unit unit;
typedef alea_lane_word word;

enum {
  GROUP_PLANES = 4,  /* of a count of eight */
  COUNT_PLANES = 12, /* of a count of fluents */
  EVEN = 50,         /* a goal */
  SUM_PLANES = 20,   /* of a sum of weights; one that is larger comes round again */
};

/* ---- the object ---- */

static bool is_of_clock(const alea_lanes *lanes, uint32_t fluent) {
  for (size_t i = 0; i < lanes->clock.fluents.count; i++)
    if (lanes->clock.fluents.data[i] == fluent) return true;
  return false;
}

/* The clock is left out: it goes on in the same way whatever is played. */
static alea_status list_fluents(alea_lanes_team *team) {
  for (uint32_t f = 0; f < team->lanes->net->fluent_count; f++) {
    int32_t weight = team->tries->weights[f];
    if (abs(weight) >> ALEA_LANES_WEIGHT_BITS != 0) return ALEA_USAGE;
    if (weight == 0 || is_of_clock(team->lanes, f)) continue;
    for (uint32_t k = 0; k < ALEA_LANES_WEIGHT_BITS; k++)
      if ((abs(weight) >> k & 1) != 0 &&
          !alea_vec_push(team->mem, &team->counted[k + (weight < 0) * ALEA_LANES_WEIGHT_BITS], f))
        return alea_mem_lack(team->mem);
  }
  return ALEA_OK;
}

alea_status ALEA_LANES_FN(team_init)(alea_lanes_team *team, const alea_lanes *lanes,
                                     const alea_sample_tries *tries, alea_mem *mem) {
  *team = (alea_lanes_team){.mem = mem, .lanes = lanes, .tries = tries};
  team->lead_parts = ALEA_LANE_PARTS;
  for (uint32_t n = tries->count; n > 1 && team->lead_parts > 1; n /= 2) team->lead_parts /= 2;
  return list_fluents(team);
}

void ALEA_LANES_FN(team_clear)(alea_lanes_team *team) {
  for (size_t i = 0; team->mem != NULL && i < 2 * ALEA_LANES_WEIGHT_BITS; i++)
    alea_vec_clear(team->mem, &team->counted[i]);
}

/* ---- leaders and teams ---- */

alea_lane_word ALEA_LANES_FN(team_leaders)(const alea_lanes_team *team) {
  word leaders = alea_lane_fill(false);
  for (uint32_t p = 0; p < team->lead_parts; p++) leaders.part[p] = UINT64_MAX;
  return leaders;
}

static inline void spread(uint32_t lead_parts, word *w) {
  for (uint32_t p = lead_parts; p < ALEA_LANE_PARTS; p++) w->part[p] = w->part[p - lead_parts];
}

alea_lane_word ALEA_LANES_FN(team_of)(const alea_lanes_team *team, alea_lane_word lanes) {
  spread(team->lead_parts, &lanes);
  return lanes;
}

void ALEA_LANES_FN(team_spread)(const alea_lanes_team *team, alea_lane_word *fluents) {
  for (uint32_t f = 0; f < team->lanes->net->fluent_count; f++)
    spread(team->lead_parts, &fluents[f]);
}

/* ---- who chooses ---- */

/* Lanes in which a role has two legal moves or more. */
static word choosing(const alea_lanes_program *program, uint32_t role, const word *slots) {
  const alea_lanes_role *r = &program->roles[role];
  word one = alea_lane_fill(false), two = one;
  for (uint32_t g = 0; g < r->group_count; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      uint32_t offset = program->groups.data[r->first_group + g].legal[i];
      const word *legal = (const word *)(const void *)((const char *)slots + offset);
      two = alea_lane_or(two, alea_lane_and(one, *legal));
      one = alea_lane_or(one, *legal);
    }
  return two;
}

void ALEA_LANES_FN(team_ask)(alea_lanes_team *team, const alea_lanes_program *program,
                             const alea_lane_word *slots) {
  uint32_t role = team->tries->role, choosers = 0;
  team->own = team->other = alea_lane_fill(false);
  for (uint32_t r = 0; r < program->role_count; r++) choosers += program->roles[r].group_count > 0;
  for (uint32_t r = 0; r < program->role_count; r++) {
    if (program->roles[r].group_count == 0) continue;
    word chooses = choosers == 1 ? alea_lane_fill(true) : choosing(program, r, slots);
    word *side = r == role ? &team->own : &team->other;
    *side = alea_lane_or(*side, chooses);
  }
  word both = alea_lane_and(team->own, team->other);
  team->own = alea_lane_andn(team->own, both);
  team->other = alea_lane_andn(team->other, both);
}

/* ---- ends ---- */

void ALEA_LANES_FN(team_look)(alea_lanes_team *team, const alea_lanes_program *program,
                              alea_lane_word *slots) {
  const alea_net *net = team->lanes->net;
  ALEA_LANES_FN(forget)(program, alea_lane_fill(true), slots);
  ALEA_LANES_FN(eval)(program, ALEA_LANES_STATE, ALEA_LANES_ANEW, slots);
  team->ended = alea_lanes_value(slots, program->terminal);
  team->won = team->lost = alea_lane_fill(false);
  if (!alea_lane_any(team->ended)) return;
  ALEA_LANES_FN(eval)(program, ALEA_LANES_GOAL, ALEA_LANES_GROWN, slots);
  for (size_t i = 0; i < net->goals.count; i++) {
    const alea_net_goal *goal = &net->goals.data[i];
    if (goal->role != team->tries->role || goal->value == EVEN) continue;
    word *side = goal->value > EVEN ? &team->won : &team->lost;
    *side = alea_lane_or(*side, alea_lanes_value(slots, program->goals[i]));
  }
  ALEA_LANES_FN(forget)(program, alea_lane_fill(true), slots);
}

/* ---- sums ---- */

/* Counts the fluents of a list that hold, in one unit. */
static void count_list(const alea_u32s *list, const word *fluents, int u, unit *count) {
  for (int k = 0; k < COUNT_PLANES; k++) count[k] = alea_lane_unit_zero();
  for (size_t i = 0; i < list->count; i += 8) {
    unit x[8], some[GROUP_PLANES], carry = alea_lane_unit_zero();
    for (size_t k = 0; k < 8; k++)
      x[k] = i + k < list->count ? fluents[list->data[i + k]].unit[u] : alea_lane_unit_zero();
    alea_lane_count_group(x, some);
    for (int k = 0; k < GROUP_PLANES; k++)
      alea_lane_full_add(count[k], some[k], carry, &count[k], &carry);
    for (int k = GROUP_PLANES; k < COUNT_PLANES && alea_lane_unit_any(carry); k++)
      alea_lane_half_add(count[k], carry, &count[k], &carry);
  }
}

/* The sums of weights in all lanes, as numbers with the highest plane turned over, so that
 * they compare as numbers from 0 on do. */
static void add_up(const alea_lanes_team *team, const word *fluents, word *sums) {
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    unit sum[SUM_PLANES], count[COUNT_PLANES];
    for (int k = 0; k < SUM_PLANES; k++) sum[k] = alea_lane_unit_zero();
    for (int i = 0; i < 2 * ALEA_LANES_WEIGHT_BITS; i++) {
      bool below =
          i >= ALEA_LANES_WEIGHT_BITS; /* a number less another is its complement and 1 more */
      int bit = below ? i - ALEA_LANES_WEIGHT_BITS : i;
      if (team->counted[i].count == 0) continue;
      count_list(&team->counted[i], fluents, u, count);
      unit carry = below ? alea_lane_unit_ones() : alea_lane_unit_zero();
      for (int k = bit; k < SUM_PLANES; k++) {
        unit more = k - bit < COUNT_PLANES ? count[k - bit] : alea_lane_unit_zero();
        alea_lane_full_add(sum[k], below ? ~more : more, carry, &sum[k], &carry);
      }
    }
    for (int k = 0; k < SUM_PLANES; k++) sums[k].unit[u] = sum[k];
    sums[SUM_PLANES - 1].unit[u] = ~sum[SUM_PLANES - 1];
  }
}

/* What has ended is worth more than any sum, less, or 0. */
static void value_ends(const alea_lanes_team *team, word *sums) {
  for (int k = 0; k < SUM_PLANES; k++) ALEA_LANE_EACH_UNIT(u) {
      unit zero = k == SUM_PLANES - 1 ? alea_lane_unit_ones() : alea_lane_unit_zero();
      unit worth = (zero & ~team->lost.unit[u]) | team->won.unit[u];
      sums[k].unit[u] = alea_lane_select(team->ended.unit[u], worth, sums[k].unit[u]);
    }
}

/* ---- comparisons ---- */

/* Lanes of part p in which part q has what is better for who chooses. */
static uint64_t better(const alea_lanes_team *team, const word *sums, uint32_t p, uint32_t q) {
  uint64_t more = 0, less = 0;
  for (int k = SUM_PLANES; k-- > 0;) {
    uint64_t open = ~(more | less), a = sums[k].part[p], b = sums[k].part[q];
    more |= open & b & ~a;
    less |= open & a & ~b;
  }
  return (more & team->own.part[p]) | (team->tries->alone ? 0 : less & team->other.part[p]);
}

static inline void take(word *w, uint32_t p, uint32_t q, uint64_t lanes) {
  w->part[p] ^= (w->part[p] ^ w->part[q]) & lanes;
}

void ALEA_LANES_FN(team_decide)(const alea_lanes_team *team, alea_lane_word *fluents) {
  word sums[SUM_PLANES];
  add_up(team, fluents, sums);
  value_ends(team, sums);
  for (uint32_t half = ALEA_LANE_PARTS / 2; half >= team->lead_parts; half /= 2)
    for (uint32_t p = 0; p < half; p++) {
      uint64_t lanes = better(team, sums, p, p + half);
      if (lanes == 0) continue;
      for (int k = 0; k < SUM_PLANES; k++) take(&sums[k], p, p + half, lanes);
      for (uint32_t f = 0; f < team->lanes->net->fluent_count; f++)
        take(&fluents[f], p, p + half, lanes);
    }
}

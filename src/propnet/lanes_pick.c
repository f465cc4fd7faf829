/* Choosing moves on bit planes.
 *
 * Plane k of a number is the unit, or word, of the bits of value 2^k, one for
 * each lane.  What loops over moves works on one unit at a time, so that all
 * planes stay in registers; what does not works on words. */
#include "propnet/lanes_pick.h"

#include <string.h>

#include "propnet/lanes_eval.h"

typedef alea_lane_unit unit;
typedef alea_lane_word word;

enum {
  GROUP_PLANES = 4, /* a group counts up to 8 */
  BLOCK = 8,        /* groups */
  BLOCK_PLANES = 7, /* a block counts up to 64 */
  MAX_PLANES = 32,
  BY_HAND = 3, /* so few lanes are quicker to draw for one by one */
};

/* What the first pass leaves to the second, for one group and unit. */
typedef struct alea_lanes_tally {
  unit count[GROUP_PLANES];
  unit chosen; /* lanes whose move is in this group */
} tally;

alea_status alea_lanes_picker_init(alea_lanes_picker *picker, uint32_t groups, uint64_t seed,
                                   alea_mem *mem) {
  *picker = (alea_lanes_picker){.mem = mem, .tally_count = (size_t)groups * ALEA_LANE_UNITS};
  alea_rng_seed(&picker->rng, seed);
  for (int i = 0; i < ALEA_LANE_PARTS; i++) {
    picker->s0.part[i] = alea_rng_next(&picker->rng);
    picker->s1.part[i] = alea_rng_next(&picker->rng) | 1; /* the state must not be zero */
  }
  /* One spare tally makes room for aligning the rest. */
  picker->tallies = alea_mem_zalloc(mem, (picker->tally_count + 1) * sizeof(tally));
  return picker->tallies != NULL ? ALEA_OK : alea_lanes_no_memory(mem);
}

void alea_lanes_picker_clear(alea_lanes_picker *picker) {
  alea_mem_free(picker->mem, picker->tallies, (picker->tally_count + 1) * sizeof(tally));
  picker->tallies = NULL;
}

static tally *aligned_tallies(const alea_lanes_picker *picker) {
  uintptr_t at = (uintptr_t)picker->tallies;
  uintptr_t up = (at + ALEA_LANE_UNIT_BYTES - 1) / ALEA_LANE_UNIT_BYTES * ALEA_LANE_UNIT_BYTES;
  return (tally *)(void *)((char *)picker->tallies + (up - at));
}

/* ---- adders ---- */

static inline unit select_unit(unit mask, unit yes, unit no) { return (mask & yes) | (~mask & no); }

static inline void full_add(unit a, unit b, unit c, unit *sum, unit *carry) {
  unit x = a ^ b;
  *carry = select_unit(x, c, a);
  *sum = x ^ c;
}

static inline void half_add(unit a, unit b, unit *sum, unit *carry) {
  *carry = a & b;
  *sum = a ^ b;
}

/* a - b - borrow */
static inline void full_subtract(unit a, unit b, unit *difference, unit *borrow) {
  unit x = a ^ b;
  unit out = select_unit(x, b, *borrow);
  *difference = x ^ *borrow;
  *borrow = out;
}

static inline void load_group(const word *slots, const uint32_t *group, int u, unit *x) {
  for (int i = 0; i < ALEA_LANES_GROUP; i++) x[i] = slots[group[i]].unit[u];
}

/* How many of the eight are set. */
static inline void count_group(const unit *x, unit *count) {
  unit sa, sb, sc, ca, cb, cc, cd, t, fa, fb;
  full_add(x[0], x[1], x[2], &sa, &ca);
  full_add(x[3], x[4], x[5], &sb, &cb);
  full_add(sa, sb, x[6], &sc, &cc);
  half_add(sc, x[7], &count[0], &cd);
  full_add(ca, cb, cc, &t, &fa);
  half_add(t, cd, &count[1], &fb);
  half_add(fa, fb, &count[2], &count[3]);
}

/* ---- first pass: counting ---- */

/* Counts the groups of one block into their tallies and 'total'. */
static inline void count_block(const word *slots, const alea_lanes_group *groups, uint32_t count,
                               int u, tally *tallies, unit *total) {
  unit sum[BLOCK_PLANES] = {0};
  for (uint32_t g = 0; g < count; g++) {
    unit x[ALEA_LANES_GROUP], c[GROUP_PLANES], carry;
    load_group(slots, groups[g].legal, u, x);
    count_group(x, c);
    for (int k = 0; k < GROUP_PLANES; k++) tallies[g].count[k] = c[k];
    half_add(sum[0], c[0], &sum[0], &carry);
    for (int k = 1; k < GROUP_PLANES; k++) full_add(sum[k], c[k], carry, &sum[k], &carry);
    for (int k = GROUP_PLANES; k < BLOCK_PLANES; k++) half_add(sum[k], carry, &sum[k], &carry);
  }
  for (int k = 0; k < BLOCK_PLANES; k++) total[k] = sum[k];
}

/* Adds a block's count to the number in 'planes'. */
static void add_block(word *planes, int plane_count, int u, const unit *count) {
  unit carry = alea_lane_unit_zero();
  for (int k = 0; k < plane_count; k++)
    full_add(planes[k].unit[u], k < BLOCK_PLANES ? count[k] : alea_lane_unit_zero(), carry,
             &planes[k].unit[u], &carry);
}

/* The number of planes for counts up to 'n'. */
static int planes_for(uint32_t n) {
  int planes = 0;
  for (; n != 0; n >>= 1) planes++;
  return planes;
}

static void count_moves(const alea_lanes_program *program, const alea_lanes_role *role,
                        const word *slots, tally *tallies, word *planes, int plane_count) {
  const alea_lanes_group *groups = program->groups.data + role->first_group;
  for (int k = 0; k < plane_count; k++) planes[k] = alea_lane_fill(false);
  for (int u = 0; u < ALEA_LANE_UNITS; u++)
    for (uint32_t g = 0; g < role->group_count; g += BLOCK) {
      uint32_t left = role->group_count - g;
      unit total[BLOCK_PLANES];
      count_block(slots, groups + g, left < BLOCK ? left : BLOCK, u,
                  tallies + (size_t)u * role->group_count + g, total);
      add_block(planes, plane_count, u, total);
    }
}

/* ---- drawing ---- */

static inline word random_word(alea_lanes_picker *picker) {
  word result;
  ALEA_LANE_EACH_UNIT(u) {
    unit a = picker->s0.unit[u], b = picker->s1.unit[u];
    a ^= a << 23;
    a = a ^ b ^ (a >> 18) ^ (b >> 5);
    picker->s0.unit[u] = b;
    picker->s1.unit[u] = a;
    result.unit[u] = a + b;
  }
  return result;
}

/* Replaces the counts by counts - 1 where not zero; returns where. */
static word decrement(word *planes, int plane_count) {
  word any = alea_lane_fill(false);
  for (int k = 0; k < plane_count; k++) any = alea_lane_or(any, planes[k]);
  word borrow = any;
  for (int k = 0; k < plane_count; k++) ALEA_LANE_EACH_UNIT(u) {
      planes[k].unit[u] ^= borrow.unit[u];
      borrow.unit[u] &= planes[k].unit[u];
    }
  return any;
}

/* One round: numbers of as many bits as 'limit' has in their lane.  Those in
 * 'todo' that do not exceed it go to 'drawn'; returns the others. */
static word draw_round(alea_lanes_picker *picker, const word *limit, const word *mask,
                       int plane_count, word todo, word *drawn) {
  word candidate[MAX_PLANES], above = alea_lane_fill(false);
  for (int k = 0; k < plane_count; k++) { /* the comparison, from the lowest plane up */
    candidate[k] = alea_lane_and(random_word(picker), mask[k]);
    ALEA_LANE_EACH_UNIT(u) {
      unit differ = candidate[k].unit[u] ^ limit[k].unit[u];
      above.unit[u] = select_unit(differ, candidate[k].unit[u], above.unit[u]);
    }
  }
  word accepted = alea_lane_andn(todo, above);
  for (int k = 0; k < plane_count; k++)
    ALEA_LANE_EACH_UNIT(u) drawn[k].unit[u] |= candidate[k].unit[u] & accepted.unit[u];
  return alea_lane_and(todo, above);
}

static void draw_by_hand(alea_lanes_picker *picker, const word *limit, int plane_count, word todo,
                         word *drawn) {
  for (uint32_t lane = alea_lane_pop(&todo); lane < ALEA_LANES; lane = alea_lane_pop(&todo)) {
    uint32_t n = 0;
    for (int k = 0; k < plane_count; k++) n |= (uint32_t)alea_lane_get(&limit[k], lane) << k;
    n = alea_rng_below(&picker->rng, n + 1);
    for (int k = 0; k < plane_count; k++)
      if ((n >> k & 1) != 0) alea_lane_set(&drawn[k], lane);
  }
}

/* Uniform numbers 0 .. limit in the lanes 'live'. */
static void draw(alea_lanes_picker *picker, const word *limit, int plane_count, word live,
                 word *drawn) {
  word mask[MAX_PLANES], reach = alea_lane_fill(false);
  for (int k = plane_count - 1; k >= 0; k--) {
    reach = alea_lane_or(reach, limit[k]);
    mask[k] = reach;
    drawn[k] = alea_lane_fill(false);
  }
  while (plane_count > 0 && !alea_lane_any(mask[plane_count - 1])) plane_count--;
  word todo = alea_lane_and(reach, live);
  while (alea_lane_count(todo) > BY_HAND)
    todo = draw_round(picker, limit, mask, plane_count, todo, drawn);
  draw_by_hand(picker, limit, plane_count, todo, drawn);
}

/* ---- second pass: finding the group ---- */

/* What is collected for each lane from the group that has its move. */
typedef struct finding {
  unit legal[ALEA_LANES_GROUP];
  unit number[GROUP_PLANES - 1]; /* which of the legal ones of the group */
} finding;

/* Walks one block in which the lanes 'left' have their move number 'number'
 * (planes). */
static inline void walk_block(const word *slots, const alea_lanes_group *groups, uint32_t count,
                              int u, tally *tallies, unit left, const unit *number,
                              finding *found) {
  unit n[BLOCK_PLANES];
  finding f = *found;
  for (int k = 0; k < BLOCK_PLANES; k++) n[k] = number[k];
  for (uint32_t g = 0; g < count; g++) {
    unit rest[BLOCK_PLANES], borrow = alea_lane_unit_zero(), x[ALEA_LANES_GROUP];
    for (int k = 0; k < GROUP_PLANES; k++)
      full_subtract(n[k], tallies[g].count[k], &rest[k], &borrow);
    for (int k = GROUP_PLANES; k < BLOCK_PLANES; k++) {
      rest[k] = n[k] ^ borrow;
      borrow &= ~n[k];
    }
    unit here = left & borrow;
    left &= ~borrow;
    tallies[g].chosen = here;
    load_group(slots, groups[g].legal, u, x);
    for (int i = 0; i < ALEA_LANES_GROUP; i++) f.legal[i] = select_unit(here, x[i], f.legal[i]);
    for (int k = 0; k < GROUP_PLANES - 1; k++) f.number[k] = select_unit(here, n[k], f.number[k]);
    for (int k = 0; k < BLOCK_PLANES; k++) n[k] = rest[k];
  }
  *found = f;
}

/* The count of a block again, from its tallies. */
static void recount_block(const tally *tallies, uint32_t count, unit *total) {
  for (int k = 0; k < BLOCK_PLANES; k++) total[k] = alea_lane_unit_zero();
  for (uint32_t g = 0; g < count; g++) {
    unit carry = alea_lane_unit_zero();
    for (int k = 0; k < BLOCK_PLANES; k++)
      full_add(total[k], k < GROUP_PLANES ? tallies[g].count[k] : alea_lane_unit_zero(), carry,
               &total[k], &carry);
  }
}

/* Subtracts a block's count from 'number'; returns where it was larger. */
static unit pass_block(word *number, int plane_count, int u, const unit *total) {
  unit borrow = alea_lane_unit_zero();
  for (int k = 0; k < plane_count; k++)
    full_subtract(number[k].unit[u], k < BLOCK_PLANES ? total[k] : alea_lane_unit_zero(),
                  &number[k].unit[u], &borrow);
  return borrow;
}

static void walk_unit(const alea_lanes_program *program, const alea_lanes_role *role,
                      const word *slots, int u, tally *tallies, unit left, word *number,
                      int plane_count, finding *found) {
  const alea_lanes_group *groups = program->groups.data + role->first_group;
  for (uint32_t g = 0; g < role->group_count; g += BLOCK) {
    uint32_t count = role->group_count - g < BLOCK ? role->group_count - g : BLOCK;
    unit n[BLOCK_PLANES], here = left;
    for (int k = 0; k < BLOCK_PLANES; k++)
      n[k] = k < plane_count ? number[k].unit[u] : alea_lane_unit_zero();
    if (role->group_count > BLOCK) {
      unit total[BLOCK_PLANES];
      recount_block(tallies + g, count, total);
      here &= pass_block(number, plane_count, u, total);
      left &= ~here;
    }
    walk_block(slots, groups + g, count, u, tallies + g, here, n, found);
  }
}

/* ---- one of eight ---- */

/* Which of the legal moves of a group has the number: its index, on planes. */
static inline void find_in_group(const finding *f, unit *index) {
  const unit *x = f->legal;
  unit r0 = f->number[0], r1 = f->number[1], r2 = f->number[2];
  /* The first four have t0 + 2 t1 + 4 t2 legal ones. */
  unit s0 = x[0] ^ x[1], c0 = x[0] & x[1], s1 = x[2] ^ x[3], c1 = x[2] & x[3];
  unit t0 = s0 ^ s1, t1 = (c0 ^ c1) | (s0 & s1), t2 = c0 & c1;
  unit borrow = alea_lane_unit_zero(), d0, d1, d2;
  full_subtract(r0, t0, &d0, &borrow);
  full_subtract(r1, t1, &d1, &borrow);
  full_subtract(r2, t2, &d2, &borrow);
  index[2] = ~borrow;
  unit y[4];
  for (int i = 0; i < 4; i++) y[i] = select_unit(borrow, x[i], x[i + 4]);
  r0 = select_unit(borrow, r0, d0);
  r1 = select_unit(borrow, r1, d1);
  /* Of these four the first two have s0 + 2 c0. */
  s0 = y[0] ^ y[1];
  c0 = y[0] & y[1];
  borrow = alea_lane_unit_zero();
  full_subtract(r0, s0, &d0, &borrow);
  full_subtract(r1, c0, &d1, &borrow);
  index[1] = ~borrow;
  r0 = select_unit(borrow, r0, d0);
  index[0] = r0 | ~select_unit(borrow, y[0], y[2]);
}

static inline void decode(const unit *index, unit *one_of) {
  for (int i = 0; i < ALEA_LANES_GROUP; i++) {
    one_of[i] = (i & 1) != 0 ? index[0] : ~index[0];
    one_of[i] &= (i & 2) != 0 ? index[1] : ~index[1];
    one_of[i] &= (i & 4) != 0 ? index[2] : ~index[2];
  }
}

static void store_choice(const alea_lanes_group *groups, uint32_t count, int u,
                         const tally *tallies, const finding *found, word *slots) {
  unit index[3], one_of[ALEA_LANES_GROUP];
  find_in_group(found, index);
  decode(index, one_of);
  for (uint32_t g = 0; g < count; g++) {
    unit here = tallies[g].chosen;
    for (int i = 0; i < ALEA_LANES_GROUP; i++)
      slots[groups[g].chosen[i]].unit[u] = here & one_of[i];
  }
}

/* ---- a role ---- */

static void select_moves(const alea_lanes_program *program, const alea_lanes_role *role,
                         word *slots, tally *tallies, word some, word *number, int plane_count) {
  const alea_lanes_group *groups = program->groups.data + role->first_group;
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    finding found = {0};
    tally *mine = tallies + (size_t)u * role->group_count;
    walk_unit(program, role, slots, u, mine, some.unit[u], number, plane_count, &found);
    store_choice(groups, role->group_count, u, mine, &found, slots);
  }
}

alea_lane_word alea_lanes_pick(alea_lanes_picker *picker, const alea_lanes_program *program,
                               uint32_t r, alea_lane_word *slots, alea_lane_word live) {
  const alea_lanes_role *role = &program->roles[r];
  if (role->move_count == 0) return live;
  if (role->move_count == 1) return alea_lane_andn(live, slots[role->only]);
  tally *tallies = aligned_tallies(picker);
  word planes[MAX_PLANES], number[MAX_PLANES];
  int plane_count = planes_for(role->move_count);
  count_moves(program, role, slots, tallies, planes, plane_count);
  word some = decrement(planes, plane_count);
  draw(picker, planes, plane_count, alea_lane_and(live, some), number);
  select_moves(program, role, slots, tallies, some, number, plane_count);
  return alea_lane_andn(live, some);
}

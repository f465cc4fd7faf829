/* Choosing moves on bit planes.
 *
 * Plane k of a number is the unit, or word, of the bits of value 2^k, one for
 * each lane.  What loops over moves works on one unit at a time, so that all
 * planes stay in registers, but block by block, so that each word of legal
 * moves is fetched once.  What does not loop over moves works on words. */
#include "propnet/lanes_pick.h"

#include "propnet/lanes_adders.h"
#include "propnet/lanes_eval.h"

typedef alea_lane_unit unit;
typedef alea_lane_word word;

enum {
  GROUP_PLANES = 4, /* a group counts up to 8 */
  BLOCK = 8,        /* groups, at most */
  BLOCK_PLANES = 7, /* a block counts up to 64 */
  MAX_PLANES = 32,
  MAX_TREES = 32, /* blocks whose trees are kept; roles with more count again */
  BY_HAND = 3,    /* so few lanes are quicker to draw for one by one */
};

/* Legal moves in a block. */
typedef struct lanes_pick_tally {
  word count[BLOCK_PLANES];
} lanes_pick_tally;

/* Legal moves in the left halves of a block, its halves and its quarters: all
 * that a binary search for the group needs. */
typedef struct pick_tree {
  word four[6];   /* groups 0 .. 3 */
  word two[2][5]; /* 0 and 1; 4 and 5 */
  word one[4][4]; /* 0; 2; 4; 6 */
} pick_tree;

/* A group in which some lanes have chosen. */
typedef struct lanes_pick_entry {
  word lanes;
  uint32_t group; /* of the role */
} lanes_pick_entry;

/* What is collected for each lane from the group that has its move. */
typedef struct finding {
  word legal[ALEA_LANES_GROUP];
  word number[GROUP_PLANES - 1]; /* which of the legal ones of the group */
} finding;

/* ---- the object ---- */

static size_t tally_count(const alea_lanes_picker *picker) {
  return ((size_t)picker->group_count + BLOCK - 1) / BLOCK;
}

/* At most one group per lane is chosen. */
static size_t entry_count(const alea_lanes_picker *picker) {
  return picker->group_count < ALEA_LANES ? picker->group_count : ALEA_LANES;
}

static size_t tree_count(const alea_lanes_picker *picker) {
  size_t blocks = tally_count(picker);
  return blocks < MAX_TREES ? blocks : MAX_TREES;
}

/* The scratch holds tallies, then trees, then entries. */
static size_t scratch_words(const alea_lanes_picker *picker) {
  size_t bytes = tally_count(picker) * sizeof(lanes_pick_tally) +
                 tree_count(picker) * sizeof(pick_tree) +
                 entry_count(picker) * sizeof(lanes_pick_entry);
  return (bytes + sizeof(word) - 1) / sizeof(word);
}

static lanes_pick_tally *tallies_of(const alea_lanes_picker *picker) {
  return (lanes_pick_tally *)(void *)picker->scratch.words;
}

static pick_tree *trees_of(const alea_lanes_picker *picker) {
  return (pick_tree *)(void *)(tallies_of(picker) + tally_count(picker));
}

static lanes_pick_entry *entries_of(const alea_lanes_picker *picker) {
  return (lanes_pick_entry *)(void *)(trees_of(picker) + tree_count(picker));
}

/* Blocks are whole, with empty groups at the end. */
static size_t padded_groups(const alea_lanes_picker *picker) { return tally_count(picker) * BLOCK; }

alea_status ALEA_LANES_FN(picker_prepare_guide)(alea_lanes_picker *picker) {
  if (picker->plain_groups != NULL) return ALEA_OK;
  size_t count = padded_groups(picker);
  picker->plain_groups = alea_mem_calloc(picker->mem, count, sizeof *picker->plain_groups);
  if (picker->plain_groups == NULL ||
      !ALEA_LANES_FN(block_init)(&picker->allowed, count * ALEA_LANES_GROUP, picker->mem))
    return alea_mem_lack(picker->mem);
  for (size_t g = 0; g < count; g++)
    for (size_t i = 0; i < ALEA_LANES_GROUP; i++)
      picker->plain_groups[g].legal[i] = (uint32_t)((g * ALEA_LANES_GROUP + i) * sizeof(word));
  return ALEA_OK;
}

alea_status ALEA_LANES_FN(picker_init)(alea_lanes_picker *picker, uint32_t roles, uint32_t groups,
                                       uint64_t seed, alea_mem *mem) {
  *picker = (alea_lanes_picker){.mem = mem, .role_count = roles, .group_count = groups};
  alea_rng_seed(&picker->rng, seed);
  for (int i = 0; i < ALEA_LANE_PARTS; i++) {
    picker->s0.part[i] = alea_rng_next(&picker->rng);
    picker->s1.part[i] = alea_rng_next(&picker->rng) | 1; /* the state must not be zero */
  }
  picker->marks = alea_mem_calloc(mem, groups, 1);
  picker->roles = alea_mem_calloc(mem, roles, sizeof *picker->roles);
  bool ok = picker->marks != NULL && picker->roles != NULL &&
            ALEA_LANES_FN(block_init)(&picker->scratch, scratch_words(picker), mem);
  for (uint32_t r = 0; ok && r < roles; r++) {
    picker->roles[r].groups =
        alea_mem_calloc(mem, entry_count(picker), sizeof *picker->roles[r].groups);
    ok = picker->roles[r].groups != NULL;
  }
  return ok ? ALEA_OK : alea_mem_lack(mem);
}

void ALEA_LANES_FN(picker_clear)(alea_lanes_picker *picker) {
  alea_mem *mem = picker->mem;
  for (uint32_t r = 0; picker->roles != NULL && r < picker->role_count; r++)
    alea_mem_free(mem, picker->roles[r].groups,
                  entry_count(picker) * sizeof *picker->roles[r].groups);
  alea_mem_free(mem, picker->roles, picker->role_count * sizeof *picker->roles);
  alea_mem_free(mem, picker->marks, picker->group_count);
  ALEA_LANES_FN(block_clear)(&picker->scratch, mem);
  ALEA_LANES_FN(block_clear)(&picker->allowed, mem);
  alea_mem_free(mem, picker->plain_groups, padded_groups(picker) * sizeof *picker->plain_groups);
  picker->plain_groups = NULL;
  picker->roles = NULL;
  picker->marks = NULL;
}

static void clear_group(const alea_lanes_group *group, word *slots) {
  for (int i = 0; i < ALEA_LANES_GROUP; i++) slots[group->chosen[i]] = alea_lane_fill(false);
}

/* Takes back what 'role' chose last. */
static void retract(alea_lanes_picked *last, word *slots) {
  for (uint32_t i = 0; i < last->count; i++) clear_group(last->from + last->groups[i], slots);
  last->count = 0;
}

void ALEA_LANES_FN(picker_retract)(alea_lanes_picker *picker, alea_lane_word *slots) {
  for (uint32_t r = 0; r < picker->role_count; r++) retract(&picker->roles[r], slots);
}

/* ---- adders ---- */

/* a - b - borrow */
static inline void full_subtract(unit a, unit b, unit *difference, unit *borrow) {
  unit x = a ^ b;
  unit out = alea_lane_select(x, b, *borrow);
  *difference = x ^ *borrow;
  *borrow = out;
}

/* Adds two numbers of 'planes' planes; the sum has one more. */
static inline void add(const unit *a, const unit *b, int planes, unit *sum) {
  unit carry;
  alea_lane_half_add(a[0], b[0], &sum[0], &carry);
  for (int k = 1; k < planes; k++) alea_lane_full_add(a[k], b[k], carry, &sum[k], &carry);
  sum[planes] = carry;
}

static inline unit legal_unit(const word *slots, uint32_t offset, int u) {
  return ((const word *)(const void *)((const char *)slots + offset))->unit[u];
}

static inline void load_group(const word *slots, const uint32_t *offsets, int u, unit *x) {
  for (int i = 0; i < ALEA_LANES_GROUP; i++) x[i] = legal_unit(slots, offsets[i], u);
}

/* ---- first pass: counting ---- */

/* A block has 2^height groups, at the end of a role some of them empty. */
static uint32_t block_size(const alea_lanes_role *role, uint32_t first) {
  uint32_t left = role->group_count - first;
  return left < BLOCK ? left : BLOCK;
}

static int height_for(uint32_t groups) { return groups > 4 ? 3 : groups > 2 ? 2 : groups > 1; }

/* Groups g and g + 1, in 5 planes; the first of them goes to the tree. */
static inline void count_two(const word *slots, const alea_lanes_group *groups, int g, int u,
                             pick_tree *t, unit *sum) {
  unit x[ALEA_LANES_GROUP], a[GROUP_PLANES], b[GROUP_PLANES];
  load_group(slots, groups[g].legal, u, x);
  alea_lane_count_group(x, a);
  for (int k = 0; k < GROUP_PLANES; k++) t->one[g / 2][k].unit[u] = a[k];
  load_group(slots, groups[g + 1].legal, u, x);
  alea_lane_count_group(x, b);
  add(a, b, GROUP_PLANES, sum);
}

/* Groups g .. g + 3, in 6 planes. */
static inline void count_four(const word *slots, const alea_lanes_group *groups, int g, int u,
                              pick_tree *t, unit *sum) {
  unit a[GROUP_PLANES + 1], b[GROUP_PLANES + 1];
  count_two(slots, groups, g, u, t, a);
  for (int k = 0; k < GROUP_PLANES + 1; k++) t->two[g / 4][k].unit[u] = a[k];
  count_two(slots, groups, g + 2, u, t, b);
  add(a, b, GROUP_PLANES + 1, sum);
}

/* Counts one unit of a block. */
static inline void count_unit(const word *slots, const alea_lanes_group *groups, int height, int u,
                              pick_tree *t, lanes_pick_tally *total) {
  unit sum[BLOCK_PLANES] = {0}, a[GROUP_PLANES + 2], b[GROUP_PLANES + 2];
  if (height == 0) {
    unit x[ALEA_LANES_GROUP];
    load_group(slots, groups[0].legal, u, x);
    alea_lane_count_group(x, sum);
  } else if (height == 1) {
    count_two(slots, groups, 0, u, t, sum);
  } else if (height == 2) {
    count_four(slots, groups, 0, u, t, sum);
  } else {
    count_four(slots, groups, 0, u, t, a);
    for (int k = 0; k < GROUP_PLANES + 2; k++) t->four[k].unit[u] = a[k];
    count_four(slots, groups, 4, u, t, b);
    add(a, b, GROUP_PLANES + 2, sum);
  }
  for (int k = 0; k < BLOCK_PLANES; k++) total->count[k].unit[u] = sum[k];
}

static void count_block(const word *slots, const alea_lanes_group *groups, uint32_t count,
                        pick_tree *t, lanes_pick_tally *total) {
  int height = height_for(count);
  for (int u = 0; u < ALEA_LANE_UNITS; u++) count_unit(slots, groups, height, u, t, total);
}

/* Adds a block's count to the number in 'planes'. */
static void add_block(word *planes, int plane_count, const lanes_pick_tally *block) {
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    unit carry = alea_lane_unit_zero();
    int k = 0;
    for (; k < plane_count && k < BLOCK_PLANES; k++)
      alea_lane_full_add(planes[k].unit[u], block->count[k].unit[u], carry, &planes[k].unit[u],
                         &carry);
    for (; k < plane_count; k++)
      alea_lane_half_add(planes[k].unit[u], carry, &planes[k].unit[u], &carry);
  }
}

/* The tree of a block, where it is kept; else a place to make it again. */
static pick_tree *tree_at(const alea_lanes_picker *picker, const alea_lanes_role *role,
                          uint32_t g) {
  return trees_of(picker) + (role->group_count > MAX_TREES * BLOCK ? 0 : g / BLOCK);
}

static void count_moves(const alea_lanes_picker *picker, const alea_lanes_group *groups,
                        const alea_lanes_role *role, const word *slots, word *planes,
                        int plane_count) {
  for (uint32_t g = 0; g < role->group_count; g += BLOCK) {
    lanes_pick_tally *block = &tallies_of(picker)[g / BLOCK];
    count_block(slots, groups + g, block_size(role, g), tree_at(picker, role, g), block);
    if (g == 0)
      for (int k = 0; k < plane_count; k++)
        planes[k] = k < BLOCK_PLANES ? block->count[k] : alea_lane_fill(false);
    else
      add_block(planes, plane_count, block);
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
      above.unit[u] = alea_lane_select(differ, candidate[k].unit[u], above.unit[u]);
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

/* One step of the search: where the number is not below 'count', subtracts it
 * and goes right.  Both have 'planes' planes, the rest has one less. */
static inline unit go_right(unit *number, const unit *count, int planes) {
  unit rest[BLOCK_PLANES];
  unit borrow = count[0] & ~number[0];
  rest[0] = number[0] ^ count[0];
  for (int k = 1; k < planes; k++) full_subtract(number[k], count[k], &rest[k], &borrow);
  for (int k = 0; k < planes - 1; k++) number[k] = alea_lane_select(borrow, number[k], rest[k]);
  return ~borrow;
}

/* Searches the tree for the group that has 'number', which becomes the number
 * within the group; the group's index on the planes of 'right'. */
static inline void search(const pick_tree *t, int height, int u, unit *number, unit *right) {
  unit count[GROUP_PLANES + 2];
  right[0] = right[1] = right[2] = alea_lane_unit_zero();
  if (height == 3) {
    for (int k = 0; k < 6; k++) count[k] = t->four[k].unit[u];
    right[2] = go_right(number, count, 6);
  }
  if (height >= 2) {
    for (int k = 0; k < 5; k++) {
      count[k] = t->two[0][k].unit[u];
      if (height == 3) count[k] = alea_lane_select(right[2], t->two[1][k].unit[u], count[k]);
    }
    right[1] = go_right(number, count, 5);
  }
  for (int k = 0; k < 4; k++) {
    count[k] = t->one[0][k].unit[u];
    if (height >= 2) count[k] = alea_lane_select(right[1], t->one[1][k].unit[u], count[k]);
    if (height < 3) continue;
    unit high = alea_lane_select(right[1], t->one[3][k].unit[u], t->one[2][k].unit[u]);
    count[k] = alea_lane_select(right[2], high, count[k]);
  }
  right[0] = go_right(number, count, 4);
}

/* Legal bit number i of the group that 'right' says, in each lane. */
static inline unit gather(const word *slots, const alea_lanes_group *groups, int height, int i,
                          int u, const unit *right) {
  unit x[BLOCK];
  for (int g = 0; g < 1 << height; g++) x[g] = legal_unit(slots, groups[g].legal[i], u);
  for (int level = 0; level < height; level++)
    for (int g = 0; g < 1 << (height - level - 1); g++)
      x[g] = alea_lane_select(right[level], x[2 * g + 1], x[2 * g]);
  return x[0];
}

/* Finds the group of the lanes 'lanes' in one unit of a block. */
static inline void find_unit(const word *slots, const alea_lanes_group *groups, int height, int u,
                             const pick_tree *t, unit lanes, const word *number, finding *found,
                             word *here) {
  unit n[BLOCK_PLANES], right[3];
  for (int k = 0; k < 3 + height; k++) n[k] = number[k].unit[u];
  search(t, height, u, n, right);
  for (int i = 0; i < ALEA_LANES_GROUP; i++) {
    unit x = gather(slots, groups, height, i, u, right);
    found->legal[i].unit[u] = alea_lane_select(lanes, x, found->legal[i].unit[u]);
  }
  for (int k = 0; k < GROUP_PLANES - 1; k++)
    found->number[k].unit[u] = alea_lane_select(lanes, n[k], found->number[k].unit[u]);
  for (int g = 0; g < 1 << height; g++) {
    unit x = lanes;
    for (int level = 0; level < height; level++)
      x &= (g >> level & 1) != 0 ? right[level] : ~right[level];
    here[g].unit[u] = x;
  }
}

static void find_block(const word *slots, const alea_lanes_group *groups, uint32_t count,
                       const pick_tree *t, word lanes, const word *number, finding *found,
                       word *here) {
  int height = height_for(count);
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    if (height == 1) find_unit(slots, groups, 1, u, t, lanes.unit[u], number, found, here);
    if (height == 2) find_unit(slots, groups, 2, u, t, lanes.unit[u], number, found, here);
    if (height == 3) find_unit(slots, groups, 3, u, t, lanes.unit[u], number, found, here);
  }
}

/* A block of one group: nothing to find. */
static void only_group(const word *slots, const alea_lanes_group *group, word lanes,
                       const word *number, finding *found, word *here) {
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    unit mask = lanes.unit[u];
    for (int i = 0; i < ALEA_LANES_GROUP; i++)
      found->legal[i].unit[u] =
          alea_lane_select(mask, legal_unit(slots, group->legal[i], u), found->legal[i].unit[u]);
    for (int k = 0; k < GROUP_PLANES - 1; k++)
      found->number[k].unit[u] =
          alea_lane_select(mask, number[k].unit[u], found->number[k].unit[u]);
  }
  here[0] = lanes;
}

/* Subtracts a block's count from 'number'; returns where it was larger. */
static word pass_block(word *number, int plane_count, const lanes_pick_tally *block) {
  word larger;
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    unit borrow = alea_lane_unit_zero();
    int k = 0;
    for (; k < plane_count && k < BLOCK_PLANES; k++)
      full_subtract(number[k].unit[u], block->count[k].unit[u], &number[k].unit[u], &borrow);
    for (; k < plane_count; k++) {
      unit rest = number[k].unit[u] ^ borrow;
      borrow &= ~number[k].unit[u];
      number[k].unit[u] = rest;
    }
    larger.unit[u] = borrow;
  }
  return larger;
}

/* Searches one block for the lanes that have their move there. */
static void search_block(const alea_lanes_picker *picker, const alea_lanes_group *groups,
                         const alea_lanes_role *role, uint32_t g, const word *slots, word lanes,
                         const word *number, finding *found, word *here) {
  uint32_t count = block_size(role, g);
  pick_tree *t = tree_at(picker, role, g);
  lanes_pick_tally again;
  if (role->group_count > MAX_TREES * BLOCK) count_block(slots, groups + g, count, t, &again);
  if (count == 1)
    only_group(slots, groups + g, lanes, number, found, here);
  else
    find_block(slots, groups + g, count, t, lanes, number, found, here);
}

/* Finds the group of every lane in 'left'; returns how many entries it made. */
static uint32_t find_groups(const alea_lanes_picker *picker, const alea_lanes_group *groups,
                            const alea_lanes_role *role, const word *slots, word left, word *number,
                            int plane_count, finding *found) {
  lanes_pick_entry *entries = entries_of(picker);
  uint32_t made = 0;
  for (uint32_t g = 0; g < role->group_count && alea_lane_any(left); g += BLOCK) {
    word inside[BLOCK_PLANES], here[BLOCK], lanes = left;
    for (int k = 0; k < BLOCK_PLANES - 1; k++)
      inside[k] = k < plane_count ? number[k] : alea_lane_fill(false);
    if (role->group_count > BLOCK) {
      lanes = alea_lane_and(left, pass_block(number, plane_count, &tallies_of(picker)[g / BLOCK]));
      left = alea_lane_andn(left, lanes);
      if (!alea_lane_any(lanes)) continue;
    }
    search_block(picker, groups, role, g, slots, lanes, inside, found, here);
    for (uint32_t i = 0; i < block_size(role, g); i++)
      if (alea_lane_any(here[i]))
        entries[made++] = (lanes_pick_entry){.lanes = here[i], .group = g + i};
  }
  return made;
}

/* ---- one of eight ---- */

/* Which of the legal moves of a group has the number: its index, on planes. */
static inline void find_in_group(const finding *f, int u, unit *index) {
  unit x[ALEA_LANES_GROUP];
  for (int i = 0; i < ALEA_LANES_GROUP; i++) x[i] = f->legal[i].unit[u];
  unit r0 = f->number[0].unit[u], r1 = f->number[1].unit[u], r2 = f->number[2].unit[u];
  /* The first four have t0 + 2 t1 + 4 t2 legal ones. */
  unit s0 = x[0] ^ x[1], c0 = x[0] & x[1], s1 = x[2] ^ x[3], c1 = x[2] & x[3];
  unit t0 = s0 ^ s1, t1 = (c0 ^ c1) | (s0 & s1), t2 = c0 & c1;
  unit borrow = alea_lane_unit_zero(), d0, d1, d2;
  full_subtract(r0, t0, &d0, &borrow);
  full_subtract(r1, t1, &d1, &borrow);
  full_subtract(r2, t2, &d2, &borrow);
  index[2] = ~borrow;
  unit y[4];
  for (int i = 0; i < 4; i++) y[i] = alea_lane_select(borrow, x[i], x[i + 4]);
  r0 = alea_lane_select(borrow, r0, d0);
  r1 = alea_lane_select(borrow, r1, d1);
  /* Of these four the first two have s0 + 2 c0. */
  s0 = y[0] ^ y[1];
  c0 = y[0] & y[1];
  borrow = alea_lane_unit_zero();
  full_subtract(r0, s0, &d0, &borrow);
  full_subtract(r1, c0, &d1, &borrow);
  index[1] = ~borrow;
  r0 = alea_lane_select(borrow, r0, d0);
  index[0] = r0 | ~alea_lane_select(borrow, y[0], y[2]);
}

/* Where the move is number i of its group. */
static void decode(const finding *found, word *one_of) {
  for (int u = 0; u < ALEA_LANE_UNITS; u++) {
    unit index[3];
    find_in_group(found, u, index);
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      unit x = (i & 1) != 0 ? index[0] : ~index[0];
      x &= (i & 2) != 0 ? index[1] : ~index[1];
      one_of[i].unit[u] = x & ((i & 4) != 0 ? index[2] : ~index[2]);
    }
  }
}

/* Writes the choice.  All slots of the role are false but those that the last
 * choice set: where the groups are the same, they are cleared only if they are
 * not written again. */
static void store_choice(alea_lanes_picker *picker, alea_lanes_picked *last,
                         const alea_lanes_group *groups, uint32_t count, const finding *found,
                         word *slots) {
  const lanes_pick_entry *entries = entries_of(picker);
  word one_of[ALEA_LANES_GROUP];
  decode(found, one_of);
  if (last->from != groups) retract(last, slots);
  for (uint32_t i = 0; i < last->count; i++) picker->marks[last->groups[i]] = 1;
  for (uint32_t e = 0; e < count; e++) {
    const alea_lanes_group *group = &groups[entries[e].group];
    for (int i = 0; i < ALEA_LANES_GROUP; i++)
      slots[group->chosen[i]] = alea_lane_and(entries[e].lanes, one_of[i]);
    picker->marks[entries[e].group] = 0;
  }
  for (uint32_t i = 0; i < last->count; i++) {
    uint32_t group = last->groups[i];
    if (picker->marks[group]) clear_group(&groups[group], slots);
    picker->marks[group] = 0;
  }
  last->from = groups;
  last->count = count;
  for (uint32_t e = 0; e < count; e++) last->groups[e] = entries[e].group;
}

/* ---- guided ---- */

/* Lanes that follow the guide at this step: 'follow' of every eight. */
static word draw_followers(alea_lanes_picker *picker, uint32_t follow) {
  if (follow >= ALEA_SAMPLE_LOTS) return alea_lane_fill(true);
  word below = alea_lane_fill(false); /* a number of three bits is below 'follow' */
  for (int k = 0; k < 3; k++) {
    word zero = random_word(picker);
    below = (follow >> k & 1) != 0 ? alea_lane_or(below, zero) : alea_lane_and(below, zero);
  }
  return below;
}

static inline uint32_t rank_of(const alea_sample_guide *guide, uint32_t r, alea_move move) {
  return move == ALEA_NO_MOVE ? 0 : alea_sample_rank(guide, r, move);
}

static inline const word *legal_word(const word *slots, const alea_lanes_group *group, int i) {
  return (const word *)(const void *)((const char *)slots + group->legal[i]);
}

/* The moves that the guide leaves to the lanes, in picker->allowed: in lanes
 * that follow, the legal ones of the best rank that has any. */
static void allow_moves(alea_lanes_picker *picker, const alea_lanes_group *groups,
                        const alea_lanes_role *role, uint32_t r, const word *slots) {
  const alea_sample_guide *guide = picker->guide;
  word seen[ALEA_SAMPLE_RANKS], may[ALEA_SAMPLE_RANKS];
  for (int k = 0; k < ALEA_SAMPLE_RANKS; k++) seen[k] = alea_lane_fill(false);
  for (uint32_t g = 0; g < role->group_count; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++) {
      uint32_t rank = rank_of(guide, r, groups[g].move[i]);
      seen[rank] = alea_lane_or(seen[rank], *legal_word(slots, &groups[g], i));
    }
  word follow = draw_followers(picker, guide->follow);
  word bound = alea_lane_fill(false); /* followers that have a better move */
  for (int k = 0; k < ALEA_SAMPLE_RANKS; k++) {
    may[k] = alea_lane_andn(alea_lane_fill(true), bound);
    bound = alea_lane_or(bound, alea_lane_and(follow, seen[k]));
  }
  word *allowed = picker->allowed.words;
  for (uint32_t g = 0; g < role->group_count; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++)
      *allowed++ = alea_lane_and(*legal_word(slots, &groups[g], i),
                                 may[rank_of(guide, r, groups[g].move[i])]);
  for (uint32_t g = role->group_count; g % BLOCK != 0; g++)
    for (int i = 0; i < ALEA_LANES_GROUP; i++) *allowed++ = alea_lane_fill(false);
}

/* ---- a role ---- */

alea_lane_word ALEA_LANES_FN(pick)(alea_lanes_picker *picker, const alea_lanes_program *program,
                                   uint32_t r, alea_lane_word *slots, alea_lane_word live) {
  const alea_lanes_role *role = &program->roles[r];
  if (role->move_count == 0) return live;
  if (role->move_count == 1) return alea_lane_andn(live, slots[role->only]);
  const alea_lanes_group *groups = program->groups.data + role->first_group, *from = groups;
  const word *legal = slots;
  if (picker->guide != NULL && picker->guide->ranks[r] != NULL) {
    allow_moves(picker, groups, role, r, slots);
    from = picker->plain_groups;
    legal = picker->allowed.words;
  }
  word planes[MAX_PLANES], number[MAX_PLANES];
  int plane_count = (int)alea_lanes_planes(role->move_count);
  count_moves(picker, from, role, legal, planes, plane_count);
  word some = decrement(planes, plane_count);
  draw(picker, planes, plane_count, alea_lane_and(live, some), number);
  finding found = {0};
  uint32_t count = find_groups(picker, from, role, legal, some, number, plane_count, &found);
  store_choice(picker, &picker->roles[r], groups, count, &found, slots);
  return alea_lane_andn(live, some);
}

static void scatter_group(const alea_lanes_program *program, const alea_lanes_group *group,
                          word *slots) {
  for (int i = 0; i < ALEA_LANES_GROUP; i++) {
    uint32_t slot = group->chosen[i];
    bool move = slot - program->first_move_slot < program->move_count; /* else nobody reads it */
    if (move && alea_lane_any(slots[slot])) alea_lanes_scatter_move(program, slot, slots);
  }
}

void ALEA_LANES_FN(picker_scatter)(const alea_lanes_picker *picker,
                                   const alea_lanes_program *program, alea_lane_word *slots) {
  if (program->scatter_first == NULL) return;
  ALEA_LANES_FN(clear_scatters)(program, slots);
  for (uint32_t r = 0; r < picker->role_count; r++) {
    const alea_lanes_picked *picked = &picker->roles[r];
    const alea_lanes_group *groups = program->groups.data + program->roles[r].first_group;
    if (program->roles[r].group_count == 0 || picked->from != groups) continue;
    for (uint32_t i = 0; i < picked->count; i++)
      scatter_group(program, &groups[picked->groups[i]], slots);
  }
}

/* Plans as tables for the kernel that interprets. */
#include "gpu/interpreter.h"

#include "gpu/kernel.h"
#include "gpu/plan.h"
#include "gpu/source.h"

enum {
  BANKS = 32,          /* of the memory that a block shares, a word each */
  CANDIDATES = 32,     /* instructions among which the next is chosen */
  THREADS = 256,       /* of a block */
  MOST_THREADS = 1024, /* of a processor that have 64 registers each */
  MOST_COPIES = 2,     /* more take too many registers */
  OTHER = 2048,        /* bytes that a block shares besides its slots and the table, */
  ROOM = 10240,        /* and about, with the table */
  KINDS = 32,          /* of instructions */
};

typedef struct interpreter_writer {
  const alea_lanes *lanes;
  alea_gpu_plan *plan; /* of the tick */
  alea_gpu_tables *tables;
  alea_gpu_layout layout;
  alea_u32s table, code, told; /* the words in their three parts */
  uint8_t *kind;               /* per instruction */
  uint32_t *order;             /* instructions by level and kind */
  uint32_t *first;             /* per level and one more: in 'order' */
  alea_mem *mem;
  bool ok;
} interpreter_writer;

/* ---- words ---- */

static void put(interpreter_writer *w, uint32_t word) {
  w->ok = w->ok && alea_vec_push(w->mem, &w->table, word);
}

/* The place in the table of what comes next, which begins with a multiple of four words. */
static uint32_t align(interpreter_writer *w) {
  while (w->ok && w->table.count % 4 != 0) put(w, 0);
  return (uint32_t)w->table.count;
}

static uint32_t place_of(const interpreter_writer *w, uint32_t literal) {
  return w->plan->values.data[literal >> 1].place;
}

static uint32_t operand(const interpreter_writer *w, uint32_t literal) {
  return place_of(w, literal) | ((literal & 1) != 0 ? ALEA_KERNEL_NOT : 0);
}

/* ---- the order of instructions ---- */

static uint32_t kind_of(const alea_gpu_instruction *i) {
  return (uint32_t)(i->pairs - 1) | (uint32_t)i->ors << 2 | (i->cell ? ALEA_KERNEL_CELL : 0);
}

static uint32_t pairs_of(uint32_t kind) { return (kind & 3) + 1; }
static uint32_t ors_of(uint32_t kind) { return kind >> 2 & 3; }

/* Whether instructions of one kind can be written as those of another: pairs that they lack are
 * true. */
static bool serves(uint32_t kind, uint32_t other) {
  return (kind & ALEA_KERNEL_CELL) == (other & ALEA_KERNEL_CELL) && ors_of(kind) <= ors_of(other) &&
         pairs_of(kind) - ors_of(kind) <= pairs_of(other) - ors_of(other);
}

/* Of a level with so many instructions of each kind: to which kind the last few of each go, where
 * warps have room for them. */
static void join_kinds(uint32_t *count, uint8_t *rest) {
  bool joined[KINDS] = {0}; /* others have joined it */
  for (uint32_t k = 0; k < KINDS; k++) {
    uint32_t few = count[k] % ALEA_KERNEL_WARP;
    rest[k] = (uint8_t)k;
    for (uint32_t to = 0; few > 0 && !joined[k] && to < KINDS; to++) {
      uint32_t room = (ALEA_KERNEL_WARP - count[to] % ALEA_KERNEL_WARP) % ALEA_KERNEL_WARP;
      if (to == k || few > room || !serves(k, to)) continue;
      rest[k] = (uint8_t)to;
      count[k] -= few;
      count[to] += few;
      joined[to] = true;
      break;
    }
  }
}

/* Instructions by level, those of one kind together. */
static bool sort_instructions(interpreter_writer *w) {
  const alea_gpu_plan *plan = w->plan;
  size_t levels = (size_t)plan->last + 1, keys = levels * KINDS, all = plan->instructions.count;
  uint32_t *count = alea_mem_calloc(w->mem, keys, sizeof *count);
  uint32_t *full = alea_mem_calloc(w->mem, keys, sizeof *full); /* that keep their kind */
  uint8_t *rest = alea_mem_calloc(w->mem, keys, 1);
  bool good = count != NULL && full != NULL && rest != NULL;
#define KEY(i, kind) ((size_t)plan->instructions.data[i].level * KINDS + (kind))
  for (size_t i = 0; good && i < all; i++) count[KEY(i, kind_of(&plan->instructions.data[i]))]++;
  for (size_t k = 0; good && k < keys; k++) full[k] = count[k];
  for (size_t level = 0; good && level < levels; level++)
    join_kinds(count + level * KINDS, rest + level * KINDS);
  for (size_t k = 0; good && k < keys; k++)
    if (rest[k] != k % KINDS) full[k] -= full[k] % ALEA_KERNEL_WARP;
  uint32_t sum = 0;
  for (size_t k = 0; good && k < keys; k++) {
    if (k % KINDS == 0) w->first[k / KINDS] = sum;
    uint32_t many = count[k];
    count[k] = sum;
    sum += many;
  }
  for (size_t i = 0; good && i < all; i++) {
    size_t key = KEY(i, kind_of(&plan->instructions.data[i]));
    w->kind[i] = full[key] > 0 ? (uint8_t)(key % KINDS) : rest[key];
    if (full[key] > 0) full[key]--;
    w->order[count[KEY(i, w->kind[i])]++] = (uint32_t)i;
  }
#undef KEY
  w->first[levels] = sum;
  alea_mem_free(w->mem, count, keys * sizeof *count);
  alea_mem_free(w->mem, full, keys * sizeof *full);
  alea_mem_free(w->mem, rest, keys);
  return good;
}

/* The slots of an operand as its kind has it, or ALEA_GPU_NONE where nothing is needed: ANDs come
 * after the ORs of the kind. */
static uint32_t literal_of(const alea_gpu_instruction *i, uint32_t kind, uint32_t k) {
  uint32_t pair = k / 2, ors = ors_of(kind);
  if (pair >= ors)
    pair = pair - ors + i->ors;
  else if (pair >= i->ors)
    return ALEA_GPU_NONE;
  return pair < i->pairs ? i->literals[2 * pair + k % 2] : ALEA_GPU_NONE;
}

/* How often the next instruction would wait for a bank: threads that read different slots of
 * the same bank at the same time, or write them, do so one after the other.  'beside' are those
 * that do. */
static uint32_t conflicts(const interpreter_writer *w, uint32_t next, const uint32_t *beside,
                          uint32_t count) {
  const alea_gpu_instruction *all = w->plan->instructions.data;
  uint32_t banks = BANKS / w->tables->shape.width, result = 0, kind = w->kind[next];
  for (uint32_t k = 0; k <= 2 * pairs_of(kind); k++) { /* the last is the result */
    bool last = k == 2 * pairs_of(kind), shared = false;
    uint32_t literal = last ? 2 * all[next].value : literal_of(&all[next], kind, k), same = 0;
    if (literal == ALEA_GPU_NONE) continue;
    uint32_t place = place_of(w, literal);
    for (uint32_t b = 0; b < count; b++) {
      const alea_gpu_instruction *other = &all[beside[b]];
      uint32_t theirs = last ? 2 * other->value : literal_of(other, kind, k);
      if (theirs == ALEA_GPU_NONE) continue;
      shared = shared || place_of(w, theirs) == place;
      same += place_of(w, theirs) % banks == place % banks;
    }
    if (!shared) result += same;
  }
  return result;
}

/* Orders first .. end-1 of 'order', of one level and kind, so that few wait. */
static void spread(const interpreter_writer *w, uint32_t first, uint32_t end) {
  uint32_t banks = BANKS / w->tables->shape.width, start = first;
  for (uint32_t i = first; i + 1 < end; i++) {
    uint32_t best = i, least = UINT32_MAX, stop = end - i < CANDIDATES ? end : i + CANDIDATES;
    if ((i - start) % banks == 0) first = i;
    for (uint32_t k = i; k < stop && least > 0; k++) {
      uint32_t many = conflicts(w, w->order[k], w->order + first, i - first);
      if (many < least) {
        least = many;
        best = k;
      }
    }
    uint32_t chosen = w->order[best];
    w->order[best] = w->order[i];
    w->order[i] = chosen;
  }
}

/* The end of those of the same level and kind as order[i]. */
static uint32_t same_until(const interpreter_writer *w, uint32_t i) {
  const alea_gpu_instruction *all = w->plan->instructions.data;
  uint32_t first = w->order[i], end = i;
  for (; end < w->plan->instructions.count; end++)
    if (all[w->order[end]].level != all[first].level || w->kind[w->order[end]] != w->kind[first])
      break;
  return end;
}

static void spread_all(const interpreter_writer *w) {
  for (uint32_t i = 0, end; i < w->plan->instructions.count; i = end) {
    end = same_until(w, i);
    spread(w, i, end);
  }
}

/* ---- instructions ---- */

static void put_instruction(interpreter_writer *w, uint32_t index) {
  const alea_gpu_instruction *i = &w->plan->instructions.data[index];
  uint32_t halves[2 * ALEA_GPU_PAIRS + 2] = {0};
  for (uint32_t k = 0; k < 2 * pairs_of(w->kind[index]); k++) {
    uint32_t literal = literal_of(i, w->kind[index], k);
    halves[k] = literal != ALEA_GPU_NONE ? operand(w, literal) : ALEA_LANES_TRUE_SLOT;
  }
  halves[2 * ALEA_GPU_PAIRS] = place_of(w, 2 * i->value) | (i->invert ? ALEA_KERNEL_NOT : 0);
  for (uint32_t k = 0; k < 2 * ALEA_GPU_PAIRS + 2; k += 2)
    w->ok = w->ok && alea_vec_push(w->mem, &w->code, halves[k] | halves[k + 1] << 16);
}

/* Fills up the last round of a level; all of its warps say that the level ends. */
static void end_level(interpreter_writer *w, size_t begin) {
  uint32_t warps = w->tables->shape.threads / ALEA_KERNEL_WARP;
  while (w->ok && (w->table.count - begin) % warps != 0)
    put(w, (uint32_t)ALEA_KERNEL_NOTHING << ALEA_KERNEL_KIND);
  for (uint32_t v = 1; w->ok && v <= warps && w->table.count > begin; v++)
    w->table.data[w->table.count - v] |= ALEA_KERNEL_LEVEL_ENDS;
}

/* A level in rounds, and its instructions. */
static void put_level(interpreter_writer *w, uint32_t level) {
  size_t begin = w->table.count;
  for (uint32_t i = w->first[level], stop; i < w->first[level + 1]; i = stop) {
    stop = same_until(w, i);
    if (stop - i > ALEA_KERNEL_WARP) stop = i + ALEA_KERNEL_WARP;
    put(w, (uint32_t)(w->code.count / 4) | (uint32_t)w->kind[w->order[i]] << ALEA_KERNEL_KIND);
    for (uint32_t k = 0; k < ALEA_KERNEL_WARP; k++)
      put_instruction(w, w->order[i + k < stop ? i + k : stop - 1]);
  }
  end_level(w, begin);
}

/* A round without instructions. */
static void put_other(interpreter_writer *w, uint32_t kind) {
  for (uint32_t v = 0; v < w->tables->shape.threads / ALEA_KERNEL_WARP; v++)
    put(w, kind << ALEA_KERNEL_KIND | ALEA_KERNEL_OTHER);
}

/* The levels of a group; loops have a round more before and after them. */
static void put_group(interpreter_writer *w, const alea_gpu_group *group) {
  size_t begin = w->table.count;
  if (group->loop) put_other(w, ALEA_KERNEL_BEGIN);
  size_t first = w->table.count;
  for (uint32_t level = group->first; level <= group->last; level++) put_level(w, level);
  if (group->loop) put_other(w, ALEA_KERNEL_AGAIN);
  for (size_t i = begin; w->ok && group->passed_over && i < first; i++)
    w->table.data[i] |= (uint32_t)w->table.count;
}

/* The instructions of a tick, and the rounds of its sections. */
static void put_rounds(interpreter_writer *w, uint32_t *row) {
  const alea_gpu_plan *plan = w->plan;
  (void)align(w);
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++) {
    row[ALEA_KERNEL_ROUNDS + section] = (uint32_t)w->table.count;
    for (size_t g = 0; g < plan->groups.count; g++)
      if (plan->groups.data[g].section == section) put_group(w, &plan->groups.data[g]);
    put_other(w, ALEA_KERNEL_END);
  }
  for (uint32_t k = 0; k < ALEA_KERNEL_AHEAD; k++) put_other(w, ALEA_KERNEL_END);
  if (plan->last > w->tables->levels) w->tables->levels = plan->last;
}

/* ---- moves and goals ---- */

/* The tree of counts of a role. */
typedef struct interpreter_tree {
  uint32_t height, nodes[ALEA_KERNEL_MOST_HEIGHT]; /* of each height */
  uint32_t first[ALEA_KERNEL_MOST_HEIGHT];         /* slots, from 0 */
  uint32_t slots;
} interpreter_tree;

/* Of a role whose first slot is 'first'; there is none where it has no choice.  More moves than
 * the highest tree counts have too many slots anyway. */
static interpreter_tree tree_of(const alea_lanes_role *role, uint32_t first) {
  interpreter_tree tree = {.slots = first};
  uint32_t count = (role->move_count + ALEA_GPU_LEAF - 1) / ALEA_GPU_LEAF;
  for (bool more = role->move_count > 1; more && tree.height < ALEA_KERNEL_MOST_HEIGHT;
       tree.height++) {
    tree.nodes[tree.height] = count;
    tree.first[tree.height] = tree.slots;
    tree.slots += count * alea_kernel_node_slots(tree.height + 1);
    more = count > 1;
    count = (count + ALEA_KERNEL_ARITY - 1) / ALEA_KERNEL_ARITY;
  }
  return tree;
}

/* The moves of a role, for those who are told; returns where they begin. */
static uint32_t put_told(interpreter_writer *w, const alea_lanes_role *role) {
  uint32_t result = (uint32_t)w->told.count;
  for (uint32_t i = 0; role->group_count > 0 && i < role->move_count; i++) {
    const alea_lanes_group *group =
        &w->plan->program->groups.data[role->first_group + i / ALEA_LANES_GROUP];
    w->ok = w->ok && alea_vec_push(w->mem, &w->told, group->move[i % ALEA_LANES_GROUP]);
  }
  return result;
}

/* The nodes of one height of a role's tree. */
static void put_nodes(interpreter_writer *w, const interpreter_tree *tree, uint32_t r,
                      uint32_t height, uint32_t told) {
  uint32_t brief = alea_gpu_first_brief(&w->layout);
  uint32_t row = alea_gpu_first_held(&w->layout) + w->plan->row[r];
  uint32_t moves = w->plan->program->roles[r].move_count;
  for (uint32_t i = 0; height < tree->height && i < tree->nodes[height]; i++) {
    bool leaf = height == 0;
    uint32_t slot = brief + tree->first[height] + i * alea_kernel_node_slots(height + 1);
    uint32_t arity = leaf ? ALEA_GPU_LEAF : ALEA_KERNEL_ARITY;
    uint32_t size = leaf ? ALEA_GPU_LEAF + 1 : arity * alea_kernel_node_slots(height);
    uint32_t child = (leaf ? row : brief + tree->first[height - 1]) + i * size;
    uint32_t left = (leaf ? moves : tree->nodes[height - 1]) - i * arity;
    put(w, slot | child << 16);
    put(w, left < arity ? left : arity);
    put(w, r);
    put(w, told + i * arity);
  }
}

static void put_role(interpreter_writer *w, const interpreter_tree *tree, uint32_t r) {
  const alea_lanes_role *role = &w->plan->program->roles[r];
  uint32_t row[ALEA_KERNEL_ROLE] = {0}, brief = alea_gpu_first_brief(&w->layout);
  row[ALEA_KERNEL_MOVES] = role->move_count;
  row[ALEA_KERNEL_PLANES] = alea_lanes_planes(role->move_count);
  if (role->move_count == 1) row[ALEA_KERNEL_ONLY] = operand(w, w->plan->only[r]);
  row[ALEA_KERNEL_ONLY_MOVE] = role->only_move;
  if (tree->height > 0) {
    row[ALEA_KERNEL_ROOT] = brief + tree->first[tree->height - 1];
    row[ALEA_KERNEL_BELOW] = row[ALEA_KERNEL_ROOT] + alea_kernel_node_slots(tree->height) - 1;
  }
  for (int k = 0; k < ALEA_KERNEL_ROLE; k++) put(w, row[k]);
}

/* The roles of a tick and the nodes of their trees. */
static void put_roles(interpreter_writer *w, uint32_t *row) {
  const alea_lanes_program *p = w->plan->program;
  interpreter_tree *trees = alea_mem_calloc(w->mem, p->role_count, sizeof *trees);
  uint32_t *told = alea_mem_calloc(w->mem, p->role_count, sizeof *told), slots = 0;
  w->ok = w->ok && trees != NULL && told != NULL;
  row[ALEA_KERNEL_ROLES] = align(w);
  for (uint32_t r = 0; w->ok && r < p->role_count; r++) {
    trees[r] = tree_of(&p->roles[r], slots);
    slots = trees[r].slots;
    told[r] = put_told(w, &p->roles[r]);
    put_role(w, &trees[r], r);
  }
  for (uint32_t h = 0; w->ok && h < ALEA_KERNEL_MOST_HEIGHT; h++) {
    row[ALEA_KERNEL_NODES + 2 * h] = align(w);
    for (uint32_t r = 0; r < p->role_count; r++) put_nodes(w, &trees[r], r, h, told[r]);
    row[ALEA_KERNEL_NODES + 2 * h + 1] =
        ((uint32_t)w->table.count - row[ALEA_KERNEL_NODES + 2 * h]) / 4;
  }
  alea_mem_free(w->mem, trees, p->role_count * sizeof *trees);
  alea_mem_free(w->mem, told, p->role_count * sizeof *told);
}

static uint32_t put_goals(interpreter_writer *w) {
  const alea_net *net = w->lanes->net;
  uint32_t role = UINT32_MAX, result = align(w);
  for (size_t i = 0; i < net->goals.count; i++) {
    uint32_t g = w->lanes->goal_order[i];
    put(w, operand(w, w->plan->goals[g]));
    put(w, 2 * g + (net->goals.data[g].role != role));
    role = net->goals.data[g].role;
  }
  return result;
}

/* ---- ticks ---- */

static void put_tick(interpreter_writer *w, uint32_t tick) {
  uint32_t row[ALEA_KERNEL_ROW] = {0};
  size_t levels = (size_t)w->plan->last + 2, count = w->plan->instructions.count;
  w->order = alea_mem_calloc(w->mem, count, sizeof *w->order);
  w->kind = alea_mem_calloc(w->mem, count, sizeof *w->kind);
  w->first = alea_mem_calloc(w->mem, levels, sizeof *w->first);
  w->ok = w->ok && w->order != NULL && w->kind != NULL && w->first != NULL && sort_instructions(w);
  if (w->ok) {
    spread_all(w);
    put_rounds(w, row);
    row[ALEA_KERNEL_TERMINAL] = operand(w, w->plan->terminal);
    row[ALEA_KERNEL_GOALS] = put_goals(w);
    put_roles(w, row);
  }
  for (int k = 0; w->ok && k < ALEA_KERNEL_ROW; k++)
    w->table.data[tick * ALEA_KERNEL_ROW + (uint32_t)k] = row[k];
  alea_mem_free(w->mem, w->order, count * sizeof *w->order);
  alea_mem_free(w->mem, w->kind, count * sizeof *w->kind);
  alea_mem_free(w->mem, w->first, levels * sizeof *w->first);
}

/* Makes room for what a plan and its drawing need. */
static void include(alea_gpu_layout *layout, const alea_gpu_plan *plan) {
  uint32_t slots = 0;
  if (plan->held > layout->held) layout->held = plan->held;
  if (plan->brief > layout->brief) layout->brief = plan->brief;
  for (uint32_t r = 0; r < plan->program->role_count; r++)
    slots = tree_of(&plan->program->roles[r], slots).slots;
  if (slots > layout->brief) layout->brief = slots;
}

static void clear_plans(const interpreter_writer *w, alea_gpu_plan *plans) {
  for (uint32_t t = 0; t < alea_lanes_tick_count(w->lanes); t++) alea_gpu_plan_clear(&plans[t]);
}

/* Plans with windows of the shape's size; ALEA_LIMIT: they have too many slots. */
static alea_status try_plans(interpreter_writer *w, alea_gpu_plan *plans) {
  alea_status status = ALEA_OK;
  w->layout = (alea_gpu_layout){.fluents = w->lanes->net->fluent_count,
                                .kept = w->lanes->general.kept_count};
  for (uint32_t t = 0; status == ALEA_OK && t < alea_lanes_tick_count(w->lanes); t++) {
    status = alea_gpu_plan_init(&plans[t], alea_lanes_program_at(w->lanes, t), w->lanes->net,
                                w->tables->shape.window, w->mem);
    if (status == ALEA_OK) include(&w->layout, &plans[t]);
  }
  w->tables->slots = alea_gpu_first_brief(&w->layout) + w->layout.brief;
  w->tables->first_kept = alea_gpu_first_kept(&w->layout);
  if (status == ALEA_OK && w->tables->slots > ALEA_KERNEL_SLOTS) status = ALEA_LIMIT;
  if (status != ALEA_OK) clear_plans(w, plans);
  return status;
}

/* Levels are widest, and fewest, without windows. */
static alea_status make_plans(interpreter_writer *w, alea_gpu_plan *plans) {
  static const uint32_t windows[] = {UINT32_MAX, 1 << 13, 1 << 11};
  uint32_t *window = &w->tables->shape.window;
  bool given = *window != 0;
  alea_status status = given ? try_plans(w, plans) : ALEA_LIMIT;
  for (size_t i = 0; !given && status == ALEA_LIMIT && i < sizeof windows / sizeof *windows; i++) {
    *window = windows[i];
    status = try_plans(w, plans);
  }
  for (uint32_t t = 0; status == ALEA_OK && t < alea_lanes_tick_count(w->lanes); t++)
    alea_gpu_plan_settle(&plans[t], &w->layout);
  return status;
}

/* Of a copy of all slots, with the counts of goals. */
static size_t slot_bytes(const interpreter_writer *w, uint32_t width) {
  return (w->tables->slots + w->lanes->net->goals.count) * width * sizeof(uint32_t);
}

/* The widest block, and the most copies, that leave room for two on a processor. */
static void choose_shape(interpreter_writer *w, size_t shared) {
  alea_gpu_shape *shape = &w->tables->shape;
  size_t half = shared / 2 > ROOM ? shared / 2 - ROOM : 0;
  if (shape->threads == 0) shape->threads = THREADS;
  if (shape->width == 0)
    for (shape->width = 4; shape->width > 1 && slot_bytes(w, shape->width) > half;)
      shape->width /= 2;
  if (shape->copies == 0)
    for (shape->copies = MOST_COPIES;
         shape->copies > 1 && shape->copies * slot_bytes(w, shape->width) > half;)
      shape->copies--;
}

/* How many blocks a processor should hold, when all sizes are known. */
static void choose_resident(interpreter_writer *w, size_t shared) {
  alea_gpu_tables *tables = w->tables;
  alea_gpu_shape *shape = &tables->shape;
  size_t slots = slot_bytes(w, shape->width) * shape->copies,
         table = w->table.count * sizeof(uint32_t);
  shape->outside = shape->outside || slots + table + OTHER > shared;
  tables->shared = table + (shape->outside ? 0 : slots);
  tables->memory = shape->outside ? slots : 0;
  if (shape->resident != 0) return;
  size_t fit = shared / (tables->shared + OTHER), most = MOST_THREADS / shape->threads;
  shape->resident = (uint32_t)(fit < most ? fit : most);
  if (shape->resident == 0) shape->resident = 1;
}

/* The parts of the words one after the other. */
static void join(interpreter_writer *w) {
  alea_gpu_tables *t = w->tables;
  (void)align(w);
  t->code_at = (uint32_t)w->table.count;
  t->told_at = t->code_at + (uint32_t)w->code.count;
  const alea_u32s *parts[] = {&w->table, &w->code, &w->told};
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; w->ok && i < parts[k]->count; i++)
      w->ok = alea_vec_push(w->mem, &t->words, parts[k]->data[i]);
  alea_vec_clear(w->mem, &w->table);
  alea_vec_clear(w->mem, &w->code);
  alea_vec_clear(w->mem, &w->told);
}

alea_status alea_gpu_tables_shape(alea_gpu_tables *tables, const alea_lanes *lanes,
                                  const alea_gpu_shape *shape, size_t shared, alea_mem *mem) {
  uint32_t ticks = alea_lanes_tick_count(lanes);
  *tables = (alea_gpu_tables){.shape = *shape};
  interpreter_writer w = {.lanes = lanes, .tables = tables, .mem = mem, .ok = true};
  alea_gpu_plan *plans = alea_mem_calloc(mem, ticks, sizeof *plans);
  if (plans == NULL) return alea_mem_lack(mem);
  alea_status status = make_plans(&w, plans);
  if (status == ALEA_OK) choose_shape(&w, shared);
  for (uint32_t k = 0; status == ALEA_OK && k < ticks * ALEA_KERNEL_ROW; k++) put(&w, 0);
  for (uint32_t t = 0; status == ALEA_OK && w.ok && t < ticks; t++) {
    w.plan = &plans[t];
    put_tick(&w, t);
  }
  if (status == ALEA_OK) choose_resident(&w, shared);
  join(&w);
  clear_plans(&w, plans);
  alea_mem_free(mem, plans, ticks * sizeof *plans);
  if (status == ALEA_OK && !w.ok) status = alea_mem_lack(mem);
  bool fits = tables->words.count / 4 <= ALEA_KERNEL_PLACES && tables->shared + OTHER <= shared;
  if (status == ALEA_OK && !fits) status = ALEA_LIMIT;
  if (status != ALEA_OK) alea_gpu_tables_clear(tables, mem);
  return status;
}

alea_status alea_gpu_tables_init(alea_gpu_tables *tables, const alea_lanes *lanes, size_t shared,
                                 alea_mem *mem) {
  return alea_gpu_tables_shape(tables, lanes, &(alea_gpu_shape){0}, shared, mem);
}

void alea_gpu_tables_clear(alea_gpu_tables *tables, alea_mem *mem) {
  alea_vec_clear(mem, &tables->words);
}

/* ---- the kernel ---- */

static uint32_t most_moves(const alea_lanes *lanes) {
  uint32_t most = 1;
  for (uint32_t t = 0; t < alea_lanes_tick_count(lanes); t++)
    for (uint32_t r = 0; r < lanes->net->role_count; r++) {
      uint32_t moves = alea_lanes_program_at(lanes, t)->roles[r].move_count;
      if (moves > most) most = moves;
    }
  return most;
}

/* The planes that counts of moves have, for macros. */
static void put_planes(const alea_lanes *lanes, alea_text *text) {
  uint64_t planes = 0;
  for (uint32_t t = 0; t < alea_lanes_tick_count(lanes); t++)
    for (uint32_t r = 0; r < lanes->net->role_count; r++) {
      uint32_t moves = alea_lanes_program_at(lanes, t)->roles[r].move_count;
      if (moves > 1) planes |= (uint64_t)1 << alea_lanes_planes(moves);
    }
  alea_text_put(text, "#define EACH_PLANES(X)");
  for (uint32_t p = 0; p < 64; p++)
    if ((planes >> p & 1) != 0) alea_text_format(text, " X(%u)", p);
  alea_text_put(text, "\n");
}

/* The names that tables and kernel share. */
static void put_names(alea_text *text) {
#define NAME(name) #name, ALEA_KERNEL_##name
  static const struct {
    const char *name;
    uint32_t value;
  } names[] = {{NAME(ROW)},
               {NAME(TERMINAL)},
               {NAME(ROLE)},
               {NAME(MOVES)},
               {NAME(PLANES)},
               {NAME(ONLY)},
               {NAME(ONLY_MOVE)},
               {NAME(ROOT)},
               {NAME(BELOW)},
               {NAME(NOTHING)},
               {NAME(PLACES)},
               {NAME(LEVEL_ENDS)},
               {NAME(OTHER)},
               {NAME(AHEAD)},
               {NAME(BEGIN)},
               {NAME(END)},
               {NAME(NOT)},
               {NAME(CELL)},
               {"GOALS_AT", ALEA_KERNEL_GOALS},
               {"ROLES_AT", ALEA_KERNEL_ROLES},
               {"NODES_AT", ALEA_KERNEL_NODES},
               {"KIND_AT", ALEA_KERNEL_KIND}};
#undef NAME
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    alea_text_format(text, "#define %s %uu\n", names[i].name, names[i].value);
}

/* What differs from game to game. */
static void put_sizes(const alea_lanes *lanes, const alea_gpu_tables *tables, alea_text *text) {
  const alea_gpu_shape *shape = &tables->shape;
  const alea_net *net = lanes->net;
  const struct {
    const char *name;
    uint32_t value;
  } sizes[] = {{"WIDTH", shape->width},
               {"COPIES", shape->copies},
               {"COPY", tables->slots + (uint32_t)net->goals.count},
               {"THREADS", shape->threads},
               {"WARPS", shape->threads / ALEA_KERNEL_WARP},
               {"RESIDENT", shape->resident},
               {"OUTSIDE", shape->outside},
               {"COUNTS", ALEA_GPU_COUNTS},
               {"TICKS", alea_lanes_tick_count(lanes)},
               {"FLUENTS", net->fluent_count},
               {"FIRST_KEPT", tables->first_kept},
               {"KEPT", lanes->general.kept_count},
               {"SLOTS", tables->slots},
               {"GOALS", (uint32_t)net->goals.count},
               {"ROLES", net->role_count},
               {"HEIGHT", tree_of(&(alea_lanes_role){.move_count = most_moves(lanes)}, 0).height},
               {"CODE_AT", tables->code_at},
               {"TOLD_AT", tables->told_at}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    alea_text_format(text, "#define %s %uu\n", sizes[i].name, sizes[i].value);
}

void alea_gpu_interpreter(const alea_lanes *lanes, const alea_gpu_tables *tables, alea_text *text) {
  alea_gpu_put_prologue(text);
  put_names(text);
  put_sizes(lanes, tables, text);
  put_planes(lanes, text);
  for (size_t i = 0; alea_gpu_kernel[i] != NULL; i++) alea_text_put(text, alea_gpu_kernel[i]);
}

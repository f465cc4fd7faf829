/* Writing a game as code: the frame of a thread, and the operations. */
#include "gpu/source.h"

#include <stdint.h>

#include "gpu/source_pick.h"
#include "propnet/lanes_form.h"

/* What differs between a GPU and a CPU, and the random numbers (xorwow). */
static const char prologue[] =
    "typedef unsigned int u32;\n"
    "typedef unsigned long long u64;\n"
    "#ifdef __CUDACC__\n"
    "#define POPC(x) __popc(x)\n"
    "#define ADD(to, x) atomicAdd(&(to), (u64)(x))\n"
    "#define INLINE __device__ __forceinline__\n"
    "#define TOLD(role, move, lanes)\n"
    "#define BEGUN(lanes)\n"
    "#define ENDED(lanes)\n"
    "#define LOST(lanes)\n"
    "#define STEPPED(lanes)\n"
    "#define TOGETHER __syncwarp(); __syncthreads()\n"
    "#define ANYBODY(x) (__syncwarp(), __syncthreads_or(x))\n"
    "#define SOME(x) __any_sync(0xffffffffu, x)\n"
    "#else\n"
    "typedef struct uint4 { u32 x, y, z, w; } uint4;\n"
    "#define POPC(x) (u32) __builtin_popcount(x)\n"
    "#define ADD(to, x) (to) += (u64)(x)\n"
    "#define INLINE static inline\n"
    "void alea_told(u32 role, u32 move, u32 lanes);\n"
    "void alea_begun(u32 lanes);\n"
    "void alea_ended(u32 lanes);\n"
    "void alea_lost(u32 lanes);\n"
    "void alea_stepped(u32 lanes);\n"
    "#define TOLD(role, move, lanes) alea_told(role, move, lanes)\n"
    "#define BEGUN(lanes) alea_begun(lanes)\n"
    "#define ENDED(lanes) alea_ended(lanes)\n"
    "#define LOST(lanes) alea_lost(lanes)\n"
    "#define STEPPED(lanes) alea_stepped(lanes)\n"
    "#define TOGETHER\n"
    "#define ANYBODY(x) (x)\n"
    "#define SOME(x) (x)\n"
    "#endif\n"
    "typedef struct rng { u32 a, b, c, d, e, n; } rng;\n"
    "INLINE u32 mix(u64 *s) {\n"
    "  u64 z = *s += 0x9e3779b97f4a7c15ull;\n"
    "  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;\n"
    "  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;\n"
    "  return (u32)(z >> 32);\n"
    "}\n"
    "INLINE u32 draw(rng *r) {\n"
    "  u32 t = r->e, s = r->a;\n"
    "  r->e = r->d; r->d = r->c; r->c = r->b; r->b = s;\n"
    "  t ^= t >> 2; t ^= t << 1; t ^= s ^ (s << 4);\n"
    "  r->a = t;\n"
    "  r->n += 362437u;\n"
    "  return t + r->n;\n"
    "}\n"
    "/* The lowest n lanes of m. */\n"
    "INLINE u32 lowest(u32 m, u32 n) {\n"
    "  u32 taken = 0;\n"
    "  for (; n > 0 && m != 0; n--) { taken |= m & (0u - m); m &= m - 1; }\n"
    "  return taken;\n"
    "}\n";

void alea_gpu_put_prologue(alea_text *text) { alea_text_put(text, prologue); }

/* Operations that may be moved away from where they are needed: code has no use for equal ones side
 * by side, but for registers. */
enum { WINDOW = 16 };

alea_status alea_gpu_lanes_new(alea_lanes **lanes, const alea_net *net, alea_mem *mem) {
  alea_lanes_tuning tuning = {.lanes = 32, .chosen = UINT32_MAX, .window = WINDOW};
  return alea_lanes_new_tuned(lanes, net, &tuning, mem);
}

/* Statements between two places where the warps of a block wait for each other. */
enum { PACE = 400 };

/* How the registers of a thread are shared out where we do it. */
enum {
  REGISTERS = 140, /* for the values of slots; others count games, draw numbers, hold addresses */
  CROWDED = 110,   /* while moves are drawn */
  AHEAD = 12,      /* statements from loading to reading what is near, */
  FAR_AHEAD = 200, /* and what is far away */
  PRESSURE = 200,  /* values in registers with those that are loaded ahead */
  AT_ONCE = 24,    /* fluents that begin anew together */
  RESERVED_BYTES = 1024, /* of what a block shares, for the system */
};

/* ---- operations ---- */

static void put_slot(const alea_gpu_writer *w, uint32_t offset) {
  alea_gpu_put_slot(w, offset / (uint32_t)sizeof(uint32_t));
}

static void put_pair(const alea_gpu_writer *w, const char *open, const uint32_t *pair,
                     const char *middle, bool *first) {
  alea_text_put(w->text, *first ? "" : " & ");
  alea_text_put(w->text, open);
  put_slot(w, pair[0]);
  alea_text_put(w->text, middle);
  put_slot(w, pair[1]);
  alea_text_put(w->text, ")");
  *first = false;
}

/* The beginning and the end of a statement for 'slot', which may be one of a loop that is
 * kept in its leaf: there it is seen at once whether it changes. */
static void put_target(const alea_gpu_writer *w, uint32_t slot, bool invert) {
  uint32_t leaf = w->leaf[slot];
  alea_gpu_put_moves(w);
  if (leaf == 0)
    alea_gpu_put_result(w, slot);
  else
    alea_text_put(w->text, "value");
  alea_text_put(w->text, invert != ((leaf & 1) != 0) ? " = ~(" : " = (");
}

static void put_end(const alea_gpu_writer *w, uint32_t slot) {
  uint32_t leaf = w->leaf[slot] >> 1;
  alea_text_put(w->text, ");\n");
  if (leaf == 0) return;
  alea_text_format(w->text, "changed |= value ^ s%" PRIu32 "; s%" PRIu32 " = value;\n", leaf, leaf);
  w->used[leaf] = 1;
}

/* One operation; returns the code after it. */
static const uint32_t *put_operation(const alea_gpu_writer *w, const uint32_t *code,
                                     const alea_lanes_form *form) {
  bool first = true;
  uint32_t slot = *code++ / (uint32_t)sizeof(uint32_t);
  put_target(w, slot, form->invert != 0);
  for (int k = 0; k < form->plain + form->negated; k++, first = false) {
    alea_text_put(w->text, first ? "" : " & ");
    if (k >= form->plain) alea_text_char(w->text, '~');
    put_slot(w, *code++);
  }
  for (int k = 0; k < form->nand; k++, code += 2) put_pair(w, "~(", code, " & ", &first);
  for (int k = 0; k < form->imply; k++, code += 2) put_pair(w, "~(", code, " & ~", &first);
  for (int k = 0; k < form->either; k++, code += 2) put_pair(w, "(", code, " | ", &first);
  put_end(w, slot);
  alea_gpu_put_pace(w, 1);
  return code;
}

/* Where warps wait for each other the threads of one decide together how often they loop: the
 * compiler of CUDA does not always bring them together again before they wait, which the device
 * refuses as an illegal instruction.  Within a condition each decides for itself. */
static const char *vote(const alea_gpu_writer *w) {
  return w->pace->every != 0 && w->pace->apart == 0 ? "SOME" : "";
}

static const uint32_t *put_loop(const alea_gpu_writer *w, const uint32_t *code, uint32_t count) {
  if (w->notes) w->allocation->loops = true;
  for (; count > 0; count--) {
    put_slot(w, *code++);
    alea_text_put(w->text, " = 0;\n");
  }
  alea_text_put(w->text, "for (;;) { u32 changed = 0, value;\n");
  w->pace->apart++;
  return code;
}

/* Whether the values of a loop are in their leaves, or no longer.  'feedbacks' are those of
 * its end. */
static void keep_in_leaves(const alea_gpu_writer *w, const uint32_t *feedbacks, uint32_t count,
                           bool kept) {
  for (; count > 0; count--, feedbacks += 3) {
    uint32_t leaf = feedbacks[0] / (uint32_t)sizeof(uint32_t);
    uint32_t *of = &w->leaf[feedbacks[1] / sizeof(uint32_t)];
    if (!kept) *of = 0;
    if (kept && *of == 0) *of = 2 * leaf + (feedbacks[2] != 0);
  }
}

/* A loop that begins with what was kept.  One that may be passed over is performed only
 * where games begin.  Outside only its leaves are read: so its values have no other place. */
static const uint32_t *put_kept(const alea_gpu_writer *w, const uint32_t *code, uint32_t count) {
  const alea_lanes_program *p = w->program;
  if (w->notes) w->allocation->loops = true;
  for (size_t i = 0; i < p->kept_loops.count; i++) {
    const alea_lanes_kept_loop *loop = &p->kept_loops.data[i];
    if (code != p->code.data + loop->at) continue;
    keep_in_leaves(w, code + 1 + loop->length - 3 * (size_t)count, count, true);
  }
  if (*code != 0) alea_text_format(w->text, "if (%s(fresh != 0)) ", vote(w));
  alea_text_put(w->text, "for (;;) { u32 changed = 0, value;\n");
  w->pace->apart++;
  return code + 1 + count;
}

static const uint32_t *put_again(const alea_gpu_writer *w, const uint32_t *code, uint32_t count) {
  const uint32_t *feedbacks = code, all = count;
  for (; count > 0; count--, code += 3) {
    uint32_t leaf = code[0] / (uint32_t)sizeof(uint32_t);
    if (w->leaf[code[1] / sizeof(uint32_t)] >> 1 == leaf) continue;
    alea_text_put(w->text, code[2] != 0 ? "value = ~" : "value = ");
    put_slot(w, code[1]);
    alea_text_put(w->text, "; changed |= value ^ ");
    put_slot(w, code[0]);
    alea_text_put(w->text, "; ");
    put_slot(w, code[0]);
    alea_text_put(w->text, " = value;\n");
  }
  keep_in_leaves(w, feedbacks, all, false);
  w->pace->apart--;
  alea_text_format(w->text, "if (!%s(changed != 0)) break; }\n", vote(w));
  alea_gpu_put_pace(w, 0);
  return code;
}

void alea_gpu_put_section(const alea_gpu_writer *w, alea_lanes_section section) {
  const alea_lanes_program *p = w->program;
  const uint32_t *code = p->code.data + (section == 0 ? 0 : p->section_end[section - 1]);
  const uint32_t *end = p->code.data + p->section_end[section];
  while (code < end) {
    uint32_t header = *code++, count = header & 0xffffff, number = header >> 24;
    if (number == ALEA_LANES_LOOP) {
      code = put_loop(w, code, count);
    } else if (number == ALEA_LANES_KEPT) {
      code = put_kept(w, code, count);
    } else if (number == ALEA_LANES_AGAIN) {
      code = put_again(w, code, count);
    } else {
      alea_lanes_form form = alea_lanes_form_of_run(number, &code);
      for (; count > 0; count--) code = put_operation(w, code, &form);
    }
  }
}

/* ---- ends of games ---- */

void alea_gpu_put_literal(const alea_gpu_writer *w, uint32_t lit) {
  if ((lit & 1) != 0) alea_text_char(w->text, '~');
  alea_gpu_put_slot(w, lit >> 1);
}

/* The games of 'ended' by goal, the largest value of a role first. */
static void put_goals(const alea_gpu_writer *w) {
  const alea_net *net = w->lanes->net;
  uint32_t role = UINT32_MAX;
  w->pace->apart++;
  if (w->allocation != NULL) w->allocation->in_condition = true;
  alea_gpu_put_section(w, ALEA_LANES_GOAL);
  alea_text_put(w->text, "u32 rest, holds;\n");
  for (size_t i = 0; i < net->goals.count; i++) {
    uint32_t g = w->lanes->goal_order[i];
    if (net->goals.data[g].role != role) alea_text_put(w->text, "rest = ended;\n");
    role = net->goals.data[g].role;
    alea_gpu_put_moves(w);
    alea_text_put(w->text, "holds = rest & ");
    alea_gpu_put_literal(w, w->program->goals[g]);
    alea_text_format(w->text,
                     w->few_goals ? "; rest &= ~holds; goal%" PRIu32 " += POPC(holds);\n"
                                  : "; rest &= ~holds; COUNT(%" PRIu32 ", POPC(holds));\n",
                     g);
  }
  w->pace->apart--;
}

/* ---- ticks ---- */

/* Whether a new game must write the fluent. */
static bool is_restarted(const alea_gpu_writer *w, uint32_t fluent) {
  const alea_gpu_allocation *r = w->allocation;
  return w->used[fluent + 1] &&
         (r == NULL || alea_gpu_allocation_restarts(r, r->statement, fluent + 1));
}

/* Fluents begin anew in the lanes m.  Those that lie in memory are loaded some at a time, for each
 * is waited for. */
static void put_restart(const alea_gpu_writer *w) {
  uint32_t first = 0, count = w->lanes->net->fluent_count, taken[AT_ONCE], n;
  while (first < count) {
    for (n = 0; first < count && n < AT_ONCE; first++)
      if (is_restarted(w, first)) taken[n++] = first;
    alea_text_put(w->text, "{\n");
    for (uint32_t i = 0; i < n; i++) {
      alea_text_format(w->text, "u32 v%" PRIu32 " = ", i);
      alea_gpu_put_slot(w, taken[i] + 1);
      alea_text_format(w->text, ", w%" PRIu32 " = start[%" PRIu32 "];\n", i, taken[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
      alea_gpu_put_slot(w, taken[i] + 1);
      alea_text_format(w->text, " = (v%" PRIu32 " & ~m) | (w%" PRIu32 " & m);\n", i, i);
    }
    alea_text_put(w->text, "}\n");
  }
}

/* New games in lanes that are free. */
static void put_refill(const alea_gpu_writer *w, uint32_t tick) {
  if (w->notes) alea_gpu_allocation_crowd(w->allocation, true);
  alea_gpu_put_moves(w);
  if (w->notes)
    alea_gpu_allocation_note(w->allocation, w->lanes->net->fluent_count, ALEA_GPU_RESTART);
  if (w->notes) alea_gpu_allocation_crowd(w->allocation, false);
  alea_text_format(w->text,
                   "if (tick == %" PRIu32
                   " && left != 0 && ~live != 0) {\n"
                   "u32 m = ~live;\n"
                   "if (left < POPC(m)) m = lowest(m, left);\n"
                   "left -= POPC(m); live |= m; fresh = m; BEGUN(m);\n",
                   tick);
  for (uint32_t c = 0; c < ALEA_GPU_COHORTS; c++)
    alea_text_format(w->text, "old%" PRIu32 " &= ~m;\n", c);
  if (!w->notes) put_restart(w);
  const alea_lanes_program *p = w->program;
  for (uint32_t s = p->first_kept_slot; s < p->first_kept_slot + p->kept_count; s++)
    if (w->used[s]) alea_text_format(w->text, "s%" PRIu32 " &= ~m;\n", s);
  alea_text_put(w->text, "}\n");
}

static void put_tick(const alea_gpu_writer *w, uint32_t tick) {
  alea_text_format(w->text, "/* tick %" PRIu32 " */\n", tick);
  alea_text_put(w->text, "{\nu32 fresh = 0;\n");
  put_refill(w, tick);
  alea_text_put(w->text, w->pace->every == 0 ? "if (live == 0 && left == 0) break;\n"
                                             : "if (!ANYBODY(live != 0 || left != 0)) break;\n");
  alea_gpu_put_section(w, ALEA_LANES_STATE);
  alea_gpu_put_moves(w);
  alea_text_put(w->text, "u32 ended = live & ");
  alea_gpu_put_literal(w, w->program->terminal);
  alea_text_put(w->text, ", stuck = 0;\nif (ended != 0) {\n");
  put_goals(w);
  alea_text_put(w->text, "playouts += POPC(ended); live &= ~ended; ENDED(ended);\n}\n");
  alea_gpu_put_moves(w);
  if (w->allocation != NULL) w->allocation->in_condition = false;
  for (uint32_t r = 0; r < w->program->role_count; r++) alea_gpu_put_pick(w, r);
  alea_text_put(w->text,
                "if (stuck != 0) { unfinished += POPC(stuck); live &= ~stuck; LOST(stuck); }\n"
                "states += POPC(live); STEPPED(live);\n");
  alea_gpu_put_section(w, ALEA_LANES_NEXT);
  alea_text_put(w->text, "}\n");
}

/* ---- the thread ---- */

/* Shared by the ticks. */
void alea_gpu_put_slots(const alea_gpu_writer *w) {
  uint32_t none = alea_lanes_false_slot(w->lanes->net);
  for (uint32_t s = 1; s < w->lanes->slot_count; s++)
    if (w->used[s] && s != none) alea_text_format(w->text, "u32 s%" PRIu32 " = 0;\n", s);
}

static uint32_t count_variables(const alea_gpu_writer *w) {
  uint32_t variables = 0;
  for (uint32_t s = 1; s < w->lanes->slot_count; s++) variables += w->used[s];
  return variables;
}

/* Where far more values are alive than there are registers, the compiler of CUDA
 * takes 32 of them for the sake of many threads; told that two blocks are enough,
 * it takes 255, and the code is twice as fast. */
static const char *bounds_of(const alea_gpu_writer *w) {
  return count_variables(w) > ALEA_GPU_FREE_VARIABLES ? ", 2" : "";
}
_Static_assert(ALEA_GPU_FEWEST_BLOCKS == 2, "as the bounds say");

/* A processor has registers for 512 threads with 128 each. */
uint32_t alea_gpu_held_blocks(const alea_lanes *lanes) {
  return lanes->slot_count > ALEA_GPU_FEW_VARIABLES ? ALEA_GPU_FEWEST_BLOCKS : 4;
}

/* Games by goal, where there are many goals: a block that has one job counts for itself, for all
 * threads would wait for the same few places of 'out'. */
static void put_tally(const alea_gpu_writer *w) {
  size_t count = w->lanes->net->goals.count;
  alea_text_format(w->text, "#define COUNT_OUT(g, n) ADD(out[%d + g], n)\n", ALEA_GPU_COUNTS);
  if (w->shares_tally)
    alea_text_format(w->text,
                     "#ifdef __CUDACC__\n"
                     "__shared__ u32 tally[%zu];\n"
                     "u32 alone = threads %% %du == 0;\n"
                     "for (u32 g = thread; g < %zuu; g += %du) tally[g] = 0;\n"
                     "TOGETHER;\n"
                     "#define COUNT(g, n) if (alone) ADD(tally[g], n); else COUNT_OUT(g, n)\n"
                     "#else\n",
                     count, ALEA_GPU_BLOCK, count, ALEA_GPU_BLOCK);
  alea_text_put(w->text, "#define COUNT(g, n) COUNT_OUT(g, n)\n");
  if (w->shares_tally) alea_text_put(w->text, "#endif\n");
}

static void put_tally_end(const alea_gpu_writer *w) {
  if (!w->shares_tally) return;
  alea_text_format(w->text,
                   "#ifdef __CUDACC__\n"
                   "TOGETHER;\n"
                   "for (u32 g = thread; alone && g < %zuu; g += %du) COUNT_OUT(g, tally[g]);\n"
                   "#endif\n",
                   w->lanes->net->goals.count, ALEA_GPU_BLOCK);
}

/* Places for what has left its register.  The compiler would keep it in registers nevertheless
 * if they were not volatile. */
static void put_places(const alea_gpu_writer *w) {
  const alea_gpu_allocation *r = w->allocation;
  if (r == NULL) return;
  alea_text_format(w->text,
                   "#ifdef __CUDACC__\n"
                   "extern __shared__ u32 shared[];\n"
                   "volatile u32 *near = shared + thread;\n"
                   "#define NEAR(i) near[(i) * %du]\n"
                   "#else\n"
                   "u32 near[%" PRIu32
                   "];\n"
                   "#define NEAR(i) near[i]\n"
                   "#endif\n"
                   "#define FAR(i) far[i]\n"
                   "volatile u32 far[%" PRIu32
                   "];\n"
                   "for (u32 i = 0; i < %" PRIu32
                   "u; i++) NEAR(i) = 0;\n"
                   "for (u32 i = 0; i < %" PRIu32 "u; i++) FAR(i) = 0;\n",
                   ALEA_GPU_BLOCK, r->near_count + 1, r->far_count + 1, r->near_count,
                   r->far_count);
}

static void put_head(const alea_gpu_writer *w) {
  uint32_t counts = ALEA_GPU_COUNTS + (uint32_t)w->lanes->net->goals.count;
  alea_text_format(
      w->text,
      "#ifdef __CUDACC__\n"
      "extern \"C\" __global__ void __launch_bounds__(%d%s) alea_play(const u32 *starts,\n"
      "    const u32 *jobs, u64 *out, u32 threads_per_job, u32 cap, u64 seed, const u32 *words,\n"
      "    u32 *memory) {\n"
      "u32 block = blockIdx.x, thread = threadIdx.x;\n"
      "#else\n"
      "void alea_play(u32 block, u32 thread, const u32 *starts, const u32 *jobs, u64 *out,\n"
      "    u32 threads_per_job, u32 cap, u64 seed, const u32 *words, u32 *memory) {\n"
      "#endif\n"
      "u32 threads = threads_per_job, all = block * %du + thread, job = all / threads;\n"
      "u32 tick = jobs[2 * job + 1];\n"
      "u32 left = jobs[2 * job] / threads + (all %% threads < jobs[2 * job] %% threads);\n"
      "const u32 *start = starts + (u64)job * %" PRIu32
      "u;\n"
      "out += (u64)job * %" PRIu32
      "u;\n"
      "u64 s = seed ^ (u64)all * 0xd1342543de82ef95ull;\n"
      "rng r;\n"
      "r.a = mix(&s); r.b = mix(&s); r.c = mix(&s); r.d = mix(&s); r.e = mix(&s) | 1; r.n = "
      "mix(&s);\n"
      "u32 playouts = 0, unfinished = 0, states = 0, live = 0, step = 0, mark = (cap + 3) / 4;\n",
      ALEA_GPU_BLOCK, bounds_of(w), ALEA_GPU_BLOCK, w->lanes->net->fluent_count, counts);
  for (uint32_t c = 0; c < ALEA_GPU_COHORTS; c++)
    alea_text_format(w->text, "u32 old%" PRIu32 " = 0;\n", c);
  for (size_t g = 0; w->few_goals && g < w->lanes->net->goals.count; g++)
    alea_text_format(w->text, "u32 goal%zu = 0;\n", g);
  if (!w->few_goals) put_tally(w);
  put_places(w);
  alea_gpu_put_slots(w);
  alea_gpu_put_pick_variables(w);
}

/* Gives up what has been there at the last marks: oldK are lanes whose games
 * were alive K+1 marks ago. */
static void put_ages(const alea_gpu_writer *w, uint32_t ticks) {
  alea_text_format(w->text,
                   "step += %" PRIu32
                   ";\n"
                   "if (step >= mark) {\n"
                   "mark += (cap + 3) / 4;\n"
                   "u32 aged = live & old3;\n"
                   "if (aged != 0) { unfinished += POPC(aged); live &= ~aged; LOST(aged); }\n"
                   "old3 = old2; old2 = old1; old1 = old0; old0 = live;\n"
                   "}\n",
                   ticks);
}

static void put_tail(const alea_gpu_writer *w) {
  alea_text_put(w->text, "ADD(out[0], playouts); ADD(out[1], unfinished); ADD(out[2], states);\n");
  for (size_t g = 0; w->few_goals && g < w->lanes->net->goals.count; g++)
    alea_text_format(w->text, "ADD(out[%zu], goal%zu);\n", g + ALEA_GPU_COUNTS, g);
  if (!w->few_goals) put_tally_end(w);
  alea_text_put(w->text, "}\n");
}

/* The ticks are written first, for what they use, and once more after the
 * variables are known. */
static void put_ticks(alea_gpu_writer *w) {
  for (uint32_t t = 0; t < alea_lanes_tick_count(w->lanes); t++) {
    w->program = alea_lanes_program_at(w->lanes, t);
    put_tick(w, t);
  }
}

/* Registers are left to the compiler where values are few, and where there are loops. */
static void allocate_registers(alea_gpu_writer *w, size_t shared) {
  size_t tally = w->shares_tally ? w->lanes->net->goals.count * sizeof(uint32_t) : 0;
  size_t share = shared / ALEA_GPU_FEWEST_BLOCKS, taken = RESERVED_BYTES + tally;
  size_t near = share > taken ? (share - taken) / (ALEA_GPU_BLOCK * sizeof(uint32_t)) : 0;
  alea_gpu_limits limits = {.registers = REGISTERS,
                            .crowded = CROWDED,
                            .near = (uint32_t)near,
                            .ahead = AHEAD,
                            .far_ahead = FAR_AHEAD,
                            .pressure = PRESSURE};
  alea_gpu_allocation *r = w->allocation;
  w->notes = false;
  if (r->loops || count_variables(w) <= ALEA_GPU_MANY_VARIABLES)
    w->allocation = NULL;
  else if (!alea_gpu_allocation_make(r, &limits))
    w->text->failed = true;
  r->statement = 0;
}

static void put_source(alea_gpu_writer *w, size_t shared) {
  size_t before = w->text->length;
  w->notes = true;
  put_ticks(w);
  alea_text_truncate(w->text, before);
  allocate_registers(w, shared);
  *w->pace = (alea_gpu_pace){.every = count_variables(w) > ALEA_GPU_FEW_VARIABLES ? PACE : 0};
  alea_gpu_put_prologue(w->text);
  put_head(w);
  alea_text_put(w->text, "for (;;) {\n");
  put_ticks(w);
  put_ages(w, alea_lanes_tick_count(w->lanes));
  alea_gpu_put_moves(w);
  alea_text_put(w->text, "}\n");
  put_tail(w);
}

size_t alea_gpu_source(const alea_lanes *lanes, size_t shared, alea_text *text) {
  alea_gpu_pace pace = {0};
  alea_gpu_allocation allocation;
  alea_gpu_allocation_init(&allocation, lanes->slot_count, text->mem);
  alea_gpu_writer w = {.lanes = lanes, .text = text, .pace = &pace, .allocation = &allocation};
  w.few_goals = lanes->net->goals.count <= ALEA_GPU_FEW_GOALS;
  w.shares_tally = !w.few_goals && lanes->net->goals.count <= ALEA_GPU_SHARED_GOALS;
  w.used = alea_mem_calloc(text->mem, lanes->slot_count, 1);
  w.leaf = alea_mem_calloc(text->mem, lanes->slot_count, sizeof *w.leaf);
  if (w.used != NULL && w.leaf != NULL && !allocation.lacks_memory)
    put_source(&w, shared);
  else
    text->failed = true;
  size_t bytes = (size_t)allocation.near_count * ALEA_GPU_BLOCK * sizeof(uint32_t);
  alea_mem_free(text->mem, w.used, lanes->slot_count);
  alea_mem_free(text->mem, w.leaf, lanes->slot_count * sizeof *w.leaf);
  alea_gpu_allocation_clear(&allocation);
  return bytes;
}

/* The programs of lanes as tables for the kernel that interprets. */
#include "gpu/interpreter.h"

#include "gpu/kernel.h"
#include "gpu/source.h"
#include "propnet/lanes_form.h"

enum {
  LANE_BYTES = 4,                            /* of a word of 32 games */
  PLACE_BYTES = LANE_BYTES * ALEA_GPU_BLOCK, /* of a slot, for all threads of a block */
  RESIDENT = 12,                             /* blocks that a processor should hold */
  PAIRS = 3,                                 /* of an instruction */
  FOUR = 4,                                  /* instructions that are performed at once */
};

typedef struct interpreter_writer {
  const alea_lanes *lanes;
  const alea_lanes_program *program; /* of the tick */
  alea_u32s *words;
  alea_mem *mem;
  bool ok;
} interpreter_writer;

/* The planes of numbers up to 'n'. */
static uint32_t planes_for(uint32_t n) {
  uint32_t planes = 0;
  for (; n != 0; n >>= 1) planes++;
  return planes;
}

/* ---- words ---- */

static void put(interpreter_writer *w, uint32_t word) {
  w->ok = w->ok && alea_vec_push(w->mem, w->words, word);
}

/* The place of what comes next, which begins with a multiple of eight words. */
static uint32_t align(interpreter_writer *w) {
  while (w->ok && w->words->count % 8 != 0) put(w, 0);
  return (uint32_t)w->words->count;
}

static uint32_t place_of(uint32_t slot) { return slot * PLACE_BYTES; }

/* An operand of a slot literal. */
static uint32_t operand(uint32_t lit) { return place_of(lit >> 1) | (lit & 1); }

/* ---- instructions ---- */

/* Terms of an operation: pairs first, then single operands. */
typedef struct interpreter_terms {
  uint32_t pairs[2 * ALEA_LANES_MAX_OPERANDS], singles[2 * ALEA_LANES_MAX_OPERANDS];
  uint32_t pair_count, single_count; /* operands in each */
} interpreter_terms;

static uint32_t negated(uint32_t offset, bool not ) {
  return place_of(offset / LANE_BYTES) | (not ? 1 : 0);
}

/* Reads the operands of an operation; returns the code after them.  A pair is the complement
 * of an AND, so the OR of the complements. */
static const uint32_t *read_terms(interpreter_terms *t, const uint32_t *code,
                                  const alea_lanes_form *form) {
  *t = (interpreter_terms){0};
  for (int k = 0; k < form->plain + form->negated; k++)
    t->singles[t->single_count++] = negated(*code++, k >= form->plain);
  for (int k = 0; k < form->nand + form->imply + form->either; k++, code += 2) {
    bool either = k >= form->nand + form->imply;
    t->pairs[t->pair_count++] = negated(code[0], !either);
    t->pairs[t->pair_count++] = negated(code[1], k < form->nand);
  }
  return code;
}

/* Appends instructions for the AND of the terms, in 'place'. */
static void put_terms(interpreter_writer *w, const interpreter_terms *t, uint32_t place,
                      bool invert) {
  uint32_t pair = 0, single = 0, on = 0, always = operand(2 * ALEA_LANES_TRUE_SLOT);
  do {
    uint32_t words[8], count = 0, how = on;
    for (; count < PAIRS && pair < t->pair_count; count++, pair += 2) {
      words[2 * count] = t->pairs[pair];
      words[2 * count + 1] = t->pairs[pair + 1];
      how |= 1u << count;
    }
    for (; count < PAIRS && single < t->single_count; count++, single += 2) {
      words[2 * count] = t->singles[single];
      words[2 * count + 1] = single + 1 < t->single_count ? t->singles[single + 1] : always;
    }
    bool last = pair >= t->pair_count && single >= t->single_count;
    if (count >= 2) how |= ALEA_KERNEL_TWO_PAIRS;
    if (count == 3) how |= ALEA_KERNEL_THREE_PAIRS;
    for (uint32_t k = 0; k < 2 * count; k++) how |= (words[k] & 1) << (ALEA_KERNEL_FIRST_NOT + k);
    if (last) how |= ALEA_KERNEL_STORE | (invert ? ALEA_KERNEL_INVERT : 0);
    for (uint32_t k = 0; k < 2 * PAIRS; k++) put(w, k < 2 * count ? words[k] : always);
    put(w, place);
    put(w, how);
    on = ALEA_KERNEL_ON;
  } while (pair < t->pair_count || single < t->single_count);
}

static void put_other(interpreter_writer *w, uint32_t first, uint32_t place, uint32_t how) {
  put(w, first);
  for (int k = 1; k < 2 * PAIRS; k++) put(w, 0);
  put(w, place);
  put(w, how);
}

/* The begin of a loop.  Where its leaves are kept and it may be passed over, '*skip' is the
 * word to be set to where it ends, else 0. */
static const uint32_t *put_begin(interpreter_writer *w, const uint32_t *code, uint32_t count,
                                 bool kept, size_t *skip) {
  bool passed_over = kept && *code++ != 0;
  const interpreter_terms nothing = {.singles = {operand(2 * ALEA_LANES_TRUE_SLOT + 1)},
                                     .single_count = 1};
  for (uint32_t i = 0; !kept && i < count; i++)
    put_terms(w, &nothing, place_of(code[i] / LANE_BYTES), false);
  put_other(w, 0, 0, ALEA_KERNEL_BEGIN);
  *skip = passed_over ? w->words->count - 2 : 0;
  return code + count;
}

static const uint32_t *put_again(interpreter_writer *w, const uint32_t *code, uint32_t count,
                                 size_t skip) {
  for (; count > 0; count--, code += 3)
    put_other(w, negated(code[1], code[2] != 0), place_of(code[0] / LANE_BYTES), ALEA_KERNEL_FEED);
  put_other(w, 0, 0, ALEA_KERNEL_AGAIN);
  if (w->ok && skip != 0) w->words->data[skip] = (uint32_t)w->words->count / 8;
  return code;
}

static const alea_lanes_form forms[] = {
#define FORM(p, q, n, i, e) {p, q, n, i, e, 0}, {p, q, n, i, e, 1},
    ALEA_LANES_FORMS(FORM)
#undef FORM
};

/* Whether instruction 'i' can be performed together with those from 'first' on: it reads no
 * result of theirs. */
static bool independent(const uint32_t *words, uint32_t first, uint32_t i) {
  const uint32_t *at = words + 8 * (size_t)i;
  uint32_t how = at[7];
  if (how >= ALEA_KERNEL_BEGIN || (how & ALEA_KERNEL_ON) != 0 || (how & ALEA_KERNEL_STORE) == 0)
    return false;
  uint32_t count = (how & ALEA_KERNEL_THREE_PAIRS) != 0 ? 6 : (how & ALEA_KERNEL_TWO_PAIRS) ? 4 : 2;
  for (uint32_t before = first; before < i; before++)
    for (uint32_t k = 0; k < count; k++)
      if ((at[k] & ~3u) == words[8 * (size_t)before + 6]) return false;
  return true;
}

/* Marks what can be performed four at a time among the instructions first .. end-1. */
static void mark_fours(uint32_t *words, uint32_t first, uint32_t end) {
  while (first + FOUR <= end) {
    uint32_t together = 0;
    while (together < FOUR && independent(words, first, first + together)) together++;
    if (together == FOUR) words[8 * (size_t)first + 7] |= ALEA_KERNEL_FOUR;
    first += together == FOUR ? FOUR : 1;
  }
}

static void put_section(interpreter_writer *w, int section) {
  const alea_lanes_program *p = w->program;
  const uint32_t *code = p->code.data + (section == 0 ? 0 : p->section_end[section - 1]);
  const uint32_t *end = p->code.data + p->section_end[section];
  size_t skip = 0;
  while (w->ok && code < end) {
    uint32_t header = *code++, count = header & 0xffffff, number = header >> 24;
    if (number == ALEA_LANES_LOOP || number == ALEA_LANES_KEPT) {
      code = put_begin(w, code, count, number == ALEA_LANES_KEPT, &skip);
      continue;
    }
    if (number == ALEA_LANES_AGAIN) {
      code = put_again(w, code, count, skip);
      continue;
    }
    alea_lanes_form form =
        number < ALEA_LANES_LONG ? forms[number] : alea_lanes_form_unpack(*code++);
    for (; count > 0; count--) {
      interpreter_terms terms;
      uint32_t place = place_of(*code++ / LANE_BYTES);
      code = read_terms(&terms, code, &form);
      put_terms(w, &terms, place, form.invert != 0);
    }
  }
}

/* ---- moves and goals ---- */

static void put_groups(interpreter_writer *w, const alea_lanes_role *role) {
  for (uint32_t g = 0; g < role->group_count; g++) {
    const alea_lanes_group *group = &w->program->groups.data[role->first_group + g];
    for (int i = 0; i < ALEA_LANES_GROUP; i++) put(w, negated(group->legal[i], false));
    for (int i = 0; i < ALEA_LANES_GROUP; i++) put(w, place_of(group->chosen[i]));
    for (int i = 0; i < ALEA_LANES_GROUP; i++) put(w, group->move[i]);
  }
}

/* The roles of a tick, after the groups that they point to; returns where they are. */
static uint32_t put_roles(interpreter_writer *w) {
  const alea_lanes_program *p = w->program;
  uint32_t rows[8] = {0}, at = align(w);
  for (uint32_t r = 0; r < p->role_count; r++) put_groups(w, &p->roles[r]);
  uint32_t result = align(w);
  for (uint32_t r = 0; r < p->role_count; r++) {
    const alea_lanes_role *role = &p->roles[r];
    rows[ALEA_KERNEL_MOVES] = role->move_count;
    rows[ALEA_KERNEL_GROUPS] = role->group_count;
    rows[ALEA_KERNEL_PLANES] = planes_for(role->move_count);
    rows[ALEA_KERNEL_GROUPS_AT] = at;
    rows[ALEA_KERNEL_ONLY] = operand(2 * role->only);
    rows[ALEA_KERNEL_ONLY_MOVE] = role->only_move;
    for (int k = 0; k < ALEA_KERNEL_ROLE; k++) put(w, rows[k]);
    at += role->group_count * ALEA_KERNEL_GROUP;
  }
  return result;
}

static uint32_t put_goals(interpreter_writer *w) {
  const alea_net *net = w->lanes->net;
  uint32_t role = UINT32_MAX, result = align(w);
  for (size_t i = 0; i < net->goals.count; i++) {
    uint32_t g = w->lanes->goal_order[i];
    put(w, operand(w->program->goals[g]));
    put(w, 2 * g + (net->goals.data[g].role != role));
    role = net->goals.data[g].role;
  }
  return result;
}

static void put_tick(interpreter_writer *w, uint32_t tick) {
  uint32_t row[ALEA_KERNEL_ROW] = {0};
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++) {
    row[ALEA_KERNEL_SECTIONS + 2 * section] = align(w) / 8;
    put_section(w, section);
    row[ALEA_KERNEL_SECTIONS + 2 * section + 1] = align(w) / 8;
    if (w->ok)
      mark_fours(w->words->data, row[ALEA_KERNEL_SECTIONS + 2 * section],
                 row[ALEA_KERNEL_SECTIONS + 2 * section + 1]);
  }
  row[ALEA_KERNEL_TERMINAL] = operand(w->program->terminal);
  row[ALEA_KERNEL_GOALS] = put_goals(w);
  row[ALEA_KERNEL_ROLES] = put_roles(w);
  for (int k = 0; w->ok && k < ALEA_KERNEL_ROW; k++)
    w->words->data[tick * ALEA_KERNEL_ROW + (uint32_t)k] = row[k];
}

alea_status alea_gpu_tables_init(alea_gpu_tables *tables, const alea_lanes *lanes, alea_mem *mem) {
  *tables = (alea_gpu_tables){0};
  if (lanes->slot_count >= UINT32_MAX / PLACE_BYTES) return ALEA_LIMIT;
  tables->block_words = ((size_t)lanes->slot_count + lanes->net->goals.count) * ALEA_GPU_BLOCK;
  interpreter_writer w = {.lanes = lanes, .words = &tables->words, .mem = mem, .ok = true};
  for (uint32_t k = 0; k < alea_lanes_tick_count(lanes) * ALEA_KERNEL_ROW; k++) put(&w, 0);
  for (uint32_t t = 0; w.ok && t < alea_lanes_tick_count(lanes); t++) {
    w.program = alea_lanes_program_at(lanes, t);
    put_tick(&w, t);
  }
  if (w.ok) return ALEA_OK;
  alea_gpu_tables_clear(tables, mem);
  return alea_mem_lack(mem);
}

void alea_gpu_tables_clear(alea_gpu_tables *tables, alea_mem *mem) {
  alea_vec_clear(mem, &tables->words);
}

/* ---- the kernel ---- */

void alea_gpu_interpreter(const alea_lanes *lanes, alea_text *text) {
  const alea_net *net = lanes->net;
  uint32_t most = 1;
  for (uint32_t t = 0; t < alea_lanes_tick_count(lanes); t++)
    for (uint32_t r = 0; r < net->role_count; r++) {
      uint32_t moves = alea_lanes_program_at(lanes, t)->roles[r].move_count;
      if (moves > most) most = moves;
    }
  const struct {
    const char *name;
    uint32_t value;
  } sizes[] = {{"BLOCK", ALEA_GPU_BLOCK},
               {"RESIDENT", RESIDENT},
               {"COUNTS", ALEA_GPU_COUNTS},
               {"TICKS", alea_lanes_tick_count(lanes)},
               {"FLUENTS", net->fluent_count},
               {"FIRST_KEPT", lanes->general.first_kept_slot},
               {"KEPT", lanes->general.kept_count},
               {"SLOTS", lanes->slot_count},
               {"GOALS", (uint32_t)net->goals.count},
               {"ROLES", net->role_count},
               {"PLANES", planes_for(most)},
               {"ROW", ALEA_KERNEL_ROW},
               {"TERMINAL", ALEA_KERNEL_TERMINAL},
               {"GOALS_AT", ALEA_KERNEL_GOALS},
               {"ROLES_AT", ALEA_KERNEL_ROLES},
               {"ROLE", ALEA_KERNEL_ROLE},
               {"MOVES", ALEA_KERNEL_MOVES},
               {"GROUPS", ALEA_KERNEL_GROUPS},
               {"ROLE_PLANES", ALEA_KERNEL_PLANES},
               {"GROUPS_AT", ALEA_KERNEL_GROUPS_AT},
               {"ONLY", ALEA_KERNEL_ONLY},
               {"ONLY_MOVE", ALEA_KERNEL_ONLY_MOVE},
               {"GROUP", ALEA_KERNEL_GROUP},
               {"TWO_PAIRS", ALEA_KERNEL_TWO_PAIRS},
               {"THREE_PAIRS", ALEA_KERNEL_THREE_PAIRS},
               {"INVERT", ALEA_KERNEL_INVERT},
               {"ON", ALEA_KERNEL_ON},
               {"STORE", ALEA_KERNEL_STORE},
               {"FOUR", ALEA_KERNEL_FOUR},
               {"FIRST_NOT", ALEA_KERNEL_FIRST_NOT},
               {"BEGIN", ALEA_KERNEL_BEGIN},
               {"FEED", ALEA_KERNEL_FEED}};
  alea_gpu_put_prologue(text);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    alea_text_format(text, "#define %s %uu\n", sizes[i].name, sizes[i].value);
  for (size_t i = 0; alea_gpu_kernel[i] != NULL; i++) alea_text_put(text, alea_gpu_kernel[i]);
}

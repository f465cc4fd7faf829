/* Writing the functions of a step: sizes, the game's own code, and tables. */
#include <stdint.h>

#include "gpu/source.h"
#include "gpu/step.h"
#include "gpu/writer.h"
#include "propnet/lanes_form.h"

/* ---- what differs from game to game ---- */

static void put_size(alea_text *text, const char *name, uint32_t value) {
  alea_text_format(text, "#define %s %" PRIu32 "u\n", name, value);
}

static uint32_t most_moves(const alea_net *net) {
  uint32_t most = 1;
  for (uint32_t r = 0; r < net->role_count; r++) {
    uint32_t moves = net->move_first[r + 1] - net->move_first[r];
    if (moves > most) most = moves;
  }
  return most;
}

static void put_sizes(const alea_net *net, alea_text *text) {
  put_size(text, "BLOCK", ALEA_STEP_BLOCK);
  put_size(text, "WIDE_BLOCK", ALEA_STEP_WIDE_BLOCK);
  put_size(text, "ROLES", net->role_count);
  put_size(text, "MOVES", net->move_count);
  put_size(text, "FLUENTS", net->fluent_count);
  put_size(text, "PLANES", alea_lanes_planes(most_moves(net)));
  alea_text_put(text,
                "#ifdef __CUDACC__\n__constant__\n#else\nstatic\n#endif\n"
                "const u32 first_moves[] = {");
  for (uint32_t r = 0; r <= net->role_count; r++)
    alea_text_format(text, "%" PRIu32 "u, ", net->move_first[r]);
  alea_text_put(text, "};\n");
}

static void put_arguments(alea_text *text) {
  alea_text_put(text, "typedef unsigned char u8;\ntypedef int i32;\ntypedef struct args {\n");
#define PUT_PLACE(type, name) alea_text_put(text, #type " *" #name ";\n");
#define PUT_LONG(name) alea_text_put(text, "u64 " #name ";\n");
#define PUT_WORD(name) alea_text_put(text, "u32 " #name ";\n");
  ALEA_STEP_PLACES(PUT_PLACE)
  ALEA_STEP_LONGS(PUT_LONG)
  ALEA_STEP_WORDS(PUT_WORD)
  alea_text_put(text, "} args;\n");
}

/* The slots that say which moves are legal, per move of the net. */
static void find_legal(const alea_lanes *lanes, uint32_t *slots) {
  const alea_net *net = lanes->net;
  const alea_lanes_program *program = &lanes->general;
  for (uint32_t m = 0; m < net->move_count; m++) slots[m] = alea_lanes_false_slot(net);
  for (uint32_t r = 0; r < program->role_count; r++) {
    const alea_lanes_role *role = &program->roles[r];
    uint32_t *of_role = slots + net->move_first[r];
    if (role->move_count == 1) of_role[role->only_move] = role->only;
    for (uint32_t i = 0; i < role->group_count * ALEA_LANES_GROUP; i++) {
      const alea_lanes_group *group =
          &program->groups.data[role->first_group + i / ALEA_LANES_GROUP];
      alea_move move = group->move[i % ALEA_LANES_GROUP];
      if (move != ALEA_NO_MOVE)
        of_role[move] = group->legal[i % ALEA_LANES_GROUP] / (uint32_t)sizeof(uint32_t);
    }
  }
}

/* ---- the game's own code ---- */

static void put_goals(const alea_gpu_writer *w) {
  const alea_net *net = w->lanes->net;
  uint32_t role = UINT32_MAX;
  alea_text_put(w->text, "if (finished != 0) {\n");
  alea_gpu_put_section(w, ALEA_LANES_GOAL);
  alea_text_put(w->text, "u32 rest = 0, holds;\n");
  for (size_t i = 0; i < net->goals.count; i++) {
    uint32_t g = w->lanes->goal_order[i];
    const alea_net_goal *goal = &net->goals.data[g];
    if (goal->role != role) alea_text_put(w->text, "rest = finished;\n");
    role = goal->role;
    alea_text_put(w->text, "holds = rest & ");
    alea_gpu_put_literal(w, w->program->goals[g]);
    alea_text_format(w->text,
                     "; rest &= ~holds; pay(a.rewards, t, %" PRIu32 "u, holds, %" PRIu32 ");\n",
                     role, (uint32_t)goal->value);
  }
  alea_text_put(w->text, "}\n");
}

/* Positions of those who do not move come back. */
static void put_loop(const alea_gpu_writer *w) {
  alea_text_put(w->text, "for (u32 pass = a.judge;; pass++) {\n");
  alea_gpu_put_section(w, ALEA_LANES_STATE);
  alea_text_put(w->text, "if (pass != 0) break;\n");
  alea_gpu_put_section(w, ALEA_LANES_NEXT);
  alea_text_put(w->text, "if (moved != ~0u) {\n");
  for (uint32_t f = 0; f < w->lanes->net->fluent_count; f++)
    if (w->used[ALEA_LANES_FIRST_FLUENT + f] && w->program->changes[f])
      alea_text_format(w->text,
                       "s%" PRIu32 " = (s%" PRIu32 " & moved) | (AT(a.planes, %" PRIu32
                       ") & ~moved);\n",
                       f + 1, f + 1, f);
  alea_text_put(w->text, "}\n}\nu32 over = ");
  alea_gpu_put_literal(w, w->program->terminal);
  alea_text_put(w->text, ";\nOUTCOME\n");
}

static void put_results(const alea_gpu_writer *w, const uint32_t *legal) {
  const alea_net *net = w->lanes->net;
  put_goals(w);
  alea_text_put(w->text, "if (!a.judge) {\n");
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (w->used[ALEA_LANES_FIRST_FLUENT + f] && w->program->changes[f])
      alea_text_format(w->text, "KEEP(%" PRIu32 ", s%" PRIu32 ");\n", f, f + 1);
  alea_text_put(w->text, "}\nif (begun != 0) {\n");
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (!w->used[ALEA_LANES_FIRST_FLUENT + f] || !w->program->changes[f])
      alea_text_format(w->text, "KEEP(%" PRIu32 ", AT(a.planes, %" PRIu32 "));\n", f, f);
  alea_text_put(w->text, "}\n");
  for (uint32_t m = 0; m < net->move_count; m++) {
    if (legal[m] == alea_lanes_false_slot(net)) continue; /* never true */
    alea_text_format(w->text, "LEGAL(%" PRIu32 ", ", m);
    alea_gpu_put_slot(w, legal[m]);
    alea_text_put(w->text, ");\n");
  }
  alea_text_put(w->text, "REPORT\n}\n");
}

static void put_loads(const alea_gpu_writer *w) {
  const alea_net *net = w->lanes->net;
  uint32_t moves = w->program->first_move_slot;
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (w->used[ALEA_LANES_FIRST_FLUENT + f])
      alea_text_format(w->text, "s%" PRIu32 " = AT(a.planes, %" PRIu32 ");\n", f + 1, f);
  alea_text_put(w->text, "if (!a.judge) {\n");
  for (uint32_t m = 0; m < net->move_count; m++)
    if (w->used[moves + m])
      alea_text_format(w->text, "s%" PRIu32 " = AT(a.chosen, %" PRIu32 ");\n", moves + m, m);
  alea_text_put(w->text, "}\n");
}

/* Once for what is used, and once more after the variables are known. */
static void put_own(alea_gpu_writer *w, const uint32_t *legal) {
  size_t before = w->text->length;
  put_loop(w);
  put_results(w, legal);
  alea_text_truncate(w->text, before);
  alea_text_put(w->text,
                "KERNEL(alea_advance, BLOCK) {\nBEGIN(BLOCK)\nSETTLE\n"
                "const u32 fresh = ~0u;\n");
  alea_gpu_put_slots(w);
  put_loads(w);
  put_loop(w);
  put_results(w, legal);
}

static void write_own(const alea_lanes *lanes, alea_text *text) {
  alea_gpu_pace pace = {0};
  alea_gpu_writer w = {.lanes = lanes, .program = &lanes->general, .text = text, .pace = &pace};
  uint32_t *legal = alea_mem_calloc(text->mem, lanes->net->move_count, sizeof *legal);
  w.used = alea_mem_calloc(text->mem, lanes->slot_count, 1);
  w.leaf = alea_mem_calloc(text->mem, lanes->slot_count, sizeof *w.leaf);
  if (w.used != NULL && w.leaf != NULL && legal != NULL) {
    find_legal(lanes, legal);
    put_own(&w, legal);
  } else {
    text->failed = true;
  }
  alea_mem_free(text->mem, w.used, lanes->slot_count);
  alea_mem_free(text->mem, w.leaf, lanes->slot_count * sizeof *w.leaf);
  alea_mem_free(text->mem, legal, lanes->net->move_count * sizeof *legal);
}

/* ---- tables ---- */

typedef struct table_writer {
  const alea_lanes *lanes;
  alea_u32s *words;
  alea_mem *mem;
  bool ok;
} table_writer;

static void put_group(table_writer *w, uint32_t x, uint32_t y, uint32_t z, uint32_t v) {
  const uint32_t group[] = {x, y, z, v};
  for (int k = 0; k < 4; k++) w->ok = w->ok && alea_vec_push(w->mem, w->words, group[k]);
}

static uint32_t slot_of(uint32_t offset) { return offset / (uint32_t)sizeof(uint32_t); }
static uint32_t literal(uint32_t offset, bool complement) {
  return 2 * slot_of(offset) + complement;
}

/* The operands of an operation as pairs; returns how many there are. */
static uint32_t read_pairs(const uint32_t **code, const alea_lanes_form *form, uint32_t *pairs) {
  const uint32_t *c = *code;
  uint32_t singles = (uint32_t)form->plain + form->negated, count = 0;
  for (uint32_t k = 0; k < singles; k++) pairs[count++] = literal(*c++, k >= form->plain);
  if (singles % 2 != 0) pairs[count++] = 2 * ALEA_LANES_TRUE_SLOT;
  uint32_t ors = (uint32_t)form->nand + form->imply + form->either;
  for (uint32_t k = 0; k < ors; k++, c += 2) {
    bool either = k >= (uint32_t)form->nand + form->imply, nand = k < form->nand;
    pairs[count++] = literal(c[0], !either) | ALEA_STEP_OR;
    pairs[count++] = literal(c[1], nand);
  }
  *code = c;
  return count / 2;
}

static const uint32_t *write_operation(table_writer *w, const uint32_t *code,
                                       const alea_lanes_form *form) {
  uint32_t pairs[2 * 5 * 32] = {0}, slot = slot_of(*code++); /* more than a form can have */
  uint32_t count = read_pairs(&code, form, pairs), groups = (count + 1) / 2;
  put_group(w, ALEA_STEP_OPERATION, groups, slot, form->invert != 0 ? UINT32_MAX : 0);
  for (uint32_t k = 0; k < groups; k++) /* a pair that is missing is true and true */
    put_group(w, pairs[4 * k], pairs[4 * k + 1], pairs[4 * k + 2], pairs[4 * k + 3]);
  return code;
}

static const uint32_t *write_loop(table_writer *w, const uint32_t *code, uint32_t count) {
  uint32_t unread = alea_lanes_false_slot(w->lanes->net) + 1;
  put_group(w, ALEA_STEP_LOOP, (count + 3) / 4, 0, 0);
  for (uint32_t k = 0; k < count; k += 4) {
    uint32_t slots[4];
    for (uint32_t i = 0; i < 4; i++) slots[i] = k + i < count ? slot_of(code[k + i]) : unread;
    put_group(w, slots[0], slots[1], slots[2], slots[3]);
  }
  return code + count;
}

static const uint32_t *write_again(table_writer *w, const uint32_t *code, uint32_t count) {
  put_group(w, ALEA_STEP_AGAIN, count, 0, 0);
  for (; count > 0; count--, code += 3)
    put_group(w, slot_of(code[0]), slot_of(code[1]), code[2] != 0 ? UINT32_MAX : 0, 0);
  return code;
}

static void write_section(table_writer *w, alea_lanes_section section) {
  const alea_lanes_program *p = &w->lanes->general;
  const uint32_t *code = p->code.data + (section == 0 ? 0 : p->section_end[section - 1]);
  const uint32_t *end = p->code.data + p->section_end[section];
  while (code < end) {
    uint32_t header = *code++, count = header & 0xffffff, number = header >> 24;
    if (number == ALEA_LANES_LOOP) {
      code = write_loop(w, code, count);
    } else if (number == ALEA_LANES_KEPT) { /* its leaves are false when the first pass begins */
      put_group(w, ALEA_STEP_LOOP, 0, 0, 0);
      code += 1 + count;
    } else if (number == ALEA_LANES_AGAIN) {
      code = write_again(w, code, count);
    } else {
      alea_lanes_form form = alea_lanes_form_of_run(number, &code);
      for (; count > 0; count--) code = write_operation(w, code, &form);
    }
  }
  put_group(w, ALEA_STEP_END, 0, 0, 0);
}

static void write_goals(table_writer *w) {
  const alea_net *net = w->lanes->net;
  uint32_t role = UINT32_MAX;
  for (size_t i = 0; i < net->goals.count; i++) {
    uint32_t g = w->lanes->goal_order[i];
    const alea_net_goal *goal = &net->goals.data[g];
    put_group(w, w->lanes->general.goals[g], goal->role, (uint32_t)goal->value, goal->role != role);
    role = goal->role;
  }
}

alea_status alea_step_tables_init(alea_step_tables *tables, const alea_lanes *lanes,
                                  alea_mem *mem) {
  *tables = (alea_step_tables){0};
  size_t moves = lanes->net->move_count;
  table_writer w = {.lanes = lanes, .words = &tables->words, .mem = mem, .ok = true};
  uint32_t *legal = alea_mem_calloc(mem, moves, sizeof *legal);
  if (legal == NULL) return alea_mem_lack(mem);
  for (int section = 0; section < ALEA_LANES_SECTIONS; section++) {
    tables->section[section] = (uint32_t)(tables->words.count / 4);
    write_section(&w, (alea_lanes_section)section);
  }
  tables->goals_at = (uint32_t)tables->words.count;
  write_goals(&w);
  tables->legal_at = (uint32_t)tables->words.count;
  find_legal(lanes, legal);
  for (size_t m = 0; m < moves; m++) w.ok = w.ok && alea_vec_push(mem, &tables->words, legal[m]);
  alea_mem_free(mem, legal, moves * sizeof *legal);
  if (w.ok) return ALEA_OK;
  alea_step_tables_clear(tables, mem);
  return alea_mem_lack(mem);
}

void alea_step_tables_clear(alea_step_tables *tables, alea_mem *mem) {
  alea_vec_clear(mem, &tables->words);
}

static void write_performing(const alea_lanes *lanes, const alea_step_tables *tables,
                             alea_text *text) {
  const alea_lanes_program *p = &lanes->general;
  put_size(text, "OPERATION", ALEA_STEP_OPERATION);
  put_size(text, "LOOP", ALEA_STEP_LOOP);
  put_size(text, "END", ALEA_STEP_END);
  put_size(text, "OR", ALEA_STEP_OR);
  put_size(text, "STATE_AT", tables->section[ALEA_LANES_STATE]);
  put_size(text, "GOAL_AT", tables->section[ALEA_LANES_GOAL]);
  put_size(text, "NEXT_AT", tables->section[ALEA_LANES_NEXT]);
  put_size(text, "LEGAL_AT", tables->legal_at);
  put_size(text, "GOALS_AT", tables->goals_at);
  put_size(text, "GOALS", (uint32_t)lanes->net->goals.count);
  put_size(text, "TERMINAL", p->terminal);
  put_size(text, "NONE", alea_lanes_false_slot(lanes->net));
  put_size(text, "FIRST_MOVE", p->first_move_slot);
  put_size(text, "FIRST_KEPT", p->first_kept_slot);
  put_size(text, "KEPT", p->kept_count);
  for (size_t i = 0; alea_step_performs[i] != NULL; i++) alea_text_put(text, alea_step_performs[i]);
}

void alea_step_source(const alea_lanes *lanes, const alea_step_tables *tables, alea_text *text) {
  alea_gpu_put_prologue(text);
  put_arguments(text);
  put_sizes(lanes->net, text);
  for (size_t i = 0; alea_step_shared[i] != NULL; i++) alea_text_put(text, alea_step_shared[i]);
  if (tables != NULL)
    write_performing(lanes, tables, text);
  else
    write_own(lanes, text);
}

uint64_t alea_step_statements(const alea_lanes *lanes) {
  const uint32_t *count = lanes->general.op_count;
  return (uint64_t)count[ALEA_LANES_STATE] + count[ALEA_LANES_GOAL] + count[ALEA_LANES_NEXT] +
         2 * (uint64_t)lanes->net->fluent_count + lanes->net->move_count;
}

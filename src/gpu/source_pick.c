/* Drawing moves on planes, as code.
 *
 * Plane k of a number is the word of its bits of value 2^k.  Names: c for the
 * count of legal moves, n for the number drawn, l for a legal move.  All roles
 * and ticks share these variables: compilers that meet too many of them keep
 * all in memory. */
#include "gpu/source_pick.h"

#include <stdio.h>

enum { GROUP = ALEA_LANES_GROUP, GROUP_PLANES = 4, SMALL = 12, PLANES = 20 };

static void put_place(const alea_gpu_writer *w, uint32_t place) {
  uint32_t near = w->allocation->near_count;
  bool is_near = place < near;
  alea_text_format(w->text, is_near ? "NEAR(%" PRIu32 ")" : "FAR(%" PRIu32 ")",
                   is_near ? place : place - near);
}

void alea_gpu_put_moves(const alea_gpu_writer *w) {
  alea_gpu_allocation *r = w->allocation;
  if (r == NULL) return;
  if (w->notes) {
    alea_gpu_allocation_begin(r);
    return;
  }
  r->statement++;
  if (r->in_condition) return; /* what is planned for here can wait until after the condition */
  for (; r->next < r->moves.count && r->moves.data[r->next].statement <= r->statement; r->next++) {
    const alea_gpu_move *m = &r->moves.data[r->next];
    bool loads = m->kind == ALEA_GPU_RELOAD;
    if (loads) alea_text_format(w->text, "s%" PRIu32 " = ", m->slot);
    if (m->kind != ALEA_GPU_DROP) put_place(w, m->place);
    if (m->kind == ALEA_GPU_SPILL) alea_text_format(w->text, " = s%" PRIu32, m->slot);
    alea_text_put(w->text, m->kind != ALEA_GPU_DROP ? ";\n" : "");
    r->place[m->slot] = loads ? ALEA_GPU_NO_PLACE : m->place;
  }
}

/* A slot where it lies. */
static void put_variable(const alea_gpu_writer *w, uint32_t slot) {
  alea_gpu_allocation *r = w->allocation;
  if (r != NULL && w->notes) alea_gpu_allocation_note(r, slot, ALEA_GPU_READ);
  if (r != NULL && !w->notes && r->place[slot] != ALEA_GPU_NO_PLACE)
    put_place(w, r->place[slot]);
  else
    alea_text_format(w->text, "s%" PRIu32, slot);
}

void alea_gpu_put_slot(const alea_gpu_writer *w, uint32_t slot) {
  uint32_t none = alea_lanes_false_slot(w->lanes->net), leaf = w->leaf[slot];
  if (leaf != 0) slot = leaf >> 1;
  if ((leaf & 1) != 0) alea_text_char(w->text, '~');
  if (slot == ALEA_LANES_TRUE_SLOT)
    alea_text_put(w->text, "~0u");
  else if (slot == none)
    alea_text_put(w->text, "0u");
  else
    put_variable(w, slot);
  w->used[slot] = 1;
}

void alea_gpu_put_result(const alea_gpu_writer *w, uint32_t slot) {
  alea_gpu_allocation *r = w->allocation;
  if (r != NULL && w->notes) alea_gpu_allocation_note(r, slot, ALEA_GPU_WRITE);
  if (r != NULL && !w->notes) r->place[slot] = ALEA_GPU_NO_PLACE;
  alea_text_format(w->text, "s%" PRIu32, slot);
  w->used[slot] = 1;
}

void alea_gpu_put_pace(const alea_gpu_writer *w, uint32_t count) {
  alea_gpu_pace *pace = w->pace;
  pace->since += count;
  if (pace->every == 0 || pace->apart > 0 || pace->since < pace->every) return;
  alea_text_put(w->text, "TOGETHER;\n");
  pace->since = 0;
}

/* The legal bit of move i of the role. */
static uint32_t legal_slot(const alea_gpu_writer *w, const alea_lanes_role *role, uint32_t i) {
  const alea_lanes_group *g = &w->program->groups.data[role->first_group + i / GROUP];
  return g->legal[i % GROUP] / (uint32_t)sizeof(uint32_t);
}

/* ---- counting ---- */

/* Adds the bits l0 .. l(count-1) to the planes NAME0 ...: a tree of adders,
 * whose carries are in k and j by turns; returns the number of planes. */
static uint32_t put_sum(const alea_gpu_writer *w, const char *name, uint32_t count) {
  alea_text *t = w->text;
  uint32_t plane = 0;
  for (uint32_t bits = count, carries; bits > 0; plane++, bits = carries) {
    const char *in = plane == 0 ? "l" : plane % 2 == 1 ? "k" : "j";
    const char *out = plane % 2 == 0 ? "k" : "j";
    uint32_t i = 1;
    alea_text_format(t, "x = %s0;\n", in);
    for (carries = 0; i + 1 < bits; i += 2, carries++)
      alea_text_format(t,
                       "%s%" PRIu32 " = (x & %s%" PRIu32 ") | (%s%" PRIu32 " & (x | %s%" PRIu32
                       ")); x ^= %s%" PRIu32 " ^ %s%" PRIu32 ";\n",
                       out, carries, in, i, in, i + 1, in, i, in, i, in, i + 1);
    if (i < bits)
      alea_text_format(t, "%s%" PRIu32 " = x & %s%" PRIu32 "; x ^= %s%" PRIu32 ";\n", out,
                       carries++, in, i, in, i);
    alea_text_format(t, "%s%" PRIu32 " = x;\n", name, plane);
  }
  return plane;
}

/* ---- drawing ---- */

/* n0 ...: uniform below the count in c0 ...; `any` are lanes where it is not
 * zero.  The count is one less afterwards. */
static void put_draw(const alea_gpu_writer *w, uint32_t planes) {
  alea_text *t = w->text;
  alea_text_put(t, "any = c0");
  for (uint32_t k = 1; k < planes; k++) alea_text_format(t, " | c%" PRIu32, k);
  alea_text_put(t, "; x = any;\nstuck |= live & ~any;\n");
  for (uint32_t k = 0; k < planes; k++)
    alea_text_format(t, "c%" PRIu32 " ^= x; x &= c%" PRIu32 ";\n", k, k);
  alea_text_format(t, "m%" PRIu32 " = c%" PRIu32 ";\n", planes - 1, planes - 1);
  for (uint32_t k = planes - 1; k-- > 0;)
    alea_text_format(t, "m%" PRIu32 " = m%" PRIu32 " | c%" PRIu32 ";\n", k, k + 1, k);
  for (uint32_t k = 0; k < planes; k++) alea_text_format(t, "n%" PRIu32 " = 0;\n", k);
  alea_text_put(t, "todo = m0 & live;\nwhile (todo != 0) {\nabove = 0;\n");
  for (uint32_t k = 0; k < planes; k++)
    alea_text_format(t,
                     "q%" PRIu32 " = draw(&r) & m%" PRIu32 "; above = (q%" PRIu32 " & ~c%" PRIu32
                     ") | (above & ~(q%" PRIu32 " ^ c%" PRIu32 "));\n",
                     k, k, k, k, k, k);
  alea_text_put(t, "x = todo & ~above;\n");
  for (uint32_t k = 0; k < planes; k++)
    alea_text_format(t, "n%" PRIu32 " |= q%" PRIu32 " & x;\n", k, k);
  alea_text_put(t, "todo &= above; }\n");
}

/* ---- finding ---- */

/* Lanes of `here` that choose among l0 .. l(count-1) the one with the number
 * n0 ...: PREFIXi. */
static void put_find(const alea_gpu_writer *w, uint32_t count, uint32_t planes) {
  alea_text *t = w->text;
  for (uint32_t i = 0; i < count; i++) {
    alea_text_format(t, "x = l%" PRIu32 " & here; above = n0", i);
    for (uint32_t k = 1; k < planes; k++) alea_text_format(t, " | n%" PRIu32, k);
    alea_text_format(t, "; l%" PRIu32 " = x & ~above; here ^= l%" PRIu32 ";\n", i, i);
    alea_text_put(t, i + 1 < count ? "x &= above;" : "");
    for (uint32_t k = 0; i + 1 < count && k < planes; k++)
      alea_text_format(t, " n%" PRIu32 " ^= x; x &= n%" PRIu32 ";", k, k);
    alea_text_put(t, "\n");
  }
}

/* Move i of the role is `value` in the lanes that are live. */
static void put_chosen(const alea_gpu_writer *w, uint32_t role, uint32_t i, const char *value) {
  const alea_lanes_role *r = &w->program->roles[role];
  const alea_lanes_group *g = &w->program->groups.data[r->first_group + i / GROUP];
  uint32_t slot = g->chosen[i % GROUP];
  if (slot != alea_gpu_unread_slot(w)) {
    alea_gpu_put_moves(w);
    alea_gpu_put_result(w, slot);
    alea_text_format(w->text, " = %s;\n", value);
  }
  alea_text_format(w->text, "TOLD(%" PRIu32 "u, %" PRIu32 "u, %s);\n", role, g->move[i % GROUP],
                   value);
  alea_gpu_put_pace(w, 1);
}

static void put_small(const alea_gpu_writer *w, uint32_t role) {
  const alea_lanes_role *r = &w->program->roles[role];
  uint32_t count = r->move_count;
  alea_text *t = w->text;
  for (uint32_t i = 0; i < count; i++) {
    alea_gpu_put_moves(w);
    alea_text_format(t, "l%" PRIu32 " = ", i);
    alea_gpu_put_slot(w, legal_slot(w, r, i));
    alea_text_put(t, ";\n");
  }
  uint32_t planes = put_sum(w, "c", count);
  put_draw(w, planes);
  alea_text_put(t, "here = any & live;\n");
  put_find(w, count, planes);
  for (uint32_t i = 0; i < count; i++) {
    char value[16];
    snprintf(value, sizeof value, "l%" PRIu32, i);
    put_chosen(w, role, i, value);
  }
}

/* ---- many moves ---- */

/* The legal moves of group g as l0 .. l7, and their count as g0 .. g3. */
static void put_group(const alea_gpu_writer *w, const alea_lanes_role *r, uint32_t g) {
  for (uint32_t i = 0; i < GROUP; i++) {
    alea_gpu_put_moves(w);
    alea_text_format(w->text, "l%" PRIu32 " = ", i);
    alea_gpu_put_slot(w, legal_slot(w, r, g * GROUP + i));
    alea_text_put(w->text, ";\n");
  }
  put_sum(w, "g", GROUP);
}

static void put_count(const alea_gpu_writer *w, const alea_lanes_role *r, uint32_t planes) {
  alea_text *t = w->text;
  for (uint32_t g = 0; g < r->group_count; g++) {
    put_group(w, r, g);
    alea_text_put(t, "above = 0;\n");
    for (uint32_t k = 0; k < planes; k++) {
      if (k < GROUP_PLANES)
        alea_text_format(t,
                         "x = c%" PRIu32 " ^ g%" PRIu32 "; g%" PRIu32 " = (c%" PRIu32 " & g%" PRIu32
                         ") | (above & x); c%" PRIu32 " = x ^ above; above = g%" PRIu32 ";\n",
                         k, k, k, k, k, k, k);
      else
        alea_text_format(t, "x = c%" PRIu32 " & above; c%" PRIu32 " ^= above; above = x;\n", k, k);
    }
    alea_gpu_put_pace(w, 2 * GROUP + planes);
  }
}

/* Subtracts the count of each group from the number until it would become
 * negative: hG are the lanes whose move is in group G; its legal bits and the
 * number within it are collected as f0 .. f7 and d0 .. d2. */
static void put_walk(const alea_gpu_writer *w, const alea_lanes_role *r, uint32_t planes) {
  alea_text *t = w->text;
  alea_text_put(t, "here = any & live;\n");
  for (uint32_t g = 0; g < r->group_count; g++) {
    put_group(w, r, g);
    alea_text_put(t, "above = 0;\n");
    for (uint32_t k = 0; k < planes; k++)
      alea_text_format(t, "q%" PRIu32 " = n%" PRIu32 ";\n", k, k);
    for (uint32_t k = 0; k < planes; k++) {
      if (k < GROUP_PLANES)
        alea_text_format(t,
                         "x = n%" PRIu32 " ^ g%" PRIu32 "; n%" PRIu32
                         " = x ^ above; above = (x & g%" PRIu32 ") | (~x & above);\n",
                         k, k, k, k);
      else
        alea_text_format(t, "x = ~n%" PRIu32 " & above; n%" PRIu32 " ^= above; above = x;\n", k, k);
    }
    alea_text_format(t, "u32 h%" PRIu32 " = here & above; here ^= h%" PRIu32 ";\n", g, g);
    for (uint32_t k = 0; k < 3; k++)
      alea_text_format(t, "d%" PRIu32 " |= q%" PRIu32 " & h%" PRIu32 ";\n", k, k, g);
    for (uint32_t i = 0; i < GROUP; i++)
      alea_text_format(t, "f%" PRIu32 " |= l%" PRIu32 " & h%" PRIu32 ";\n", i, i, g);
    alea_gpu_put_pace(w, 3 * GROUP + 2 * planes);
  }
}

static void put_large(const alea_gpu_writer *w, uint32_t role) {
  const alea_lanes_role *r = &w->program->roles[role];
  uint32_t planes = alea_lanes_planes(r->move_count);
  alea_text *t = w->text;
  for (uint32_t i = 0; i < GROUP; i++) alea_text_format(t, "f%" PRIu32 " = 0; ", i);
  for (uint32_t k = 0; k < planes; k++) alea_text_format(t, "c%" PRIu32 " = 0; ", k);
  alea_text_put(t, "d0 = d1 = d2 = 0;\n");
  put_count(w, r, planes);
  put_draw(w, planes);
  put_walk(w, r, planes);
  for (uint32_t i = 0; i < GROUP; i++) alea_text_format(t, "l%" PRIu32 " = f%" PRIu32 ";\n", i, i);
  alea_text_put(t, "n0 = d0; n1 = d1; n2 = d2;\nhere = any & live;\n");
  put_find(w, GROUP, 3);
  for (uint32_t i = 0; i < r->move_count; i++) {
    char value[40];
    snprintf(value, sizeof value, "(h%" PRIu32 " & l%" PRIu32 ")", i / GROUP, i % GROUP);
    put_chosen(w, role, i, value);
  }
}

void alea_gpu_put_pick_variables(const alea_gpu_writer *w) {
  static const struct {
    char name;
    uint32_t count;
  } families[] = {{'l', SMALL}, {'k', SMALL},  {'j', SMALL},  {'f', GROUP},  {'g', GROUP_PLANES},
                  {'d', 3},     {'c', PLANES}, {'m', PLANES}, {'n', PLANES}, {'q', PLANES}};
  alea_text_put(w->text, "u32 x, any, here, todo, above");
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (uint32_t k = 0; k < families[i].count; k++)
      alea_text_format(w->text, ", %c%" PRIu32 " = 0", families[i].name, k);
  alea_text_put(w->text, ";\n");
}

void alea_gpu_put_pick(const alea_gpu_writer *w, uint32_t role) {
  const alea_lanes_role *r = &w->program->roles[role];
  if (r->move_count == 0) {
    alea_text_put(w->text, "stuck |= live;\n");
  } else if (r->move_count == 1) {
    alea_gpu_put_moves(w);
    alea_text_put(w->text, "stuck |= live & ~");
    alea_gpu_put_slot(w, r->only);
    alea_text_format(w->text, ";\nTOLD(%" PRIu32 "u, %" PRIu32 "u, live & ~stuck);\n", role,
                     r->only_move);
  } else {
    alea_text_put(w->text, "{\n");
    if (w->notes) alea_gpu_allocation_crowd(w->allocation, true);
    if (r->move_count <= SMALL)
      put_small(w, role);
    else
      put_large(w, role);
    if (w->notes) alea_gpu_allocation_crowd(w->allocation, false);
    alea_text_put(w->text, "}\n");
  }
}

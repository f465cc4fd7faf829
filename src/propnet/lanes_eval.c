/* The evaluator: runs of operations, each on a whole word of lanes.
 *
 * One body serves all forms.  It is instantiated with constant counts for the
 * forms that matter, so that the compiler unrolls it, and once with counts
 * from the code for all others.  All operands are read before the result is
 * written: the result may take the slot of an operand. */
#include "propnet/lanes_eval.h"

#include "propnet/lanes_form.h"

typedef alea_lane_unit unit;

static inline const alea_lane_word *at(const char *base, uint32_t offset) {
  return (const alea_lane_word *)(const void *)(base + offset);
}

__attribute__((always_inline)) static inline const uint32_t *run(char *base, const uint32_t *code,
                                                                 uint32_t count,
                                                                 alea_lanes_form form) {
  for (; count > 0; count--) {
    alea_lane_word *result = (alea_lane_word *)(void *)(base + *code++);
    unit acc[ALEA_LANE_UNITS];
    ALEA_LANE_EACH_UNIT(u) acc[u] = alea_lane_unit_ones();
    for (int k = 0; k < form.plain; k++) {
      const alea_lane_word *a = at(base, *code++);
      ALEA_LANE_EACH_UNIT(u) acc[u] &= a->unit[u];
    }
    for (int k = 0; k < form.negated; k++) {
      const alea_lane_word *a = at(base, *code++);
      ALEA_LANE_EACH_UNIT(u) acc[u] &= ~a->unit[u];
    }
    for (int k = 0; k < form.nand; k++, code += 2) {
      const alea_lane_word *a = at(base, code[0]), *b = at(base, code[1]);
      ALEA_LANE_EACH_UNIT(u) acc[u] &= ~(a->unit[u] & b->unit[u]);
    }
    for (int k = 0; k < form.imply; k++, code += 2) {
      const alea_lane_word *a = at(base, code[0]), *b = at(base, code[1]);
      ALEA_LANE_EACH_UNIT(u) acc[u] &= b->unit[u] | ~a->unit[u];
    }
    for (int k = 0; k < form.either; k++, code += 2) {
      const alea_lane_word *a = at(base, code[0]), *b = at(base, code[1]);
      ALEA_LANE_EACH_UNIT(u) acc[u] &= a->unit[u] | b->unit[u];
    }
    ALEA_LANE_EACH_UNIT(u) result->unit[u] = form.invert ? ~acc[u] : acc[u];
  }
  return code;
}

typedef const uint32_t *run_function(char *base, const uint32_t *code, uint32_t count);

#define DEFINE(p, q, n, i, e)                                                                    \
  static const uint32_t *run_##p##q##n##i##e(char *base, const uint32_t *code, uint32_t count) { \
    return run(base, code, count, (alea_lanes_form){p, q, n, i, e, 0});                          \
  }                                                                                              \
  static const uint32_t *run_inverted_##p##q##n##i##e(char *base, const uint32_t *code,          \
                                                      uint32_t count) {                          \
    return run(base, code, count, (alea_lanes_form){p, q, n, i, e, 1});                          \
  }
ALEA_LANES_FORMS(DEFINE)
#undef DEFINE

#define ENTRY(p, q, n, i, e) run_##p##q##n##i##e, run_inverted_##p##q##n##i##e,
static run_function *const run_functions[] = {ALEA_LANES_FORMS(ENTRY)};
#undef ENTRY

static const uint32_t *run_long(char *base, const uint32_t *code, uint32_t count) {
  return run(base, code + 1, count, alea_lanes_form_unpack(*code));
}

static const uint32_t *begin_loop(char *base, const uint32_t *code, uint32_t count) {
  for (; count > 0; count--) *(alea_lane_word *)(void *)(base + *code++) = alea_lane_fill(false);
  return code;
}

/* A loop that begins with what was kept, or is passed over. */
static const uint32_t *begin_kept(char *base, const uint32_t *code, uint32_t count,
                                  alea_lanes_memory memory) {
  uint32_t length = *code++;
  if (memory == ALEA_LANES_ANEW) return begin_loop(base, code, count);
  return memory == ALEA_LANES_LAST && length != 0 ? code + length : code + count;
}

/* Feeds targets back to leaves; true when some leaf changed. */
static bool feed_back(char *base, const uint32_t *code, uint32_t count) {
  unit changed = alea_lane_unit_zero();
  for (; count > 0; count--, code += 3) {
    alea_lane_word *leaf = (alea_lane_word *)(void *)(base + code[0]);
    const alea_lane_word *target = at(base, code[1]);
    for (int u = 0; u < ALEA_LANE_UNITS; u++) {
      unit value = code[2] != 0 ? ~target->unit[u] : target->unit[u];
      changed |= leaf->unit[u] ^ value;
      leaf->unit[u] = value;
    }
  }
  return alea_lane_unit_any(changed);
}

void ALEA_LANES_FN(clear_scatters)(const alea_lanes_program *program, alea_lane_word *slots) {
  for (size_t i = 0; i < program->scatter_cleared.count; i++)
    slots[program->scatter_cleared.data[i]] = alea_lane_fill(false);
}

void ALEA_LANES_FN(forget)(const alea_lanes_program *program, alea_lane_word lanes,
                           alea_lane_word *slots) {
  alea_lane_word *kept = slots + program->first_kept_slot;
  for (uint32_t k = 0; k < program->kept_count; k++) kept[k] = alea_lane_andn(kept[k], lanes);
}

void ALEA_LANES_FN(eval)(const alea_lanes_program *program, alea_lanes_section section,
                         alea_lanes_memory memory, alea_lane_word *slots) {
  char *base = (char *)slots;
  size_t first = section == ALEA_LANES_STATE ? 0 : program->section_end[section - 1];
  if (first == program->section_end[section]) return;
  const uint32_t *code = program->code.data + first, *loop = code;
  const uint32_t *end = program->code.data + program->section_end[section];
  while (code < end) {
    uint32_t header = *code++, count = header & 0xffffff, form = header >> 24;
    if (form < ALEA_LANES_LONG) {
      code = run_functions[form](base, code, count);
    } else if (form == ALEA_LANES_LONG) {
      code = run_long(base, code, count);
    } else if (form == ALEA_LANES_LOOP) {
      loop = code = begin_loop(base, code, count);
    } else if (form == ALEA_LANES_KEPT) {
      loop = code = begin_kept(base, code, count, memory);
    } else {
      code = feed_back(base, code, count) ? loop : code + 3 * (size_t)count;
    }
  }
}

/* The alternating fixpoint over conditional answers. */
#include "prover/settle.h"

static bool condition_holds(const alea_condition *c, uint8_t assumed, uint8_t derived) {
  if (c->answer == ALEA_NO_ANSWER)
    return !alea_answer_table_has(c->table, ALEA_ANSWER_PROVED | assumed);
  return (c->table->flags[c->answer] & (ALEA_ANSWER_PROVED | derived)) != 0;
}

static bool body_holds(const alea_instance *instance, uint8_t assumed, uint8_t derived) {
  for (const alea_condition *c = instance->conditions; c != NULL; c = c->others)
    if (!condition_holds(c, assumed, derived)) return false;
  return true;
}

enum { INSTANCES_PER_LOOK = 256 };

/* Flags with 'derived' what follows when exactly the answers flagged
 * 'assumed' count against negations.  False: the deadline passed. */
static bool derive(const alea_instance *instances, size_t count, uint8_t assumed, uint8_t derived,
                   const alea_mem *mem) {
  for (size_t i = 0; i < count; i++)
    instances[i].table->flags[instances[i].answer] &= (uint8_t)~derived;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < count; i++) {
      if (i % INSTANCES_PER_LOOK == 0 && alea_mem_late(mem)) return false;
      uint8_t *flags = &instances[i].table->flags[instances[i].answer];
      if ((*flags & derived) || !body_holds(&instances[i], assumed, derived)) continue;
      *flags |= derived;
      changed = true;
    }
  }
  return true;
}

/* Copies the NEXT bits to the LOW bits; true when some were new. */
static bool advance(const alea_instance *instances, size_t count) {
  bool changed = false;
  for (size_t i = 0; i < count; i++) {
    uint8_t *flags = &instances[i].table->flags[instances[i].answer];
    if (!(*flags & ALEA_ANSWER_NEXT) || (*flags & ALEA_ANSWER_LOW)) continue;
    *flags |= ALEA_ANSWER_LOW;
    changed = true;
  }
  return changed;
}

alea_status alea_settle(alea_answer_table **tables, size_t table_count,
                        const alea_instance *instances, size_t instance_count,
                        const alea_mem *mem) {
  /* LOW, what surely holds, grows; HIGH, what may hold, shrinks. */
  do {
    if (!derive(instances, instance_count, ALEA_ANSWER_LOW, ALEA_ANSWER_HIGH, mem) ||
        !derive(instances, instance_count, ALEA_ANSWER_HIGH, ALEA_ANSWER_NEXT, mem))
      return ALEA_LIMIT;
  } while (advance(instances, instance_count));
  for (size_t i = 0; i < instance_count; i++) {
    uint8_t flags = instances[i].table->flags[instances[i].answer];
    if ((flags & ALEA_ANSWER_HIGH) && !(flags & (ALEA_ANSWER_LOW | ALEA_ANSWER_PROVED)))
      return ALEA_INPUT;
  }
  for (size_t i = 0; i < table_count; i++)
    alea_answer_table_keep(tables[i], ALEA_ANSWER_LOW | ALEA_ANSWER_PROVED);
  return ALEA_OK;
}

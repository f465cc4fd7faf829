/* Applying rules together ([TOSS10 §2, §3], D48); discrete rules are applied
 * one after another. */
#include "toss/game.h"

#define NO_TIME 1e-12

static void bind_params(const alea_toss_rules *rules, alea_toss_env *env,
                        const alea_toss_act *act) {
  for (size_t i = 0; i < act->label->params.count; i++) {
    uint32_t slot = rules->params[act->label->params.data[i].name];
    if (slot != ALEA_TOSS_NONE) env->reals[slot] = alea_interval_of(act->params[i]);
  }
}

/* What the right elements were before the rules were applied. */
static void carry_origins(const alea_toss_rule *rule, const uint32_t *match, const uint32_t *images,
                          uint32_t *origins) {
  uint32_t carried[ALEA_TOSS_MOST_SIDE];
  size_t count = rule->right.elements.count;
  for (size_t i = 0; i < count; i++) {
    uint32_t left = rule->replaces[i];
    carried[i] = left != ALEA_TOSS_NONE ? origins[match[left]] : ALEA_TOSS_NONE;
  }
  for (size_t i = 0; i < count; i++) origins[images[i]] = carried[i];
}

/* Rewrites, unless the match no longer exists or `post` fails afterwards. */
static alea_status try_act(const alea_toss_rules *rules, alea_toss_env *env,
                           alea_toss_structure *structure, alea_toss_structure *scratch,
                           alea_toss_act *act, uint32_t *origins, bool *applied) {
  const alea_toss_pattern *p = &rules->patterns[act->rule];
  uint32_t images[ALEA_TOSS_MOST_SIDE];
  *applied = false;
  bind_params(rules, env, act);
  if (!alea_toss_is_match(rules, act->rule, env, act->match)) return env->status;
  bool checked = p->post != ALEA_TOSS_NONE;
  if (checked && !alea_toss_structure_copy(scratch, structure)) return ALEA_SYSTEM;
  alea_status status = alea_toss_rewrite(rules, act->rule, env, structure, act->match, images);
  if (status != ALEA_OK) return status;
  *applied = !checked || alea_toss_post_holds(rules, act->rule, env, images);
  if (!*applied && !alea_toss_structure_copy(structure, scratch)) return ALEA_SYSTEM;
  if (*applied && origins != NULL) carry_origins(p->rule, act->match, images, origins);
  return env->status;
}

static bool is_timed(const alea_toss_rules *rules, const alea_toss_act *act) {
  const alea_toss_rule *rule = rules->patterns[act->rule].rule;
  return rule->dynamics.count != 0 || rule->inv != ALEA_TOSS_NONE || act->label->timed;
}

static alea_status apply_all(const alea_toss_rules *rules, alea_toss_env *env,
                             alea_toss_structure *structure, alea_toss_structure *scratch,
                             alea_toss_act *acts, size_t count, uint32_t *origins) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < count && status == ALEA_OK; i++) {
    bool applied;
    status = try_act(rules, env, structure, scratch, &acts[i], origins, &applied);
  }
  return status;
}

/* The rules whose equations were followed are told of the loss. */
static void note_lost(const alea_toss_rules *rules, const alea_toss_act *acts, size_t count,
                      double now) {
  for (size_t i = 0; i < count; i++) {
    if (!acts[i].dropped && rules->patterns[acts[i].rule].rule->dynamics.count != 0)
      alea_toss_notes_add(rules->notes, ALEA_TOSS_NOTE_LOST, acts[i].rule, now);
  }
}

/* Lets time pass until some act is applied; an act whose `post` fails is
 * dropped and the others go on.  Where the solution is lost, time is up for all. */
static alea_status apply_timed(const alea_toss_rules *rules, alea_toss_env *env,
                               alea_toss_structure *structure, alea_toss_structure *scratch,
                               alea_toss_act *acts, size_t count, uint32_t *origins) {
  double now = 0;
  for (;;) {
    double bound = INFINITY;
    for (size_t i = 0; i < count; i++) {
      if (!acts[i].dropped && acts[i].time < bound) bound = acts[i].time;
    }
    if (isinf(bound)) return ALEA_OK;
    alea_toss_flow_end end;
    alea_status status = alea_toss_flow(rules, env, structure, acts, count, bound - now, &end);
    now += end.elapsed;
    if (end.lost) note_lost(rules, acts, count, now);
    if (status == ALEA_LIMIT && !env->mem->hit_limit)
      alea_toss_notes_add(rules->notes, ALEA_TOSS_NOTE_EQUATIONS, acts[0].rule, 0);
    bool applied = false;
    for (size_t i = 0; i < count && status == ALEA_OK; i++) {
      bool due =
          end.broken == SIZE_MAX ? end.lost || acts[i].time <= now + NO_TIME : i == end.broken;
      if (acts[i].dropped || !due) continue;
      bool this_one;
      status = try_act(rules, env, structure, scratch, &acts[i], origins, &this_one);
      acts[i].dropped = !this_one;
      applied |= this_one;
    }
    if (status != ALEA_OK || applied) return status;
  }
}

alea_status alea_toss_apply(const alea_toss_rules *rules, alea_toss_env *env,
                            alea_toss_structure *structure, alea_toss_structure *scratch,
                            alea_toss_act *acts, size_t count, uint32_t *origins) {
  bool timed = false;
  for (size_t i = 0; i < count; i++) {
    acts[i].dropped = false;
    timed |= is_timed(rules, &acts[i]);
  }
  return timed ? apply_timed(rules, env, structure, scratch, acts, count, origins)
               : apply_all(rules, env, structure, scratch, acts, count, origins);
}

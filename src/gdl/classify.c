/* Static classification.  Shared information is the class of Koriche et al.
 * whose players all receive the same percepts; the test here is sufficient,
 * not necessary: the `sees` rules must read the same for every player but
 * `random` once the player's name is replaced. */
#include "gdl/classify.h"

#include <string.h>

const char *alea_information_text(alea_information information) {
  static const char *const texts[] = {"complete", "shared", "private"};
  return texts[information];
}

/* Longer texts are not compared: it would take long and proves little. */
enum { MAX_TEXT = 1 << 20 };

typedef struct seer {
  const alea_program *p;
  alea_text line;  /* one rule */
  alea_text lines; /* the rules of one player, each with its NUL */
  alea_text first; /* those of the first player, to compare with */
} seer;

static bool is_variable(const alea_program *p, alea_rule_node_id id, uint32_t variable) {
  return p->nodes.data[id].kind == ALEA_NODE_VARIABLE && p->nodes.data[id].name == variable;
}

/* Whether the rule only requires its variable role to be a role, and perhaps
 * not `random`. */
static bool is_plain_guard(const alea_program *p, const alea_literal *l, uint32_t role) {
  const alea_rule_node *atom = &p->nodes.data[l->atom];
  if (l->kind == ALEA_LITERAL_TRUE && atom->name == ALEA_SYM_ROLE && atom->arg_count == 1)
    return is_variable(p, alea_program_args(p, l->atom)[0], role);
  if (l->kind != ALEA_LITERAL_DISTINCT) return false;
  alea_rule_node_id a = l->atom, b = l->other;
  if (!is_variable(p, a, role)) a = l->other, b = l->atom;
  return is_variable(p, a, role) && p->nodes.data[b].kind == ALEA_NODE_CONSTANT &&
         p->nodes.data[b].name == ALEA_SYM_RANDOM;
}

/* Nodes of one term follow each other in the array, so it ends where its last
 * descendant does; this walks down the last arguments. */
static alea_rule_node_id term_end(const alea_program *p, alea_rule_node_id id) {
  while (p->nodes.data[id].arg_count > 0)
    id = alea_program_args(p, id)[p->nodes.data[id].arg_count - 1];
  return id + 1;
}

static bool mentions(const alea_program *p, alea_rule_node_id term, uint32_t variable) {
  alea_rule_node_id end = term_end(p, term);
  for (alea_rule_node_id i = term; i < end; i++)
    if (is_variable(p, i, variable)) return true;
  return false;
}

static bool treats_all_alike(const alea_program *p, const alea_rule *rule, uint32_t role) {
  bool guarded = false;
  if (mentions(p, alea_program_args(p, rule->head)[1], role)) return false;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *l = &p->literals.data[rule->first_literal + i];
    if (is_plain_guard(p, l, role)) {
      guarded |= l->kind == ALEA_LITERAL_TRUE;
    } else if (mentions(p, l->atom, role) ||
               (l->kind == ALEA_LITERAL_DISTINCT && mentions(p, l->other, role))) {
      return false;
    }
  }
  return guarded;
}

/* Appends the rule, without the role, to s->lines. */
static void add_rule(seer *s, const alea_rule *rule) {
  alea_text_truncate(&s->line, 0);
  alea_program_print_node(s->p, alea_program_args(s->p, rule->head)[1], &s->line);
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    alea_text_char(&s->line, ' ');
    alea_program_print_literal(s->p, rule->first_literal + i, &s->line);
  }
  s->lines.failed |= s->line.failed;
  /* As a set: a rule written twice counts once. */
  const char *text = alea_text_string(&s->line);
  for (size_t at = 0; at < s->lines.length; at += strlen(s->lines.data + at) + 1)
    if (strcmp(s->lines.data + at, text) == 0) return;
  alea_text_add(&s->lines, text, strlen(text) + 1);
}

/* Every line of 'a' is one of 'b'. */
static bool is_subset(const alea_text *a, const alea_text *b) {
  for (size_t i = 0; i < a->length; i += strlen(a->data + i) + 1) {
    bool found = false;
    for (size_t k = 0; !found && k < b->length; k += strlen(b->data + k) + 1)
      found = strcmp(a->data + i, b->data + k) == 0;
    if (!found) return false;
  }
  return true;
}

static bool is_sees(const alea_program *p, const alea_rule *rule) {
  const alea_rule_node *head = &p->nodes.data[rule->head];
  return head->name == ALEA_SYM_SEES && head->arg_count == 2;
}

/* Collects the rules for one role; false when some rule is not plain. */
static bool collect(seer *s, alea_symbol role) {
  const alea_program *p = s->p;
  alea_text_truncate(&s->lines, 0);
  for (size_t i = 0; i < p->rules.count; i++) {
    const alea_rule *rule = &p->rules.data[i];
    if (!is_sees(p, rule)) continue;
    const alea_rule_node *who = &p->nodes.data[alea_program_args(p, rule->head)[0]];
    if (who->kind == ALEA_NODE_CONSTANT && who->name == role) add_rule(s, rule);
    if (s->lines.length > MAX_TEXT) return false;
    /* A rule for all roles is the same for all and need not be compared. */
    if (who->kind == ALEA_NODE_VARIABLE && !treats_all_alike(p, rule, who->name)) return false;
  }
  return true;
}

static bool is_shared(seer *s) {
  const alea_program *p = s->p;
  size_t players = p->roles.count - (p->random_role >= 0 ? 1 : 0);
  if (players < 2) return true; /* a single player */
  bool first = true;
  for (size_t i = 0; i < p->roles.count; i++) {
    if ((int)i == p->random_role) continue;
    if (!collect(s, p->roles.data[i])) return false;
    if (first) {
      alea_text swap = s->first;
      s->first = s->lines;
      s->lines = swap;
      first = false;
    } else if (!is_subset(&s->lines, &s->first) || !is_subset(&s->first, &s->lines)) {
      return false;
    }
  }
  return true;
}

static bool find_information(alea_class *class, const alea_program *program, alea_mem *mem) {
  class->information = ALEA_INFORMATION_COMPLETE;
  if (!program->has_sees) return true;
  seer s = {.p = program};
  alea_text_init(&s.line, mem);
  alea_text_init(&s.lines, mem);
  alea_text_init(&s.first, mem);
  class->information = is_shared(&s) ? ALEA_INFORMATION_SHARED : ALEA_INFORMATION_PRIVATE;
  bool ok = !s.lines.failed && !s.first.failed;
  alea_text_clear(&s.line);
  alea_text_clear(&s.lines);
  alea_text_clear(&s.first);
  return ok;
}

alea_status alea_classify(alea_class *class, const alea_program *program, alea_mem *mem) {
  *class = (alea_class){.has_random = program->random_role >= 0};
  if (!find_information(class, program, mem) || !alea_find_horizon(&class->horizon, program, mem))
    return alea_mem_lack(mem);
  return ALEA_OK;
}

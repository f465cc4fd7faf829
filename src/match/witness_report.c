/* Witnesses in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/witness.h"

typedef struct witness_row {
  const char *code, *meaning;
} witness_row;

static const witness_row rows[] = {
#define WITNESS_ROW(name, code, meaning) {code, meaning},
    ALEA_WITNESS_KINDS(WITNESS_ROW)
#undef WITNESS_ROW
};

const char *alea_witness_code(alea_witness_kind kind) { return rows[kind].code; }
const char *alea_witness_meaning(alea_witness_kind kind) { return rows[kind].meaning; }

void alea_witness_print(const alea_witness *witness, const alea_game *game, const char *indent,
                        uint32_t most, alea_text *out) {
  uint32_t roles = game->role_count;
  uint32_t lines = most > 0 && witness->steps > most ? most : witness->steps;
  for (uint32_t t = 0; t < lines; t++) {
    alea_text_put(out, indent);
    for (uint32_t role = 0; role < roles; role++) {
      if (role > 0) alea_text_char(out, ' ');
      alea_game_move_text(game, role, witness->moves.data[(size_t)t * roles + role], true, out);
    }
    alea_text_char(out, '\n');
  }
}

/* ---- places ---- */

static bool is_named(const alea_program *p, alea_rule_node_id node, const char *text) {
  const alea_rule_node *n = &p->nodes.data[node];
  return n->kind == ALEA_NODE_VARIABLE || strcmp(alea_symbols_text(p->symbols, n->name), text) == 0;
}

/* Whether a rule with this head speaks of the role; with 'value' >= 0, of that
 * goal. */
static bool is_about(const alea_program *p, alea_rule_node_id head, const char *role, int value) {
  const alea_rule_node *node = &p->nodes.data[head];
  if (node->arg_count == 0) return true;
  const alea_rule_node_id *args = alea_program_args(p, head);
  if (!is_named(p, args[0], role)) return false;
  if (value < 0 || node->arg_count < 2) return true;
  char text[16];
  (void)snprintf(text, sizeof text, "%d", value);
  return is_named(p, args[1], text);
}

/* The place of the first rule for 'word' that speaks of the role.  A rewriting game has
 * no such rules: the report is about the file. */
static alea_place find_place(const alea_program *p, alea_symbol word, const char *role, int value) {
  if (p == NULL) return (alea_place){0};
  for (size_t i = 0; i < p->rules.count; i++) {
    const alea_rule *rule = &p->rules.data[i];
    if (p->nodes.data[rule->head].name == word && rule->line > 0 &&
        is_about(p, rule->head, role, value))
      return (alea_place){p->file, rule->line, rule->column};
  }
  return (alea_place){p->file, 0, 0};
}

/* ---- sentences ---- */

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void report_endless(const alea_witness *w, const alea_program *program,
                           alea_severity severity, alea_diag *diag) {
  alea_place place = find_place(program, ALEA_SYM_TERMINAL, "", -1);
  const char *code = rows[w->kind].code;
  const char *cure = program != NULL
                         ? "a fluent that counts the steps, and a rule for `terminal` that asks "
                           "for its last value, end every play"
                         : "the game ends where no rule applies: let every rule use something up, "
                           "or ask for something that the plays bring to an end";
  if (w->cycle) {
    alea_diag_report(diag, severity, place, code,
                     "a play need not end: the position after %u joint move%s is that after %u "
                     "again; %s",
                     w->steps, plural(w->steps), w->cycle_at, cure);
  } else {
    alea_diag_report(diag, severity, place, code,
                     "a random play has not ended after %u joint moves; %s", w->steps, cure);
  }
}

static void report_never_won(const alea_witness *w, const char *role, const alea_program *program,
                             alea_place place, alea_severity severity, alea_diag *diag) {
  char best[48] = "";
  if (w->values[0] >= 0) (void)snprintf(best, sizeof best, "; the best result is %d", w->values[0]);
  alea_diag_report(diag, severity, place, rows[w->kind].code, "no play gives %s 100%s: see what %s",
                   role, best,
                   program != NULL ? "its rules for `goal` ask for" : "its PAYOFF is within RANGE");
}

void alea_witness_report(const alea_witness *w, const alea_game *game, const alea_program *program,
                         alea_severity severity, alea_diag *diag) {
  const char *role = game->role_spelling[w->role], *code = rows[w->kind].code;
  const char *text = game->role_text[w->role];
  switch (w->kind) {
    case ALEA_WITNESS_NOT_PLAYABLE:
      alea_diag_report(diag, severity, find_place(program, ALEA_SYM_ROLE, text, -1), code,
                       "%s has no legal move after %u joint move%s, but the game is not over; give "
                       "it a move there, if only one that does nothing, or let `terminal` hold",
                       role, w->steps, plural(w->steps));
      break;
    case ALEA_WITNESS_ENDLESS: report_endless(w, program, severity, diag); break;
    case ALEA_WITNESS_NO_GOAL:
      alea_diag_report(diag, severity, find_place(program, ALEA_SYM_GOAL, text, -1), code,
                       "%s has no goal at the end of a play of %u joint move%s; add a rule for "
                       "`goal` that covers this end",
                       role, w->steps, plural(w->steps));
      break;
    case ALEA_WITNESS_TWO_GOALS:
      alea_diag_report(diag, severity, find_place(program, ALEA_SYM_GOAL, text, w->values[0]), code,
                       "%s has the goals %d and %d at the end of a play of %u joint move%s; add a "
                       "condition to one of the rules, so that never both hold",
                       role, w->values[0], w->values[1], w->steps, plural(w->steps));
      break;
    default:
      report_never_won(w, role, program, find_place(program, ALEA_SYM_GOAL, text, 100), severity,
                       diag);
      break;
  }
}

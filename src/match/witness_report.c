/* Witnesses in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/listing.h"
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

/* ---- fluents that are lost ---- */

/* The name of a fluent that was true with some arguments in every position of the play up to
 * one, and never afterwards; 'step' is the joint move that lost it.  Most rules mean such
 * fluents to last: a rule for `next` that keeps them is missing, or does not apply. */
typedef struct lost_fluent {
  alea_text name; /* empty: there is none */
  uint32_t step;
} lost_fluent;

/* Whether a fluent with this name is in the list. */
static bool is_listed(const alea_listing *listing, const char *name, size_t length) {
  for (size_t i = 0; i < listing->items.count; i++) {
    const char *text = listing->items.data[i] + (listing->items.data[i][0] == '(');
    if (strncmp(text, name, length) == 0 && strcspn(text, " )") == length) return true;
  }
  return false;
}

/* Follows one fluent of the initial position through the play. */
static alea_status follow_fluent(const alea_witness *w, alea_cursor *cursor, alea_listing *listing,
                                 const char *name, size_t length, uint32_t *lost) {
  uint32_t roles = cursor->game->role_count;
  alea_status status = alea_cursor_reset(cursor);
  *lost = 0;
  for (uint32_t t = 0; status == ALEA_OK && t < w->steps; t++) {
    status = alea_cursor_play(cursor, w->moves.data + (size_t)t * roles);
    if (status == ALEA_OK) status = alea_listing_fluents(listing, cursor);
    if (status != ALEA_OK) break;
    bool there = is_listed(listing, name, length);
    if (there && *lost > 0) { /* it comes back */
      *lost = 0;
      break;
    }
    if (!there && *lost == 0) *lost = t + 1;
  }
  return status;
}

static alea_status find_lost(const alea_witness *w, const alea_game *game, alea_mem *mem,
                             lost_fluent *found) {
  alea_cursor *cursor = NULL;
  alea_listing first, now;
  alea_listing_init(&first, mem);
  alea_listing_init(&now, mem);
  alea_status status = alea_cursor_new(game, mem, &cursor);
  if (status == ALEA_OK) status = alea_listing_fluents(&first, cursor);
  for (size_t i = 0; status == ALEA_OK && i < first.items.count && found->step == 0; i++) {
    const char *name = first.items.data[i] + (first.items.data[i][0] == '(');
    size_t length = strcspn(name, " )");
    status = follow_fluent(w, cursor, &now, name, length, &found->step);
    if (found->step > 0) alea_text_add(&found->name, name, length);
  }
  alea_cursor_free(cursor);
  alea_listing_clear(&first);
  alea_listing_clear(&now);
  return status;
}

/* The first rule for `next`, or else fact, that produces the fluent. */
static alea_place find_producer(const alea_program *p, const char *name) {
  static const alea_symbol words[] = {ALEA_SYM_NEXT, ALEA_SYM_INIT};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    for (size_t i = 0; i < p->rules.count; i++) {
      const alea_rule *rule = &p->rules.data[i];
      const alea_rule_node *head = &p->nodes.data[rule->head];
      if (head->name != words[w] || head->arg_count != 1 || rule->line == 0) continue;
      const alea_rule_node *fluent = &p->nodes.data[alea_program_args(p, rule->head)[0]];
      if (fluent->kind != ALEA_NODE_VARIABLE &&
          strcmp(alea_symbols_text(p->symbols, fluent->name), name) == 0)
        return (alea_place){p->file, rule->line, rule->column};
    }
  }
  return (alea_place){p->file, 0, 0};
}

/* ---- sentences ---- */

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

/* A play that comes back to a position because a fluent got lost on the way; false: none did. */
static bool report_lost(const alea_witness *w, const alea_game *game, const alea_program *program,
                        alea_severity severity, alea_diag *diag) {
  if (diag == NULL || program == NULL || !w->cycle) return false;
  lost_fluent lost = {0};
  alea_text_init(&lost.name, diag->arena.mem);
  bool found = find_lost(w, game, diag->arena.mem, &lost) == ALEA_OK && lost.step > 0;
  if (found)
    alea_diag_report(
        diag, severity, find_producer(program, alea_text_string(&lost.name)), rows[w->kind].code,
        "a play does not end: after %u joint move%s no `%s` is true any more, and "
        "the position after %u is that after %u again; let a rule for `next` keep it, "
        "or `legal` forbid the move that loses it",
        lost.step, plural(lost.step), alea_text_string(&lost.name), w->steps, w->cycle_at);
  alea_text_clear(&lost.name);
  return found;
}

static void report_endless(const alea_witness *w, const alea_game *game,
                           const alea_program *program, alea_severity severity, alea_diag *diag) {
  if (report_lost(w, game, program, severity, diag)) return;
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
    case ALEA_WITNESS_ENDLESS: report_endless(w, game, program, severity, diag); break;
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

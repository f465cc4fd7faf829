/* Which options of alea solve go together. */
#include "cli/solve_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

typedef struct solve_rows {
  const alea_option *rows;
  size_t count;
  const alea_solve_values *v;
  alea_solve_values defaults;
} solve_rows;

static solve_rows rows_of(const alea_option *rows, size_t count, const alea_solve_values *v) {
  solve_rows table = {.rows = rows, .count = count, .v = v};
  memset(&table.defaults, 0, sizeof table.defaults);
  alea_options_defaults(rows, count, &table.defaults);
  return table;
}

static bool is_set(const solve_rows *t, size_t row) {
  return !alea_option_same(&t->rows[row], t->v, &t->defaults);
}

static alea_status refuse(const alea_option *row, const char *why) {
  char name[ALEA_OPTION_NAME];
  return (alea_status)alea_cli_fail(ALEA_USAGE, "--%s %s", alea_option_name(row, name), why);
}

/* ---- equilibria or constraints ---- */

/* What is solved; an option goes with some of them. */
enum { MODE_CONSTRAINTS = 1, MODE_EQUILIBRIUM = 2, MODE_AGAINST = 4, MODE_GAME = 6, MODE_ANY = 7 };

static int modes_of(const char *field) {
  static const struct {
    const char *field;
    int modes;
  } known[] = {
      {"all", MODE_ANY},
      {"time", MODE_ANY},
      {"memory", MODE_ANY},
      {"json", MODE_ANY},
      {"seed", MODE_CONSTRAINTS | MODE_AGAINST},
      {"equilibrium", MODE_GAME},
      {"against", MODE_GAME},
      {"nodes", MODE_GAME},
      {"iterations", MODE_EQUILIBRIUM},
      {"gap", MODE_EQUILIBRIUM},
      {"sims", MODE_AGAINST},
      {"samples", MODE_AGAINST},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].field, field) == 0) return known[i].modes;
  return MODE_CONSTRAINTS;
}

alea_status alea_solve_check_mode(const alea_option *rows, size_t count,
                                  const alea_solve_values *v) {
  int mode = !v->equilibrium      ? MODE_CONSTRAINTS
             : v->against == NULL ? MODE_EQUILIBRIUM
                                  : MODE_AGAINST;
  solve_rows table = rows_of(rows, count, v);
  for (size_t i = 0; i < count; i++) {
    int modes = modes_of(rows[i].field);
    if ((modes & mode) != 0 || !is_set(&table, i)) continue;
    return refuse(&rows[i], modes == MODE_AGAINST      ? "goes only with --against"
                            : mode == MODE_CONSTRAINTS ? "goes only with --equilibrium"
                            : mode == MODE_EQUILIBRIUM ? "does not go with --equilibrium"
                                                       : "does not go with --against");
  }
  return ALEA_OK;
}

/* ---- kinds of instances ---- */

static bool has_word(const char *words, const char *field) {
  char word[64];
  snprintf(word, sizeof word, " %s ", field);
  return strstr(words, word) != NULL;
}

static int kinds_of(const char *field) {
  enum { CHANCE = ALEA_SOLVE_STOCHASTIC | ALEA_SOLVE_PROCESS };
  static const struct {
    const char *fields;
    int kinds;
  } known[] = {
      {" count all best method ", ALEA_SOLVE_PLAIN | CHANCE},
      {" first order values sac simplify self_check restart learning seed ", ALEA_SOLVE_PLAIN},
      {" worst scenario threshold player policy ", CHANCE},
      {" horizon states ", ALEA_SOLVE_PROCESS},
      {" svg ", CHANCE | ALEA_SOLVE_STRATEGIC},
      {" plain one_way classical check existential state given save strategy depth verify table ",
       ALEA_SOLVE_STRATEGIC},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (has_word(known[i].fields, field)) return known[i].kinds;
  return -1;
}

/* What makes an option do nothing, or asks for two answers at once. */
static const struct {
  const char *field, *others;
} apart[] = {
    {"count", " best worst first policy svg "},
    {"all", " best worst first policy svg "},
    {"first", " best "},
    {"worst", " best "},
    {"scenario", " best worst policy svg "},
    {"states", " count all scenario horizon policy svg "},
};
/* What an option does nothing without: one of these. */
static const struct {
  const char *field, *others, *why;
} needs[] = {
    {"one_way", " plain ", "goes only with --plain"},
    {"depth", " strategy svg ", "goes only with --strategy or --svg"},
    {"live", " json ", "goes only with --json"},
};
/* With --write nothing is solved. */
static const char *const written =
    " model horizon threshold player classical check existential "
    "write time memory ";

static bool any_set(const solve_rows *t, const char *fields, const alea_option **found) {
  for (size_t i = 0; i < t->count; i++) {
    if (!has_word(fields, t->rows[i].field) || !is_set(t, i)) continue;
    *found = &t->rows[i];
    return true;
  }
  return false;
}

static alea_status check_together(const solve_rows *t, size_t row) {
  const char *field = t->rows[row].field;
  const alea_option *other;
  char name[ALEA_OPTION_NAME], why[ALEA_OPTION_NAME + 32];
  if (t->v->write != ALEA_NO_CHOICE && !has_word(written, field))
    return refuse(&t->rows[row], "does not go with --write, which solves nothing");
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
    if (strcmp(apart[i].field, field) != 0 || !any_set(t, apart[i].others, &other)) continue;
    snprintf(why, sizeof why, "does not go with --%s", alea_option_name(other, name));
    return refuse(&t->rows[row], why);
  }
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (strcmp(needs[i].field, field) == 0 && !any_set(t, needs[i].others, &other))
      return refuse(&t->rows[row], needs[i].why);
  return ALEA_OK;
}

alea_status alea_solve_check_kind(const alea_option *rows, size_t count, const alea_solve_values *v,
                                  alea_solve_kind kind) {
  static const char *const names[] = {[ALEA_SOLVE_PLAIN] = "is not for plain networks",
                                      [ALEA_SOLVE_STOCHASTIC] = "is not for stochastic networks",
                                      [ALEA_SOLVE_STRATEGIC] = "is not for strategic networks",
                                      [ALEA_SOLVE_PROCESS] = "is not for processes"};
  /* One stage may be solved like a plain network. */
  bool stage = kind == ALEA_SOLVE_STOCHASTIC && v->method != ALEA_NO_CHOICE &&
               v->method < (int)ALEA_SOLVE_EXACT;
  solve_rows table = rows_of(rows, count, v);
  for (size_t i = 0; i < count; i++) {
    if (!is_set(&table, i)) continue;
    int kinds = kinds_of(rows[i].field);
    bool fits = (kinds & (int)kind) != 0 || (stage && (kinds & ALEA_SOLVE_PLAIN) != 0);
    alea_status status = fits ? check_together(&table, i) : refuse(&rows[i], names[kind]);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

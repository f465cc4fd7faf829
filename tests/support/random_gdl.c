/* Random rulesheets.
 *
 * Arguments are typed, which keeps the set of terms finite: a variable occurs
 * only at places of its type. */
#include "support/random_gdl.h"

typedef enum type { TYPE_THING, TYPE_PAIR, TYPE_ROLE, TYPE_MOVE, TYPE_FLUENT } type;

/* What a predicate may depend on. */
typedef enum level { LEVEL_STATIC, LEVEL_STATE, LEVEL_JOINT } level;

enum { MAX_ARITY = 3, MAX_PREDS = 24, NAMES_PER_TYPE = 3, TYPES = 5 };

typedef struct signature {
  char name[16];
  uint32_t arity;
  type args[MAX_ARITY];
  level level;
  uint32_t stratum; /* negation only of lower strata */
} signature;

typedef struct maker {
  alea_rng rng;
  alea_text *out;
  bool wild;
  uint32_t things, roles;
  bool chance; /* the last role is `random` */
  signature preds[MAX_PREDS];
  uint32_t pred_count;
  /* The bound variables of the current rule. */
  bool bound[TYPES][NAMES_PER_TYPE];
} maker;

static const signature fluents[] = {
    {"f0", 0, {0}, LEVEL_STATE, 0},
    {"f1", 1, {TYPE_THING}, LEVEL_STATE, 0},
    {"f2", 2, {TYPE_THING, TYPE_THING}, LEVEL_STATE, 0},
    {"f3", 2, {TYPE_ROLE, TYPE_PAIR}, LEVEL_STATE, 0},
};
static const signature moves[] = {
    {"noop", 0, {0}, LEVEL_STATE, 0},
    {"m1", 1, {TYPE_THING}, LEVEL_STATE, 0},
    {"m2", 2, {TYPE_THING, TYPE_PAIR}, LEVEL_STATE, 0},
};
enum { FLUENTS = 4, MOVES = 3 };

static uint32_t below(maker *m, uint32_t n) { return alea_rng_below(&m->rng, n); }
static bool chance(maker *m, uint32_t percent) { return below(m, 100) < percent; }
static void put(maker *m, const char *text) { alea_text_put(m->out, text); }

/* ---- terms ---- */

static void put_thing(maker *m) { alea_text_format(m->out, "%c", 'a' + (char)below(m, m->things)); }

static void put_role_number(maker *m, uint32_t role) {
  if (m->chance && role + 1 == m->roles) {
    put(m, "random");
  } else {
    alea_text_format(m->out, "r%u", role);
  }
}

static void put_variable(maker *m, type t, uint32_t number) {
  static const char letters[TYPES] = {'x', 'p', 'r', 'm', 'f'};
  alea_text_format(m->out, "?%c%u", letters[t], number);
}

/* A variable of the type that is already bound; false if there is none. */
static bool put_bound(maker *m, type t) {
  uint32_t start = below(m, NAMES_PER_TYPE);
  for (uint32_t i = 0; i < NAMES_PER_TYPE; i++) {
    uint32_t number = (start + i) % NAMES_PER_TYPE;
    if (!m->bound[t][number]) continue;
    put_variable(m, t, number);
    return true;
  }
  return false;
}

static void put_new(maker *m, type t) {
  uint32_t number = below(m, NAMES_PER_TYPE);
  m->bound[t][number] = true;
  put_variable(m, t, number);
}

static void put_simple(maker *m, type t, bool binds);

/* The only function of arguments. */
static void put_pair(maker *m, bool binds) {
  put(m, "(h ");
  put_simple(m, TYPE_THING, binds);
  put(m, " ");
  put_simple(m, TYPE_THING, binds);
  put(m, ")");
}

static void put_compound(maker *m, const signature *s, bool binds) {
  if (s->arity == 0) {
    put(m, s->name);
    return;
  }
  alea_text_format(m->out, "(%s", s->name);
  for (uint32_t i = 0; i < s->arity; i++) {
    put(m, " ");
    put_simple(m, s->args[i], binds);
  }
  put(m, ")");
}

/* A term of a type.  One that 'binds' stands in a positive literal and may
 * bring new variables; others use those that are bound. */
static void put_simple(maker *m, type t, bool binds) {
  if (binds && chance(m, 60) && t != TYPE_PAIR) {
    put_new(m, t);
    return;
  }
  if (chance(m, 70) && (t != TYPE_PAIR || chance(m, 40)) && put_bound(m, t)) return;
  switch (t) {
    case TYPE_THING: put_thing(m); break;
    case TYPE_PAIR:
      if (binds && chance(m, 25)) {
        put_new(m, t);
      } else {
        put_pair(m, binds);
      }
      break;
    case TYPE_ROLE: put_role_number(m, below(m, m->roles)); break;
    case TYPE_MOVE: put_compound(m, &moves[below(m, MOVES)], binds); break;
    case TYPE_FLUENT: put_compound(m, &fluents[below(m, FLUENTS)], binds); break;
  }
}

/* ---- bodies ---- */

static bool may_use(const maker *m, const signature *user, const signature *used, bool negated) {
  if (used->level > user->level) return false;
  if (m->wild) return true;
  return negated ? used->stratum < user->stratum : used->stratum <= user->stratum;
}

/* A predicate that the rules of 'user' may mention, or NULL. */
static const signature *pick(maker *m, const signature *user, bool negated) {
  uint32_t start = below(m, m->pred_count);
  for (uint32_t i = 0; i < m->pred_count; i++) {
    const signature *s = &m->preds[(start + i) % m->pred_count];
    if (may_use(m, user, s, negated)) return s;
  }
  return NULL;
}

static void put_true(maker *m, bool binds) {
  put(m, "(true ");
  if (binds && chance(m, 5)) {
    put_new(m, TYPE_FLUENT);
  } else {
    put_compound(m, &fluents[below(m, FLUENTS)], binds);
  }
  put(m, ")");
}

static void put_does(maker *m, bool binds) {
  put(m, "(does ");
  put_simple(m, TYPE_ROLE, binds);
  put(m, " ");
  if (binds && chance(m, 15)) {
    put_new(m, TYPE_MOVE);
  } else {
    put_compound(m, &moves[below(m, MOVES)], binds);
  }
  put(m, ")");
}

static void put_atom(maker *m, const signature *user, bool binds) {
  uint32_t kind = below(m, 10);
  if (user->level == LEVEL_JOINT && kind < 3) {
    put_does(m, binds);
  } else if (user->level >= LEVEL_STATE && kind < 6) {
    put_true(m, binds);
  } else {
    const signature *s = pick(m, user, !binds);
    if (s == NULL) {
      put(m, "(thing ");
      put_simple(m, TYPE_THING, binds);
      put(m, ")");
    } else {
      put_compound(m, s, binds);
    }
  }
}

static void put_test(maker *m, const signature *user) {
  if (chance(m, 30)) {
    type t = chance(m, 70) ? TYPE_THING : TYPE_PAIR;
    put(m, " (distinct ");
    put_simple(m, t, false);
    put(m, " ");
    put_simple(m, t, false);
    put(m, ")");
    return;
  }
  put(m, " (not ");
  put_atom(m, user, false);
  put(m, ")");
}

/* A disjunction without new variables. */
static void put_or(maker *m, const signature *user) {
  put(m, " (or");
  for (uint32_t i = 2 + below(m, 2); i > 0; i--) {
    if (chance(m, 50)) {
      put_test(m, user);
    } else {
      put(m, " (true ");
      put_compound(m, &fluents[below(m, FLUENTS)], false);
      put(m, ")");
    }
  }
  put(m, ")");
}

static void forget_variables(maker *m) {
  for (uint32_t t = 0; t < TYPES; t++)
    for (uint32_t i = 0; i < NAMES_PER_TYPE; i++) m->bound[t][i] = false;
}

/* The body of a rule, as text that is written before its head is known. */
static void put_body(maker *m, const signature *user) {
  for (uint32_t i = 1 + below(m, 3); i > 0; i--) {
    put(m, " ");
    put_atom(m, user, true);
  }
  for (uint32_t i = below(m, 3); i > 0; i--) put_test(m, user);
  if (user->level >= LEVEL_STATE && chance(m, 20)) put_or(m, user);
}

/* A rule: the body is made first, because the head uses the variables that it
 * binds. */
static void put_rule(maker *m, const signature *user, const char *before, type head,
                     const char *after) {
  alea_text body, *out = m->out;
  alea_text_init(&body, out->mem);
  forget_variables(m);
  m->out = &body;
  put_body(m, user);
  m->out = out;
  alea_text_format(out, "(<= %s", before);
  if (head == TYPE_FLUENT || head == TYPE_MOVE) {
    put_simple(m, head, false);
  } else {
    put_compound(m, user, false);
  }
  alea_text_format(out, "%s%s)\n", after, alea_text_string(&body));
  alea_text_clear(&body);
}

/* ---- the parts of a sheet ---- */

static void add_predicate(maker *m, level l, uint32_t stratum) {
  signature *s = &m->preds[m->pred_count];
  *s = (signature){.level = l, .stratum = stratum};
  s->name[0] = 'q';
  s->name[1] = (char)('a' + m->pred_count);
  s->arity = below(m, MAX_ARITY + 1);
  for (uint32_t i = 0; i < s->arity; i++)
    s->args[i] = chance(m, 65) ? TYPE_THING : chance(m, 60) ? TYPE_PAIR : TYPE_ROLE;
  m->pred_count++;
}

static void put_roles(maker *m) {
  m->roles = 1 + below(m, 3);
  m->chance = m->roles > 1 && chance(m, 30);
  for (uint32_t r = 0; r < m->roles; r++) {
    put(m, "(role ");
    put_role_number(m, r);
    put(m, ")\n");
  }
}

/* Objects, an order on them, and a random graph. */
static void put_facts(maker *m) {
  for (uint32_t i = 0; i < m->things; i++) {
    alea_text_format(m->out, "(thing %c)\n", 'a' + (char)i);
    for (uint32_t k = 0; k < i; k++)
      alea_text_format(m->out, "(less %c %c)\n", 'a' + (char)k, 'a' + (char)i);
  }
  for (uint32_t i = 2 + below(m, 4); i > 0; i--) {
    put(m, "(edge ");
    put_thing(m);
    put(m, " ");
    put_thing(m);
    put(m, ")\n");
  }
}

static void add_known(maker *m, const char *name, uint32_t arity) {
  signature *s = &m->preds[m->pred_count++];
  *s = (signature){.arity = arity, .args = {TYPE_THING, TYPE_THING}, .level = LEVEL_STATIC};
  for (size_t i = 0; name[i] != '\0'; i++) s->name[i] = name[i];
}

static void put_predicates(maker *m) {
  add_known(m, "thing", 1);
  add_known(m, "less", 2);
  add_known(m, "edge", 2);
  uint32_t first = m->pred_count, stratum = 1;
  for (uint32_t i = 3 + below(m, 5); i > 0; i--) {
    stratum += chance(m, 50);
    add_predicate(m, (level)below(m, 3), stratum);
  }
  for (uint32_t i = first; i < m->pred_count; i++)
    for (uint32_t k = 1 + below(m, 3); k > 0; k--) put_rule(m, &m->preds[i], "", TYPE_THING, "");
}

/* Predicates that are defined by each other, along paths in a graph. */
static void put_web(maker *m) {
  static const char *const names[] = {"ta", "tb", "tc"};
  level l = chance(m, 70) ? LEVEL_STATE : LEVEL_STATIC;
  for (uint32_t i = 0; i < 3; i++) {
    add_known(m, names[i], 2);
    m->preds[m->pred_count - 1].level = l;
    for (uint32_t k = 1 + below(m, 2); k > 0; k--)
      alea_text_format(m->out, "(<= (%s ?x ?y) (%s ?x ?z) (%s ?z ?y)%s)\n", names[i],
                       names[below(m, 3)], names[below(m, 3)],
                       chance(m, 30) ? " (distinct ?x ?y)" : "");
    if (chance(m, 60))
      alea_text_format(m->out, "(<= (%s ?x ?y) (%s ?y ?x))\n", names[i], names[below(m, 3)]);
    if (chance(m, 60))
      alea_text_format(m->out, "(<= (%s ?x ?y) %s)\n", names[i],
                       l == LEVEL_STATIC ? "(edge ?x ?y)" : "(true (f2 ?x ?y))");
  }
}

/* A relation that only leads up the order of objects. */
static void put_below(maker *m) {
  for (uint32_t i = 1; i < m->things; i++)
    for (uint32_t k = 0; k < i; k++)
      if (chance(m, 60)) alea_text_format(m->out, "(below %c %c)\n", 'a' + (char)k, 'a' + (char)i);
}

/* Negative recursion down the order of objects: stratified only once ground.
 * `side` is called with half of its argument bound, so that its subgoal depends
 * on more than the ground atoms do. */
static void put_descent(maker *m) {
  static const char *const guards[] = {"(true (f1 ?x))", "(true (f2 ?x ?z))", "(good ?x)",
                                       "(good ?x)"};
  put_below(m);
  for (uint32_t i = 0; i < m->things; i++)
    if (chance(m, 70)) alea_text_format(m->out, "(good %c)\n", 'a' + (char)i);
  put(m, "(<= (win ?x) (below ?y ?x) (not (win ?y)))\n");
  put(m, "(<= (up ?x) (below ?y ?x) (side (h ?y ?z)))\n");
  if (chance(m, 30)) put(m, "(<= (up ?x) (below ?y ?x) (below ?z ?y) (not (side (h ?z ?x))))\n");
  if (chance(m, 30)) put(m, "(<= (up ?x) (true (f1 ?x)) (up ?x))\n");
  alea_text_format(m->out, "(<= (side (h ?x ?z)) (thing ?z) %s (not (up ?x)))\n",
                   guards[below(m, 4)]);
  if (chance(m, 50))
    alea_text_format(m->out, "(<= (side (h ?x ?z)) (thing ?z) %s (not (win ?x)))\n",
                     guards[below(m, 4)]);
  if (chance(m, 30)) put(m, "(<= (side (h ?x ?z)) (below ?y ?x) (side (h ?y ?z)))\n");
  add_known(m, "win", 1);
  add_known(m, "up", 1);
  m->preds[m->pred_count - 1].level = LEVEL_STATE;
  add_known(m, "side", 1);
  m->preds[m->pred_count - 1].level = LEVEL_STATE;
  m->preds[m->pred_count - 1].args[0] = TYPE_PAIR;
}

static void put_inits(maker *m) {
  signature user = {.level = LEVEL_STATIC, .stratum = UINT32_MAX};
  for (uint32_t i = 2 + below(m, 4); i > 0; i--) {
    forget_variables(m);
    put(m, "(init ");
    put_compound(m, &fluents[below(m, FLUENTS)], false);
    put(m, ")\n");
  }
  if (chance(m, 50)) put_rule(m, &user, "(init ", TYPE_FLUENT, ")");
}

static void put_legals(maker *m) {
  signature user = {.level = LEVEL_STATE, .stratum = UINT32_MAX};
  put(m, "(<= (legal ?r noop) (role ?r))\n");
  for (uint32_t i = 1 + below(m, 3); i > 0; i--) {
    if (chance(m, 50)) {
      put_rule(m, &user, "(legal ?r ", TYPE_MOVE, ") (role ?r)");
    } else {
      put_rule(m, &user, "(legal r0 ", TYPE_MOVE, ")");
    }
  }
}

static void put_nexts(maker *m) {
  signature user = {.level = LEVEL_JOINT, .stratum = UINT32_MAX};
  for (uint32_t i = 2 + below(m, 4); i > 0; i--) put_rule(m, &user, "(next ", TYPE_FLUENT, ")");
  if (chance(m, 30)) put(m, "(<= (next ?f) (true ?f) (not (does r0 noop)))\n");
}

/* Most extensions of predicates would not affect the game: a move for each of
 * their atoms makes them visible. */
static void put_observers(maker *m) {
  for (uint32_t i = 0; i < m->pred_count; i++) {
    const signature *s = &m->preds[i];
    if (s->level == LEVEL_JOINT) continue;
    alea_text_format(m->out, "(<= (legal r0 (show %s", s->name);
    for (uint32_t k = 0; k < s->arity; k++) alea_text_format(m->out, " ?v%u", k);
    alea_text_format(m->out, ")) %s%s", s->arity > 0 ? "(" : "", s->name);
    for (uint32_t k = 0; k < s->arity; k++) alea_text_format(m->out, " ?v%u", k);
    put(m, s->arity > 0 ? "))\n" : ")\n");
  }
}

static void put_ends(maker *m) {
  signature terminal = {.name = "terminal", .level = LEVEL_STATE, .stratum = UINT32_MAX};
  put_rule(m, &terminal, "", TYPE_THING, "");
  signature won = {
      .name = "won", .arity = 1, .args = {TYPE_ROLE}, .level = LEVEL_STATE, .stratum = UINT32_MAX};
  put_rule(m, &won, "", TYPE_THING, "");
  put_observers(m);
  put(m, "(<= (goal ?r 100) (role ?r) (won ?r))\n");
  put(m, "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n");
  if (chance(m, 30)) put(m, "(<= (goal ?r 50) (goal ?r 100) (true f0))\n");
}

static void put_percepts(maker *m) {
  signature user = {.level = LEVEL_JOINT, .stratum = UINT32_MAX};
  if (!m->chance && chance(m, 60)) return;
  put_rule(m, &user, "(sees r0 ", TYPE_FLUENT, ")");
  put_rule(m, &user, "(sees ?r (did ?s ", TYPE_MOVE, ")) (role ?r) (role ?s)");
}

void random_gdl(alea_text *out, uint64_t seed, bool wild) {
  maker m = {.out = out, .wild = wild};
  alea_rng_seed(&m.rng, seed);
  m.things = 2 + below(&m, 4);
  put_roles(&m);
  put_facts(&m);
  if (chance(&m, 50)) put_descent(&m);
  if (chance(&m, 40)) put_web(&m);
  put_predicates(&m);
  put_inits(&m);
  put_legals(&m);
  put_nexts(&m);
  put_ends(&m);
  put_percepts(&m);
}

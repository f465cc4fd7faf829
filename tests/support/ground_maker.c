/* Ground programs for tests. */
#include "support/ground_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/load.h"

static void need(bool condition) {
  if (!condition) abort();
}

static alea_term constant(alea_ground *g, const char *name) {
  alea_symbol symbol = alea_symbols_add(g->symbols, name, strlen(name));
  need(symbol != ALEA_NO_SYMBOL);
  return alea_terms_constant(g->terms, symbol);
}

static alea_term numbered(alea_ground *g, const char *prefix, uint32_t number) {
  char name[32];
  snprintf(name, sizeof name, "%s%u", prefix, (unsigned)number);
  return constant(g, name);
}

static void *array(alea_mem *mem, size_t count, size_t size) {
  void *block = alea_mem_calloc(mem, count, size);
  need(block != NULL);
  return block;
}

void ground_maker_begin(ground_maker *maker, alea_mem *mem, uint32_t roles, uint32_t fluents,
                        const uint32_t *moves_per_role, uint32_t derived) {
  alea_ground *g = array(mem, 1, sizeof *g);
  maker->ground = g;
  g->mem = mem;
  g->symbols = alea_symbols_new(mem);
  g->terms = alea_terms_new(g->symbols, mem);
  g->random_role = -1;
  g->role_count = roles;
  g->fluent_count = fluents;
  g->roles = array(mem, roles, sizeof *g->roles);
  g->move_first = array(mem, roles + 1, sizeof *g->move_first);
  for (uint32_t r = 0; r < roles; r++) {
    g->roles[r] = alea_terms_name(g->terms, numbered(g, "R", r));
    g->move_first[r + 1] = g->move_first[r] + moves_per_role[r];
  }
  g->move_count = g->move_first[roles];
  g->fluents = array(mem, fluents, sizeof *g->fluents);
  g->init = array(mem, fluents, sizeof *g->init);
  g->next = array(mem, fluents, sizeof *g->next);
  for (uint32_t i = 0; i < fluents; i++) {
    g->fluents[i] = numbered(g, "f", i);
    g->next[i] = ALEA_GLIT_FALSE;
  }
  g->moves = array(mem, g->move_count, sizeof *g->moves);
  g->legal = array(mem, g->move_count, sizeof *g->legal);
  for (uint32_t r = 0; r < roles; r++)
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1]; m++) {
      g->moves[m] = numbered(g, "m", m - g->move_first[r]);
      g->legal[m] = ALEA_GLIT_FALSE;
    }
  g->atom_count = 1 + fluents + g->move_count + derived;
  g->atom_terms = array(mem, g->atom_count, sizeof *g->atom_terms);
  for (uint32_t i = 0; i < g->atom_count; i++) g->atom_terms[i] = numbered(g, "atom", i);
  g->terminal = ALEA_GLIT_FALSE;
}

void ground_maker_rule(ground_maker *maker, alea_atom head, const alea_glit *lits, uint32_t count) {
  alea_ground *g = maker->ground;
  alea_ground_rule rule = {head, (uint32_t)g->lits.count, count};
  need(alea_vec_push(g->mem, &g->rules, rule));
  for (uint32_t i = 0; i < count; i++) need(alea_vec_push(g->mem, &g->lits, lits[i]));
}

static int compare_rules(const void *a, const void *b) {
  const alea_ground_rule *x = a, *y = b;
  if (x->head != y->head) return x->head < y->head ? -1 : 1;
  return x->first_lit < y->first_lit ? -1 : 1;
}

alea_ground *ground_maker_end(ground_maker *maker) {
  alea_ground *g = maker->ground;
  if (g->rules.count > 0)
    qsort(g->rules.data, g->rules.count, sizeof *g->rules.data, compare_rules);
  return g;
}

/* ---- text ---- */

enum { MAX_NAMES = 256, MAX_WORDS = 32 };

typedef struct names {
  char *name[MAX_NAMES];
  uint32_t count;
} names;

static uint32_t find_name(const names *list, const char *name) {
  for (uint32_t i = 0; i < list->count; i++)
    if (strcmp(list->name[i], name) == 0) return i;
  return UINT32_MAX;
}

static uint32_t add_name(names *list, const char *name) {
  uint32_t found = find_name(list, name);
  if (found != UINT32_MAX) return found;
  need(list->count < MAX_NAMES);
  size_t size = strlen(name) + 1;
  list->name[list->count] = malloc(size);
  need(list->name[list->count] != NULL);
  memcpy(list->name[list->count], name, size);
  return list->count++;
}

static void free_names(names *list) {
  for (uint32_t i = 0; i < list->count; i++) free(list->name[i]);
}

typedef struct loader {
  ground_maker maker;
  names roles, fluents, moves, derived; /* moves as role:name */
  bool init[MAX_NAMES];
} loader;

static alea_glit literal(loader *l, const char *word) {
  alea_glit sign = word[0] == '~' ? 1 : 0;
  word += sign;
  if (strcmp(word, "true") == 0) return ALEA_GLIT_TRUE ^ sign;
  if (strcmp(word, "false") == 0) return ALEA_GLIT_FALSE ^ sign;
  uint32_t i = find_name(&l->fluents, word);
  if (i != UINT32_MAX) return 2 * (1 + i) + sign;
  i = find_name(&l->moves, word);
  if (i != UINT32_MAX) return 2 * (1 + l->fluents.count + i) + sign;
  return 2 * (1 + l->fluents.count + l->moves.count + add_name(&l->derived, word)) + sign;
}

static uint32_t move_number(const loader *l, const char *role, const char *move) {
  char name[128];
  snprintf(name, sizeof name, "%s:%s", role, move);
  uint32_t i = find_name(&l->moves, name);
  need(i != UINT32_MAX);
  return i;
}

/* First pass: declarations. */
static void declare(loader *l, char **word, size_t count) {
  char name[128];
  if (strcmp(word[0], "role") == 0) add_name(&l->roles, word[1]);
  if (strcmp(word[0], "fluent") == 0) l->init[add_name(&l->fluents, word[1])] = word[2][0] == '1';
  if (strcmp(word[0], "move") == 0) {
    snprintf(name, sizeof name, "%s:%s", word[1], word[2]);
    add_name(&l->moves, name);
  }
  if (strcmp(word[0], "rule") == 0)
    for (size_t i = 1; i < count; i++) (void)literal(l, word[i]);
}

static alea_term percept(alea_ground *g, const char *name, uint32_t *number) {
  alea_term term = constant(g, name);
  for (*number = 0; *number < g->percepts.count; ++*number)
    if (g->percepts.data[*number] == term) return term;
  need(alea_vec_push(g->mem, &g->percepts, term));
  return term;
}

/* Second pass: definitions. */
static void define(loader *l, char **word, size_t count) {
  alea_ground *g = l->maker.ground;
  if (strcmp(word[0], "rule") == 0) {
    alea_glit lits[MAX_WORDS];
    for (size_t i = 2; i < count; i++) lits[i - 2] = literal(l, word[i]);
    ground_maker_rule(&l->maker, literal(l, word[1]) >> 1, lits, (uint32_t)count - 2);
  } else if (strcmp(word[0], "next") == 0) {
    g->next[find_name(&l->fluents, word[1])] = literal(l, word[2]);
  } else if (strcmp(word[0], "legal") == 0) {
    g->legal[move_number(l, word[1], word[2])] = literal(l, word[3]);
  } else if (strcmp(word[0], "terminal") == 0) {
    g->terminal = literal(l, word[1]);
  } else if (strcmp(word[0], "goal") == 0) {
    alea_ground_goal goal = {find_name(&l->roles, word[1]), atoi(word[2]), literal(l, word[3])};
    need(alea_vec_push(g->mem, &g->goals, goal));
  } else if (strcmp(word[0], "sees") == 0) {
    alea_ground_percept p = {.role = find_name(&l->roles, word[1]), .lit = literal(l, word[3])};
    percept(g, word[2], &p.percept);
    g->has_sees = true;
    need(alea_vec_push(g->mem, &g->sees, p));
  }
}

static void each_line(loader *l, const char *text, void (*use)(loader *, char **, size_t)) {
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    char line[512];
    need(length < sizeof line);
    memcpy(line, text, length);
    line[length] = '\0';
    line[strcspn(line, "#")] = '\0';
    text += length + (text[length] == '\n');
    char *word[MAX_WORDS], *rest = NULL;
    size_t count = 0;
    for (char *w = strtok_r(line, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest)) {
      need(count < MAX_WORDS);
      word[count++] = w;
    }
    if (count > 0) use(l, word, count);
  }
}

static void name_things(loader *l) {
  alea_ground *g = l->maker.ground;
  for (uint32_t i = 0; i < l->roles.count; i++) {
    g->roles[i] = alea_symbols_add(g->symbols, l->roles.name[i], strlen(l->roles.name[i]));
    if (strcmp(l->roles.name[i], "random") == 0) g->random_role = (int)i;
  }
  for (uint32_t i = 0; i < l->fluents.count; i++) {
    g->fluents[i] = constant(g, l->fluents.name[i]);
    g->init[i] = l->init[i];
  }
  for (uint32_t i = 0; i < l->moves.count; i++)
    g->moves[i] = constant(g, strchr(l->moves.name[i], ':') + 1);
  for (uint32_t i = 0; i < l->derived.count; i++)
    g->atom_terms[1 + l->fluents.count + l->moves.count + i] = constant(g, l->derived.name[i]);
}

alea_ground *ground_from_text(const char *text, alea_mem *mem) {
  loader l = {0};
  each_line(&l, text, declare);
  /* Fluents and moves are known now; derived atoms were found in rules. */
  uint32_t moves[MAX_NAMES] = {0};
  for (uint32_t i = 0; i < l.moves.count; i++) {
    for (uint32_t r = 0; r < l.roles.count; r++) {
      size_t length = strlen(l.roles.name[r]);
      if (strncmp(l.moves.name[i], l.roles.name[r], length) == 0 && l.moves.name[i][length] == ':')
        moves[r]++;
    }
  }
  ground_maker_begin(&l.maker, mem, l.roles.count, l.fluents.count, moves, l.derived.count);
  name_things(&l);
  each_line(&l, text, define);
  free_names(&l.roles);
  free_names(&l.fluents);
  free_names(&l.moves);
  free_names(&l.derived);
  return ground_maker_end(&l.maker);
}

/* ---- .net files ---- */

typedef struct net_file {
  FILE *file;
  int fluents, moves, gates, state_gates, roles, goals;
  uint32_t *atom; /* per id of the file */
} net_file;

static int number(net_file *f) {
  int value = 0;
  need(fscanf(f->file, "%d", &value) == 1);
  return value;
}

static alea_glit net_literal(const net_file *f, int lit) {
  if (lit < 0) return lit == -2 ? ALEA_GLIT_TRUE : ALEA_GLIT_FALSE;
  return 2 * f->atom[lit >> 1] + (uint32_t)(lit & 1);
}

typedef struct raw_gate {
  int op, a, b;
} raw_gate;

/* The moves of the file are in any order, those of a ground program role by
 * role, and gates may read moves: so everything is read before anything is
 * made. */
static void read_rest(net_file *f, alea_mem *mem, const raw_gate *gates, ground_maker *maker) {
  int *init = array(mem, (size_t)f->fluents, sizeof *init);
  int *next = array(mem, (size_t)f->fluents, sizeof *next);
  for (int i = 0; i < f->fluents; i++) init[i] = number(f);
  for (int i = 0; i < f->fluents; i++) next[i] = number(f);
  uint32_t moves_per_role[64] = {0}, at = 0;
  for (int r = 0; r < f->roles; r++) {
    moves_per_role[r] = (uint32_t)number(f);
    for (uint32_t i = 0; i < moves_per_role[r]; i++)
      f->atom[f->fluents + number(f)] = 1 + (uint32_t)f->fluents + at++;
  }
  ground_maker_begin(maker, mem, (uint32_t)f->roles, (uint32_t)f->fluents, moves_per_role,
                     (uint32_t)f->gates);
  alea_ground *g = maker->ground;
  for (int i = 0; i < f->fluents; i++) {
    g->init[i] = (uint8_t)init[i];
    g->next[i] = net_literal(f, next[i]);
  }
  for (int i = 0; i < f->gates; i++) {
    alea_glit lits[2] = {net_literal(f, gates[i].a), net_literal(f, gates[i].b)};
    alea_atom head = f->atom[f->fluents + f->moves + i];
    if (gates[i].op == 0) {
      ground_maker_rule(maker, head, lits, 2);
    } else {
      ground_maker_rule(maker, head, lits, 1);
      ground_maker_rule(maker, head, lits + 1, 1);
    }
  }
  for (int i = 0; i < f->moves; i++)
    g->legal[f->atom[f->fluents + i] - 1 - (uint32_t)f->fluents] = net_literal(f, number(f));
  g->terminal = net_literal(f, number(f));
  for (int i = 0; i < f->goals; i++) {
    alea_ground_goal goal = {.role = (uint32_t)number(f), .value = number(f)};
    goal.lit = net_literal(f, number(f));
    need(alea_vec_push(mem, &g->goals, goal));
  }
  alea_mem_free(mem, init, (size_t)f->fluents * sizeof *init);
  alea_mem_free(mem, next, (size_t)f->fluents * sizeof *next);
}

alea_ground *ground_from_net_file(const char *path, alea_mem *mem) {
  net_file f = {.file = fopen(path, "r")};
  if (f.file == NULL) return NULL;
  f.fluents = number(&f);
  f.moves = number(&f);
  f.gates = number(&f);
  f.state_gates = number(&f);
  f.roles = number(&f);
  f.goals = number(&f);
  size_t ids = (size_t)(f.fluents + f.moves + f.gates);
  f.atom = array(mem, ids, sizeof *f.atom);
  for (size_t i = 0; i < ids; i++) f.atom[i] = (uint32_t)i + 1;
  raw_gate *gates = array(mem, (size_t)f.gates, sizeof *gates);
  for (int i = 0; i < f.gates; i++)
    gates[i] = (raw_gate){.op = number(&f), .a = number(&f), .b = number(&f)};
  ground_maker maker;
  read_rest(&f, mem, gates, &maker);
  alea_mem_free(mem, gates, (size_t)f.gates * sizeof *gates);
  alea_mem_free(mem, f.atom, ids * sizeof *f.atom);
  fclose(f.file);
  return ground_maker_end(&maker);
}

alea_ground *ground_from_file(const char *path, alea_mem *mem, alea_diag *diag) {
  size_t length = strlen(path);
  if (length > 4 && strcmp(path + length - 4, ".net") == 0) return ground_from_net_file(path, mem);
  char *text = load_file(&length, "%s", path);
  if (text == NULL) return NULL;
  alea_program *program;
  alea_ground *ground = NULL;
  if (alea_program_new(&program, text, length, path, NULL, mem, diag) == ALEA_OK)
    (void)alea_ground_new(&ground, program, NULL, mem, diag);
  alea_program_free(program);
  free(text);
  return ground;
}

#ifndef ALEA_TOSS_SYNTAX_H
#define ALEA_TOSS_SYNTAX_H

/* A `.toss` file as read: players, rules, locations, the initial structure, and
 * the formulas and terms in them.  docs/TOSS.md has the grammar.
 *
 * Formulas and terms are nodes in one array; the parts of a node are kids[first
 * .. first+count).  No node is higher than ALEA_TOSS_DEEPEST, so functions may
 * recurse over nodes.  A file owns all it points to; `place.file` is borrowed. */

#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"
#include "toss/names.h"

#define ALEA_TOSS_NONE UINT32_MAX
enum {
  ALEA_TOSS_DEEPEST = 150,   /* height of a formula */
  ALEA_TOSS_MOST_ARITY = 8,  /* of a relation */
  ALEA_TOSS_MOST_SIDE = 8,   /* elements on one side of a rule */
  ALEA_TOSS_MOST_PARAMS = 4, /* parameters of a label */
  ALEA_TOSS_MOST_PLAYERS = 8,
  ALEA_TOSS_MOST_ELEMENTS = 4096,
};

typedef enum alea_toss_kind {
  /* formulas */
  ALEA_TOSS_TRUE,
  ALEA_TOSS_FALSE,
  ALEA_TOSS_REL,   /* kids: names of variables; target: relation */
  ALEA_TOSS_EQUAL, /* kids: two element variables */
  ALEA_TOSS_IN,    /* kids: an element and a set variable */
  ALEA_TOSS_LESS,  /* kids: two terms; also `>` with the terms exchanged */
  ALEA_TOSS_SAME,  /* kids: two terms */
  ALEA_TOSS_NOT,
  ALEA_TOSS_AND, /* two kids or more */
  ALEA_TOSS_OR,
  ALEA_TOSS_EXISTS, /* name: variable of 'sort'; one kid */
  ALEA_TOSS_FORALL,
  /* terms */
  ALEA_TOSS_NUMBER,
  ALEA_TOSS_REAL,     /* name: a real variable or a parameter */
  ALEA_TOSS_FUNCTION, /* name, target: function; kids: one variable; order: of the derivative */
  ALEA_TOSS_ADD,      /* two kids or more */
  ALEA_TOSS_MUL,
  ALEA_TOSS_NEG,
  ALEA_TOSS_DIV,
  ALEA_TOSS_POW,  /* number: exponent 0..64 */
  ALEA_TOSS_ROOT, /* number: which root, 2..64 */
  ALEA_TOSS_CHAR, /* 1 where the formula holds, else 0 */
  ALEA_TOSS_MIN,  /* name: real variable; kid: formula */
  ALEA_TOSS_SUM,  /* name: element variable; kids: formula, term */
  ALEA_TOSS_PROD,
  /* only while reading: a variable by itself */
  ALEA_TOSS_VARIABLE,
} alea_toss_kind;

typedef enum alea_toss_sort { ALEA_TOSS_ELEMENT, ALEA_TOSS_SET, ALEA_TOSS_NUMERIC } alea_toss_sort;

static inline bool alea_toss_is_term(alea_toss_kind kind) {
  return kind >= ALEA_TOSS_NUMBER && kind <= ALEA_TOSS_PROD;
}

typedef struct alea_toss_node {
  alea_toss_kind kind;
  alea_toss_sort sort;
  uint16_t height, order;
  uint32_t line, column;
  uint32_t name, target;
  uint32_t first, count;
  double number;
} alea_toss_node;

typedef struct alea_toss_relation {
  uint32_t name, arity;
  uint32_t body;        /* node, or NONE: a relation of the structure */
  uint32_t first_param; /* kids: names */
  uint32_t line, column;
} alea_toss_relation;

typedef struct alea_toss_function {
  uint32_t name, line, column;
} alea_toss_function;

/* A drawn structure: elements by name; tuples and values by element index. */
typedef struct alea_toss_tuple {
  uint32_t relation;     /* a name until checked, then an index */
  uint32_t first, count; /* picture->ids */
  bool optional;
  uint32_t line, column;
} alea_toss_tuple;

typedef struct alea_toss_value {
  uint32_t function, element;
  double number;
  uint32_t line, column;
} alea_toss_value;

typedef struct alea_toss_declaration {
  uint32_t name, arity, line, column; /* arity NONE: a function */
} alea_toss_declaration;

typedef struct alea_toss_picture {
  ALEA_VEC(uint32_t) elements; /* names */
  ALEA_VEC(uint32_t) ids;
  ALEA_VEC(alea_toss_tuple) tuples;
  ALEA_VEC(alea_toss_value) values;
  ALEA_VEC(alea_toss_declaration) declared; /* R:2 {} */
} alea_toss_picture;

/* `:f(x)'' = term` */
typedef struct alea_toss_equation {
  uint32_t function; /* a name until checked, then an index */
  uint32_t element;  /* of the left side (dynamics) or the right (update) */
  uint32_t order;    /* dynamics: of the derivative, from 1 */
  uint32_t term;
  uint32_t line, column;
} alea_toss_equation;

typedef struct alea_toss_spot {
  uint32_t line, column;
} alea_toss_spot;

/* `carry :f(x)'`: a derivative that does not start at 0 (parse_carry.c). */
typedef struct alea_toss_carry {
  uint32_t function, element, order; /* a name, and an element of the left side */
  uint32_t line, column;
} alea_toss_carry;

typedef struct alea_toss_rule {
  uint32_t name, line, column;
  alea_toss_picture left, right;
  uint32_t replaces[ALEA_TOSS_MOST_SIDE]; /* per right element: left element, or NONE */
  bool explicit_map;                      /* written with `with [...]` */
  ALEA_VEC(uint32_t) exact;               /* relations matched exactly: names, then indices */
  ALEA_VEC(alea_toss_spot) exact_spots;   /* where they are named */
  uint32_t pre, inv, post;                /* nodes, or NONE */
  ALEA_VEC(alea_toss_equation) dynamics, update;
  ALEA_VEC(alea_toss_carry) carried; /* already worked into the equations */
} alea_toss_rule;

typedef enum alea_toss_law {
  ALEA_TOSS_FIXED,
  ALEA_TOSS_NORMAL,
  ALEA_TOSS_UNIFORM,
  ALEA_TOSS_EXPONENTIAL
} alea_toss_law;

/* An end of an interval: a number, or drawn at random. */
typedef struct alea_toss_bound {
  double number;
  uint32_t random; /* name of a random parameter, or NONE */
} alea_toss_bound;

typedef struct alea_toss_interval {
  uint32_t name; /* the parameter; NONE for the time */
  alea_toss_bound low, high;
  double step; /* 0: not given */
} alea_toss_interval;

typedef struct alea_toss_random {
  uint32_t name;
  alea_toss_law law;
  double a, b;
} alea_toss_random;

/* A target of an edge, with probability 'weight' / 'scale'. */
typedef struct alea_toss_target {
  uint32_t location; /* number as written, then an index */
  uint32_t weight, scale;
  uint32_t line, column;
} alea_toss_target;

typedef ALEA_VEC(alea_toss_target) alea_toss_targets;

typedef enum alea_toss_many { ALEA_TOSS_ONE, ALEA_TOSS_ANY, ALEA_TOSS_ALL } alea_toss_many;

typedef struct alea_toss_label {
  uint32_t rule;  /* a name until checked, then an index */
  uint32_t alias; /* the name of the move */
  alea_toss_many many;
  bool timed;
  alea_toss_interval time;
  ALEA_VEC(alea_toss_interval) params;
  ALEA_VEC(alea_toss_random) randoms;
  alea_toss_targets targets; /* empty: an EDGE decides */
  uint32_t line, column;
} alea_toss_label;

typedef struct alea_toss_side { /* a player at a location */
  uint32_t payoff;              /* node, or NONE: 0 */
  ALEA_VEC(alea_toss_label) labels;
} alea_toss_side;

typedef struct alea_toss_edge {
  uint32_t labels[ALEA_TOSS_MOST_PLAYERS]; /* alias names, then label indices; NONE = waits */
  alea_toss_targets targets;
  uint32_t line, column;
} alea_toss_edge;

typedef struct alea_toss_location {
  uint32_t number, line, column;
  alea_toss_side *sides; /* one per player */
  ALEA_VEC(alea_toss_edge) edges;
} alea_toss_location;

typedef struct alea_toss_file {
  alea_mem *mem;
  const char *file;
  alea_toss_names names;
  ALEA_VEC(alea_toss_node) nodes;
  ALEA_VEC(uint32_t) kids;
  ALEA_VEC(uint32_t) players;
  ALEA_VEC(alea_toss_relation) relations;
  ALEA_VEC(alea_toss_function) functions;
  ALEA_VEC(alea_toss_rule) rules;
  ALEA_VEC(alea_toss_location) locations;
  alea_toss_picture start;
  bool has_start;
  bool given_start; /* structures come from outside: START is the signature alone */
  uint32_t board_columns, board_rows; /* of a drawn board, else 0 */
  double least, most;                 /* payoffs of these values are goals 0 and 100 */
} alea_toss_file;

/* Reads and checks a file.  On failure '*file' is NULL and 'diag' says where
 * and why: ALEA_INPUT, or ALEA_LIMIT/ALEA_SYSTEM for a lack of memory. */
alea_status alea_toss_read(alea_toss_file **file, const char *text, size_t length, const char *name,
                           alea_mem *mem, alea_diag *diag);
void alea_toss_free(alea_toss_file *file); /* NULL is a no-op. */

/* Appends the file as text that reads as the same file. */
void alea_toss_print(const alea_toss_file *file, alea_text *out);
/* Appends a formula or term. */
void alea_toss_print_node(const alea_toss_file *file, uint32_t node, alea_text *out);

/* Whether a rule neither makes nor deletes elements. */
bool alea_toss_is_preserving(const alea_toss_rule *rule);

/* The relation or function of a name, NONE when there is none. */
uint32_t alea_toss_find_relation(const alea_toss_file *file, uint32_t name);
uint32_t alea_toss_find_function(const alea_toss_file *file, uint32_t name);

static inline const char *alea_toss_text(const alea_toss_file *file, uint32_t name) {
  return file->names.texts.data[name];
}

#endif

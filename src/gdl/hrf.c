/* The HRF reader: an operator-precedence parser with an explicit stack.  It
 * builds a tree of linked nodes, which is then laid out in the order of KIF. */
#include "gdl/hrf.h"

#include <stdio.h>

#include "gdl/program.h"
#include "gdl/scanner.h"

enum { DEFAULT_DEPTH = 256 };
#define DEFAULT_BYTES ((size_t)64 << 20)
#define COMMENTS "%;"
#define NONE UINT32_MAX

typedef struct hrf_node {
  alea_symbol atom; /* ALEA_NO_SYMBOL for a list, whose first child is its name */
  uint32_t first, next;
  uint32_t line, column;
} hrf_node;

/* Nodes linked by 'next'. */
typedef struct chain {
  uint32_t first, last;
  uint32_t count;
} chain;

typedef enum frame_kind { CLAUSE, GROUP, ARGUMENTS } frame_kind;

/* An unfinished clause, parenthesis or argument list. */
typedef struct hrf_frame {
  frame_kind kind;
  uint32_t list;      /* ARGUMENTS: the list; CLAUSE: the head, once read */
  bool body;          /* CLAUSE: after `:-` */
  uint32_t negations; /* number of `~` before the next operand */
  chain conj, disj;   /* operands since the last `|`; finished alternatives */
  alea_place place;
} hrf_frame;

typedef enum token {
  TOKEN_END,
  TOKEN_NAME,
  TOKEN_CALL, /* a name with its '(' */
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_COMMA,
  TOKEN_AND,
  TOKEN_OR,
  TOKEN_NOT,
  TOKEN_IF,
  TOKEN_PERIOD,
  TOKEN_NUL,
} token;

typedef struct hrf_parser {
  alea_scanner at;
  alea_mem *mem;
  alea_symbols *symbols;
  alea_diag *diag;
  uint32_t max_depth;
  uint32_t anonymous;
  ALEA_VEC(hrf_node) nodes;
  ALEA_VEC(hrf_frame) stack;
  chain clauses;
  token token;
  const char *start; /* of the token */
  size_t length;
  alea_place place;
  bool want_operand;
  alea_status status;
} hrf_parser;

static const chain empty_chain = {NONE, NONE, 0};

static bool is_name(char c) {
  return c != '\0' && !alea_is_space(c) && strchr("(),&|~%;", c) == NULL;
}

static bool starts_if(const char *at, const char *end) {
  return end - at >= 2 && at[0] == ':' && at[1] == '-';
}

/* A period ends a clause if no character of a name follows it. */
static bool is_period(const char *at, const char *end) {
  return *at == '.' && (at + 1 == end || !is_name(at[1]));
}

static const char *name_end(const char *at, const char *end) {
  while (at < end && is_name(*at) && !starts_if(at, end) && !is_period(at, end)) at++;
  return at;
}

bool alea_hrf_detect(const char *text, size_t length) {
  alea_scanner at = alea_scanner_at(text, length, NULL);
  for (alea_scanner_skip(&at, COMMENTS); at.next < at.end; alea_scanner_skip(&at, COMMENTS)) {
    if (*at.next == '(' || *at.next == ')') return false;
    if (starts_if(at.next, at.end)) return true;
    const char *end = name_end(at.next, at.end);
    if (end > at.next && end < at.end && *end == '(') return true;
    at.next = end > at.next ? end : at.next + 1;
  }
  return false;
}

static bool fail(hrf_parser *p, alea_status status) {
  p->status = status;
  return false;
}

static bool no_memory(hrf_parser *p) { return fail(p, alea_mem_lack(p->mem)); }

static bool complain(hrf_parser *p, alea_place place, const char *code, const char *message) {
  alea_diag_error(p->diag, place, code, "%s", message);
  return fail(p, ALEA_INPUT);
}

static token single(char c) {
  switch (c) {
    case '(': return TOKEN_OPEN;
    case ')': return TOKEN_CLOSE;
    case ',': return TOKEN_COMMA;
    case '&': return TOKEN_AND;
    case '|': return TOKEN_OR;
    case '~': return TOKEN_NOT;
    case '.': return TOKEN_PERIOD;
    default: return TOKEN_NUL;
  }
}

static void next_token(hrf_parser *p) {
  alea_scanner *c = &p->at;
  alea_scanner_skip(c, COMMENTS);
  p->start = c->next;
  p->place = alea_scanner_place(c, c->next);
  p->token = TOKEN_END;
  if (c->next == c->end) return;
  const char *end = name_end(c->next, c->end);
  p->length = (size_t)(end - c->next);
  if (starts_if(c->next, c->end)) {
    p->token = TOKEN_IF;
    c->next += 2;
  } else if (p->length == 0) {
    p->token = single(*c->next++);
  } else {
    c->next = end;
    p->token = end < c->end && *end == '(' ? TOKEN_CALL : TOKEN_NAME;
    if (p->token == TOKEN_CALL) c->next++;
  }
}

/* A new node; NONE on failure. */
static uint32_t make_node(hrf_parser *p, alea_symbol atom, alea_place place) {
  hrf_node n = {atom, NONE, NONE, place.line, place.column};
  if (alea_vec_push(p->mem, &p->nodes, n)) return (uint32_t)p->nodes.count - 1;
  no_memory(p);
  return NONE;
}

static void append(hrf_parser *p, chain *c, uint32_t n) {
  if (c->count++ == 0) {
    c->first = n;
  } else {
    p->nodes.data[c->last].next = n;
  }
  c->last = n;
}

/* The list (name children...); NONE on failure. */
static uint32_t make_list(hrf_parser *p, alea_symbol name, chain children, alea_place place) {
  uint32_t list = make_node(p, ALEA_NO_SYMBOL, place);
  uint32_t first = list == NONE ? NONE : make_node(p, name, place);
  if (first == NONE) return NONE;
  p->nodes.data[list].first = first;
  p->nodes.data[first].next = children.first;
  return list;
}

static alea_symbol token_symbol(hrf_parser *p) {
  char buffer[256];
  char first = p->start[0];
  bool variable = (first >= 'A' && first <= 'Z') || first == '_';
  alea_symbol symbol;
  if (p->length == 1 && first == '_') {
    /* A comma cannot be part of a name in HRF, so this one is new. */
    int length = snprintf(buffer, sizeof buffer, "?_,%u", (unsigned)++p->anonymous);
    symbol = alea_symbols_add(p->symbols, buffer, (size_t)length);
  } else if (variable) {
    char *name = p->length < sizeof buffer ? buffer : alea_mem_alloc(p->mem, p->length + 1);
    if (name == NULL) return no_memory(p), ALEA_NO_SYMBOL;
    name[0] = '?';
    memcpy(name + 1, p->start, p->length);
    symbol = alea_symbols_add(p->symbols, name, p->length + 1);
    if (name != buffer) alea_mem_free(p->mem, name, p->length + 1);
  } else {
    symbol = alea_symbols_add(p->symbols, p->start, p->length);
  }
  if (symbol == ALEA_NO_SYMBOL) no_memory(p);
  return symbol;
}

static bool too_deep(hrf_parser *p) {
  alea_diag_error(p->diag, p->place, "too-deep", "this is nested deeper than %u",
                  (unsigned)p->max_depth);
  return fail(p, ALEA_LIMIT);
}

static bool push_frame(hrf_parser *p, frame_kind kind, uint32_t list) {
  if (p->stack.count >= p->max_depth) return too_deep(p);
  hrf_frame f = {.kind = kind, .list = list, .conj = empty_chain, .disj = empty_chain};
  f.place = p->place;
  p->want_operand = true;
  return alea_vec_push(p->mem, &p->stack, f) ? true : no_memory(p);
}

static hrf_frame *top(hrf_parser *p) { return &p->stack.data[p->stack.count - 1]; }

/* Whether this frame contains formulas, not terms. */
static bool in_formula(const hrf_frame *f) {
  return f->kind == GROUP || (f->kind == CLAUSE && f->body);
}

/* Adds a finished operand to the innermost frame. */
static bool add_operand(hrf_parser *p, uint32_t operand) {
  if (operand == NONE) return false;
  hrf_frame *f = top(p);
  p->want_operand = false;
  if (f->kind == CLAUSE && !f->body) {
    f->list = operand;
    return true;
  }
  for (; f->negations > 0; f->negations--) {
    chain one = {operand, operand, 1};
    alea_place place = f->place;
    operand = make_list(p, ALEA_SYM_NOT, one, place);
    if (operand == NONE) return false;
    f = top(p);
  }
  append(p, &f->conj, operand);
  return true;
}

/* Turns the operands since the last `|` into one alternative. */
static bool end_alternative(hrf_parser *p) {
  hrf_frame *f = top(p);
  uint32_t alternative = f->conj.first;
  if (f->conj.count > 1) alternative = make_list(p, ALEA_SYM_AND, f->conj, f->place);
  if (alternative == NONE) return false;
  append(p, &f->disj, alternative);
  f->conj = empty_chain;
  return true;
}

static bool end_group(hrf_parser *p) {
  if (!end_alternative(p)) return false;
  hrf_frame *f = top(p);
  uint32_t whole = f->disj.first;
  if (f->disj.count > 1) whole = make_list(p, ALEA_SYM_OR, f->disj, f->place);
  p->stack.count--;
  return add_operand(p, whole);
}

static bool end_arguments(hrf_parser *p) {
  hrf_frame *f = top(p);
  uint32_t name = p->nodes.data[f->list].first;
  p->nodes.data[name].next = f->conj.first;
  uint32_t list = f->list;
  p->stack.count--;
  return add_operand(p, list);
}

/* (<= head conditions...): a plain conjunction needs no `and`. */
static bool end_clause(hrf_parser *p) {
  hrf_frame *f = top(p);
  uint32_t clause = f->list;
  if (f->body) {
    chain body = f->conj;
    if (f->disj.count > 0) {
      if (!end_alternative(p)) return false;
      uint32_t all = make_list(p, ALEA_SYM_OR, f->disj, f->place);
      if (all == NONE) return false;
      body = (chain){all, all, 1};
    }
    p->nodes.data[f->list].next = body.first;
    chain head = {f->list, body.last, body.count + 1};
    clause = make_list(p, ALEA_SYM_IMPLIED, head, f->place);
    if (clause == NONE) return false;
  }
  p->stack.count--;
  append(p, &p->clauses, clause);
  return true;
}

static bool unexpected(hrf_parser *p, const char *wanted) {
  if (p->token == TOKEN_NUL)
    return complain(p, p->place, "nul-byte", "a rulesheet is text and cannot hold a NUL byte");
  if (p->token == TOKEN_END && top(p)->kind != CLAUSE)
    return complain(p, top(p)->place, "unbalanced-parenthesis", "this '(' is never closed");
  if (p->token == TOKEN_CLOSE && top(p)->kind == CLAUSE)
    return complain(p, p->place, "unbalanced-parenthesis",
                    "this ')' closes a parenthesis that was never opened");
  return complain(p, p->place, "hrf-syntax", wanted);
}

static bool read_negation(hrf_parser *p) {
  hrf_frame *f = top(p);
  if (f->negations + p->stack.count >= p->max_depth) return too_deep(p);
  f->negations++;
  return true;
}

static bool read_name(hrf_parser *p) {
  alea_place place = p->place;
  bool call = p->token == TOKEN_CALL;
  alea_symbol name = token_symbol(p);
  if (name == ALEA_NO_SYMBOL) return false;
  if (!call) return add_operand(p, make_node(p, name, place));
  uint32_t list = make_list(p, name, empty_chain, place);
  p->place.column += (uint32_t)p->length; /* the parenthesis */
  return list != NONE && push_frame(p, ARGUMENTS, list);
}

static bool read_operand(hrf_parser *p) {
  const hrf_frame *f = top(p);
  switch (p->token) {
    case TOKEN_NAME:
    case TOKEN_CALL: return read_name(p);
    case TOKEN_NOT:
      if (in_formula(f)) return read_negation(p);
      break;
    case TOKEN_OPEN:
      if (in_formula(f)) return push_frame(p, GROUP, NONE);
      break;
    case TOKEN_CLOSE:
      if (f->kind == ARGUMENTS && f->conj.count == 0) return end_arguments(p);
      break;
    default: break;
  }
  return unexpected(p, f->kind == ARGUMENTS ? "a term is expected here"
                       : in_formula(f)      ? "a condition is expected here"
                                            : "a fact or a rule is expected here");
}

static bool continue_formula(hrf_parser *p) {
  p->want_operand = true;
  return true;
}

/* Reads what may follow an operand inside parentheses. */
static bool read_inner_operator(hrf_parser *p, bool group) {
  if (p->token == TOKEN_CLOSE) return group ? end_group(p) : end_arguments(p);
  if (p->token == TOKEN_COMMA || (group && p->token == TOKEN_AND)) return continue_formula(p);
  if (group && p->token == TOKEN_OR) return end_alternative(p) && continue_formula(p);
  return unexpected(p, group ? "`&`, `|` or `)` is expected here" : "`,` or `)` is expected here");
}

/* Reads what may follow an operand at the level of clauses; the start of an
 * atom starts the next clause. */
static bool read_outer_operator(hrf_parser *p) {
  hrf_frame *f = top(p);
  switch (p->token) {
    case TOKEN_AND:
    case TOKEN_COMMA:
      if (f->body) return continue_formula(p);
      break;
    case TOKEN_OR:
      if (f->body) return end_alternative(p) && continue_formula(p);
      break;
    case TOKEN_IF:
      if (f->body) break;
      f->body = true;
      return continue_formula(p);
    case TOKEN_NAME:
    case TOKEN_CALL: return end_clause(p) && push_frame(p, CLAUSE, NONE) && read_operand(p);
    case TOKEN_PERIOD:
    case TOKEN_END: return end_clause(p);
    default: break;
  }
  return unexpected(p, "`:-`, `&`, `|` or the next rule is expected here");
}

static bool parse(hrf_parser *p) {
  for (next_token(p);; next_token(p)) {
    if (p->stack.count == 0) {
      if (p->token == TOKEN_END) return true;
      if (!push_frame(p, CLAUSE, NONE)) return false;
    }
    frame_kind kind = top(p)->kind;
    bool ok = p->want_operand  ? read_operand(p)
              : kind == CLAUSE ? read_outer_operator(p)
                               : read_inner_operator(p, kind == GROUP);
    if (!ok) return false;
    if (p->token == TOKEN_END) return true;
  }
}

/* Writes the tree in the order of the text. */
static bool lay_out(hrf_parser *p, alea_sexprs *list) {
  typedef struct hrf_level {
    uint32_t item; /* the list, NONE at the top */
    uint32_t next; /* the node to come */
  } hrf_level;
  ALEA_VEC(hrf_level) levels = {0};
  bool ok = alea_vec_push(p->mem, &levels, (hrf_level){NONE, p->clauses.first});
  while (ok && levels.count > 0) {
    hrf_level *l = &levels.data[levels.count - 1];
    uint32_t index = (uint32_t)list->items.count;
    if (l->next == NONE) {
      if (l->item != NONE) list->items.data[l->item].after = index;
      levels.count--;
      continue;
    }
    hrf_node n = p->nodes.data[l->next];
    l->next = n.next;
    alea_sexpr e = {n.atom, index + 1, n.line, n.column};
    ok = alea_vec_push(p->mem, &list->items, e) &&
         (n.atom != ALEA_NO_SYMBOL || alea_vec_push(p->mem, &levels, (hrf_level){index, n.first}));
  }
  alea_vec_clear(p->mem, &levels);
  return ok ? true : no_memory(p);
}

alea_status alea_hrf_read(alea_sexprs *list, const char *text, size_t length, const char *file,
                          const alea_sexpr_limits *limits, alea_symbols *symbols, alea_diag *diag) {
  size_t max_bytes = limits != NULL && limits->max_bytes != 0 ? limits->max_bytes : DEFAULT_BYTES;
  /* A token makes at most four nodes, and nodes have 32-bit numbers. */
  if (max_bytes > UINT32_MAX / 8) max_bytes = UINT32_MAX / 8;
  if (length > max_bytes) {
    alea_diag_error(diag, ((alea_place){file, 0, 0}), "too-long",
                    "the text has %zu bytes; the limit is %zu", length, max_bytes);
    return ALEA_LIMIT;
  }
  hrf_parser p = {.at = alea_scanner_at(text, length, file), .mem = list->mem, .symbols = symbols};
  p.diag = diag;
  p.clauses = empty_chain;
  p.want_operand = true;
  p.max_depth = limits != NULL && limits->max_depth != 0 ? limits->max_depth : DEFAULT_DEPTH;
  bool ok = parse(&p) && lay_out(&p, list);
  alea_vec_clear(p.mem, &p.nodes);
  alea_vec_clear(p.mem, &p.stack);
  return ok ? ALEA_OK : p.status;
}

alea_status alea_gdl_read(alea_sexprs *list, const char *text, size_t length, const char *file,
                          const alea_sexpr_limits *limits, alea_symbols *symbols, alea_diag *diag) {
  bool hrf = alea_hrf_detect(text, length);
  return (hrf ? alea_hrf_read : alea_sexprs_read)(list, text, length, file, limits, symbols, diag);
}

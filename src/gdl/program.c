/* Building, freeing and printing of programs. */
#include "gdl/program.h"

#include <string.h>

#include "gdl/check.h"
#include "gdl/normalise.h"
#include "gdl/roles.h"

static bool add_words(alea_symbols *symbols) {
#define ALEA_ADD_WORD(name, text) \
  if (alea_symbols_add(symbols, text, sizeof text - 1) != ALEA_SYM_##name) return false;
  ALEA_GDL_WORDS(ALEA_ADD_WORD)
#undef ALEA_ADD_WORD
  return true;
}

static alea_program *make_empty(const char *file, alea_mem *mem) {
  alea_program *p = alea_mem_zalloc(mem, sizeof *p);
  if (p == NULL) return NULL;
  p->mem = mem;
  p->random_role = -1;
  p->symbols = alea_symbols_new(mem);
  if (p->symbols != NULL) p->terms = alea_terms_new(p->symbols, mem);
  if (file != NULL) p->file_copy = alea_mem_alloc(mem, strlen(file) + 1);
  if (p->file_copy != NULL) memcpy(p->file_copy, file, strlen(file) + 1);
  p->file = p->file_copy;
  if (p->terms != NULL && add_words(p->symbols) && (file == NULL || p->file != NULL)) return p;
  alea_program_free(p);
  return NULL;
}

void alea_program_free(alea_program *p) {
  if (p == NULL) return;
  alea_mem *mem = p->mem;
  alea_terms_free(p->terms);
  alea_symbols_free(p->symbols);
  alea_vec_clear(mem, &p->nodes);
  alea_vec_clear(mem, &p->children);
  alea_vec_clear(mem, &p->literals);
  alea_vec_clear(mem, &p->rules);
  alea_vec_clear(mem, &p->roles);
  if (p->file_copy != NULL) alea_mem_free(mem, p->file_copy, strlen(p->file_copy) + 1);
  alea_mem_free(mem, p, sizeof *p);
}

static void find_sees(alea_program *p) {
  for (size_t i = 0; i < p->rules.count; i++) {
    const alea_node *head = &p->nodes.data[p->rules.data[i].head];
    if (head->name == ALEA_SYM_SEES && head->arg_count == 2) p->has_sees = true;
  }
}

/* Places point into the caller's 'file', not into the program, which may be
 * gone when the diagnostics are shown. */
static alea_status fill(alea_program *p, alea_sexprs *exprs, const char *text, size_t length,
                        const char *file, const alea_program_options *options, alea_diag *diag) {
  alea_sexpr_limits limits = {options->max_bytes, options->max_depth};
  alea_status status = alea_sexprs_read(exprs, text, length, file, &limits, p->symbols, diag);
  if (status == ALEA_OK) status = alea_check_form(exprs, p->symbols, file, diag);
  if (status == ALEA_OK) status = alea_normalise(p, exprs, file, options, diag);
  if (status == ALEA_OK) status = alea_find_roles(p, file, diag);
  if (status == ALEA_OK) find_sees(p);
  return status;
}

static alea_program_options complete(const alea_program_options *options) {
  alea_program_options o = options != NULL ? *options : (alea_program_options){0};
  if (o.max_bytes == 0) o.max_bytes = (size_t)64 << 20;
  if (o.max_depth == 0) o.max_depth = 256;
  if (o.max_rules == 0) o.max_rules = 1000000;
  return o;
}

alea_status alea_program_new(alea_program **program, const char *text, size_t length,
                             const char *file, const alea_program_options *options, alea_mem *mem,
                             alea_diag *diag) {
  alea_program_options o = complete(options);
  *program = NULL;
  alea_program *p = make_empty(file, mem);
  alea_status status = mem->hit_limit ? ALEA_LIMIT : ALEA_SYSTEM;
  if (p != NULL) {
    alea_sexprs exprs = {.mem = mem};
    status = fill(p, &exprs, text, length, file, &o, diag);
    alea_sexprs_clear(&exprs);
  }
  if (status == ALEA_OK) {
    *program = p;
    return ALEA_OK;
  }
  if (status == ALEA_SYSTEM || (status == ALEA_LIMIT && mem->hit_limit))
    alea_diag_error(diag, ((alea_place){file, 0, 0}), "no-memory",
                    "there is not enough memory for this rulesheet");
  alea_program_free(p);
  return status;
}

typedef struct print_frame {
  alea_node_id node;
  uint32_t next;
} print_frame;

static void print_name(const alea_program *p, const alea_node *node, alea_text *out) {
  if (node->kind == ALEA_NODE_VARIABLE) {
    alea_text_format(out, "?v%u", (unsigned)node->name);
  } else {
    if (node->kind == ALEA_NODE_LIST) alea_text_char(out, '(');
    alea_text_put(out, alea_symbols_text(p->symbols, node->name));
  }
}

static void print_node(const alea_program *p, alea_node_id root, alea_text *out) {
  ALEA_VEC(print_frame) stack = {0};
  if (!alea_vec_push(p->mem, &stack, (print_frame){root, 0})) out->failed = true;
  while (stack.count > 0) {
    print_frame *top = &stack.data[stack.count - 1];
    const alea_node *node = &p->nodes.data[top->node];
    if (top->next == 0) print_name(p, node, out);
    if (top->next == node->arg_count) {
      if (node->kind == ALEA_NODE_LIST) alea_text_char(out, ')');
      stack.count--;
      continue;
    }
    alea_text_char(out, ' ');
    print_frame child = {p->children.data[node->first_arg + top->next++], 0};
    if (!alea_vec_push(p->mem, &stack, child)) {
      out->failed = true;
      break;
    }
  }
  alea_vec_clear(p->mem, &stack);
}

static void print_literal(const alea_program *p, const alea_literal *literal, alea_text *out) {
  if (literal->kind == ALEA_LITERAL_FALSE) alea_text_put(out, "(not ");
  if (literal->kind == ALEA_LITERAL_DISTINCT) alea_text_put(out, "(distinct ");
  print_node(p, literal->atom, out);
  if (literal->kind == ALEA_LITERAL_DISTINCT) {
    alea_text_char(out, ' ');
    print_node(p, literal->other, out);
  }
  if (literal->kind != ALEA_LITERAL_TRUE) alea_text_char(out, ')');
}

void alea_program_print_rule(const alea_program *program, uint32_t index, alea_text *out) {
  const alea_rule *rule = &program->rules.data[index];
  if (rule->literal_count == 0) {
    print_node(program, rule->head, out);
    return;
  }
  alea_text_put(out, "(<= ");
  print_node(program, rule->head, out);
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    alea_text_char(out, ' ');
    print_literal(program, &program->literals.data[rule->first_literal + i], out);
  }
  alea_text_char(out, ')');
}

/* Building, freeing and printing of programs. */
#include "gdl/program.h"

#include <string.h>

#include "gdl/checks.h"
#include "gdl/hrf.h"
#include "gdl/normalise.h"
#include "gdl/roles.h"

static bool add_words(alea_symbols *symbols) {
#define ALEA_ADD_WORD(name, text) \
  if (alea_symbols_add_word(symbols, text, sizeof text - 1) != ALEA_SYM_##name) return false;
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
  /* Readers add offsets to these pointers, which must not be NULL. */
  bool ok = alea_vec_reserve(mem, &p->children, 1) && alea_vec_reserve(mem, &p->literals, 1);
  ok = ok && p->terms != NULL && add_words(p->symbols) && (file == NULL || p->file != NULL);
  if (ok) return p;
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
    const alea_rule_node *head = &p->nodes.data[p->rules.data[i].head];
    if (head->name == ALEA_SYM_SEES && head->arg_count == 2) p->has_sees = true;
  }
}

/* Everything after reading.  'intact': no expression of the text is missing. */
static alea_status fill(alea_program *p, alea_sexprs *exprs, const alea_program_options *options,
                        bool all_checks, bool intact, alea_reporter *reporter) {
  bool whole = alea_check_form(reporter, exprs, p->symbols) && intact;
  if (!whole && !all_checks) return ALEA_INPUT;
  if (all_checks && !alea_check_rules(reporter, exprs, p->symbols, whole))
    return alea_mem_lack(p->mem);
  alea_status status = alea_normalise(p, exprs, options, reporter);
  /* The removed expressions may include roles. */
  if (status == ALEA_OK && whole) status = alea_find_roles(p, reporter);
  if (status == ALEA_OK) find_sees(p);
  if (status == ALEA_OK && whole && all_checks && !alea_check_meaning(reporter, p))
    return alea_mem_lack(p->mem);
  return status == ALEA_OK && reporter->errors > 0 ? ALEA_INPUT : status;
}

static alea_program_options complete(const alea_program_options *options) {
  alea_program_options o = options != NULL ? *options : (alea_program_options){0};
  if (o.max_bytes == 0) o.max_bytes = (size_t)64 << 20;
  if (o.max_depth == 0) o.max_depth = 256;
  if (o.max_rules == 0) o.max_rules = 1000000;
  if (o.max_ways == 0) o.max_ways = 64;
  return o;
}

static alea_status read_and_fill(alea_program *p, const char *text, size_t length,
                                 const alea_program_options *options, bool all_checks,
                                 alea_reporter *reporter) {
  alea_program_options o = complete(options);
  alea_sexpr_limits limits = {o.max_bytes, o.max_depth};
  alea_sexprs exprs = {.mem = p->mem};
  alea_status status =
      alea_gdl_read(&exprs, text, length, reporter->file, &limits, p->symbols, reporter->diag);
  alea_symbols_settle(p->symbols); /* threads will read them */
  if (all_checks && (status == ALEA_OK || status == ALEA_INPUT) &&
      !alea_check_letter_case(reporter, &exprs, p->symbols, text, length))
    status = alea_mem_lack(p->mem);
  if (status == ALEA_OK) {
    status = fill(p, &exprs, &o, all_checks, true, reporter);
  } else if (status == ALEA_INPUT && all_checks && exprs.items.count > 0) {
    /* What else is wrong; the text is so in any case. */
    status = fill(p, &exprs, &o, all_checks, false, reporter);
    if (status == ALEA_OK) status = ALEA_INPUT;
  }
  alea_sexprs_clear(&exprs);
  return status;
}

alea_status alea_program_build(alea_program **program, const char *text, size_t length,
                               const alea_program_options *options, bool all_checks,
                               alea_reporter *reporter, alea_mem *mem) {
  size_t first = reporter->diag != NULL ? reporter->diag->entries.count : 0;
  alea_program *p = make_empty(reporter->file, mem);
  alea_status status = p == NULL ? alea_mem_lack(mem)
                                 : read_and_fill(p, text, length, options, all_checks, reporter);
  alea_report_sort(reporter->diag, first);
  if (status == ALEA_SYSTEM || (status == ALEA_LIMIT && mem->hit_limit))
    alea_diag_error(reporter->diag, ((alea_place){reporter->file, 0, 0}), "no-memory",
                    "there is not enough memory for this rulesheet; --memory raises the limit");
  if (status != ALEA_OK) {
    alea_program_free(p);
    p = NULL;
  }
  *program = p;
  return status;
}

alea_status alea_program_new(alea_program **program, const char *text, size_t length,
                             const char *file, const alea_program_options *options, alea_mem *mem,
                             alea_diag *diag) {
  bool strict = options != NULL && options->strict;
  /* Places point into the caller's 'file': the program may be freed before they
   * are shown. */
  alea_reporter reporter = {diag, file, strict, 0};
  return alea_program_build(program, text, length, options, strict, &reporter, mem);
}

typedef struct print_frame {
  alea_rule_node_id node;
  uint32_t next;
} print_frame;

static void print_name(const alea_program *p, const alea_rule_node *node, alea_text *out) {
  if (node->kind == ALEA_NODE_VARIABLE) {
    alea_text_format(out, "?v%u", (unsigned)node->name);
  } else {
    if (node->kind == ALEA_NODE_LIST) alea_text_char(out, '(');
    alea_text_put(out, alea_symbols_text(p->symbols, node->name));
  }
}

void alea_program_print_node(const alea_program *p, alea_rule_node_id root, alea_text *out) {
  ALEA_VEC(print_frame) stack = {0};
  if (!alea_vec_push(p->mem, &stack, (print_frame){root, 0})) out->failed = true;
  while (stack.count > 0) {
    print_frame *top = &stack.data[stack.count - 1];
    const alea_rule_node *node = &p->nodes.data[top->node];
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

void alea_program_print_literal(const alea_program *p, uint32_t index, alea_text *out) {
  const alea_literal *literal = &p->literals.data[index];
  if (literal->kind == ALEA_LITERAL_FALSE) alea_text_put(out, "(not ");
  if (literal->kind == ALEA_LITERAL_DISTINCT) alea_text_put(out, "(distinct ");
  alea_program_print_node(p, literal->atom, out);
  if (literal->kind == ALEA_LITERAL_DISTINCT) {
    alea_text_char(out, ' ');
    alea_program_print_node(p, literal->other, out);
  }
  if (literal->kind != ALEA_LITERAL_TRUE) alea_text_char(out, ')');
}

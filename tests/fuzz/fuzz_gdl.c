/* Fuzz target of the GDL layer: any bytes are read as KIF and as HRF, printed,
 * checked, brought into normal form and classified. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "gdl/check.h"
#include "gdl/classify.h"
#include "gdl/hrf.h"
#include "gdl/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY_LIMIT ((size_t)128 << 20)

/* Not assert: must hold in release builds too. */
#define require(condition)                                                    \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                \
    }                                                                         \
  } while (0)

typedef alea_status reader(alea_sexprs *, const char *, size_t, const char *,
                           const alea_sexpr_limits *, alea_symbols *, alea_diag *);

static alea_symbols *new_symbols(alea_mem *mem) {
  alea_symbols *symbols = alea_symbols_new(mem);
  require(symbols != NULL);
#define ADD(name, word) require(alea_symbols_add(symbols, word, strlen(word)) == ALEA_SYM_##name);
  ALEA_GDL_WORDS(ADD)
#undef ADD
  return symbols;
}

/* Prints all expressions of a text; false when it cannot be read. */
static bool print_all(reader *read, const char *text, size_t length, alea_text *out) {
  alea_mem *mem = out->mem;
  alea_symbols *symbols = new_symbols(mem);
  alea_sexprs list = {.mem = mem};
  alea_sexpr_limits limits = {0, 1000};
  alea_text_char(out, '\n'); /* a name may begin like a byte order mark */
  bool ok = read(&list, text, length, "t", &limits, symbols, NULL) == ALEA_OK;
  for (uint32_t i = 0; ok && i < list.items.count; i = list.items.data[i].after) {
    require(list.items.data[i].after > i && list.items.data[i].after <= list.items.count);
    alea_sexprs_print(&list, i, symbols, true, out);
    alea_text_char(out, '\n');
  }
  alea_sexprs_clear(&list);
  alea_symbols_free(symbols);
  return ok;
}

/* What was printed reads again as the same. */
static void round_trip(reader *read, const char *text, size_t length) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text once, twice;
  alea_text_init(&once, &mem);
  alea_text_init(&twice, &mem);
  if (print_all(read, text, length, &once)) {
    require(print_all(alea_sexprs_read, alea_text_string(&once), once.length, &twice));
    require(strcmp(alea_text_string(&once), alea_text_string(&twice)) == 0);
  }
  alea_text_clear(&once);
  alea_text_clear(&twice);
  require(mem.used == 0);
}

/* Nodes of a term lie together, up to its last descendant. */
static alea_rule_node_id term_end(const alea_program *p, alea_rule_node_id id) {
  while (p->nodes.data[id].arg_count > 0)
    id = alea_program_args(p, id)[p->nodes.data[id].arg_count - 1];
  return id + 1;
}

static bool occurs(const alea_program *p, alea_rule_node_id term, uint32_t variable) {
  for (alea_rule_node_id i = term; i < term_end(p, term); i++)
    if (p->nodes.data[i].kind == ALEA_NODE_VARIABLE && p->nodes.data[i].name == variable)
      return true;
  return false;
}

static void require_safe(const alea_program *p, const alea_rule *rule) {
  for (uint32_t v = 0; v < rule->variable_count; v++) {
    bool bound = false;
    for (uint32_t i = 0; i < rule->literal_count && !bound; i++) {
      const alea_literal *l = &p->literals.data[rule->first_literal + i];
      bound = l->kind == ALEA_LITERAL_TRUE && occurs(p, l->atom, v);
    }
    require(bound);
  }
}

static alea_status build(const char *text, size_t length) {
  alea_mem mem;
  alea_diag diag;
  alea_class class;
  alea_program *p;
  alea_mem_init(&mem, MEMORY_LIMIT);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_program_new(&p, text, length, "t", NULL, &mem, &diag);
  require((status == ALEA_OK) == (p != NULL));
  require((status != ALEA_OK) == (diag.errors > 0));
  if (p != NULL) {
    require(p->roles.count > 0);
    for (size_t i = 0; i < p->rules.count; i++) require_safe(p, &p->rules.data[i]);
    require(alea_classify(&class, p, &mem) == ALEA_OK || mem.hit_limit);
  }
  alea_program_free(p);
  alea_diag_clear(&diag);
  require(mem.used == 0);
  return status;
}

static alea_status check(const char *text, size_t length, bool strict) {
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, MEMORY_LIMIT);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_check_text(text, length, "t", strict, &mem, &diag);
  require((status != ALEA_OK) == (diag.errors > 0));
  alea_diag_clear(&diag);
  require(mem.used == 0);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  round_trip(alea_sexprs_read, text, size);
  round_trip(alea_hrf_read, text, size);
  alea_status built = build(text, size);
  fuzz_note(built == ALEA_OK);
  alea_status play = check(text, size, false);
  alea_status strict = check(text, size, true);
  if (built == ALEA_LIMIT || play == ALEA_LIMIT || strict == ALEA_LIMIT) return 0;
  require((built == ALEA_OK) == (play == ALEA_OK));
  require(strict != ALEA_OK || play == ALEA_OK);
  return 0;
}

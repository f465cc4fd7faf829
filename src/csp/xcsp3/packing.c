/* The XCSP3 reader: items in bins.
 *
 * Each bin has a variable for its load, and all loads together are the sizes of
 * all items (Shaw, CP 2004): a bin must take what the others cannot hold.  The
 * sizes also say how many bins are needed at least. */
#include "csp/xcsp3/reader.h"

typedef struct bin_packing {
  const xmlNode *node;
  const var_list *list;
  const operand_list *sizes;
  bool numbers;  /* the sizes are, not negative and not too large together */
  int64_t total; /* then: their sum */
  terms loads;
  int64_t room; /* the largest load of a bin */
} bin_packing;

/* ---- how many bins ---- */

/* The bound L2 for one threshold (Martello and Toth, 1990): items that leave no
 * room for 'small' ones have a bin each, those above half a bin too, and the
 * rest fills what is left. */
static int64_t bins_for(const bin_packing *p, int64_t small) {
  int64_t alone = 0, large = 0, large_sum = 0, rest = 0;
  for (size_t i = 0; i < p->sizes->count; i++) {
    int64_t size = p->sizes->data[i].value;
    if (size > p->room - small) {
      alone++;
    } else if (2 * size > p->room) {
      large++;
      large_sum += size;
    } else if (size >= small) {
      rest += size;
    }
  }
  int64_t over = rest - (large * p->room - large_sum);
  return alone + large + (over > 0 ? (over + p->room - 1) / p->room : 0);
}

static bool remember(xml_reader *r, const bin_packing *p) {
  int64_t least = 0;
  if (!p->numbers || p->room <= 0) return true;
  for (size_t i = 0; i <= p->sizes->count; i++) {
    int64_t small = i < p->sizes->count ? p->sizes->data[i].value : 0;
    int64_t bins = 2 * small <= p->room ? bins_for(p, small) : 0;
    if (bins > least) least = bins;
  }
  size_t bytes = p->list->count * sizeof *p->list->data;
  alea_csp_var *vars = alea_arena_alloc(&r->out->arena, bytes + 1);
  if (vars == NULL) return xml_no_memory(r);
  if (bytes != 0) memcpy(vars, p->list->data, bytes);
  return alea_vec_push(r->mem, &r->packed, (packed_list){vars, p->list->count, least}) ||
         xml_no_memory(r);
}

int64_t xml_least_bins(const xml_reader *r, const var_list *list) {
  int64_t least = 0;
  for (size_t i = 0; i < r->packed.count; i++) {
    const packed_list *packed = &r->packed.data[i];
    if (packed->count == list->count && packed->least > least &&
        memcmp(packed->vars, list->data, list->count * sizeof *list->data) == 0)
      least = packed->least;
  }
  return least;
}

/* ---- loads ---- */

/* The load of one bin satisfies the condition. */
static bool post_bin(xml_reader *r, bin_packing *p, int32_t bin, const condition *c) {
  terms load = {0};
  alea_csp_var var = ALEA_CSP_NONE;
  bool good = true;
  for (size_t i = 0; i < p->list->count && good; i++)
    if (csp_index(&r->csp->vars.data[p->list->data[i]], bin) != ALEA_CSP_NONE)
      good = xml_add_product(r, p->node, &load, xml_indicator(r, p->list->data[i], bin),
                             p->sizes->data[i]);
  bool given = c->kind == COMPARE && c->op == ALEA_EQ && c->has_var;
  if (good && (given || !p->numbers || load.vars.count == 0)) {
    var = c->var;
    good = xml_post_sum(r, p->node, &load, c);
  } else if (good) {
    given = true;
    var = xml_sum_variable(r, p->node, &load, MAX_INTERVAL);
    good = var != ALEA_CSP_NONE && xml_post_condition(r, p->node, var, c);
  }
  xml_clear_terms(r, &load);
  return good && (!given || xml_add_term(r, &p->loads, var, 1));
}

/* What a load can be at most, where the condition says it. */
static int64_t most_of(const xml_reader *r, const condition *c, int64_t otherwise) {
  if (c->kind == BETWEEN) return c->hi;
  if (c->kind != COMPARE || c->op == ALEA_GE || c->op == ALEA_GT || c->op == ALEA_NE)
    return otherwise;
  int64_t most = c->value - (c->op == ALEA_LT);
  if (!c->has_var) return most;
  const csp_variable *var = &r->csp->vars.data[c->var];
  return csp_value(var, var->size - 1) - (int64_t)(c->op == ALEA_LT);
}

static bool pack_bin(xml_reader *r, bin_packing *p, int32_t bin, const condition *c) {
  int64_t most = most_of(r, c, p->total);
  if (most > p->room) p->room = most;
  return post_bin(r, p, bin, c);
}

/* The same condition for the bin of every value, even an empty one. */
static bool pack_alike(xml_reader *r, bin_packing *p) {
  int_list bins = {0};
  condition c = {0};
  bool good = xml_read_condition(r, p->node, &c) && xml_all_values(r, p->node, p->list, &bins);
  for (size_t b = 0; b < bins.count && good; b++) good = pack_bin(r, p, bins.data[b], &c);
  alea_vec_clear(r->mem, &bins);
  alea_vec_clear(r->mem, &c.set);
  return good;
}

static bool only_bins(xml_reader *r, const bin_packing *p, int32_t base, size_t count) {
  condition range = {.kind = BETWEEN, .lo = base, .hi = (int64_t)base + (int64_t)count - 1};
  for (size_t i = 0; i < p->list->count; i++)
    if (!xml_post_condition(r, p->node, p->list->data[i], &range)) return false;
  return true;
}

/* <conditions>: "(le,10)(eq,y)...", one per bin, and no other bins. */
static bool pack_conditions(xml_reader *r, bin_packing *p, const xmlNode *child) {
  const char *text = xml_text_of(r, child);
  int32_t base = 0;
  size_t count = 0;
  bool good = !r->failed && xml_start_index(r, child, "startIndex", &base);
  while (good && text[strspn(text, " \t\r\n")] != '\0') {
    size_t length = strcspn(text, ")");
    if (text[length] == ')') length++;
    char *one = alea_arena_strdup(&r->out->arena, text, length);
    condition c = {0};
    good = (one != NULL || xml_no_memory(r)) && xml_condition_from(r, child, one, &c) &&
           pack_bin(r, p, (int32_t)(base + (int64_t)count++), &c);
    alea_vec_clear(r->mem, &c.set);
    text += length;
  }
  return good && only_bins(r, p, base, count);
}

/* <limits> or <loads>: one per bin, and no other bins. */
static bool pack_each(xml_reader *r, bin_packing *p, const xmlNode *child) {
  operand_list bounds = {0};
  int32_t base = 0;
  bool good = xml_read_operands(r, child, xml_text_of(r, child), &bounds) &&
              xml_start_index(r, child, "startIndex", &base);
  good = good && only_bins(r, p, base, bounds.count);
  for (size_t b = 0; b < bounds.count && good; b++) {
    condition c = {.op = xml_is(child, "loads") ? ALEA_EQ : ALEA_LE,
                   .has_var = bounds.data[b].var != ALEA_CSP_NONE,
                   .var = bounds.data[b].var,
                   .value = bounds.data[b].value};
    good = pack_bin(r, p, (int32_t)(base + (int64_t)b), &c);
  }
  alea_vec_clear(r->mem, &bounds);
  return good;
}

static bool pack(xml_reader *r, const xmlNode *way, bin_packing *p) {
  p->numbers = true;
  for (size_t i = 0; i < p->sizes->count; i++) {
    operand size = p->sizes->data[i];
    p->numbers = p->numbers && size.var == ALEA_CSP_NONE && size.value >= 0;
    p->total += size.var == ALEA_CSP_NONE ? size.value : 0;
  }
  p->numbers = p->numbers && p->total < MAX_INTERVAL;
  bool good = xml_is(way, "condition")    ? pack_alike(r, p)
              : xml_is(way, "conditions") ? pack_conditions(r, p, way)
                                          : pack_each(r, p, way);
  condition all = {.kind = COMPARE, .op = ALEA_EQ, .value = p->total};
  if (good && p->numbers && p->loads.vars.count > 0)
    good = xml_post_sum(r, p->node, &p->loads, &all);
  xml_clear_terms(r, &p->loads);
  return good && remember(r, p);
}

bool xml_read_bin_packing(xml_reader *r, const xmlNode *node, var_list *list) {
  static const char *const allowed[] = {"list",   "sizes", "condition", "conditions",
                                        "limits", "loads", NULL};
  static const char *const *const ways = allowed + 2;
  const xmlNode *snode = xml_child_named(node, "sizes"), *way = NULL;
  if (!xml_only_children(r, node, allowed) || !xml_read_list(r, node, list)) return false;
  int found = 0;
  for (int i = 0; i < 4; i++) {
    const xmlNode *child = xml_child_named(node, ways[i]);
    if (child == NULL) continue;
    way = child;
    found++;
  }
  if (snode == NULL || found != 1)
    return xml_refuse(
        r, node, "bad-packing",
        "<%s> needs <sizes> and one of <condition>, <conditions>, <limits> and <loads>",
        "binPacking");
  operand_list sizes = {0};
  bin_packing p = {.node = node, .list = list, .sizes = &sizes};
  bool good = xml_read_operands(r, snode, xml_text_of(r, snode), &sizes);
  if (good && sizes.count != list->count)
    good = xml_refuse(r, snode, "bad-packing", "as many <%s> as variables are needed", "sizes");
  good = good && pack(r, way, &p);
  alea_vec_clear(r->mem, &sizes);
  return good;
}

/* The table of claims. */
#include "experiment/claims.h"

#include <math.h>
#include <string.h>

static const char *const outcomes[] = {ALEA_CLAIM_OUTCOMES(ALEA_CHOICE_STRING)};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes };

alea_claim_outcome alea_claim_decide(const alea_estimate *ours, const alea_claimed *claimed) {
  if (!ours->there) return ALEA_CLAIM_NOT_MEASURED;
  alea_bounds i = ours->interval, r = claimed->range;
  bool holds =
      i.low <= claimed->number + claimed->rounding && i.high >= claimed->number - claimed->rounding;
  if (claimed->ranged) {
    /* A side is a strict inequality, a range has its ends. */
    bool low = isinf(r.high) ? i.low > r.low : i.low >= r.low;
    bool high = isinf(r.low) ? i.high < r.high : i.high <= r.high;
    if (low && high) return ALEA_CLAIM_REPRODUCED;
  }
  bool precise = i.high - i.low <= 2 * claimed->precision;
  if (claimed->numbered && holds && precise) return ALEA_CLAIM_REPRODUCED;
  if (!claimed->comparable) return ALEA_CLAIM_NOT_REPRODUCED;
  if (claimed->ranged && (i.high < r.low || i.low > r.high)) return ALEA_CLAIM_CONTRADICTED;
  if (!claimed->ranged && claimed->numbered && !holds) return ALEA_CLAIM_CONTRADICTED;
  return ALEA_CLAIM_NOT_REPRODUCED;
}

/* ---- evidence, opened once per experiment ---- */

typedef struct claims_context {
  const alea_experiment *e;
  alea_doc *doc;
  ALEA_VEC(alea_evidence *) open;
  size_t count[OUTCOMES];
} claims_context;

static alea_status open_evidence(claims_context *c, const char *name, alea_evidence **evidence) {
  alea_mem *mem = c->e->mem;
  for (size_t i = 0; i < c->open.count; i++) {
    *evidence = c->open.data[i];
    if (strcmp((*evidence)->name, name) == 0) return ALEA_OK;
  }
  *evidence = alea_mem_zalloc(mem, sizeof **evidence);
  if (*evidence == NULL) return alea_mem_lack(mem);
  if (!alea_vec_push(mem, &c->open, *evidence)) {
    alea_mem_free(mem, *evidence, sizeof **evidence);
    return alea_mem_lack(mem);
  }
  const char *folder = c->e->folder != NULL ? c->e->folder : ".";
  return alea_evidence_open(*evidence, name, c->e->scale, folder, mem, c->e->file->diag);
}

static void close_evidence(claims_context *c) {
  for (size_t i = 0; i < c->open.count; i++) {
    alea_evidence_clear(c->open.data[i]);
    alea_mem_free(c->e->mem, c->open.data[i], sizeof *c->open.data[i]);
  }
  alea_vec_clear(c->e->mem, &c->open);
}

/* ---- rows ---- */

static void put_claimed(const claims_context *c, const alea_claimed *claimed) {
  alea_text out;
  alea_text_init(&out, c->e->mem);
  if (claimed->numbered) alea_text_format(&out, "%.*f", claimed->rounding < 0.5, claimed->number);
  if (claimed->ranged) {
    alea_bounds r = claimed->range;
    if (out.length > 0) alea_text_put(&out, ", ");
    if (isinf(r.high)) alea_text_format(&out, "above %g", r.low);
    if (isinf(r.low)) alea_text_format(&out, "below %g", r.high);
    if (!isinf(r.low) && !isinf(r.high)) alea_text_format(&out, "%g to %g", r.low, r.high);
  }
  alea_doc_cell(c->doc, "%s", alea_text_string(&out));
  if (out.failed) c->doc->failed = true;
  alea_text_clear(&out);
}

static void format_ours(const alea_estimate *ours, alea_text *out) {
  bool exact = ours->interval.low == ours->interval.high && ours->matches == 0;
  if (!ours->there) alea_text_put(out, "–");
  if (ours->there && exact) alea_text_format(out, "%.6g, exact", ours->value);
  if (ours->there && !exact)
    alea_text_format(out, "%.1f (%.1f to %.1f)", ours->value, ours->interval.low,
                     ours->interval.high);
}

static void put_matches(const claims_context *c, const alea_estimate *ours) {
  if (ours->matches == 0) alea_doc_cell(c->doc, "–");
  if (ours->matches > 0)
    alea_doc_cell(c->doc, "%llu in %zu", (unsigned long long)ours->matches, ours->games);
}

static alea_status put_variant(const claims_context *c, const alea_yaml *claim,
                               const alea_evidence *evidence) {
  const alea_yaml *variant = alea_yaml_get(claim, "lanes");
  alea_estimate ours;
  alea_claimed claimed;
  if (variant == NULL) {
    alea_doc_cell(c->doc, " ");
    return ALEA_OK;
  }
  alea_status status = alea_claim_measure(c->e->file, claim, variant, evidence, &ours, &claimed);
  if (status != ALEA_OK) return status;
  alea_text out;
  alea_text_init(&out, c->e->mem);
  format_ours(&ours, &out);
  if (ours.there) alea_text_format(&out, ": %s", outcomes[alea_claim_decide(&ours, &claimed)]);
  alea_doc_cell(c->doc, "%s", alea_text_string(&out));
  if (out.failed) c->doc->failed = true;
  alea_text_clear(&out);
  return ALEA_OK;
}

/* The one command that measures it again. */
static void put_command(const claims_context *c, const alea_yaml *claim,
                        const alea_evidence *evidence) {
  const char *name = evidence->name, *scale = c->e->scale;
  if (strcmp(alea_yaml_text(claim, "measure", "mean"), "value") == 0)
    alea_doc_cell(c->doc, "`alea experiment %s --scale %s --values %s-%s.values`", name, scale,
                  name, scale);
  else
    alea_doc_cell(c->doc, "`alea experiment %s --scale %s`", name, scale);
}

static const char claim_keys[] =
    "claim source experiment measure table column minus games value above below between equals "
    "comparable lanes";

static alea_status put_claim(claims_context *c, const alea_yaml *claim) {
  const alea_yaml_file *file = c->e->file;
  alea_evidence *evidence;
  alea_estimate ours;
  alea_claimed claimed;
  if (!alea_yaml_expect(file, claim, ALEA_YAML_MAP)) return ALEA_INPUT;
  if (!alea_yaml_keys(file, claim, claim_keys)) return ALEA_INPUT;
  alea_status status = open_evidence(c, alea_yaml_text(claim, "experiment", ""), &evidence);
  if (status == ALEA_OK) status = alea_claim_measure(file, claim, NULL, evidence, &ours, &claimed);
  if (status != ALEA_OK) return status;
  alea_claim_outcome outcome = alea_claim_decide(&ours, &claimed);
  alea_text number;
  alea_text_init(&number, c->e->mem);
  format_ours(&ours, &number);
  alea_doc_cell(c->doc, "%s", alea_yaml_text(claim, "claim", ""));
  alea_doc_cell(c->doc, "%s", alea_yaml_text(claim, "source", ""));
  put_claimed(c, &claimed);
  alea_doc_cell(c->doc, "%s", alea_text_string(&number));
  alea_doc_cell(c->doc, "%s", outcomes[outcome]);
  if (number.failed) c->doc->failed = true;
  alea_text_clear(&number);
  c->count[outcome]++;
  status = put_variant(c, claim, evidence);
  put_matches(c, &ours);
  put_command(c, claim, evidence);
  return status;
}

alea_status alea_experiment_claims(const alea_experiment *experiment, const alea_results *results,
                                   const alea_tournament_plan *plan, alea_doc *doc) {
  (void)results, (void)plan;
  const alea_yaml *claims = alea_yaml_get(experiment->root, "claims");
  claims_context c = {.e = experiment, .doc = doc};
  if (claims == NULL || claims->kind != ALEA_YAML_LIST) {
    alea_yaml_error(experiment->file, experiment->root, "'claims' must be a list");
    return ALEA_INPUT;
  }
  alea_doc_table(doc,
                 "claim|source|published|ours (95 %)|outcome|lanes for all, `prop=net`|"
                 "matches in games|command");
  alea_status status = ALEA_OK;
  for (const alea_yaml *at = claims->first; status == ALEA_OK && at != NULL; at = at->next)
    status = put_claim(&c, at);
  if (status == ALEA_OK)
    alea_doc_text(doc,
                  "%zu claims: %zu reproduced, %zu not reproduced, %zu contradicted, %zu not "
                  "measured.",
                  claims->count, c.count[ALEA_CLAIM_REPRODUCED], c.count[ALEA_CLAIM_NOT_REPRODUCED],
                  c.count[ALEA_CLAIM_CONTRADICTED], c.count[ALEA_CLAIM_NOT_MEASURED]);
  close_evidence(&c);
  return status;
}

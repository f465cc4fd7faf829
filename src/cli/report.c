/* alea report: tables and plots of a database of results. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "tournament/report.h"

/* clang-format off */
#define OPTIONS(row)                                                                     \
  row(text, html, "", 0, 0, "FILE", "write HTML with plots")                             \
  row(text, csv, "", 0, 0, "FILE", "write one row per pairing; - is standard output")    \
  row(text, svg, "", 0, 0, "PREFIX", "write the plots as PREFIX-1.svg, ... and link them") \
  row(flag, json, "", 0, 0, "", "print one JSON object instead of Markdown")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "report",
    .operands = "DB",
    .summary = "tables and plots of a database of results",
    .details =
        "- is a database on standard input.  A running tournament may be looked at, too.  A win\n"
        "is a strictly larger goal, a draw half a point; intervals are 95 %: Wilson's for scores.",
    .example = "alea report first.db --html first.html",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

static alea_status write_all(const alea_results *results, const values *v, const char *path,
                             alea_text *out) {
  alea_mem *mem = results->mem;
  alea_doc doc;
  alea_text text;
  alea_doc_init(&doc, mem);
  alea_text_init(&text, mem);
  const char *title = results->name != NULL ? results->name : path;
  alea_report_doc(results, title, &doc);
  bool csv = v->csv != NULL && v->csv[0] != '\0', to_output = csv && strcmp(v->csv, "-") == 0;
  if (csv) alea_report_csv(results, to_output ? out : &text);
  alea_status status = csv && !to_output ? alea_cli_write_file(v->csv, &text) : ALEA_OK;
  if (status == ALEA_OK) status = alea_cli_write_doc(&doc, title, v->html, v->svg);
  const char *pictures = v->svg != NULL && v->svg[0] != '\0' ? v->svg : NULL;
  if (v->json) {
    alea_report_json(results, out);
  } else if (!to_output) {
    alea_doc_markdown(&doc, pictures, out);
  }
  alea_text_clear(&text);
  alea_doc_clear(&doc);
  return status;
}

/* `-` is a database on standard input. */
static alea_status open_store(alea_result_store **store, const char *path, alea_mem *mem,
                              alea_diag *diag) {
  if (strcmp(path, "-") != 0) return alea_result_store_read(store, path, mem, diag);
  alea_text bytes;
  alea_text_init(&bytes, mem);
  alea_status status = alea_open_file(path, &bytes, diag);
  if (status == ALEA_OK)
    status =
        alea_result_store_take(store, alea_text_string(&bytes), bytes.length, "<stdin>", mem, diag);
  alea_text_clear(&bytes);
  return status;
}

int alea_cli_report(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_mem mem;
  alea_diag diag;
  alea_text out;
  alea_result_store *store = NULL;
  alea_results results;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_text_init(&out, &mem);
  alea_status status = open_store(&store, argv[1], &mem, &diag);
  if (status == ALEA_OK) {
    status = alea_results_load(&results, store, &mem, &diag);
    if (status == ALEA_OK) status = write_all(&results, &v, argv[1], &out);
    alea_results_clear(&results);
  }
  (void)alea_result_store_close(store);
  alea_cli_print_diag(&diag);
  if (status == ALEA_OK) status = alea_cli_write(&out);
  alea_text_clear(&out);
  alea_diag_clear(&diag);
  return (int)status;
}

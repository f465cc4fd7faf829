/* The complete validity check. */
#include "gdl/check.h"

#include "gdl/checks.h"

bool alea_check_rules(alea_reporter *reporter, const alea_sexprs *exprs,
                      const alea_symbols *symbols, bool whole) {
  alea_outline outline;
  bool ok =
      alea_outline_init(&outline, exprs, symbols) && alea_check_connectives(reporter, &outline) &&
      alea_check_names(reporter, &outline, whole) &&
      alea_check_players(reporter, &outline, whole) && alea_check_dependencies(reporter, &outline);
  alea_outline_clear(&outline);
  return ok;
}

bool alea_check_meaning(alea_reporter *reporter, const alea_program *program) {
  alea_extent extent;
  bool ok = alea_extent_init(&extent, program) && alea_check_never(reporter, program, &extent) &&
            alea_check_unread(reporter, program, &extent) &&
            alea_check_unreachable(reporter, program, &extent);
  alea_extent_clear(&extent);
  return ok;
}

alea_status alea_check_text(const char *text, size_t length, const char *file, bool strict,
                            alea_mem *mem, alea_diag *diag) {
  alea_reporter reporter = {diag, file, strict, 0};
  alea_program_options options = {.strict = strict};
  alea_program *program;
  alea_status status = alea_program_build(&program, text, length, &options, true, &reporter, mem);
  alea_program_free(program);
  return status == ALEA_INPUT ? ALEA_NO : status;
}

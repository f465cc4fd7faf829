#ifndef ALEA_GDL_CHECKS_H
#define ALEA_GDL_CHECKS_H

/* The parts of the validity check; used inside src/gdl only. */

#include "gdl/extent.h"
#include "gdl/outline.h"
#include "gdl/program.h"
#include "gdl/report.h"

/* The form (form.c): reports top-level expressions that have no reading at all
 * and removes them from the list; false if there were any.  Everything else in
 * src/gdl relies on what remains:
 *   - every list begins with a name that is not a variable;
 *   - heads are plain atoms, `not` has one argument, `distinct` two;
 *   - `true`/1 and `does`/2 are not defined, roles are names. */
bool alea_check_form(alea_reporter *reporter, alea_sexprs *exprs, const alea_symbols *symbols);

/* All checks except those of the form and those of the normalisation.  'whole'
 * is false if expressions were removed: then missing definitions are not
 * reported.  False only if out of memory. */
bool alea_check_rules(alea_reporter *reporter, const alea_sexprs *exprs,
                      const alea_symbols *symbols, bool whole);

/* The parts; false if out of memory. */
bool alea_check_connectives(alea_reporter *reporter, const alea_outline *outline);
bool alea_check_names(alea_reporter *reporter, const alea_outline *outline, bool whole);
bool alea_check_players(alea_reporter *reporter, const alea_outline *outline, bool whole);
bool alea_check_dependencies(alea_reporter *reporter, const alea_outline *outline);

/* Sentences that differ by the case of letters alone; 'text' is what 'exprs' was read
 * from.  False if out of memory. */
bool alea_check_letter_case(alea_reporter *reporter, const alea_sexprs *exprs,
                            const alea_symbols *symbols, const char *text, size_t length);

/* The checks of what rules can mean, on a program that has been normalised and
 * has its roles; false if out of memory.  The parts follow. */
bool alea_check_meaning(alea_reporter *reporter, const alea_program *program);
bool alea_check_never(alea_reporter *reporter, const alea_program *program, alea_extent *extent);
bool alea_check_unread(alea_reporter *reporter, const alea_program *program, alea_extent *extent);
bool alea_check_unreachable(alea_reporter *reporter, const alea_program *program,
                            alea_extent *extent);

/* The part that alea_program_new and alea_check_text share. */
alea_status alea_program_build(alea_program **program, const char *text, size_t length,
                               const alea_program_options *options, bool all_checks,
                               alea_reporter *reporter, alea_mem *mem);

#endif

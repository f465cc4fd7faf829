#ifndef ALEA_GDL_ROLES_H
#define ALEA_GDL_ROLES_H

/* Who plays; used inside src/gdl only. */

#include "gdl/program.h"
#include "gdl/report.h"

/* Fills program->roles and random_role from the rules for `role`.  A rule
 * with conditions is evaluated when those speak of plain facts only.
 * ALEA_INPUT: no role, or one that cannot be found out here. */
alea_status alea_find_roles(alea_program *program, alea_reporter *reporter);

#endif

#ifndef ALEA_GDL_ROLES_H
#define ALEA_GDL_ROLES_H

/* Finds the roles of a game; used inside src/gdl only. */

#include "gdl/program.h"
#include "gdl/report.h"

/* Fills program->roles and random_role from the rules for `role`.  A rule with
 * conditions is evaluated if these are about facts only.  ALEA_INPUT: no role,
 * or one that cannot be determined here. */
alea_status alea_find_roles(alea_program *program, alea_reporter *reporter);

#endif

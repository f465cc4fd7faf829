#ifndef ALEA_ALEA_H
#define ALEA_ALEA_H

/* libalea: plays any game described by its rules.  All public headers at once.
 *
 *   alea/game.h     games: from a name, a file or memory
 *   alea/state.h    one position that moves lead on from
 *   alea/batch.h    thousands of positions, stepped at once
 *   alea/player.h   players: use those there are, write your own
 *   alea/match.h    matches between players, with clocks and records
 *   alea/draw.h     positions as text and SVG
 *   alea/solve.h    constraint problems: plain, stochastic, strategic
 *   alea/stop.h     ending matches and solving early
 *
 * Conventions.  Calls that can fail return an alea_status (alea/status.h); none
 * prints, exits or changes the locale or the signals of the process.  What
 * a call named _new, _open or _read makes belongs to the caller, who frees it with
 * the _free of the same type; everything else is lent, for as long as the
 * header says.  A struct of options begins with its size and is otherwise
 * zero where the default is wanted:
 *
 *   alea_ruleset_options options = {.size = sizeof options, .engine = "prover"};
 *
 * Pointers must not be NULL unless the header allows it. */

#include "alea/batch.h"
#include "alea/draw.h"
#include "alea/game.h"
#include "alea/match.h"
#include "alea/player.h"
#include "alea/solve.h"
#include "alea/state.h"
#include "alea/status.h"
#include "alea/stop.h"
#include "alea/version.h"

#endif

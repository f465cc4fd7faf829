#ifndef ALEA_ENCODE_SERVICES_H
#define ALEA_ENCODE_SERVICES_H

/* Services of a game: its ground program, constraint network, symmetries and lanes.
 *
 * A player sees a game and, where the game came from rules that can be
 * grounded, its services: each part is made when it is first asked for, kept,
 * and shared by all players of the game.  Everything handed out is immutable
 * and lives as long as the services.  Any thread may ask; one that asks for a
 * part which another is making waits for it.
 *
 * Where no clock runs, the deadline is NULL: then counts limit what is made, so
 * that it is the same on a machine that is busy.  A fuse of half a minute of CPU time is
 * beside them, for what cannot be counted (nauty) and for games far larger than
 * those that the counts were chosen for; it is not meant to be reached.
 *
 * Fluents and moves have the numbers of the ground program here; the game may
 * number them otherwise, so who translates goes by their texts. */

#include "base/clock.h"
#include "encode/template.h"
#include "ground/ground.h"
#include "propnet/lanes.h"
#include "symmetry/game_symmetry.h"
#include "symmetry/semantic_symmetry.h"
#include "symmetry/stage_symmetry.h"
#include "symmetry/symmetry.h"

struct alea_game;
struct alea_program;
typedef struct alea_services alea_services;

/* 'program' and 'game' are borrowed and must outlive the services, which count
 * their memory themselves and keep it within the limit of 'mem', with which they
 * are given up.  Makes nothing yet. */
alea_status alea_services_new(alea_services **services, struct alea_program *program,
                              const struct alea_game *game, const alea_mem *mem);
void alea_services_free(alea_services *services); /* NULL is a no-op. */
/* From now on what is being made is given up when 'stop' is raised; NULL: never.
 * Without services a no-op. */
void alea_services_give_up_on(alea_services *services, const atomic_bool *stop);

/* The ground program; 'plain' as in ground.h.  ALEA_LIMIT: not within the
 * deadline (asked again with more time, it tries again). */
alea_status alea_services_ground(alea_services *services, bool plain, const alea_deadline *deadline,
                                 const alea_ground **ground);

/* The network of one stage, of either encoder; `paper` stands on the plain
 * ground program.  Singleton arc consistency takes at most a twentieth of the
 * time, where there is a deadline.  ALEA_LIMIT: not within the deadline (not tried again unless
 * there is more time), or too large. */
alea_status alea_services_template(alea_services *services, alea_encoder encoder,
                                   const alea_deadline *deadline, const alea_template **made);

/* The symmetries, and the ground program in whose numbers they are. */
alea_status alea_services_symmetry(alea_services *services, const alea_deadline *deadline,
                                   const alea_symmetry **symmetry, const alea_ground **ground);

/* Which symmetries: what the graph of the rules shows; of one stage, whose
 * layers are permuted separately (symmetry.h); of the game, with those that
 * the rules do not show and that were proved (semantic_symmetry.h). */
typedef enum alea_symmetry_kind {
  ALEA_SYMMETRY_SHOWN,
  ALEA_SYMMETRY_STAGE,
  ALEA_SYMMETRY_GAME,
  ALEA_SYMMETRY_KINDS
} alea_symmetry_kind;

/* The graph of one stage, which nogoods may be added to (stage_symmetry.h); the
 * group without any is ALEA_SYMMETRY_STAGE.  ALEA_UNSUPPORTED and ALEA_LIMIT as
 * below. */
alea_status alea_services_stage_symmetry(alea_services *services, const alea_deadline *deadline,
                                         const alea_stage_symmetry **stage);

/* What is known of the symmetries that the rules do not show; with 'exchange'
 * those that exchange roles are counted, too.  ALEA_LIMIT: not within the
 * deadline. */
alea_status alea_services_semantic(alea_services *services, bool exchange,
                                   const alea_deadline *deadline,
                                   const alea_semantic_symmetry **semantic);

/* The symmetries in the numbers of the game.  ALEA_UNSUPPORTED: the game is not
 * played by a network.  ALEA_LIMIT as above; where those of the game were not
 * found in time, '*game_symmetry' are those that the rules show, or NULL. */
alea_status alea_services_game_symmetry(alea_services *services, alea_symmetry_kind kind,
                                        const alea_deadline *deadline,
                                        const alea_game_symmetry **game_symmetry);

/* Wide lanes of the game, which samplers share (propnet/lanes.h).  ALEA_UNSUPPORTED as above.
 * ALEA_LIMIT: not within the memory (not tried again). */
alea_status alea_services_lanes(alea_services *services, const alea_lanes **lanes);

#endif

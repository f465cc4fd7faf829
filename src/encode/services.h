#ifndef ALEA_ENCODE_SERVICES_H
#define ALEA_ENCODE_SERVICES_H

/* Services of a game: its ground program, constraint network and symmetries.
 *
 * A player sees a game and, where the game came from rules that can be
 * grounded, its services: each part is made when it is first asked for, kept,
 * and shared by all players of the game.  Everything handed out is immutable
 * and lives as long as the services.  Any thread may ask; one that asks for a
 * part which another is making waits for it.
 *
 * Fluents and moves have the numbers of the ground program here; the game may
 * number them otherwise, so who translates goes by their texts. */

#include "base/clock.h"
#include "encode/template.h"
#include "ground/ground.h"
#include "symmetry/game_symmetry.h"
#include "symmetry/symmetry.h"

struct alea_game;
struct alea_program;
typedef struct alea_services alea_services;

/* 'program' and 'game' are borrowed and must outlive the services, which count
 * their memory themselves and keep it within 'memory' bytes (0 = no limit).
 * Makes nothing yet. */
alea_status alea_services_new(alea_services **services, struct alea_program *program,
                              const struct alea_game *game, size_t memory);
void alea_services_free(alea_services *services); /* NULL is a no-op. */

/* The ground program; 'plain' as in ground.h.  ALEA_LIMIT: not within the
 * deadline (asked again with more time, it tries again). */
alea_status alea_services_ground(alea_services *services, bool plain, const alea_deadline *deadline,
                                 const alea_ground **ground);

/* The network of one stage, of either encoder; `paper` stands on the plain
 * ground program.  Singleton arc consistency takes at most a twentieth of the
 * time.  ALEA_LIMIT: not within the deadline (not tried again unless there is
 * more time), or too large. */
alea_status alea_services_template(alea_services *services, alea_encoder encoder,
                                   const alea_deadline *deadline, const alea_template **made);

/* The symmetries, and the ground program in whose numbers they are. */
alea_status alea_services_symmetry(alea_services *services, const alea_deadline *deadline,
                                   const alea_symmetry **symmetry, const alea_ground **ground);

/* The same in the numbers of the game; with 'layers_apart' those of one stage
 * (symmetry.h).  ALEA_UNSUPPORTED: the game is not played by a network. */
alea_status alea_services_game_symmetry(alea_services *services, bool layers_apart,
                                        const alea_deadline *deadline,
                                        const alea_game_symmetry **game_symmetry);

#endif

#ifndef ALEA_CLI_OPINION_H
#define ALEA_CLI_OPINION_H

/* What a player thinks of a position or a move, as 'alea best' prints it. */

#include "base/json.h"
#include "play/player.h"

/* The columns of value and proof; a negative value is unknown. */
void alea_cli_opinion_text(double value, alea_proof proof, alea_text *out);
/* "value": and "proved":, null where unknown. */
void alea_cli_opinion_value(double value, alea_json *json);
void alea_cli_opinion_proof(alea_proof proof, alea_json *json);
/* A move under a key; null for ALEA_NO_MOVE. */
void alea_cli_opinion_move(const alea_game *game, uint32_t role, alea_move move, const char *key,
                           alea_mem *mem, alea_json *json);

#endif

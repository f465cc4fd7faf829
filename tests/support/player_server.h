#ifndef ALEA_TESTS_PLAYER_SERVER_H
#define ALEA_TESTS_PLAYER_SERVER_H

/* A player server on a free port of this machine, and messages for it. */

#include "net/protocol_text.h"
#include "net/serve.h"

/* A server with the given player and no more than one match. */
alea_player_server *serve_player(const char *player);
/* The same with given options. */
alea_player_server *serve_with(const alea_service_options *service, double patience,
                               size_t most_bytes);
/* `( START id role ( rules ) start play)` for a shipped game, optionally in
 * upper case; the caller frees it. */
char *start_message(const char *game, const char *id, const char *role, unsigned start,
                    unsigned play, bool upper);

#endif

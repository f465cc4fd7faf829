#ifndef ALEA_NET_SERVE_H
#define ALEA_NET_SERVE_H

/* The player on HTTP: a service behind a server.
 *
 * A message is the body of a POST, or the decoded path of a GET after its first
 * slash. */

#include "net/http_server.h"
#include "net/service.h"

typedef struct alea_player_server alea_player_server;

/* On ALEA_SYSTEM 'diag' says why. */
alea_status alea_player_server_new(alea_player_server **server, const alea_service_options *service,
                                   const alea_http_options *http, alea_diag *diag);
uint16_t alea_player_server_port(const alea_player_server *server);
uint64_t alea_player_server_finished(const alea_player_server *server);
/* Ends all matches, answers pending requests, and closes.  NULL is a no-op. */
void alea_player_server_free(alea_player_server *server);

#endif

/* Player servers for tests. */
#include "support/player_server.h"

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "match/open.h"
#include "net/ggp.h"

alea_player_server *serve_with(const alea_service_options *service, double patience,
                               size_t most_bytes) {
  alea_http_options http = {.port = 0, .patience = patience, .most_bytes = most_bytes};
  alea_player_server *server;
  assert_int_equal(alea_player_server_new(&server, service, &http, NULL), ALEA_OK);
  return server;
}

alea_player_server *serve_player(const char *player) {
  alea_service_options service = {
      .player = {.player = player,
                 .open = {.engine = ALEA_ENGINE_AUTO, .ground_seconds = 60},
                 .margin = -1,
                 .sims = 20,
                 .seed = 1},
  };
  return serve_with(&service, 30, 0);
}

char *start_message(const char *game, const char *id, const char *role, unsigned start,
                    unsigned play, bool upper) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_opened opened;
  alea_protocol_text protocol;
  alea_protocol_text_options plain = {0};
  alea_text text;
  alea_text_init(&text, &mem);
  assert_int_equal(alea_open_text(&opened, game, 0, NULL), ALEA_OK);
  assert_int_equal(alea_protocol_text_init(&protocol, alea_text_string(&opened.source),
                                           opened.source.length, &plain, &mem, NULL),
                   ALEA_OK);
  alea_ggp_put_start(&text, id, role, alea_text_string(&protocol.rules), start, play);
  if (upper) alea_ggp_raise(&text);
  char *copy = malloc(text.length + 1);
  assert_non_null(copy);
  memcpy(copy, alea_text_string(&text), text.length + 1);
  alea_protocol_text_clear(&protocol);
  alea_opened_clear(&opened);
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
  return copy;
}

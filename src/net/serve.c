/* HTTP in front of the service. */
#include "net/serve.h"

#include <stdlib.h>
#include <string.h>

struct alea_player_server {
  alea_service *service;
  alea_http_server *http;
};

static bool is_left(const void *request) { return alea_http_is_left(request); }

static void handle(void *context, const alea_http_request *request, alea_http_reply *reply) {
  alea_player_server *s = context;
  bool get = strcmp(request->method, "GET") == 0;
  const char *text = get ? request->path + (request->path[0] == '/') : request->body;
  size_t length = get ? strlen(text) : request->length;
  alea_service_caller caller = {is_left, request};
  switch (alea_service_answer(s->service, text, length, &caller, &reply->body)) {
    case ALEA_SERVICE_DONE: return;
    case ALEA_SERVICE_MALFORMED: reply->status = 400; break;
    case ALEA_SERVICE_FAILED: reply->status = 500; break;
  }
  reply->type = "text/plain";
}

alea_status alea_player_server_new(alea_player_server **server, const alea_service_options *service,
                                   const alea_http_options *http, alea_diag *diag) {
  *server = NULL;
  alea_player_server *s = calloc(1, sizeof *s);
  if (s == NULL) return ALEA_SYSTEM;
  s->service = alea_service_new(service);
  alea_status status = s->service == NULL ? ALEA_SYSTEM : ALEA_OK;
  if (status == ALEA_OK) status = alea_http_server_new(&s->http, http, handle, s, diag);
  if (status != ALEA_OK) {
    alea_player_server_free(s);
    return status;
  }
  *server = s;
  return ALEA_OK;
}

uint16_t alea_player_server_port(const alea_player_server *server) {
  return alea_http_server_port(server->http);
}

uint64_t alea_player_server_finished(const alea_player_server *server) {
  return alea_service_finished(server->service);
}

void alea_player_server_free(alea_player_server *s) {
  if (s == NULL) return;
  if (s->service != NULL) alea_service_quit(s->service); /* so that handlers return */
  alea_http_server_free(s->http);
  alea_service_free(s->service);
  free(s);
}

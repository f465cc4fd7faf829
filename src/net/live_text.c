/* A text behind an HTTP server. */
#include "net/live_text.h"

#include <pthread.h>
#include <stdlib.h>

struct alea_live_text {
  alea_http_server *http;
  pthread_mutex_t lock; /* guards what follows */
  alea_mem mem;
  alea_text text;
};

static void handle(void *context, const alea_http_request *request, alea_http_reply *reply) {
  alea_live_text *live = context;
  (void)request;
  reply->type = "application/json";
  pthread_mutex_lock(&live->lock);
  alea_text_add(&reply->body, alea_text_string(&live->text), live->text.length);
  pthread_mutex_unlock(&live->lock);
}

alea_status alea_live_text_new(alea_live_text **live, const alea_http_options *options,
                               alea_diag *diag) {
  alea_live_text *t = *live = calloc(1, sizeof *t);
  if (t == NULL) return ALEA_SYSTEM;
  alea_mem_init(&t->mem, 0);
  alea_text_init(&t->text, &t->mem);
  alea_text_put(&t->text, "{}");
  pthread_mutex_init(&t->lock, NULL);
  alea_status status = alea_http_server_new(&t->http, options, handle, t, diag);
  if (status == ALEA_OK) return ALEA_OK;
  alea_live_text_free(t);
  *live = NULL;
  return status;
}

void alea_live_text_free(alea_live_text *live) {
  if (live == NULL) return;
  alea_http_server_free(live->http);
  alea_text_clear(&live->text);
  pthread_mutex_destroy(&live->lock);
  free(live);
}

uint16_t alea_live_text_port(const alea_live_text *live) {
  return alea_http_server_port(live->http);
}

void alea_live_text_put(alea_live_text *live, const char *text, size_t length) {
  alea_text fresh;
  pthread_mutex_lock(&live->lock);
  alea_text_init(&fresh, &live->mem);
  alea_text_add(&fresh, text, length);
  alea_text old = fresh.failed ? fresh : live->text;
  if (!fresh.failed) live->text = fresh;
  alea_text_clear(&old);
  pthread_mutex_unlock(&live->lock);
}

/* A text behind a server. */
#include "net/live_text.h"

#include <pthread.h>
#include <stdlib.h>

struct alea_live_text {
  alea_http_server *http;
  pthread_mutex_t lock; /* of what follows */
  alea_mem mem;
  alea_text text;
};

static void handle(void *context, const alea_http_request *request, alea_http_reply *reply) {
  alea_live_text *view = context;
  (void)request;
  reply->type = "application/json";
  pthread_mutex_lock(&view->lock);
  alea_text_add(&reply->body, alea_text_string(&view->text), view->text.length);
  pthread_mutex_unlock(&view->lock);
}

alea_status alea_live_text_new(alea_live_text **view, const alea_http_options *options,
                               alea_diag *diag) {
  alea_live_text *v = *view = calloc(1, sizeof *v);
  if (v == NULL) return ALEA_SYSTEM;
  alea_mem_init(&v->mem, 0);
  alea_text_init(&v->text, &v->mem);
  alea_text_put(&v->text, "{}");
  pthread_mutex_init(&v->lock, NULL);
  alea_status status = alea_http_server_new(&v->http, options, handle, v, diag);
  if (status == ALEA_OK) return ALEA_OK;
  alea_live_text_free(v);
  *view = NULL;
  return status;
}

void alea_live_text_free(alea_live_text *view) {
  if (view == NULL) return;
  alea_http_server_free(view->http);
  alea_text_clear(&view->text);
  pthread_mutex_destroy(&view->lock);
  free(view);
}

uint16_t alea_live_text_port(const alea_live_text *view) {
  return alea_http_server_port(view->http);
}

void alea_live_text_put(alea_live_text *view, const char *text, size_t length) {
  alea_text fresh;
  pthread_mutex_lock(&view->lock);
  alea_text_init(&fresh, &view->mem);
  alea_text_add(&fresh, text, length);
  alea_text old = fresh.failed ? fresh : view->text;
  if (!fresh.failed) view->text = fresh;
  alea_text_clear(&old);
  pthread_mutex_unlock(&view->lock);
}

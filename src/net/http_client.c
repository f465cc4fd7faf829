/* The HTTP client: libcurl in a thread. */
#include "net/http_client.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"

struct alea_http_client {
  const atomic_bool *stop;
  atomic_bool cancel;
  pthread_t thread;
  bool running; /* the thread must be joined */
  /* Owned by the thread while it runs. */
  alea_http_call call;
  alea_mem mem;
  alea_text message, body;
  size_t head; /* bytes of the headers */
  bool too_long;
  alea_http_outcome outcome;
  double seconds;
};

alea_status alea_http_global(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? ALEA_OK : ALEA_SYSTEM;
}

void alea_http_global_end(void) { curl_global_cleanup(); }

alea_http_client *alea_http_client_new(const atomic_bool *stop) {
  alea_http_client *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->stop = stop;
  alea_mem_init(&c->mem, 0);
  alea_text_init(&c->message, &c->mem);
  alea_text_init(&c->body, &c->mem);
  return c;
}

static void finish(alea_http_client *c) {
  if (c->running) pthread_join(c->thread, NULL);
  c->running = false;
}

static void cancel(alea_http_client *c) {
  atomic_store(&c->cancel, true);
  finish(c);
  atomic_store(&c->cancel, false);
}

void alea_http_client_free(alea_http_client *c) {
  if (c == NULL) return;
  cancel(c);
  alea_text_clear(&c->message);
  alea_text_clear(&c->body);
  free(c);
}

/* ---- in the thread ---- */

static size_t on_data(char *data, size_t size, size_t count, void *context) {
  alea_http_client *c = context;
  size_t bytes = size * count;
  c->too_long = c->too_long || bytes > c->call.most_bytes - c->body.length;
  if (c->too_long) return 0; /* ends the transfer */
  alea_text_add(&c->body, data, bytes);
  return c->body.failed ? 0 : bytes;
}

/* Headers say nothing that is wanted, but the library may keep them all. */
static size_t on_header(char *data, size_t size, size_t count, void *context) {
  enum { MOST_HEAD = 1 << 16 };
  alea_http_client *c = context;
  (void)data;
  c->head += size * count;
  c->too_long = c->too_long || c->head > MOST_HEAD;
  return c->too_long ? 0 : size * count;
}

static bool is_stopped(const alea_http_client *c) {
  bool stopped = c->stop != NULL && !c->call.insist && atomic_load(c->stop);
  return stopped || atomic_load(&c->cancel);
}

/* Adds a header line; false if out of memory. */
static bool add_header(struct curl_slist **list, alea_mem *mem, const char *name,
                       const char *value) {
  alea_text line;
  alea_text_init(&line, mem);
  alea_text_format(&line, value[0] != '\0' ? "%s: %s" : "%s:%s", name, value);
  struct curl_slist *longer =
      line.failed ? NULL : curl_slist_append(*list, alea_text_string(&line));
  alea_text_clear(&line);
  if (longer == NULL) return false;
  *list = longer;
  return true;
}

static bool make_headers(alea_http_client *c, struct curl_slist **list) {
  return add_header(list, &c->mem, "Accept", "text/delim") &&
         (c->call.host || add_header(list, &c->mem, "Host", "")) &&
         add_header(list, &c->mem, "Sender", c->call.sender) &&
         add_header(list, &c->mem, "Receiver", c->call.receiver) &&
         add_header(list, &c->mem, "Content-Type", "text/acl") &&
         add_header(list, &c->mem, "Expect", "");
}

static void set_options(alea_http_client *c, CURL *curl, struct curl_slist *headers) {
  curl_easy_setopt(curl, CURLOPT_URL, c->call.url);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http");
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_0);
  curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)c->message.length);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, alea_text_string(&c->message));
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, (void *)c);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_data);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, (void *)c);
  long all = (long)(c->call.seconds * 1000), connect = (long)(c->call.connect * 1000);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, all > 0 ? all : 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect > 0 ? connect : 1L);
}

static alea_http_outcome judge(const alea_http_client *c, CURL *curl, CURLcode code) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (c->too_long) return ALEA_HTTP_TOO_LONG;
  if (code == CURLE_OPERATION_TIMEDOUT) return ALEA_HTTP_LATE;
  return code == CURLE_OK && status / 100 == 2 ? ALEA_HTTP_ANSWERED : ALEA_HTTP_BROKEN;
}

/* A cancelled transfer ends at once, not when the library next looks. */
static CURLcode transfer(alea_http_client *c, CURL *curl) {
  enum { LOOK_MS = 20 };
  CURLM *multi = curl_multi_init();
  CURLcode code = CURLE_FAILED_INIT;
  int running = 1, left;
  if (multi == NULL || curl_multi_add_handle(multi, curl) != CURLM_OK) running = 0;
  while (running > 0 && curl_multi_perform(multi, &running) == CURLM_OK && running > 0) {
    code = CURLE_ABORTED_BY_CALLBACK;
    if (is_stopped(c) || curl_multi_poll(multi, NULL, 0, LOOK_MS, NULL) != CURLM_OK) break;
  }
  const CURLMsg *message = multi != NULL ? curl_multi_info_read(multi, &left) : NULL;
  if (message != NULL && message->msg == CURLMSG_DONE) code = message->data.result;
  if (multi != NULL) curl_multi_remove_handle(multi, curl);
  curl_multi_cleanup(multi);
  return code;
}

static void *perform(void *argument) {
  alea_http_client *c = argument;
  double start = alea_clock_wall();
  CURL *curl = curl_easy_init();
  struct curl_slist *headers = NULL;
  c->outcome = ALEA_HTTP_BROKEN;
  if (curl != NULL && !c->message.failed && make_headers(c, &headers)) {
    set_options(c, curl, headers);
    c->outcome = judge(c, curl, transfer(c, curl));
  }
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  c->seconds = alea_clock_wall() - start;
  return NULL;
}

/* ---- outside ---- */

void alea_http_client_post(alea_http_client *c, const alea_http_call *call, const char *message,
                           size_t length) {
  cancel(c);
  c->call = *call;
  c->head = 0;
  c->too_long = false;
  c->outcome = ALEA_HTTP_BROKEN;
  c->seconds = 0;
  alea_text_truncate(&c->body, 0);
  alea_text_truncate(&c->message, 0);
  alea_text_add(&c->message, message, length);
  c->running = pthread_create(&c->thread, NULL, perform, c) == 0;
}

alea_http_outcome alea_http_client_wait(alea_http_client *c, alea_text *body, double *seconds) {
  finish(c);
  alea_text_add(body, alea_text_string(&c->body), c->body.length);
  *seconds = c->seconds;
  return c->outcome;
}

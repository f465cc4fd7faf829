/* Host, Origin, token. */
#include "page/guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const alea_http_header alea_page_headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
    {"Cache-Control", "no-store"},
    {NULL, NULL},
};

static bool is_host(const char *host, const char *name, uint16_t port) {
  char expected[300];
  bool six = strchr(name, ':') != NULL;
  int length = snprintf(expected, sizeof expected, "%s%s%s", six ? "[" : "", name, six ? "]" : "");
  if (port == 80 && strcasecmp(host, expected) == 0) return true;
  if (length < 0 || (size_t)length > sizeof expected - 8) return false;
  snprintf(expected + length, sizeof expected - (size_t)length, ":%u", port);
  return strcasecmp(host, expected) == 0;
}

static bool is_ours(const alea_page_guard *g, const char *host) {
  return host != NULL &&
         (is_host(host, "127.0.0.1", g->port) || is_host(host, "localhost", g->port) ||
          is_host(host, "::1", g->port) || is_host(host, g->address, g->port) ||
          (g->name != NULL && is_host(host, g->name, g->port)));
}

/* Browsers say where a request comes from; other programs need not. */
static bool is_foreign(const alea_http_request *request, const char *host) {
  static const char start[] = "http://";
  const char *origin = alea_http_request_header(request, "Origin");
  const char *site = alea_http_request_header(request, "Sec-Fetch-Site");
  if (origin != NULL &&
      (strncmp(origin, start, strlen(start)) != 0 || strcasecmp(origin + strlen(start), host) != 0))
    return true;
  /* A link or a bookmark may lead to the page; nothing else may come from elsewhere. */
  bool own = site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
  const char *mode = alea_http_request_header(request, "Sec-Fetch-Mode");
  return !own && !(mode != NULL && strcmp(mode, "navigate") == 0);
}

/* Takes as long whatever the first difference is. */
static bool is_token(const char *given, const char *token) {
  size_t length = strlen(token);
  unsigned different = 0;
  if (given == NULL || strlen(given) != length) return false;
  for (size_t i = 0; i < length; i++)
    different |= (unsigned)((unsigned char)given[i] ^ (unsigned char)token[i]);
  return different == 0;
}

const char *alea_page_guard_refuse(const alea_page_guard *g, const alea_http_request *request,
                                   unsigned *status) {
  const char *host = alea_http_request_header(request, "Host");
  *status = 421;
  if (!is_ours(g, host)) return "this server is not called by that name (header Host)";
  *status = 403;
  if (is_foreign(request, host)) return "requests of other origins are not answered";
  if (strcmp(request->method, "GET") == 0) return NULL;
  if (!is_token(alea_http_request_header(request, "X-Alea-Token"), g->token))
    return "the token is missing or wrong: open the page by the address that alea web printed";
  const char *type = alea_http_request_header(request, "Content-Type");
  *status = 415;
  if (type == NULL || strncasecmp(type, "application/json", 16) != 0)
    return "the body must be declared as application/json";
  return NULL;
}

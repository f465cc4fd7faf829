/* Reading and allowing addresses. */
#include "page/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Letters of names and numeric addresses; `:` only within brackets. */
static const char host_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
static const char six_letters[] = "abcdefABCDEF0123456789:.";

bool alea_page_address_read(alea_page_address *address, const char *text) {
  static const char start[] = "http://";
  if (strncmp(text, start, sizeof start - 1) != 0) return false;
  text += sizeof start - 1;
  bool six = *text == '[';
  text += six;
  size_t length = strspn(text, six ? six_letters : host_letters);
  if (length == 0 || length >= sizeof address->host) return false;
  memcpy(address->host, text, length);
  address->host[length] = '\0';
  text += length;
  if (six && *text++ != ']') return false;
  if (*text++ != ':') return false;
  length = strspn(text, "0123456789");
  if (length == 0 || length >= sizeof address->port) return false;
  memcpy(address->port, text, length);
  address->port[length] = '\0';
  long port = strtol(address->port, NULL, 10);
  text += length;
  return port >= 1 && port <= 65535 && (*text == '\0' || strcmp(text, "/") == 0);
}

static bool is_loopback(const char *host) {
  struct in_addr four;
  struct in6_addr six;
  if (inet_pton(AF_INET, host, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  if (inet_pton(AF_INET6, host, &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
  return strcasecmp(host, "localhost") == 0;
}

bool alea_page_address_is_allowed(const alea_page_address *address, const char *allowed) {
  char name[sizeof address->host + sizeof address->port + 4];
  bool six = strchr(address->host, ':') != NULL;
  if (is_loopback(address->host)) return true;
  snprintf(name, sizeof name, "%s%s%s:%s", six ? "[" : "", address->host, six ? "]" : "",
           address->port);
  size_t length = strlen(name);
  for (const char *at = allowed; at != NULL && *at != '\0';) {
    size_t item = strcspn(at, ",");
    if (item == length && strncasecmp(at, name, length) == 0) return true;
    at += item + (at[item] == ',');
  }
  return false;
}

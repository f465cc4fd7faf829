#ifndef ALEA_PAGE_PAGE_H
#define ALEA_PAGE_PAGE_H

/* The page: a server of files that are compiled in, and of a JSON API
 * (docs/openapi.yaml).
 *
 * It answers to its own names alone (the header Host), refuses requests that
 * pages of other origins make, and changes nothing without its token, which is
 * random and known only to whoever was given the address.  Rules and searches
 * run in processes with limits (page/launcher.h), so the server outlives
 * whatever they do. */

#include "net/http_server.h"
#include "page/launcher.h"

typedef struct alea_page alea_page;

typedef struct alea_page_options {
  const char *address; /* numeric */
  uint16_t port;
  bool exact;
  const char *name;      /* one more name by which the page is called; NULL: none */
  alea_launch_main *run; /* what the processes do: "table", "replay", and commands by their name */
  alea_launch_ask *ask;  /* asks such a command to end and to print what it has */
  alea_sandbox_mode sandbox;
  size_t memory;       /* of one process */
  const char *folder;  /* of events and experiments */
  const char *allowed; /* addresses that may be called, besides loopback (page/address.h) */
  unsigned tables;     /* at a time */
  double idle;         /* seconds after which a table that nobody uses is closed */
  unsigned jobs;       /* other processes at a time */
} alea_page_options;

/* To be called while the process has one thread.  On failure 'diag' says why. */
alea_status alea_page_new(alea_page **page, const alea_page_options *options, alea_diag *diag);
/* Closes all tables and waits for what is being answered.  NULL is a no-op. */
void alea_page_free(alea_page *page);
uint16_t alea_page_port(const alea_page *page);
/* 32 letters and digits. */
const char *alea_page_token(const alea_page *page);

#endif

#ifndef ALEA_API_CORE_H
#define ALEA_API_CORE_H

/* What the files of the public interface share; nobody else includes it.
 *
 * A handle carries the account of its memory (base/mem.h) and is itself part of
 * it: alea_api_new allocates a zeroed object whose first member is the account. */

#include <pthread.h>
#include <stdatomic.h>

#include "alea/game.h"
#include "alea/state.h"
#include "alea/stop.h"
#include "match/open.h"
#include "propnet/lanes.h"

struct alea_ruleset {
  alea_mem mem; /* of this struct, the label and the lanes; guarded by 'lock' once open */
  atomic_uint shares;
  alea_opened opened;
  bool lent; /* 'opened' is somebody else's game */
  char *label;
  size_t label_size;
  uint64_t signature; /* of the fluents of the network: whose positions can be loaded */
  pthread_mutex_t lock;
  alea_lanes *lanes;     /* wide; made for the first batch */
  alea_lanes *gpu_lanes; /* made for the first on a device */
};

/* A zeroed object of 'size' bytes that begins with its alea_mem; NULL without
 * memory. */
void *alea_api_new(size_t size, size_t memory);
/* Frees the object; what it allocated is gone already.  NULL is a no-op. */
void alea_api_free(void *object, size_t size);

/* A ruleset of one share over a game that somebody else has opened and that
 * outlives it.  NULL without memory. */
alea_ruleset *alea_api_lend(const alea_game *game, const char *rewriting);

/* What a deadline looks at; NULL for NULL. */
const atomic_bool *alea_api_flag(const alea_stop_flag *stop);

/* The cursor of a state, at its position. */
alea_cursor *alea_api_cursor(alea_state *state);

/* Copies the caller's options, whose first member is their size, over the
 * defaults in 'own'.  'given' NULL leaves these.  ALEA_USAGE: the options are of a
 * newer library and use what this one does not have, or have no size that a struct
 * of options could have. */
alea_status alea_api_options(void *own, size_t size, const void *given);

/* Hands what 'diag' holds to the caller, if he wants it (NULL: not).  A list that
 * cannot be allocated is left out. */
void alea_api_report(const alea_diag *diag, alea_diagnostics **list);

/* Writes 'text' as the texts of the public interface are written, and clears it. */
size_t alea_api_put(alea_text *text, char *buffer, size_t size);

#endif

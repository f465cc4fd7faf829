#ifndef ALEA_TESTS_FAKE_PLAYER_H
#define ALEA_TESTS_FAKE_PLAYER_H

/* Players that misbehave, on a port of this machine.
 *
 * START, STOP and ABORT are answered properly; each PLAY is treated in the next
 * way of a list. */

#include <stddef.h>
#include <stdint.h>

/* way, error that the manager should record, whether the clock has to run
 * out */
#define FAKE_WAYS(row)                                                           \
  row(ILLEGAL, "IL (fly 9 9)", false)  /* no such move */                        \
      row(MALFORMED, "IL null", false) /* no term */                             \
      row(EMPTY, "IL null", false)     /* a reply of length 0 */                 \
      row(NUL, "IL null", false)       /* a NUL byte */                          \
      row(MEGABYTES, "IL null", false) /* a reply that does not end */           \
      row(CLOSING, "CE", false)        /* the connection ends without a reply */ \
      row(CUT, "CE", false)            /* shorter than its length says */        \
      row(NOT_HTTP, "CE", false)       /* not HTTP */                            \
      row(ERROR_500, "CE", false)      /* a reply with an error status */        \
      row(RESET, "CE", false)          /* the connection is reset */             \
      row(SILENT, "TO", true)          /* takes the request and sends nothing */ \
      row(DRIPPING, "TO", true)        /* single bytes at intervals */           \
      row(LATE, "TO", true)            /* the right answer, too late */

typedef enum fake_way {
#define FAKE_ENUM(name, error, waits) FAKE_##name,
  FAKE_WAYS(FAKE_ENUM)
#undef FAKE_ENUM
      FAKE_WAY_COUNT
} fake_way;

const char *fake_error(fake_way way);
int fake_waits(fake_way way);

typedef struct fake_player fake_player;

/* The list is borrowed; after its end it starts again.  Without a list every
 * PLAY is answered with 'move'. */
fake_player *fake_player_new(const fake_way *ways, size_t count, const char *move);
void fake_player_free(fake_player *player);
uint16_t fake_player_port(const fake_player *player);
/* PLAY messages so far. */
size_t fake_player_plays(const fake_player *player);
/* The bytes of request 'index' as received, up to 64 KB; NULL beyond the last.
 * Only while no request is under way. */
const char *fake_player_request(const fake_player *player, size_t index);

#endif

#ifndef ALEA_TESTS_FAKE_PLAYER_H
#define ALEA_TESTS_FAKE_PLAYER_H

/* Players that misbehave, on a port of this machine.  START, STOP and ABORT
 * are answered properly; each PLAY is treated in the next way of a list. */

#include <stddef.h>
#include <stdint.h>

/* way, what the manager is to note, whether the clock has to run out */
#define FAKE_WAYS(row)                                                       \
  row(ILLEGAL, "IL (fly 9 9)", false)  /* no such move */                    \
      row(MALFORMED, "IL null", false) /* no term */                         \
      row(EMPTY, "IL null", false)     /* a reply of length 0 */             \
      row(NUL, "IL null", false)       /* a NUL byte */                      \
      row(MEGABYTES, "IL null", false) /* a reply without an end */          \
      row(CLOSING, "CE", false)        /* the connection ends, no reply */   \
      row(CUT, "CE", false)            /* less than the length says */       \
      row(NOT_HTTP, "CE", false)       /* other bytes */                     \
      row(ERROR_500, "CE", false)      /* a reply that is a complaint */     \
      row(RESET, "CE", false)          /* the connection is torn down */     \
      row(SILENT, "TO", true)          /* takes the request, says nothing */ \
      row(DRIPPING, "TO", true)        /* a byte now and then */             \
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

/* The list is borrowed; after its end it begins anew.  With no list every
 * PLAY is answered with 'move'. */
fake_player *fake_player_new(const fake_way *ways, size_t count, const char *move);
void fake_player_free(fake_player *player);
uint16_t fake_player_port(const fake_player *player);
/* PLAYs so far. */
size_t fake_player_plays(const fake_player *player);
/* The bytes of request 'index' as they came, up to 64 KB; NULL past the last.
 * Only when nothing is under way. */
const char *fake_player_request(const fake_player *player, size_t index);

#endif

#ifndef ALEA_DRAW_H
#define ALEA_DRAW_H

/* Drawings of positions, of any game, as text and as SVG.
 *
 * A picture is made once for a game: it looks at a few positions of random plays
 * for boards, tracks and tables.  The same game always gives the same picture.
 * It belongs to one thread at a time. */

#include "alea/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_picture alea_picture;

/* Owned by the caller; keeps 'rules' alive. */
ALEA_API alea_status alea_picture_new(alea_picture **picture, alea_ruleset *rules);
ALEA_API void alea_picture_free(alea_picture *picture); /* NULL is a no-op. */

/* The position of a state of the same rules in box-drawing characters, or in plain
 * ASCII; lent until the next call.  NULL: out of memory, or other rules. */
ALEA_API const char *alea_picture_text(alea_picture *picture, alea_state *state, bool ascii);
/* The same as an SVG document; 'title' may be NULL. */
ALEA_API const char *alea_picture_svg(alea_picture *picture, alea_state *state, const char *title);

#ifdef __cplusplus
}
#endif

#endif

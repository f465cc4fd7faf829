#ifndef ALEA_CLI_SHOW_SVG_H
#define ALEA_CLI_SHOW_SVG_H

/* The pictures of `alea show`: of one position, one for each position of a play,
 * or an animation of it. */

#include "cli/draw.h"

typedef struct alea_cli_pictures {
  alea_cli_drawing *art; /* borrowed */
  const char *file;      /* `-` is standard output; a % becomes the number of the picture */
  bool animate, last, legal;
  double seconds; /* for each position of an animation */
  alea_film *film;
  alea_text out;                      /* what is written next */
  alea_listing before, now;           /* 'before' is of the position before 'now' */
  alea_listing role_moves;            /* scratch */
  alea_arena arena;                   /* of the next */
  ALEA_VEC(const char *) legal_moves; /* of all roles that have the turn */
  uint32_t count;                     /* positions noted */
} alea_cli_pictures;

/* Must be closed in any case. */
void alea_cli_pictures_open(alea_cli_pictures *pictures, alea_cli_drawing *art, const char *file);
void alea_cli_pictures_close(alea_cli_pictures *pictures);

/* Called for every position of a play, in order: the cursor is there.  'knowledge', which may be
 * NULL, is what a role knows of it, and limits the picture to that. */
alea_status alea_cli_pictures_note(alea_cli_pictures *pictures, alea_cursor *cursor,
                                   alea_knowledge *knowledge);
/* Writes the picture of the position noted last, or the animation; nothing if each
 * has a file of its own. */
alea_status alea_cli_pictures_finish(alea_cli_pictures *pictures, alea_cursor *cursor);
/* Writes and empties 'out'; the file `-` is standard output. */
alea_status alea_cli_picture_write(alea_cli_session *session, const char *file, alea_text *out);

#endif

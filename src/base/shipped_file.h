#ifndef ALEA_BASE_SHIPPED_FILE_H
#define ALEA_BASE_SHIPPED_FILE_H

/* Files that are compiled in.  cmake/Embed.cmake writes tables of them, sorted by name; 'bytes'
 * ends with a NUL that 'length' does not count. */

#include <stddef.h>

typedef struct alea_shipped_file {
  const char *name; /* "tictactoe" */
  const char *file; /* "tictactoe.kif" */
  const unsigned char *bytes;
  size_t length;
} alea_shipped_file;

#endif

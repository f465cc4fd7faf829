#ifndef ALEA_TOURNAMENT_YAML_H
#define ALEA_TOURNAMENT_YAML_H

/* YAML files as trees with source positions.
 *
 * Supports what descriptions of tournaments need: texts, lists, maps, one
 * document.  Aliases, tags, keys that are not plain texts, and duplicate keys
 * are errors, so that a small file cannot become a large tree and nothing is
 * silently overwritten.  The tree and its texts live until the file is cleared. */

#include "base/arena.h"
#include "base/diag.h"
#include "base/status.h"

typedef enum alea_yaml_kind { ALEA_YAML_TEXT, ALEA_YAML_LIST, ALEA_YAML_MAP } alea_yaml_kind;

typedef struct alea_yaml alea_yaml;
struct alea_yaml {
  alea_yaml_kind kind;
  uint32_t line, column;         /* from 1 */
  const char *key;               /* if it is a value of a map; else NULL */
  uint32_t key_line, key_column; /* position of that key */
  const char *text;              /* of a text; otherwise "" */
  size_t count;                  /* of elements */
  const alea_yaml *first, *next; /* elements in order; the next one in the parent */
};

typedef struct alea_yaml_file {
  const char *name; /* for diagnostics; borrowed, must outlive 'diag' */
  alea_diag *diag;
  alea_arena arena;
  const alea_yaml *root;
} alea_yaml_file;

enum { ALEA_YAML_DEPTH = 16, ALEA_YAML_BYTES = 16 << 20 };

/* Reads 'text'; 'file' must be cleared in any case.  ALEA_INPUT: 'diag' says
 * where and why; ALEA_LIMIT: beyond the depth or size above, or out of 'mem'. */
alea_status alea_yaml_read(alea_yaml_file *file, const char *text, size_t length, const char *name,
                           alea_mem *mem, alea_diag *diag);
void alea_yaml_clear(alea_yaml_file *file);

/* ---- queries; all accept a NULL node as "missing" ---- */

/* The value of a key; NULL if 'map' is no map or has no such key. */
const alea_yaml *alea_yaml_get(const alea_yaml *map, const char *key);
/* The text of a key's value; 'fallback' if there is none. */
const char *alea_yaml_text(const alea_yaml *map, const char *key, const char *fallback);
/* The number in a node; false if it has none. */
bool alea_yaml_number(const alea_yaml *node, double *number);

/* ---- diagnostics ---- */

void alea_yaml_error(const alea_yaml_file *file, const alea_yaml *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether 'node' is of 'kind'; reports an error if not. */
bool alea_yaml_expect(const alea_yaml_file *file, const alea_yaml *node, alea_yaml_kind kind);
/* Whether all keys of 'map' are among the words of 'known' (separated by single
 * spaces); reports those that are not, with a suggestion. */
bool alea_yaml_keys(const alea_yaml_file *file, const alea_yaml *map, const char *known);
/* Reads the number of a key into '*number' if there is one.  False, with an
 * error reported, if it is not a number (or with 'whole' an integer) in the
 * range. */
bool alea_yaml_read_number(const alea_yaml_file *file, const alea_yaml *map, const char *key,
                           double least, double largest, bool whole, double *number);

#endif

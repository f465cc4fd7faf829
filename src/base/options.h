#ifndef ALEA_BASE_OPTIONS_H
#define ALEA_BASE_OPTIONS_H

/* Command-line options as tables.
 *
 * A command writes its options once, as a macro of rows
 *
 *   #define BENCH_OPTIONS(row)                                                     \
 *     row(real, seconds, "5", 0.01, 1e6, "S", "CPU seconds to play")                 \
 *     row(flag, json, "", 0, 0, "", "print one JSON object")
 *
 *   ALEA_OPTION_TABLE(BENCH_OPTIONS)
 *
 * and gets from it the struct of values, the parser, the text of --help and
 * the reference in docs/.  A row is: kind, field, default, least and largest
 * value, the word for the value in the help, the help.  The field
 * `ground_seconds` is the option `--ground-seconds`.
 *
 * Kinds: flag (bool), integer (int64_t), real (double), bytes (size_t, with K,
 * M or G), text (const char *, NULL when absent and without default), choice
 * (int: a constant of the enum whose words are the value word, see
 * base/choice.h; ALEA_NO_CHOICE when absent and without default), texts (may
 * be given several times).
 *
 * Values borrow from argv and from the table. */

#include <stddef.h>
#include <stdint.h>

#include "base/choice.h"
#include "base/status.h"
#include "base/text.h"

enum { ALEA_OPTION_TEXTS = 32 };

typedef struct alea_option_texts {
  const char *items[ALEA_OPTION_TEXTS];
  size_t count;
} alea_option_texts;

typedef enum alea_option_kind {
  ALEA_OPTION_flag,
  ALEA_OPTION_integer,
  ALEA_OPTION_real,
  ALEA_OPTION_bytes,
  ALEA_OPTION_text,
  ALEA_OPTION_choice,
  ALEA_OPTION_texts,
} alea_option_kind;

typedef bool alea_option_type_flag;
typedef int64_t alea_option_type_integer;
typedef double alea_option_type_real;
typedef size_t alea_option_type_bytes;
typedef const char *alea_option_type_text;
typedef int alea_option_type_choice; /* a constant of the enum */
typedef alea_option_texts alea_option_type_texts;

typedef struct alea_option {
  alea_option_kind kind;
  const char *field;
  size_t offset;        /* of the field in the struct of values */
  const char *fallback; /* the default as text; "" means off, empty or absent */
  double least, largest;
  const char *value; /* word for the value in the help */
  const char *help;
} alea_option;

#define ALEA_OPTION_FIELD(kind, field, fallback, least, largest, value, help) \
  alea_option_type_##kind field;
#define ALEA_OPTION_FIELDS(TABLE) TABLE(ALEA_OPTION_FIELD)

/* A row for a field of the struct 'type'. */
#define ALEA_OPTION_ROW_IN(type, kind, field, fallback, least, largest, value, help) \
  {ALEA_OPTION_##kind, #field, offsetof(type, field), fallback, (least), (largest), value, help},
/* A row that refers to the struct named `values` at the place of expansion. */
#define ALEA_OPTION_ROW(...) ALEA_OPTION_ROW_IN(values, __VA_ARGS__)

/* All that a file with one table needs: the struct `values` and the table
 * `rows`. */
#define ALEA_OPTION_TABLE(TABLE) \
  typedef struct values {        \
    ALEA_OPTION_FIELDS(TABLE)    \
  } values;                      \
  static const alea_option rows[] = {TABLE(ALEA_OPTION_ROW)};

/* One command: its name, operands and options. */
typedef struct alea_command {
  const char *name;     /* "bench" */
  const char *operands; /* "GAME" */
  const char *summary;  /* one line, as in the list of commands */
  const char *details;  /* more lines for --help, or NULL */
  const char *example;  /* "alea bench breakthrough --seconds 2" */
  const alea_option *options;
  size_t option_count;
  int least_operands, most_operands; /* most: -1 = any number */
} alea_command;

typedef struct alea_command_line {
  bool help;         /* --help was given; ignore everything else */
  int operand_count; /* operands are argv[1 .. operand_count] after parsing */
} alea_command_line;

/* Reads argv[1..] into 'values', the struct of the table, and moves the
 * operands to the front of argv.  `--name value` and `--name=value` both work,
 * options and operands may be mixed, `--` ends the options.  ALEA_USAGE: a
 * sentence in 'message' says what is wrong and, if possible, what was meant. */
alea_status alea_options_parse(const alea_command *command, void *values, int argc, char **argv,
                               alea_command_line *line, alea_text *message);

/* The same tables outside of a command line, for strings such as
 * `uct:c=1.2,reuse=off`: fills 'values' with the defaults, ... */
void alea_options_defaults(const alea_option *rows, size_t count, void *values);
/* ... and sets one of them.  A flag takes `on`, `off` or nothing (NULL). */
alea_status alea_options_set(const alea_option *rows, size_t count, void *values, const char *name,
                             const char *value, alea_text *message);
/* The name of a row's option (`ground-seconds` for ground_seconds). */
enum { ALEA_OPTION_NAME = 64 };
const char *alea_option_name(const alea_option *option, char name[ALEA_OPTION_NAME]);

/* Whether two structs of values agree in the row's field. */
bool alea_option_same(const alea_option *row, const void *values, const void *others);

/* Appends the help of a command. */
void alea_options_help(const alea_command *command, alea_text *out);

/* Reads "2G", "512M", "100000" as bytes; false if the text has no such form. */
bool alea_options_bytes(const char *text, size_t *bytes);

#endif

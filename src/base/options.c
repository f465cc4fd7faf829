/* Parsing and describing options, driven by the tables alone. */
#include "base/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

enum { HELP_COLUMN = 28, HELP_WIDTH = 92, NAME_SIZE = ALEA_OPTION_NAME };

bool alea_option_same(const alea_option *row, const void *values, const void *others) {
  static const size_t sizes[] = {
      [ALEA_OPTION_flag] = sizeof(bool),
      [ALEA_OPTION_integer] = sizeof(int64_t),
      [ALEA_OPTION_real] = sizeof(double),
      [ALEA_OPTION_bytes] = sizeof(size_t),
      [ALEA_OPTION_text] = sizeof(char *),
      [ALEA_OPTION_choice] = sizeof(int),
      [ALEA_OPTION_texts] = sizeof(alea_option_texts),
  };
  return memcmp((const char *)values + row->offset, (const char *)others + row->offset,
                sizes[row->kind]) == 0;
}

const char *alea_option_name(const alea_option *option, char name[NAME_SIZE]) {
  size_t i = 0;
  for (; option->field[i] != '\0' && i + 1 < NAME_SIZE; i++) {
    name[i] = option->field[i] == '_' ? '-' : option->field[i];
  }
  name[i] = '\0';
  return name;
}

bool alea_options_bytes(const char *text, size_t *bytes) {
  char *end;
  errno = 0;
  double number = strtod(text, &end);
  if (end == text || errno != 0 || !(number >= 0)) return false;
  const char *suffix = "KMGT",
             *at = *end != '\0' ? strchr(suffix, toupper((unsigned char)*end)) : NULL;
  if (at != NULL) {
    number = ldexp(number, 10 * (int)(at - suffix + 1));
    end++;
    if (*end == 'i') end++;
    if (*end == 'B' || *end == 'b') end++;
  }
  if (*end != '\0' || number >= 0x1p63) return false;
  *bytes = (size_t)number;
  return true;
}

static bool integer(const char *text, int64_t *number) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  *number = value;
  return end != text && *end == '\0' && errno == 0;
}

static bool real(const char *text, double *number) {
  char *end;
  errno = 0;
  *number = strtod(text, &end);
  return end != text && *end == '\0' && errno == 0 && isfinite(*number);
}

/* Appends "a whole number from 1 to 64" and the like. */
static void describe(const alea_option *option, alea_text *out) {
  switch (option->kind) {
    case ALEA_OPTION_integer:
      alea_text_format(out, "a whole number from %.0f to %.0f", option->least, option->largest);
      break;
    case ALEA_OPTION_real:
      alea_text_format(out, "a number from %g to %g", option->least, option->largest);
      break;
    case ALEA_OPTION_bytes: alea_text_put(out, "a size such as 512M or 2G"); break;
    case ALEA_OPTION_choice: alea_text_format(out, "one of %s", option->value); break;
    default: alea_text_put(out, "a text"); break;
  }
}

static bool in_range(const alea_option *option, double number) {
  return number >= option->least && number <= option->largest;
}

/* Reads 'text' into the field of the option; false if it is not a valid
 * value. */
static bool store(const alea_option *option, void *values, const char *text) {
  void *field = (char *)values + option->offset;
  switch (option->kind) {
    case ALEA_OPTION_flag: *(bool *)field = true; return true;
    case ALEA_OPTION_integer:
      return integer(text, field) && in_range(option, (double)*(int64_t *)field);
    case ALEA_OPTION_real: return real(text, field) && in_range(option, *(double *)field);
    case ALEA_OPTION_bytes: return alea_options_bytes(text, field);
    case ALEA_OPTION_choice:
      *(int *)field = alea_choice_find(option->value, text);
      return *(int *)field != ALEA_NO_CHOICE;
    case ALEA_OPTION_text: *(const char **)field = text; return true;
    case ALEA_OPTION_texts: {
      alea_option_texts *texts = field;
      if (texts->count == ALEA_OPTION_TEXTS) return false;
      texts->items[texts->count++] = text;
      return true;
    }
  }
  return false;
}

/* In a player string, and by default, a flag may also be switched off. */
static bool store_flag(const alea_option *option, void *values, const char *value) {
  bool off = value != NULL && strcmp(value, "off") == 0;
  *(bool *)((char *)values + option->offset) = !off;
  return off || value == NULL || strcmp(value, "on") == 0;
}

static void store_default(const alea_option *option, void *values) {
  void *field = (char *)values + option->offset;
  switch (option->kind) {
    case ALEA_OPTION_flag: *(bool *)field = false; break;
    case ALEA_OPTION_integer: *(int64_t *)field = 0; break;
    case ALEA_OPTION_real: *(double *)field = 0; break;
    case ALEA_OPTION_bytes: *(size_t *)field = 0; break;
    case ALEA_OPTION_text: *(const char **)field = NULL; break;
    case ALEA_OPTION_choice: *(int *)field = ALEA_NO_CHOICE; break;
    case ALEA_OPTION_texts: ((alea_option_texts *)field)->count = 0; break;
  }
  if (option->fallback[0] == '\0') return;
  if (option->kind == ALEA_OPTION_flag)
    (void)store_flag(option, values, option->fallback);
  else
    (void)store(option, values, option->fallback);
}

static const alea_option *find(const alea_option *rows, size_t count, const char *name,
                               size_t length) {
  char candidate[NAME_SIZE];
  for (size_t i = 0; i < count; i++) {
    alea_option_name(&rows[i], candidate);
    if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) return &rows[i];
  }
  return NULL;
}

/* Writes the option nearest to 'wanted' to 'nearest', "" if none is near. */
static void find_nearest(const alea_option *rows, size_t count, const char *wanted,
                         char nearest[NAME_SIZE]) {
  char candidate[NAME_SIZE];
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, wanted);
  nearest[0] = '\0';
  for (size_t i = 0; i < count; i++) {
    size_t before = suggestion.distance;
    alea_suggest_offer(&suggestion, alea_option_name(&rows[i], candidate));
    /* The memory of the candidate is reused: keep a copy of the best. */
    if (suggestion.distance < before) memcpy(nearest, candidate, NAME_SIZE);
  }
}

static alea_status unknown(const alea_command *command, const char *argument, alea_text *message) {
  char wanted[NAME_SIZE], nearest[NAME_SIZE];
  size_t length = strcspn(argument, "=");
  size_t dashes = strspn(argument, "-");
  if (length - dashes >= NAME_SIZE) length = dashes + NAME_SIZE - 1;
  memcpy(wanted, argument + dashes, length - dashes);
  wanted[length - dashes] = '\0';
  find_nearest(command->options, command->option_count, wanted, nearest);
  alea_text_format(message, "unknown option '%.*s'", (int)length, argument);
  if (nearest[0] != '\0') alea_text_format(message, "; did you mean --%s?", nearest);
  return ALEA_USAGE;
}

/* Reads the option at argv[*index]; advances past its value. */
static alea_status parse_option(const alea_command *command, void *values, int argc, char **argv,
                                int *index, alea_text *message) {
  const char *argument = argv[*index];
  size_t length = strcspn(argument, "=");
  const alea_option *option =
      length > 2 && argument[1] == '-'
          ? find(command->options, command->option_count, argument + 2, length - 2)
          : NULL;
  if (option == NULL) return unknown(command, argument, message);
  const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
  if (option->kind == ALEA_OPTION_flag) {
    if (value != NULL) {
      alea_text_format(message, "option '%.*s' takes no value", (int)length, argument);
      return ALEA_USAGE;
    }
  } else if (value == NULL) {
    if (*index + 1 >= argc) {
      alea_text_format(message, "option '%s' needs a value: ", argument);
      describe(option, message);
      return ALEA_USAGE;
    }
    value = argv[++*index];
  }
  if (store(option, values, value)) return ALEA_OK;
  alea_text_format(message, "option '%.*s': '%s' is not ", (int)length, argument, value);
  describe(option, message);
  return ALEA_USAGE;
}

static alea_status check_operands(const alea_command *command, int count, alea_text *message) {
  if (count < command->least_operands) {
    alea_text_format(message, "%s is missing", command->operands);
    return ALEA_USAGE;
  }
  if (command->most_operands >= 0 && count > command->most_operands) {
    alea_text_format(message, "too many operands");
    return ALEA_USAGE;
  }
  return ALEA_OK;
}

alea_status alea_options_parse(const alea_command *command, void *values, int argc, char **argv,
                               alea_command_line *line, alea_text *message) {
  *line = (alea_command_line){0};
  alea_options_defaults(command->options, command->option_count, values);
  bool options_over = false;
  for (int i = 1; i < argc; i++) {
    if (options_over || argv[i][0] != '-' || argv[i][1] == '\0') {
      char *operand = argv[i];
      argv[++line->operand_count] = operand;
    } else if (strcmp(argv[i], "--") == 0) {
      options_over = true;
    } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      line->help = true;
      return ALEA_OK;
    } else {
      alea_status status = parse_option(command, values, argc, argv, &i, message);
      if (status != ALEA_OK) return status;
    }
  }
  return check_operands(command, line->operand_count, message);
}

void alea_options_defaults(const alea_option *rows, size_t count, void *values) {
  for (size_t i = 0; i < count; i++) store_default(&rows[i], values);
}

alea_status alea_options_set(const alea_option *rows, size_t count, void *values, const char *name,
                             const char *value, alea_text *message) {
  const alea_option *option = find(rows, count, name, strlen(name));
  if (option == NULL) {
    char nearest[NAME_SIZE];
    find_nearest(rows, count, name, nearest);
    alea_text_format(message, "unknown option '%s'", name);
    if (nearest[0] != '\0') alea_text_format(message, "; did you mean '%s'?", nearest);
    return ALEA_USAGE;
  }
  bool flag = option->kind == ALEA_OPTION_flag;
  if (flag ? store_flag(option, values, value) : value != NULL && store(option, values, value)) {
    return ALEA_OK;
  }
  alea_text_format(message, "option '%s': '%s' is not ", name, value != NULL ? value : "");
  if (flag) {
    alea_text_put(message, "on or off");
  } else {
    describe(option, message);
  }
  return ALEA_USAGE;
}

/* Appends 'help' from column HELP_COLUMN on, wrapped between words. */
static void wrap(const char *help, alea_text *out) {
  size_t column = HELP_COLUMN;
  for (const char *word = help; *word != '\0'; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    if (word != help) {
      bool fits = column + 1 + length <= HELP_WIDTH;
      if (fits) {
        alea_text_char(out, ' ');
      } else {
        alea_text_format(out, "\n%*s", HELP_COLUMN, "");
      }
      column = fits ? column + 1 : HELP_COLUMN;
    }
    alea_text_add(out, word, length);
    column += length;
    word += length;
  }
}

static void help_row(const alea_option *option, alea_text *out) {
  char name[NAME_SIZE];
  size_t start = out->length;
  alea_text_format(out, "  --%s", alea_option_name(option, name));
  if (option->kind != ALEA_OPTION_flag) alea_text_format(out, " %s", option->value);
  size_t column = out->length - start;
  if (column + 2 > HELP_COLUMN) {
    alea_text_format(out, "\n%*s", HELP_COLUMN, "");
  } else {
    alea_text_format(out, "%*s", (int)(HELP_COLUMN - column), "");
  }
  alea_text text;
  alea_text_init(&text, out->mem);
  alea_text_put(&text, option->help);
  if (option->kind != ALEA_OPTION_flag && option->fallback[0] != '\0') {
    alea_text_format(&text, " (default %s)", option->fallback);
  }
  wrap(alea_text_string(&text), out);
  alea_text_clear(&text);
  alea_text_char(out, '\n');
}

void alea_options_help(const alea_command *command, alea_text *out) {
  alea_text_format(out, "alea %s: %s\n\nusage: alea %s %s%s\n", command->name, command->summary,
                   command->name, command->operands,
                   command->option_count != 0 ? " [OPTION...]" : "");
  if (command->details != NULL) alea_text_format(out, "\n%s\n", command->details);
  if (command->option_count != 0) alea_text_put(out, "\noptions:\n");
  for (size_t i = 0; i < command->option_count; i++) help_row(&command->options[i], out);
  if (command->example != NULL) alea_text_format(out, "\nexample:\n  %s\n", command->example);
}

/* Commands and their options as JSON. */
#include "cli/describe.h"

static const char *kind_word(const alea_option *option) {
  switch (option->kind) {
    case ALEA_OPTION_flag: return "flag";
    case ALEA_OPTION_integer: return "integer";
    case ALEA_OPTION_real: return "real";
    case ALEA_OPTION_bytes: return "bytes";
    case ALEA_OPTION_choice: return "choice";
    default: return "text";
  }
}

const char *alea_cli_default_word(const alea_option *option) {
  bool off = option->kind == ALEA_OPTION_flag && option->fallback[0] == '\0';
  return off ? "off" : option->fallback;
}

void alea_cli_put_option(alea_json *json, const alea_option *option) {
  char name[ALEA_OPTION_NAME];
  alea_json_open(json, '{');
  alea_json_put_string(json, "name", alea_option_name(option, name));
  alea_json_put_string(json, "kind", kind_word(option));
  alea_json_put_string(json, "default", alea_cli_default_word(option));
  if (option->kind == ALEA_OPTION_integer || option->kind == ALEA_OPTION_real) {
    alea_json_put_real(json, "least", option->least);
    alea_json_put_real(json, "largest", option->largest);
  }
  if (option->kind == ALEA_OPTION_choice) alea_json_put_string(json, "choices", option->value);
  alea_json_put_string(json, "help", option->help);
  alea_json_close(json, '}');
}

void alea_cli_describe(const alea_command *command, alea_text *out) {
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "name", command->name);
  alea_json_put_string(&json, "operands", command->operands != NULL ? command->operands : "");
  alea_json_put_string(&json, "summary", command->summary);
  alea_json_put_string(&json, "details", command->details != NULL ? command->details : "");
  alea_json_put_string(&json, "example", command->example != NULL ? command->example : "");
  alea_json_key(&json, "options");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < command->option_count; i++)
    alea_cli_put_option(&json, &command->options[i]);
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
  alea_text_char(out, '\n');
}

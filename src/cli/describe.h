#ifndef ALEA_CLI_DESCRIBE_H
#define ALEA_CLI_DESCRIBE_H

/* Commands and their options as data, for what is made from them: manual pages
 * and the completions of shells (tools/manuals). */

#include "base/json.h"
#include "base/options.h"

/* The option as a JSON object: name, kind, default, bounds or choices, help. */
void alea_cli_put_option(alea_json *json, const alea_option *option);
/* The default as a word of the help. */
const char *alea_cli_default_word(const alea_option *option);

/* The command as one JSON object. */
void alea_cli_describe(const alea_command *command, alea_text *out);

#endif

#ifndef ALEA_CLI_OUTPUT_H
#define ALEA_CLI_OUTPUT_H

/* Writing documents to files. */

#include "cli/cli.h"
#include "tournament/doc.h"

/* Writes 'text' to 'path'; on failure prints an error and returns
 * ALEA_SYSTEM. */
alea_status alea_cli_write_file(const char *path, const alea_text *text);
/* Writes HTML to 'html' and the figures to SVG-1.svg, ...; either may be NULL
 * or empty. */
alea_status alea_cli_write_doc(const alea_doc *doc, const char *title, const char *html,
                               const char *svg);

#endif

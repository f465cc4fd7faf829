/* The program: finds the subcommand and calls it. */
#include <stdio.h>
#include <string.h>

#include "alea/player.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

typedef struct main_row {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} main_row;

static const main_row rows[] = {
#define ROW(name, summary) {#name, alea_cli_##name, summary},
    ALEA_CLI_COMMANDS(ROW)
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static int print_help(void) {
  puts(
      "alea: plays any game that is given as rules (GDL, GDL-II, rewriting games)\n\n"
      "usage: alea COMMAND [OPERAND...] [OPTION...]\n\ncommands:");
  for (size_t i = 0; i < ROW_COUNT; i++) printf("  %-12s%s\n", rows[i].name, rows[i].summary);
  puts(
      "\nA GAME is a path to a rulesheet (.kif, .gdl, .toss), - for standard input (-- -.toss for\n"
      "a rewriting game there), or the name of a game that ships (alea games).\n"
      "'alea help COMMAND' tells more, with an example.\n"
      "-V tells how this program was built.\n"
      "\nexit status: 0 done, 1 the answer is \"no\", 2 wrong usage, 3 bad input,\n"
      "4 a limit was reached, 5 a fault of the system");
  return fflush(stdout) == 0 ? 0 : ALEA_SYSTEM;
}

/* The names of the commands, for tools/manuals; `alea NAME --describe` has the rest. */
static int print_names(void) {
  for (size_t i = 0; i < ROW_COUNT; i++) puts(rows[i].name);
  return fflush(stdout) == 0 ? 0 : ALEA_SYSTEM;
}

/* What this program was made of, for reports of faults. */
static int print_build(void) {
  puts("alea " ALEA_VERSION);
#ifdef __clang__
  puts("compiler  clang " __VERSION__);
#else
  puts("compiler  gcc " __VERSION__);
#endif
#if defined __x86_64__
  fputs("machine   x86-64", stdout);
#elif defined __aarch64__
  fputs("machine   aarch64", stdout);
#else
  fputs("machine   another", stdout);
#endif
#if defined __AVX512F__
  puts(", AVX-512");
#elif defined __AVX2__
  puts(", AVX2");
#else
  putchar('\n');
#endif
#ifdef NDEBUG
  puts("asserts   off");
#else
  puts("asserts   on");
#endif
  return fflush(stdout) == 0 ? 0 : ALEA_SYSTEM;
}

static int unknown_command(const char *name) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, name);
  for (size_t i = 0; i < ROW_COUNT; i++) alea_suggest_offer(&suggestion, rows[i].name);
  fprintf(stderr, "alea: unknown command '%s'", name);
  if (suggestion.nearest != NULL) fprintf(stderr, "; did you mean '%s'?", suggestion.nearest);
  fputs("\nTry 'alea --help'.\n", stderr);
  return ALEA_USAGE;
}

int alea_main(int argc, char **argv) {
  if (argc < 2) {
    print_help();
    return ALEA_USAGE;
  }
  bool help = strcmp(argv[1], "help") == 0;
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2))
    return print_help();
  if (strcmp(argv[1], "--version") == 0) {
    puts("alea " ALEA_VERSION);
    return 0;
  }
  if (strcmp(argv[1], "-V") == 0) return print_build();
  if (strcmp(argv[1], "--describe") == 0) return print_names();
  const char *name = argv[help ? 2 : 1];
  char option[] = "--help", *ask[] = {argv[help ? 2 : 1], option, NULL};
  for (size_t i = 0; i < ROW_COUNT; i++) {
    if (strcmp(name, rows[i].name) != 0) continue;
    int status = help ? rows[i].run(2, ask) : rows[i].run(argc - 1, argv + 1);
    alea_cli_release_stop();
    return alea_status_exit((alea_status)status);
  }
  return unknown_command(name);
}

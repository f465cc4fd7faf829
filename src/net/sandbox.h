#ifndef ALEA_NET_SANDBOX_H
#define ALEA_NET_SANDBOX_H

/* The sandbox of a server: what a process that reads strangers' rules may do.
 *
 * Limits of the operating system bound its memory and its open files.  Where
 * the kernel has Landlock, the file system is closed but for a few files that
 * the C library reads, and with a newer one no port can be opened or called.
 * A system call filter (seccomp) forbids starting programs, looking into other
 * processes, and making sockets; connections that are open, and those that the
 * listening socket accepts, are served as before.
 *
 * One file may be named that can still be read; another that is put into its
 * place later cannot.
 *
 * It cannot be left, and holds for the threads that are started afterwards. */

#include "base/choice.h"
#include "base/status.h"
#include "base/text.h"

/* clang-format off */
#define ALEA_SANDBOX_MODES(word)                                             \
  word(ALEA_SANDBOX_AUTO, "auto")         /* as far as the kernel has it */  \
  word(ALEA_SANDBOX_REQUIRED, "required") /* all of it, or none may start */ \
  word(ALEA_SANDBOX_OFF, "off")
/* clang-format on */
typedef enum alea_sandbox_mode { ALEA_SANDBOX_MODES(ALEA_CHOICE_CONSTANT) } alea_sandbox_mode;

typedef struct alea_sandbox_options {
  alea_sandbox_mode mode;
  size_t memory;        /* of the whole process, thread stacks included; 0: no limit */
  unsigned files;       /* open at a time, connections included; 0: no limit */
  const char *readable; /* a file that may be read all the same; NULL: none */
} alea_sandbox_options;

/* Enters the sandbox.  'said' gets a line on what could not be had, if there is
 * such a thing; with ALEA_SANDBOX_REQUIRED that is ALEA_UNSUPPORTED. */
alea_status alea_sandbox_enter(const alea_sandbox_options *options, alea_text *said);

#endif

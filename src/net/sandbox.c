/* The sandbox: setrlimit, Landlock and seccomp. */
#define _GNU_SOURCE /* syscall, O_PATH */
#include "net/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#define HAS_SANDBOX 1
#endif

/* ---- limits ---- */

static bool lower(int resource, size_t value) {
  struct rlimit limit;
  if (value == 0) return true;
  if (getrlimit(resource, &limit) != 0) return false;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= value) return true;
  limit.rlim_cur = value;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value) limit.rlim_max = value;
  return setrlimit(resource, &limit) == 0;
}

static bool set_limits(const alea_sandbox_options *options) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none) == 0 && lower(RLIMIT_DATA, options->memory) &&
         lower(RLIMIT_NOFILE, options->files);
}

#ifdef HAS_SANDBOX

/* ---- files and ports ---- */

/* As the kernel defines it; older headers lack the second member. */
typedef struct landlock_ruleset {
  uint64_t files, ports;
} landlock_ruleset;

enum { PORTS_BIND = 1, PORTS_CONNECT = 2 };

/* Rights over files that the kernels know by version of the interface; unknown
 * ones are an error. */
static uint64_t file_rights(int version) {
  uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* the 13 of version 1 */
  if (version >= 2) rights |= 1u << 13;                     /* linking across folders */
  if (version >= 3) rights |= 1u << 14;                     /* truncating */
  return rights;
}

/* What the C library reads when it is asked for the load or the cores, and
 * where it finds parts of itself. */
static const char *const readable[] = {"/proc/loadavg", "/proc/stat", "/sys/devices/system/cpu",
                                       "/lib",          "/lib64",     "/usr/lib"};

static bool allow_reading(int ruleset, const char *path) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return true; /* not on this system */
  struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
                                            .parent_fd = fd};
  bool good = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(fd);
  return good;
}

/* The version of Landlock that was entered, 0: none.  One more file may be 'named' as readable. */
static int close_files(const char *named) {
  int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  landlock_ruleset rules = {.files = file_rights(version)};
  if (version >= 4) rules.ports = PORTS_BIND | PORTS_CONNECT;
  size_t size = version >= 4 ? sizeof rules : offsetof(landlock_ruleset, ports);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return 0;
  bool good = true;
  for (size_t i = 0; i < sizeof readable / sizeof *readable && good; i++)
    good = allow_reading(ruleset, readable[i]);
  if (good && named != NULL) good = allow_reading(ruleset, named);
  good = good && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return good ? version : 0;
}

/* ---- system calls ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

static const unsigned forbidden[] = {
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_socket, SYS_connect,  SYS_bind,   SYS_listen,           SYS_io_uring_setup,
#ifdef SYS_fork
    SYS_fork,   SYS_vfork,
#endif
};
enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden, FILTER = FORBIDDEN + 6 };

/* The second set of calls that some x86 kernels have begins here. */
#define SECOND_CALLS 0x40000000u

/* Compares the number of a call with each of the forbidden ones.  A call in the
 * manner of another architecture has other numbers: all of those fail. */
static bool filter_calls(void) {
  const unsigned no = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);
  struct sock_filter code[FILTER] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, FORBIDDEN + 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SECOND_CALLS, FORBIDDEN + 1, 0),
  };
  unsigned at = 4;
  for (unsigned i = 0; i < FORBIDDEN; i++)
    code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden[i],
                                              (unsigned char)(FORBIDDEN - i), 0);
  code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, no);
  struct sock_fprog program = {.len = (unsigned short)at, .filter = code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

#else
static bool filter_calls(void) { return false; }
#endif

/* Neither needs privileges once the process has renounced new ones. */
static bool close_all(const alea_sandbox_options *options, const char **missing) {
  enum { PORTS_VERSION = 4 };
  *missing = "a sandbox";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  int version = close_files(options->readable);
  bool calls = filter_calls();
  if (version == 0) *missing = calls ? "Landlock" : "Landlock and seccomp";
  if (version > 0) *missing = calls ? "Landlock for ports" : "seccomp";
  return calls && version >= PORTS_VERSION;
}

#else
static bool close_all(const alea_sandbox_options *options, const char **missing) {
  (void)options;
  *missing = "Landlock and seccomp";
  return false;
}
#endif

alea_status alea_sandbox_enter(const alea_sandbox_options *options, alea_text *said) {
  if (options->mode == ALEA_SANDBOX_OFF) return ALEA_OK;
  const char *missing = "limits";
  bool limits = set_limits(options);
  bool closed = close_all(options, &missing);
  if (limits && closed) return ALEA_OK;
  if (!limits) missing = "limits of memory and files";
  alea_text_format(said, "this system does not give the server %s; see docs/SECURITY.md", missing);
  return options->mode == ALEA_SANDBOX_REQUIRED ? ALEA_UNSUPPORTED : ALEA_OK;
}

/* The sandbox, tried by processes of its own that enter it. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "net/sandbox.h"

/* What a child can tell of itself. */
enum {
  ENTERED = 1,
  SAID = 2, /* that something is missing */
  WROTE = 4,
  READ = 8,
  CONNECTED = 16,
  RAN = 32,
  ALLOCATED = 64,
  THREADED = 128,
};

static void *nothing(void *argument) { return argument; }

static bool can_open(const char *path, int flags) {
  int fd = open(path, flags, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool can_run(void) {
  pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
  }
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool can_allocate(size_t bytes) {
  char *block = malloc(bytes);
  if (block != NULL) block[bytes - 1] = 1;
  bool good = block != NULL && block[bytes - 1] == 1;
  free(block);
  return good;
}

static int try_everything(const alea_sandbox_options *options, const char *file) {
  alea_mem mem;
  alea_text said;
  alea_mem_init(&mem, 0);
  alea_text_init(&said, &mem);
  int can = alea_sandbox_enter(options, &said) == ALEA_OK ? ENTERED : 0;
  if (said.length > 0) can |= SAID;
  alea_text_clear(&said);
  if (can_open(file, O_WRONLY | O_CREAT)) can |= WROTE;
  if (can_open(ALEA_SOURCE_DIR "/README.md", O_RDONLY)) can |= READ;
  if (socket(AF_INET, SOCK_STREAM, 0) >= 0) can |= CONNECTED;
  if (can_run()) can |= RAN;
  if (can_allocate((size_t)1 << 30)) can |= ALLOCATED;
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0)
    can |= THREADED;
  return can;
}

static int ask_child(const alea_sandbox_options *options) {
  char folder[] = "/tmp/alea-sandbox-XXXXXX", file[64];
  assert_non_null(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/file", folder);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(try_everything(options, file));
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  unlink(file);
  rmdir(folder);
  return WEXITSTATUS(status);
}

/* A thread goes on; a file, a connection or a program is out of reach. */
static void closes_the_doors(void **state) {
  (void)state;
  alea_sandbox_options options = {
      .mode = ALEA_SANDBOX_AUTO, .memory = (size_t)512 << 20, .files = 64};
  int can = ask_child(&options);
  assert_true(can & ENTERED);
  assert_true(can & THREADED);
  assert_false(can & RAN);
#ifndef __SANITIZE_ADDRESS__ /* whose own mappings are not counted */
  assert_false(can & ALLOCATED);
#endif
  if (can & SAID) return; /* and that is said: this kernel is older */
  assert_false(can & (WROTE | READ | CONNECTED));
}

/* One file may be read all the same, and nothing else is open. */
static void leaves_a_file_readable(void **state) {
  (void)state;
  alea_sandbox_options options = {
      .mode = ALEA_SANDBOX_AUTO, .files = 64, .readable = ALEA_SOURCE_DIR "/README.md"};
  int can = ask_child(&options);
  assert_int_equal(can & (ENTERED | READ), ENTERED | READ);
  if (can & SAID) return;
  assert_false(can & (WROTE | CONNECTED | RAN));
}

static void can_be_left_out(void **state) {
  (void)state;
  alea_sandbox_options options = {.mode = ALEA_SANDBOX_OFF, .memory = 1 << 20, .files = 1};
  assert_int_equal(ask_child(&options),
                   ENTERED | WROTE | READ | CONNECTED | RAN | ALLOCATED | THREADED);
}

/* Where it is required, either all of it is there or the server does not start. */
static void can_be_required(void **state) {
  (void)state;
  alea_sandbox_options options = {.mode = ALEA_SANDBOX_REQUIRED};
  int can = ask_child(&options);
  assert_int_equal((can & ENTERED) != 0, (can & SAID) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closes_the_doors),
      cmocka_unit_test(leaves_a_file_readable),
      cmocka_unit_test(can_be_left_out),
      cmocka_unit_test(can_be_required),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

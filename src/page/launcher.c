/* The launcher: a process that forks, with descriptors that come by message. */
#include "page/launcher.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 32, MOST_BYTES = 4096, FILES = 64 };

struct alea_launcher {
  int control;
  pid_t process;
  pthread_mutex_t lock; /* one message at a time */
};

/* ---- in a process that was started ---- */

typedef struct launch_work {
  alea_launch_main *run;
  alea_launch_ask *ask;
} launch_work;

/* Leaves when nobody waits any more for what this process does; before that it may be asked to
 * end. */
static void *listen_to_server(void *argument) {
  alea_launch_ask *const *ask = argument;
  struct pollfd ends[2] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO, .events = POLLIN}};
  for (;;) {
    if (poll(ends, 2, -1) <= 0) continue;
    if ((ends[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) _exit(0);
    if (ends[1].revents == 0) continue;
    char asked;
    if (read(STDERR_FILENO, &asked, 1) == 1) (*ask)();
    ends[1].fd = -1; /* once is enough */
  }
  return NULL;
}

static void limit_time(unsigned seconds) {
  struct rlimit limit = {seconds, seconds + 1u};
  if (seconds > 0) setrlimit(RLIMIT_CPU, &limit);
}

static void limit_memory(size_t bytes) {
  struct rlimit limit = {bytes, bytes};
  if (bytes > 0) setrlimit(RLIMIT_DATA, &limit);
}

static void enter_sandbox(const alea_launch_limits *limits) {
  alea_mem mem;
  alea_text said;
  alea_mem_init(&mem, 0);
  alea_text_init(&said, &mem);
  alea_sandbox_options options = {.mode = limits->mode, .memory = limits->memory, .files = FILES};
  if (alea_sandbox_enter(&options, &said) != ALEA_OK) _exit(ALEA_UNSUPPORTED);
  alea_text_clear(&said);
}

/* 'text' has the limits and then the words, each ended by a NUL. */
static void become(launch_work *work, char *text, size_t length, int talk, int errors) {
  char *words[MOST_WORDS + 1];
  int count = 0;
  alea_launch_limits limits;
  memcpy(&limits, text, sizeof limits);
  for (size_t at = sizeof limits; at < length && count < MOST_WORDS; at += strlen(text + at) + 1)
    words[count++] = text + at;
  words[count] = NULL;
  dup2(talk, STDIN_FILENO), dup2(talk, STDOUT_FILENO), dup2(errors, STDERR_FILENO);
  close(talk), close(errors);
  signal(SIGINT, SIG_DFL), signal(SIGCHLD, SIG_DFL);
  limit_time(limits.cpu);
  limit_memory(limits.memory); /* also where there is no sandbox */
  pthread_t guard;
  if (pthread_create(&guard, NULL, listen_to_server, &work->ask) != 0) _exit(ALEA_SYSTEM);
  enter_sandbox(&limits);
  int status = work->run(count, words);
  fflush(stdout), fflush(stderr);
  char end[2] = {0, (char)status};
  _exit(write(STDERR_FILENO, end, sizeof end) == sizeof end ? status : ALEA_SYSTEM);
}

/* ---- in the launcher ---- */

/* Reads one message with its two descriptors; false: the server has gone. */
static bool receive(int control, char *text, size_t *length, int fds[2]) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
  } extra;
  struct iovec piece = {text, MOST_BYTES};
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = extra.bytes,
                           .msg_controllen = sizeof extra.bytes};
  ssize_t got;
  do got = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (got <= 0 || header == NULL || header->cmsg_type != SCM_RIGHTS) return false;
  memcpy(fds, CMSG_DATA(header), 2 * sizeof(int));
  *length = (size_t)got;
  return true;
}

static void serve_requests(int control, launch_work *work) {
  char text[MOST_BYTES] = {0};
  size_t length;
  int fds[2];
  signal(SIGINT, SIG_IGN);  /* the server ends in good order, and this process with it */
  signal(SIGCHLD, SIG_IGN); /* nobody waits for what was started */
  signal(SIGPIPE, SIG_IGN);
  while (receive(control, text, &length, fds)) {
    if (fork() == 0) {
      close(control);
      become(work, text, length, fds[0], fds[1]);
    }
    close(fds[0]), close(fds[1]);
  }
  _exit(0);
}

/* ---- in the server ---- */

alea_status alea_launcher_new(alea_launcher **launcher, alea_launch_main *run, alea_launch_ask *ask,
                              alea_diag *diag) {
  int ends[2];
  *launcher = NULL;
  alea_launcher *l = calloc(1, sizeof *l);
  bool made = l != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
  pid_t process = made ? fork() : -1;
  if (process == 0) {
    close(ends[0]);
    serve_requests(ends[1], &(launch_work){run, ask});
  }
  if (made) close(ends[1]);
  if (process < 0) {
    alea_diag_error(diag, ((alea_place){0}), "process", "cannot start a process: %s",
                    strerror(errno));
    if (made) close(ends[0]);
    free(l);
    return ALEA_SYSTEM;
  }
  l->control = ends[0];
  l->process = process;
  pthread_mutex_init(&l->lock, NULL);
  *launcher = l;
  return ALEA_OK;
}

void alea_launcher_free(alea_launcher *launcher) {
  if (launcher == NULL) return;
  close(launcher->control);
  waitpid(launcher->process, NULL, 0);
  pthread_mutex_destroy(&launcher->lock);
  free(launcher);
}

static bool send_request(alea_launcher *l, const char *text, size_t length, const int fds[2]) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
  } extra = {.bytes = {0}};
  char copy[MOST_BYTES];
  memcpy(copy, text, length);
  struct iovec piece = {copy, length};
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = extra.bytes,
                           .msg_controllen = sizeof extra.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  memcpy(CMSG_DATA(header), fds, 2 * sizeof(int));
  pthread_mutex_lock(&l->lock);
  ssize_t sent = sendmsg(l->control, &message, MSG_NOSIGNAL);
  pthread_mutex_unlock(&l->lock);
  return sent == (ssize_t)length;
}

alea_status alea_launch(alea_launcher *launcher, const alea_launch_limits *limits,
                        const char *const *words, alea_launched *launched) {
  char text[MOST_BYTES];
  size_t length = sizeof *limits, count = 0;
  memcpy(text, limits, sizeof *limits);
  *launched = (alea_launched){-1, -1};
  for (; words[count] != NULL; count++) {
    size_t bytes = strlen(words[count]) + 1;
    if (count == MOST_WORDS || bytes > sizeof text - length) return ALEA_SYSTEM;
    memcpy(text + length, words[count], bytes);
    length += bytes;
  }
  int talk[2], errors[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0) return ALEA_SYSTEM;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, errors) != 0) {
    close(talk[0]), close(talk[1]);
    return ALEA_SYSTEM;
  }
  int theirs[2] = {talk[1], errors[1]};
  bool sent = send_request(launcher, text, length, theirs);
  close(talk[1]), close(errors[1]);
  *launched = (alea_launched){talk[0], errors[0]};
  if (sent) return ALEA_OK;
  close(talk[0]), close(errors[0]);
  return ALEA_SYSTEM;
}

/* A pool of child processes.
 *
 * Each is joined to the scheduler by a socket.  The scheduler writes numbers of
 * units; the child plays them in turn and answers with the length and the
 * bytes of an outcome.  A closed socket means that the other side is gone. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "tournament/pool.h"

enum { DEPTH = 8 }; /* units that a worker may have at once */

typedef struct member {
  pid_t pid;  /* 0: none */
  int socket; /* -1: none */
  uint64_t units[DEPTH];
  uint32_t count;     /* of units; the first one is being played */
  alea_text incoming; /* what was read of an answer so far */
  size_t used;        /* bytes of it that were handed out */
} member;

typedef struct local_pool {
  alea_pool base;
  uint32_t size;
  member *members;
  struct pollfd *polls;
  ALEA_VEC(alea_pool_event) losses; /* not yet told */
  uint32_t next;                    /* whom to look at first: all get their turn */
} local_pool;

/* ---- the child ---- */

static bool read_fully(int socket, void *bytes, size_t count) {
  for (char *at = bytes; count > 0;) {
    ssize_t got = read(socket, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= (size_t)got;
  }
  return true;
}

static bool write_fully(int socket, const void *bytes, size_t count) {
  for (const char *at = bytes; count > 0;) {
    ssize_t sent = send(socket, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    count -= (size_t)sent;
  }
  return true;
}

static _Noreturn void be_worker(const alea_tournament_plan *plan, int socket, pid_t scheduler) {
  /* A signal at the scheduler's death, where there is such a thing; else the
   * worker looks after every step. */
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != scheduler) _exit(0);
  signal(SIGINT, SIG_IGN); /* the scheduler gets it too, and decides */
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  alea_worker worker;
  alea_worker_init(&worker, plan);
  worker.scheduler = (int)scheduler;
  alea_text answer;
  alea_text_init(&answer, &worker.mem);
  for (uint64_t unit; read_fully(socket, &unit, sizeof unit);) {
    alea_text_truncate(&answer, 0);
    if (alea_worker_play(&worker, unit, &answer) != ALEA_OK) break;
    uint64_t length = answer.length;
    if (!write_fully(socket, &length, sizeof length)) break;
    if (!write_fully(socket, answer.data, answer.length)) break;
  }
  _exit(0); /* without the scheduler's exit handlers and buffers */
}

/* ---- hiring ---- */

/* The child keeps none of the scheduler's files but the terminal and its own
 * socket: another worker's socket left open would hide the scheduler's death. */
static void close_others(int keep) {
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 4096) most = 4096;
  for (int i = STDERR_FILENO + 1; i < (int)most; i++)
    if (i != keep) close(i);
}

static alea_status hire(local_pool *c, member *m) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return ALEA_SYSTEM;
  pid_t scheduler = getpid(), pid = fork();
  if (pid < 0) {
    close(sockets[0]);
    close(sockets[1]);
    return ALEA_SYSTEM;
  }
  if (pid == 0) {
    close_others(sockets[1]);
    be_worker(c->base.plan, sockets[1], scheduler);
  }
  close(sockets[1]);
  m->pid = pid;
  m->socket = sockets[0];
  m->count = 0;
  m->used = 0;
  alea_text_truncate(&m->incoming, 0);
  return ALEA_OK;
}

/* Takes down what a dead worker had, and how it died. */
static alea_status bury(local_pool *c, member *m) {
  int how = 0;
  close(m->socket);
  m->socket = -1;
  kill(m->pid, SIGKILL); /* where it only closed its socket */
  while (waitpid(m->pid, &how, 0) < 0 && errno == EINTR) continue;
  m->pid = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    alea_pool_event loss = {.kind = ALEA_POOL_LOST,
                            .unit = m->units[i],
                            .playing = i == 0,
                            .signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0};
    if (!alea_vec_push(c->base.mem, &c->losses, loss)) return ALEA_SYSTEM;
  }
  m->count = 0;
  return ALEA_OK;
}

/* ---- the scheduler's side ---- */

static alea_status give(alea_pool *base, uint64_t unit, uint32_t depth) {
  local_pool *c = (local_pool *)base;
  if (depth > DEPTH) depth = DEPTH;
  member *least = NULL;
  for (uint32_t i = 0; i < c->size; i++) {
    member *m = &c->members[i];
    if (least == NULL || m->count < least->count) least = m;
  }
  if (least->count >= depth) return ALEA_NONE;
  if (least->pid == 0) {
    alea_status status = hire(c, least);
    if (status != ALEA_OK) return status;
  }
  least->units[least->count++] = unit;
  /* Where the worker is dead this fails; its socket will tell. */
  (void)write_fully(least->socket, &unit, sizeof unit);
  return ALEA_OK;
}

/* Hands out a complete answer, if there is one. */
static bool take_answer(member *m, alea_pool_event *event) {
  uint64_t length;
  size_t left = m->incoming.length - m->used;
  if (left < sizeof length) return false;
  memcpy(&length, m->incoming.data + m->used, sizeof length);
  if (left - sizeof length < length) return false;
  *event = (alea_pool_event){.kind = ALEA_POOL_RESULT,
                             .bytes = m->incoming.data + m->used + sizeof length,
                             .length = (size_t)length};
  m->used += sizeof length + (size_t)length;
  if (m->count > 0) m->count--;
  memmove(m->units, m->units + 1, m->count * sizeof *m->units);
  return true;
}

/* Forgets the bytes that were handed out. */
static void tidy(member *m) {
  if (m->used == 0) return;
  size_t left = m->incoming.length - m->used;
  memmove(m->incoming.data, m->incoming.data + m->used, left);
  alea_text_truncate(&m->incoming, left);
  m->used = 0;
}

static alea_status hear(local_pool *c, member *m) {
  char buffer[1 << 16];
  ssize_t got = recv(m->socket, buffer, sizeof buffer, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return ALEA_OK;
  if (got <= 0) return bury(c, m);
  alea_text_add(&m->incoming, buffer, (size_t)got);
  return m->incoming.failed ? ALEA_SYSTEM : ALEA_OK;
}

static alea_status listen_to_all(local_pool *c, double seconds) {
  nfds_t count = 0;
  for (uint32_t i = 0; i < c->size; i++)
    if (c->members[i].pid != 0)
      c->polls[count++] = (struct pollfd){.fd = c->members[i].socket, .events = POLLIN};
  int ready = poll(c->polls, count, (int)(seconds * 1000));
  if (ready < 0 && errno != EINTR) return ALEA_SYSTEM;
  alea_status status = ALEA_OK;
  for (uint32_t i = 0, at = 0; ready > 0 && status == ALEA_OK && i < c->size; i++) {
    if (c->members[i].pid == 0) continue;
    if (c->polls[at++].revents != 0) status = hear(c, &c->members[i]);
  }
  return status;
}

static bool next_event(local_pool *c, alea_pool_event *event) {
  for (uint32_t i = 0; i < c->size; i++) {
    uint32_t at = (c->next + i) % c->size;
    if (!take_answer(&c->members[at], event)) continue;
    c->next = (at + 1) % c->size;
    return true;
  }
  if (c->losses.count == 0) return false;
  *event = c->losses.data[--c->losses.count];
  return true;
}

static alea_status wait_for(alea_pool *base, double seconds, alea_pool_event *event) {
  local_pool *c = (local_pool *)base;
  *event = (alea_pool_event){.kind = ALEA_POOL_NOTHING};
  if (next_event(c, event)) return ALEA_OK;
  for (uint32_t i = 0; i < c->size; i++) tidy(&c->members[i]);
  alea_status status = listen_to_all(c, seconds);
  if (status == ALEA_OK) (void)next_event(c, event);
  return status;
}

static void free_crew(alea_pool *base) {
  local_pool *c = (local_pool *)base;
  alea_mem *mem = base->mem;
  for (uint32_t i = 0; c->members != NULL && i < c->size; i++) {
    member *m = &c->members[i];
    m->count = 0;
    if (m->pid != 0) (void)bury(c, m);
    alea_text_clear(&m->incoming);
  }
  alea_vec_clear(mem, &c->losses);
  alea_mem_free(mem, c->polls, c->size * sizeof *c->polls);
  alea_mem_free(mem, c->members, c->size * sizeof *c->members);
  alea_mem_free(mem, c, sizeof *c);
}

static const alea_pool_class local_class = {.free = free_crew, .give = give, .wait = wait_for};

alea_status alea_pool_local(alea_pool **made, const alea_tournament_plan *plan, uint32_t workers,
                            alea_mem *mem) {
  local_pool *c = alea_mem_zalloc(mem, sizeof *c);
  *made = NULL;
  if (c == NULL) return ALEA_SYSTEM;
  c->base = (alea_pool){.class = &local_class, .mem = mem, .plan = plan};
  c->size = workers > 0 ? workers : 1;
  c->members = alea_mem_calloc(mem, c->size, sizeof *c->members);
  c->polls = alea_mem_calloc(mem, c->size, sizeof *c->polls);
  for (uint32_t i = 0; c->members != NULL && i < c->size; i++) {
    c->members[i].socket = -1;
    alea_text_init(&c->members[i].incoming, mem);
  }
  if (c->members == NULL || c->polls == NULL) {
    free_crew(&c->base);
    return ALEA_SYSTEM;
  }
  *made = &c->base;
  return ALEA_OK;
}

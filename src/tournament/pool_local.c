/* A pool of child processes.
 *
 * Each child is connected to the scheduler by a socket.  The scheduler writes
 * numbers of units; the child plays them in turn and answers with the length
 * and the bytes of an outcome.  A closed socket means that the other side has
 * ended. */
#define _GNU_SOURCE /* close_range */
#include <errno.h>
#include <limits.h>
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

typedef struct local_worker {
  pid_t pid;  /* 0: none */
  int socket; /* -1: none */
  uint64_t units[DEPTH];
  uint32_t count;     /* of units; the first one is being played */
  alea_text incoming; /* the part of an answer read so far */
  size_t used;        /* bytes of it that were delivered */
} local_worker;

typedef struct local_pool {
  alea_pool base;
  uint32_t size;
  local_worker *workers;
  struct pollfd *polls;
  ALEA_VEC(alea_pool_event) losses; /* not yet delivered */
  uint32_t next;                    /* worker to check first, in turn */
} local_pool;

/* ---- the child ---- */

/* Remote players are told ABORT before a worker ends: the signal asks for it,
 * the match sees the flag, and the worker ends.  The pointer is set once, in the
 * worker, before the signal can come. */
static atomic_bool *raise_on_signal;

static void on_end_signal(int number) {
  (void)number;
  atomic_store(raise_on_signal, true);
}

static bool was_told(void) { return raise_on_signal != NULL && atomic_load(raise_on_signal); }

static void obey_signal(atomic_bool *stop) {
  raise_on_signal = stop;
  struct sigaction action = {.sa_handler = on_end_signal};
  sigaction(SIGTERM, &action, NULL);
}

/* Waits for a unit; a signal to end interrupts it. */
static bool read_fully(int socket, void *bytes, size_t count) {
  for (char *at = bytes; count > 0;) {
    ssize_t got = read(socket, at, count);
    if (got < 0 && errno == EINTR && !was_told()) continue;
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

static bool is_remote(const alea_tournament_plan *plan) {
  return plan->remote && plan->remotes.stop != NULL;
}

static _Noreturn void be_worker(const alea_tournament_plan *plan, int socket, pid_t scheduler) {
  /* Linux sends a signal when the scheduler dies; elsewhere the worker checks
   * after every step. */
  if (is_remote(plan)) obey_signal(plan->remotes.stop);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, is_remote(plan) ? SIGTERM : SIGKILL);
#endif
  if (getppid() != scheduler) _exit(0);
  /* The scheduler gets these, too, and decides. */
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  alea_worker worker;
  alea_worker_init(&worker, plan, (int)scheduler);
  alea_text answer;
  alea_text_init(&answer, &worker.mem);
  for (uint64_t unit; read_fully(socket, &unit, sizeof unit);) {
    alea_text_truncate(&answer, 0);
    if (alea_worker_play(&worker, unit, &answer) != ALEA_OK) break;
    uint64_t length = answer.length;
    if (!write_fully(socket, &length, sizeof length)) break;
    if (!write_fully(socket, answer.data, answer.length)) break;
  }
  _exit(0); /* without the exit handlers and buffers of the scheduler */
}

/* ---- starting and ending workers ---- */

/* The child keeps no file of the scheduler but the terminal and its own socket:
 * an open socket of another worker would hide the death of the scheduler. */
static void close_others(int keep) {
  unsigned first = STDERR_FILENO + 1, kept = (unsigned)keep;
#ifdef CLOSE_RANGE_CLOEXEC
  if ((kept == first || close_range(first, kept - 1, 0) == 0) &&
      close_range(kept + 1, UINT_MAX, 0) == 0)
    return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  for (unsigned i = first; i < (most > 0 ? (unsigned)most : 1u << 16); i++)
    if (i != kept) close((int)i);
}

static alea_status start_worker(local_pool *pool, local_worker *w) {
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
    be_worker(pool->base.plan, sockets[1], scheduler);
  }
  close(sockets[1]);
  w->pid = pid;
  w->socket = sockets[0];
  w->count = 0;
  w->used = 0;
  alea_text_truncate(&w->incoming, 0);
  return ALEA_OK;
}

/* Records the units that a dead worker had, and wait_status it died. */
static alea_status reap_worker(local_pool *pool, local_worker *w) {
  int wait_status = 0;
  close(w->socket);
  w->socket = -1;
  kill(w->pid, SIGKILL); /* in case it only closed its socket */
  while (waitpid(w->pid, &wait_status, 0) < 0 && errno == EINTR) continue;
  w->pid = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    alea_pool_event loss = {.kind = ALEA_POOL_LOST,
                            .unit = w->units[i],
                            .playing = i == 0,
                            .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0};
    if (!alea_vec_push(pool->base.mem, &pool->losses, loss)) return ALEA_SYSTEM;
  }
  w->count = 0;
  return ALEA_OK;
}

/* ---- the scheduler's side ---- */

static alea_status give(alea_pool *base, uint64_t unit, uint32_t depth) {
  local_pool *pool = (local_pool *)base;
  if (depth > DEPTH) depth = DEPTH;
  local_worker *least = NULL;
  for (uint32_t i = 0; i < pool->size; i++) {
    local_worker *w = &pool->workers[i];
    if (least == NULL || w->count < least->count) least = w;
  }
  if (least->count >= depth) return ALEA_NONE;
  if (least->pid == 0) {
    alea_status status = start_worker(pool, least);
    if (status != ALEA_OK) return status;
  }
  least->units[least->count++] = unit;
  /* If the worker is dead, this fails; its closed socket will show it. */
  (void)write_fully(least->socket, &unit, sizeof unit);
  return ALEA_OK;
}

/* Delivers a complete answer, if there is one. */
static bool take_answer(local_worker *w, alea_pool_event *event) {
  uint64_t length;
  size_t left = w->incoming.length - w->used;
  if (left < sizeof length) return false;
  memcpy(&length, w->incoming.data + w->used, sizeof length);
  if (left - sizeof length < length) return false;
  *event = (alea_pool_event){.kind = ALEA_POOL_RESULT,
                             .bytes = w->incoming.data + w->used + sizeof length,
                             .length = (size_t)length};
  w->used += sizeof length + (size_t)length;
  if (w->count > 0) w->count--;
  memmove(w->units, w->units + 1, w->count * sizeof *w->units);
  return true;
}

/* Discards the bytes that were delivered. */
static void tidy(local_worker *w) {
  if (w->used == 0) return;
  size_t left = w->incoming.length - w->used;
  memmove(w->incoming.data, w->incoming.data + w->used, left);
  alea_text_truncate(&w->incoming, left);
  w->used = 0;
}

static alea_status read_socket(local_pool *pool, local_worker *w) {
  char buffer[1 << 16];
  ssize_t got = recv(w->socket, buffer, sizeof buffer, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return ALEA_OK;
  if (got <= 0) return reap_worker(pool, w);
  alea_text_add(&w->incoming, buffer, (size_t)got);
  return w->incoming.failed ? ALEA_SYSTEM : ALEA_OK;
}

static alea_status read_all(local_pool *pool, double seconds) {
  nfds_t count = 0;
  for (uint32_t i = 0; i < pool->size; i++)
    if (pool->workers[i].pid != 0)
      pool->polls[count++] = (struct pollfd){.fd = pool->workers[i].socket, .events = POLLIN};
  int ready = poll(pool->polls, count, (int)(seconds * 1000));
  if (ready < 0 && errno != EINTR) return ALEA_SYSTEM;
  alea_status status = ALEA_OK;
  for (uint32_t i = 0, at = 0; ready > 0 && status == ALEA_OK && i < pool->size; i++) {
    if (pool->workers[i].pid == 0) continue;
    if (pool->polls[at++].revents != 0) status = read_socket(pool, &pool->workers[i]);
  }
  return status;
}

static bool next_event(local_pool *pool, alea_pool_event *event) {
  for (uint32_t i = 0; i < pool->size; i++) {
    uint32_t at = (pool->next + i) % pool->size;
    if (!take_answer(&pool->workers[at], event)) continue;
    pool->next = (at + 1) % pool->size;
    return true;
  }
  if (pool->losses.count == 0) return false;
  *event = pool->losses.data[--pool->losses.count];
  return true;
}

static alea_status wait_for(alea_pool *base, double seconds, alea_pool_event *event) {
  local_pool *pool = (local_pool *)base;
  *event = (alea_pool_event){.kind = ALEA_POOL_NOTHING};
  if (next_event(pool, event)) return ALEA_OK;
  for (uint32_t i = 0; i < pool->size; i++) tidy(&pool->workers[i]);
  alea_status status = read_all(pool, seconds);
  if (status == ALEA_OK) (void)next_event(pool, event);
  return status;
}

/* Gives workers with remote players the time to say ABORT. */
static void end_gently(local_pool *pool) {
  enum { TRIES = 150 };
  for (uint32_t i = 0; i < pool->size; i++)
    if (pool->workers[i].pid != 0) kill(pool->workers[i].pid, SIGTERM);
  for (uint32_t i = 0, tries = 0; i < pool->size && tries < TRIES;) {
    struct pollfd one = {.fd = pool->workers[i].socket, .events = 0};
    bool over = pool->workers[i].pid == 0 || poll(&one, 1, 0) != 0;
    if (over) {
      i++;
    } else {
      tries++;
      (void)poll(NULL, 0, 20);
    }
  }
}

static void free_pool(alea_pool *base) {
  local_pool *pool = (local_pool *)base;
  alea_mem *mem = base->mem;
  if (pool->workers != NULL && is_remote(base->plan)) end_gently(pool);
  for (uint32_t i = 0; pool->workers != NULL && i < pool->size; i++) {
    local_worker *w = &pool->workers[i];
    w->count = 0;
    if (w->pid != 0) (void)reap_worker(pool, w);
    alea_text_clear(&w->incoming);
  }
  alea_vec_clear(mem, &pool->losses);
  alea_mem_free(mem, pool->polls, pool->size * sizeof *pool->polls);
  alea_mem_free(mem, pool->workers, pool->size * sizeof *pool->workers);
  alea_mem_free(mem, pool, sizeof *pool);
}

static const alea_pool_class local_class = {.free = free_pool, .give = give, .wait = wait_for};

alea_status alea_pool_local(alea_pool **result, const alea_tournament_plan *plan, uint32_t workers,
                            alea_mem *mem) {
  local_pool *pool = alea_mem_zalloc(mem, sizeof *pool);
  *result = NULL;
  if (pool == NULL) return ALEA_SYSTEM;
  pool->base = (alea_pool){.class = &local_class, .mem = mem, .plan = plan};
  pool->size = workers > 0 ? workers : 1;
  pool->workers = alea_mem_calloc(mem, pool->size, sizeof *pool->workers);
  pool->polls = alea_mem_calloc(mem, pool->size, sizeof *pool->polls);
  for (uint32_t i = 0; pool->workers != NULL && i < pool->size; i++) {
    pool->workers[i].socket = -1;
    alea_text_init(&pool->workers[i].incoming, mem);
  }
  if (pool->workers == NULL || pool->polls == NULL) {
    free_pool(&pool->base);
    return ALEA_SYSTEM;
  }
  *result = &pool->base;
  return ALEA_OK;
}

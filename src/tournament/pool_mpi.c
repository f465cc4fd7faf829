/* A pool of the ranks of an MPI job.
 *
 * Rank 0 schedules and stores.  Every other rank has a pool of child processes
 * (pool_local.c) and passes messages between it and rank 0: a player that
 * crashes, or is killed for lack of memory, ends its process but not the rank,
 * whose death would end the whole job in most MPI implementations.  A rank that
 * is silent for too long is given up, and its units go to others. */
#include "tournament/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

bool alea_mpi_started(void) {
  return getenv("OMPI_COMM_WORLD_SIZE") != NULL || getenv("PMIX_RANK") != NULL ||
         getenv("PMI_RANK") != NULL;
}

#ifndef ALEA_HAS_MPI

bool alea_mpi_built(void) { return false; }
alea_status alea_mpi_join(int *rank, int *ranks) {
  *rank = 0;
  *ranks = 1;
  return ALEA_USAGE;
}
void alea_mpi_leave(bool broken, int status) { (void)broken, (void)status; }
alea_status alea_mpi_share(alea_text *text) { return text->failed ? ALEA_SYSTEM : ALEA_USAGE; }
alea_status alea_pool_mpi(alea_pool **pool, const alea_tournament_plan *plan, uint32_t workers,
                          double patience, bool *broken, alea_mem *mem) {
  (void)plan, (void)workers, (void)patience, (void)mem;
  *pool = NULL;
  *broken = false;
  return ALEA_USAGE;
}
alea_status alea_mpi_serve(const alea_tournament_plan *plan, uint32_t workers, double patience,
                           bool (*told_to_stop)(void), alea_mem *mem) {
  (void)plan, (void)workers, (void)patience, (void)told_to_stop, (void)mem;
  return ALEA_USAGE;
}

#else

#include <mpi.h>

enum { TAG_UNIT = 1, TAG_STOP, TAG_RESULT, TAG_LOST, TAG_ALIVE };
enum { DEPTH = 8 };

/* The interval at which rank 0 polls for messages; a blocking call would keep a
 * core busy that a worker needs. */
static const double nap = 0.0005;
/* Seconds after a signal within which rank 0 should have said that all is over. */
static const double word_of_the_first = 0.4;

typedef struct loss_note {
  uint64_t unit;
  int64_t playing, signal;
} loss_note;

static void sleep_for(double seconds) {
  struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
  nanosleep(&time, NULL);
}

bool alea_mpi_built(void) { return true; }

alea_status alea_mpi_join(int *rank, int *ranks) {
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return ALEA_SYSTEM;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  bool good = MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
              MPI_Comm_size(MPI_COMM_WORLD, ranks) == MPI_SUCCESS;
  return good ? ALEA_OK : ALEA_SYSTEM;
}

void alea_mpi_leave(bool broken, int status) {
  if (broken) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
}

alea_status alea_mpi_share(alea_text *text) {
  int rank;
  uint64_t length = text->length;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return ALEA_SYSTEM;
  if (length > ALEA_YAML_BYTES) return ALEA_LIMIT;
  char *bytes = alea_mem_alloc(text->mem, (size_t)length + 1);
  if (bytes == NULL) return ALEA_SYSTEM;
  if (rank == 0) memcpy(bytes, alea_text_string(text), (size_t)length);
  bool good = MPI_Bcast(bytes, (int)length, MPI_BYTE, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
  if (good && rank != 0) alea_text_truncate(text, 0);
  if (good && rank != 0) alea_text_add(text, bytes, (size_t)length);
  alea_mem_free(text->mem, bytes, (size_t)length + 1);
  return good && !text->failed ? ALEA_OK : ALEA_SYSTEM;
}

/* Receives the next message, if one is there, into 'buffer'. */
static alea_status receive(alea_text *buffer, int *source, int *tag, bool *got) {
  MPI_Status info;
  int there = 0, count = 0;
  *got = false;
  if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &info) != MPI_SUCCESS)
    return ALEA_SYSTEM;
  if (!there) return ALEA_OK;
  MPI_Get_count(&info, MPI_BYTE, &count);
  alea_text_truncate(buffer, 0);
  while (buffer->length < (size_t)count && !buffer->failed) alea_text_add(buffer, "\0\0\0\0", 4);
  if (buffer->failed) return ALEA_SYSTEM;
  *source = info.MPI_SOURCE;
  *tag = info.MPI_TAG;
  alea_text_truncate(buffer, (size_t)count);
  *got = MPI_Recv(buffer->data, count, MPI_BYTE, *source, *tag, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE) == MPI_SUCCESS;
  return *got ? ALEA_OK : ALEA_SYSTEM;
}

/* ---- rank 0 ---- */

typedef struct rank_state {
  uint64_t *units; /* room for DEPTH * workers */
  uint32_t count;
  double heard;
  bool gone;
} rank_state;

typedef struct mpi_pool {
  alea_pool base;
  int ranks;
  uint32_t workers;
  double patience;    /* seconds until a silent rank is given up */
  rank_state *states; /* per rank; the first is not used */
  alea_text buffer;
  bool *broken;
  ALEA_VEC(alea_pool_event) losses;
} mpi_pool;

static alea_status give(alea_pool *base, uint64_t unit, uint32_t depth) {
  mpi_pool *pool = (mpi_pool *)base;
  rank_state *least = NULL;
  bool somebody = false;
  if (depth > DEPTH) depth = DEPTH;
  for (int r = 1; r < pool->ranks; r++) {
    rank_state *s = &pool->states[r];
    if (s->gone) continue;
    somebody = true;
    if (s->count < depth * pool->workers && (least == NULL || s->count < least->count)) least = s;
  }
  if (!somebody) return ALEA_SYSTEM;
  if (least == NULL) return ALEA_NONE;
  int rank = (int)(least - pool->states);
  least->units[least->count++] = unit;
  if (MPI_Send(&unit, sizeof unit, MPI_BYTE, rank, TAG_UNIT, MPI_COMM_WORLD) != MPI_SUCCESS)
    least->heard = -1e9; /* so that it is given up */
  return ALEA_OK;
}

/* Removes a unit from the list of a rank; false if it was not there. */
static bool remove_unit(rank_state *s, uint64_t unit) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->units[i] != unit) continue;
    memmove(s->units + i, s->units + i + 1, (--s->count - i) * sizeof *s->units);
    return true;
  }
  return false;
}

static alea_status find_silent(mpi_pool *pool) {
  double now = alea_clock_wall();
  for (int r = 1; r < pool->ranks; r++) {
    rank_state *s = &pool->states[r];
    if (s->gone || now - s->heard < pool->patience) continue;
    s->gone = true;
    *pool->broken = true;
    for (uint32_t i = 0; i < s->count; i++) {
      alea_pool_event loss = {.kind = ALEA_POOL_LOST, .unit = s->units[i], .playing = i == 0};
      if (!alea_vec_push(pool->base.mem, &pool->losses, loss)) return ALEA_SYSTEM;
    }
    s->count = 0;
  }
  return ALEA_OK;
}

static uint64_t unit_of(const char *bytes) {
  uint64_t unit = 0;
  for (int i = 0; i < 8; i++) unit |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
  return unit;
}

/* Handles a message from a rank.  Messages about units of a rank that was given
 * up are ignored. */
static void read_message(mpi_pool *pool, int source, int tag, alea_pool_event *event) {
  rank_state *s = &pool->states[source];
  s->heard = alea_clock_wall();
  if (tag == TAG_RESULT && pool->buffer.length >= 8) {
    if (remove_unit(s, unit_of(pool->buffer.data)))
      *event = (alea_pool_event){
          .kind = ALEA_POOL_RESULT, .bytes = pool->buffer.data, .length = pool->buffer.length};
  } else if (tag == TAG_LOST && pool->buffer.length == sizeof(loss_note)) {
    loss_note note;
    memcpy(&note, pool->buffer.data, sizeof note);
    if (remove_unit(s, note.unit))
      *event = (alea_pool_event){.kind = ALEA_POOL_LOST,
                                 .unit = note.unit,
                                 .playing = note.playing != 0,
                                 .signal = (int)note.signal};
  }
}

static alea_status wait_for(alea_pool *base, double seconds, alea_pool_event *event) {
  mpi_pool *pool = (mpi_pool *)base;
  double until = alea_clock_wall() + seconds;
  *event = (alea_pool_event){.kind = ALEA_POOL_NOTHING};
  do {
    int source, tag;
    bool got;
    alea_status status = receive(&pool->buffer, &source, &tag, &got);
    if (status != ALEA_OK) return status;
    if (got) read_message(pool, source, tag, event);
    if (!got && (status = find_silent(pool)) != ALEA_OK) return status;
    if (event->kind == ALEA_POOL_NOTHING && pool->losses.count > 0)
      *event = pool->losses.data[--pool->losses.count];
    if (!got && event->kind == ALEA_POOL_NOTHING) sleep_for(nap);
  } while (event->kind == ALEA_POOL_NOTHING && alea_clock_wall() < until);
  return ALEA_OK;
}

static void free_pool(alea_pool *base) {
  mpi_pool *pool = (mpi_pool *)base;
  alea_mem *mem = base->mem;
  for (int r = 1; pool->states != NULL && r < pool->ranks; r++) {
    if (!pool->states[r].gone) (void)MPI_Send(NULL, 0, MPI_BYTE, r, TAG_STOP, MPI_COMM_WORLD);
    alea_mem_free(mem, pool->states[r].units,
                  DEPTH * pool->workers * sizeof *pool->states[r].units);
  }
  alea_vec_clear(mem, &pool->losses);
  alea_text_clear(&pool->buffer);
  alea_mem_free(mem, pool->states, (size_t)pool->ranks * sizeof *pool->states);
  alea_mem_free(mem, pool, sizeof *pool);
}

static const alea_pool_class mpi_class = {.free = free_pool, .give = give, .wait = wait_for};

alea_status alea_pool_mpi(alea_pool **result, const alea_tournament_plan *plan, uint32_t workers,
                          double patience, bool *broken, alea_mem *mem) {
  mpi_pool *pool = alea_mem_zalloc(mem, sizeof *pool);
  *result = NULL;
  if (pool == NULL) return ALEA_SYSTEM;
  pool->base = (alea_pool){.class = &mpi_class, .mem = mem, .plan = plan};
  pool->workers = workers > 0 ? workers : 1;
  pool->patience = patience;
  pool->broken = broken;
  *broken = false;
  alea_text_init(&pool->buffer, mem);
  MPI_Comm_size(MPI_COMM_WORLD, &pool->ranks);
  pool->states = alea_mem_calloc(mem, (size_t)pool->ranks, sizeof *pool->states);
  bool good = pool->states != NULL;
  for (int r = 1; good && r < pool->ranks; r++) {
    pool->states[r].heard = alea_clock_wall();
    pool->states[r].units =
        alea_mem_calloc(mem, DEPTH * pool->workers, sizeof *pool->states[r].units);
    good = pool->states[r].units != NULL;
  }
  *result = &pool->base;
  if (good) return ALEA_OK;
  free_pool(&pool->base);
  *result = NULL;
  return ALEA_SYSTEM;
}

/* ---- the other ranks ---- */

typedef struct relay {
  alea_pool *pool;
  alea_mem *mem;
  alea_text buffer;
  alea_u64s waiting; /* units that the pool has no room for */
  double sent, patience;
  bool stop;
} relay;

static alea_status send_bytes(relay *r, const void *bytes, size_t length, int tag) {
  r->sent = alea_clock_wall();
  if (length > INT32_MAX) return ALEA_LIMIT;
  int result = MPI_Send(bytes, (int)length, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
  return result == MPI_SUCCESS ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status receive_units(relay *r) {
  for (;;) {
    int source, tag;
    bool got;
    alea_status status = receive(&r->buffer, &source, &tag, &got);
    if (status != ALEA_OK || !got) return status;
    if (tag == TAG_STOP) r->stop = true;
    if (tag != TAG_UNIT || r->buffer.length != sizeof(uint64_t)) continue;
    uint64_t unit;
    memcpy(&unit, r->buffer.data, sizeof unit);
    if (!alea_vec_push(r->mem, &r->waiting, unit)) return ALEA_SYSTEM;
  }
}

static alea_status give_units(relay *r) {
  while (r->waiting.count > 0) {
    alea_status status = r->pool->class->give(r->pool, r->waiting.data[0], DEPTH);
    if (status == ALEA_NONE) return ALEA_OK;
    if (status != ALEA_OK) return status;
    r->waiting.count--;
    memmove(r->waiting.data, r->waiting.data + 1, r->waiting.count * sizeof *r->waiting.data);
  }
  return ALEA_OK;
}

static alea_status send_event(relay *r) {
  alea_pool_event event;
  alea_status status = r->pool->class->wait(r->pool, 0.001, &event);
  if (status != ALEA_OK) return status;
  if (event.kind == ALEA_POOL_RESULT) return send_bytes(r, event.bytes, event.length, TAG_RESULT);
  if (event.kind == ALEA_POOL_LOST) {
    loss_note note = {.unit = event.unit, .playing = event.playing, .signal = event.signal};
    return send_bytes(r, &note, sizeof note, TAG_LOST);
  }
  return alea_clock_wall() - r->sent > r->patience / 10 ? send_bytes(r, NULL, 0, TAG_ALIVE)
                                                        : ALEA_OK;
}

alea_status alea_mpi_serve(const alea_tournament_plan *plan, uint32_t workers, double patience,
                           bool (*told_to_stop)(void), alea_mem *mem) {
  relay r = {.mem = mem, .sent = alea_clock_wall(), .patience = patience};
  double told = INFINITY;
  alea_text_init(&r.buffer, mem);
  alea_status status = alea_pool_local(&r.pool, plan, workers, mem);
  while (status == ALEA_OK && !r.stop) {
    status = receive_units(&r);
    if (status == ALEA_OK) status = give_units(&r);
    if (status == ALEA_OK) status = send_event(&r);
    if (told == INFINITY && told_to_stop()) told = alea_clock_wall();
    if (status == ALEA_OK && !r.stop && alea_clock_wall() > told + word_of_the_first)
      status = ALEA_LIMIT;
  }
  alea_pool_free(r.pool);
  alea_vec_clear(mem, &r.waiting);
  alea_text_clear(&r.buffer);
  return status;
}

#endif

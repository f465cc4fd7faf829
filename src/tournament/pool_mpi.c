/* Tournaments over the ranks of an MPI job.
 *
 * Rank 0 leads and stores.  Every other rank keeps a pool of child processes
 * as in crew_local.c and passes messages between it and rank 0: a player that
 * crashes, or is killed for its memory, takes its process down but not the
 * rank, whose death would end the whole job in most MPIs.  A rank that says
 * nothing for a while is given up and its units go to others. */
#include "tournament/pool.h"

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
                           alea_mem *mem) {
  (void)plan, (void)workers, (void)patience, (void)mem;
  return ALEA_USAGE;
}

#else

#include <mpi.h>

enum { TAG_UNIT = 1, TAG_STOP, TAG_RESULT, TAG_LOST, TAG_ALIVE };
enum { DEPTH = 8 };

/* Rank 0 looks for messages this often; a call that waits would burn a core
 * that somebody plays on. */
static const double nap = 0.0005;

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

typedef struct post {
  uint64_t *units; /* room for DEPTH * workers */
  uint32_t count;
  double heard;
  bool gone;
} post;

typedef struct mpi_pool {
  alea_pool base;
  int ranks;
  uint32_t workers;
  double patience; /* seconds until a silent rank is given up */
  post *posts;     /* per rank; the first is not used */
  alea_text buffer;
  bool *broken;
  ALEA_VEC(alea_pool_event) losses;
} mpi_pool;

static alea_status give(alea_pool *base, uint64_t unit, uint32_t depth) {
  mpi_pool *c = (mpi_pool *)base;
  post *least = NULL;
  bool somebody = false;
  if (depth > DEPTH) depth = DEPTH;
  for (int r = 1; r < c->ranks; r++) {
    post *p = &c->posts[r];
    if (p->gone) continue;
    somebody = true;
    if (p->count < depth * c->workers && (least == NULL || p->count < least->count)) least = p;
  }
  if (!somebody) return ALEA_SYSTEM;
  if (least == NULL) return ALEA_NONE;
  int rank = (int)(least - c->posts);
  least->units[least->count++] = unit;
  if (MPI_Send(&unit, sizeof unit, MPI_BYTE, rank, TAG_UNIT, MPI_COMM_WORLD) != MPI_SUCCESS)
    least->heard = -1e9; /* it will be given up */
  return ALEA_OK;
}

/* Strikes a unit off a rank's list; false when it was not on it. */
static bool strike(post *p, uint64_t unit) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->units[i] != unit) continue;
    memmove(p->units + i, p->units + i + 1, (--p->count - i) * sizeof *p->units);
    return true;
  }
  return false;
}

static alea_status find_silent(mpi_pool *c) {
  double now = alea_clock_wall();
  for (int r = 1; r < c->ranks; r++) {
    post *p = &c->posts[r];
    if (p->gone || now - p->heard < c->patience) continue;
    p->gone = true;
    *c->broken = true;
    for (uint32_t i = 0; i < p->count; i++) {
      alea_pool_event loss = {.kind = ALEA_POOL_LOST, .unit = p->units[i], .playing = i == 0};
      if (!alea_vec_push(c->base.mem, &c->losses, loss)) return ALEA_SYSTEM;
    }
    p->count = 0;
  }
  return ALEA_OK;
}

static uint64_t unit_of(const char *bytes) {
  uint64_t unit = 0;
  for (int i = 0; i < 8; i++) unit |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
  return unit;
}

/* A message from a rank; what a rank that was given up still says about its
 * units is nobody's any more. */
static void understand(mpi_pool *c, int source, int tag, alea_pool_event *event) {
  post *p = &c->posts[source];
  p->heard = alea_clock_wall();
  if (tag == TAG_RESULT && c->buffer.length >= 8) {
    if (strike(p, unit_of(c->buffer.data)))
      *event = (alea_pool_event){
          .kind = ALEA_POOL_RESULT, .bytes = c->buffer.data, .length = c->buffer.length};
  } else if (tag == TAG_LOST && c->buffer.length == sizeof(loss_note)) {
    loss_note note;
    memcpy(&note, c->buffer.data, sizeof note);
    if (strike(p, note.unit))
      *event = (alea_pool_event){.kind = ALEA_POOL_LOST,
                                 .unit = note.unit,
                                 .playing = note.playing != 0,
                                 .signal = (int)note.signal};
  }
}

static alea_status wait_for(alea_pool *base, double seconds, alea_pool_event *event) {
  mpi_pool *c = (mpi_pool *)base;
  double until = alea_clock_wall() + seconds;
  *event = (alea_pool_event){.kind = ALEA_POOL_NOTHING};
  do {
    int source, tag;
    bool got;
    alea_status status = receive(&c->buffer, &source, &tag, &got);
    if (status != ALEA_OK) return status;
    if (got) understand(c, source, tag, event);
    if (!got && (status = find_silent(c)) != ALEA_OK) return status;
    if (event->kind == ALEA_POOL_NOTHING && c->losses.count > 0)
      *event = c->losses.data[--c->losses.count];
    if (!got && event->kind == ALEA_POOL_NOTHING) sleep_for(nap);
  } while (event->kind == ALEA_POOL_NOTHING && alea_clock_wall() < until);
  return ALEA_OK;
}

static void free_crew(alea_pool *base) {
  mpi_pool *c = (mpi_pool *)base;
  alea_mem *mem = base->mem;
  for (int r = 1; c->posts != NULL && r < c->ranks; r++) {
    if (!c->posts[r].gone) (void)MPI_Send(NULL, 0, MPI_BYTE, r, TAG_STOP, MPI_COMM_WORLD);
    alea_mem_free(mem, c->posts[r].units, DEPTH * c->workers * sizeof *c->posts[r].units);
  }
  alea_vec_clear(mem, &c->losses);
  alea_text_clear(&c->buffer);
  alea_mem_free(mem, c->posts, (size_t)c->ranks * sizeof *c->posts);
  alea_mem_free(mem, c, sizeof *c);
}

static const alea_pool_class mpi_class = {.free = free_crew, .give = give, .wait = wait_for};

alea_status alea_pool_mpi(alea_pool **made, const alea_tournament_plan *plan, uint32_t workers,
                          double patience, bool *broken, alea_mem *mem) {
  mpi_pool *c = alea_mem_zalloc(mem, sizeof *c);
  *made = NULL;
  if (c == NULL) return ALEA_SYSTEM;
  c->base = (alea_pool){.class = &mpi_class, .mem = mem, .plan = plan};
  c->workers = workers > 0 ? workers : 1;
  c->patience = patience;
  c->broken = broken;
  *broken = false;
  alea_text_init(&c->buffer, mem);
  MPI_Comm_size(MPI_COMM_WORLD, &c->ranks);
  c->posts = alea_mem_calloc(mem, (size_t)c->ranks, sizeof *c->posts);
  bool good = c->posts != NULL;
  for (int r = 1; good && r < c->ranks; r++) {
    c->posts[r].heard = alea_clock_wall();
    c->posts[r].units = alea_mem_calloc(mem, DEPTH * c->workers, sizeof *c->posts[r].units);
    good = c->posts[r].units != NULL;
  }
  *made = &c->base;
  if (good) return ALEA_OK;
  free_crew(&c->base);
  *made = NULL;
  return ALEA_SYSTEM;
}

/* ---- the other ranks ---- */

typedef struct relay {
  alea_pool *pool;
  alea_mem *mem;
  alea_text buffer;
  alea_u64s waiting; /* units that the pool has no room for */
  double spoke, patience;
  bool stop;
} relay;

static alea_status tell(relay *r, const void *bytes, size_t length, int tag) {
  r->spoke = alea_clock_wall();
  if (length > INT32_MAX) return ALEA_LIMIT;
  int result = MPI_Send(bytes, (int)length, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
  return result == MPI_SUCCESS ? ALEA_OK : ALEA_SYSTEM;
}

static alea_status take_orders(relay *r) {
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

static alea_status hand_on(relay *r) {
  while (r->waiting.count > 0) {
    alea_status status = r->pool->class->give(r->pool, r->waiting.data[0], DEPTH);
    if (status == ALEA_NONE) return ALEA_OK;
    if (status != ALEA_OK) return status;
    r->waiting.count--;
    memmove(r->waiting.data, r->waiting.data + 1, r->waiting.count * sizeof *r->waiting.data);
  }
  return ALEA_OK;
}

static alea_status answer(relay *r) {
  alea_pool_event event;
  alea_status status = r->pool->class->wait(r->pool, 0.001, &event);
  if (status != ALEA_OK) return status;
  if (event.kind == ALEA_POOL_RESULT) return tell(r, event.bytes, event.length, TAG_RESULT);
  if (event.kind == ALEA_POOL_LOST) {
    loss_note note = {.unit = event.unit, .playing = event.playing, .signal = event.signal};
    return tell(r, &note, sizeof note, TAG_LOST);
  }
  return alea_clock_wall() - r->spoke > r->patience / 10 ? tell(r, NULL, 0, TAG_ALIVE) : ALEA_OK;
}

alea_status alea_mpi_serve(const alea_tournament_plan *plan, uint32_t workers, double patience,
                           alea_mem *mem) {
  relay r = {.mem = mem, .spoke = alea_clock_wall(), .patience = patience};
  alea_text_init(&r.buffer, mem);
  alea_status status = alea_pool_local(&r.pool, plan, workers, mem);
  while (status == ALEA_OK && !r.stop) {
    status = take_orders(&r);
    if (status == ALEA_OK) status = hand_on(&r);
    if (status == ALEA_OK) status = answer(&r);
  }
  alea_pool_free(r.pool);
  alea_vec_clear(mem, &r.waiting);
  alea_text_clear(&r.buffer);
  return status;
}

#endif

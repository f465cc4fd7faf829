/* The driver and the compiler of CUDA, opened at run time. */
#include "gpu/device.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "gpu/driver.h"
#include "gpu/source.h"

enum { /* CUdevice_attribute and CUfunction_attribute */
       PROCESSORS = 16,
       MAJOR = 75,
       MINOR = 76,
       MOST_SHARED_BYTES = 97, /* of a block that asks for them */
       LOCAL_BYTES = 3,
       REGISTERS = 4,
       SHARED_BYTES = 8,
       NO_MEMORY = 2,    /* CUDA_ERROR_OUT_OF_MEMORY */
       NON_BLOCKING = 1, /* CU_STREAM_NON_BLOCKING: waits for no other stream */
};

/* A launch, and its memory: what it reads and writes lies in one piece, 'out' first, then starts
 * and jobs, there and here.  Here it is locked (pinned), for no other is copied while the caller
 * goes on. */
typedef struct gpu_slot {
  alea_gpu_handle stream;
  alea_gpu_address there, memory; /* memory: of the blocks, where slots lie outside */
  void *here;
  size_t there_bytes, here_bytes, memory_bytes;
  uint64_t *out; /* whoever launched it wants it here */
  size_t out_bytes;
} gpu_slot;

struct alea_gpu_code {
  alea_gpu *gpu;
  alea_gpu_handle module, function;
  uint32_t threads, width; /* of a block, and of how many threads it does the work */
  size_t shared;           /* bytes that a block shares */
  alea_gpu_address words;  /* the tables */
  size_t word_bytes;
  gpu_slot slots[ALEA_GPU_SLOTS];
};

alea_status alea_gpu_failed(const alea_gpu *gpu, int error, const char *what, char *why) {
  const char *text = NULL;
  if (gpu->cuGetErrorString == NULL || gpu->cuGetErrorString(error, &text) != 0 || text == NULL)
    text = "unknown error";
  snprintf(why, ALEA_GPU_WHY, "%s: %s", what, text);
  return error == NO_MEMORY ? ALEA_LIMIT : ALEA_SYSTEM;
}

/* What is compiled beside play, and how many devices are open. */
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpu_job *ordered;
static uint32_t users;

/* ---- opening ---- */

static void *open_library(const char *const *names) {
  void *library = NULL;
  for (; *names != NULL && library == NULL; names++) library = dlopen(*names, RTLD_NOW);
  return library;
}

static bool find_functions(alea_gpu *gpu, char *why) {
#define FIND(library, name)                                                         \
  *(void **)&gpu->name = dlsym(library, #name);                                     \
  if (gpu->name == NULL) {                                                          \
    snprintf(why, ALEA_GPU_WHY, "the installed CUDA is too old: it has no " #name); \
    return false;                                                                   \
  }
#define FIND_DRIVER(type, name, arguments) FIND(gpu->driver, name)
#define FIND_COMPILER(type, name, arguments) FIND(gpu->compiler, name)
  ALEA_GPU_DRIVER(FIND_DRIVER)
  ALEA_GPU_COMPILER(FIND_COMPILER)
  return true;
}

static alea_status find_device(alea_gpu *gpu, uint32_t number, char *why) {
  int value[4] = {0};
  size_t memory = 0;
  int error = gpu->cuInit(0);
  if (error == 0) error = gpu->cuDeviceGet(&gpu->device, (int)number);
  if (error == 0) error = gpu->cuDeviceGetName(gpu->info.name, sizeof gpu->info.name, gpu->device);
  if (error == 0) error = gpu->cuDeviceGetAttribute(&value[0], PROCESSORS, gpu->device);
  if (error == 0) error = gpu->cuDeviceGetAttribute(&value[1], MAJOR, gpu->device);
  if (error == 0) error = gpu->cuDeviceGetAttribute(&value[2], MINOR, gpu->device);
  if (error == 0) error = gpu->cuDeviceGetAttribute(&value[3], MOST_SHARED_BYTES, gpu->device);
  if (error == 0) error = gpu->cuDeviceTotalMem_v2(&memory, gpu->device);
  if (error == 0) error = gpu->cuDevicePrimaryCtxRetain(&gpu->context, gpu->device);
  if (error == 0) error = gpu->nvrtcVersion(&gpu->version[0], &gpu->version[1]);
  gpu->info.processors = (uint32_t)value[0];
  gpu->info.major = (uint32_t)value[1];
  gpu->info.minor = (uint32_t)value[2];
  gpu->info.shared = (uint32_t)value[3];
  gpu->info.memory = memory;
  if (error == 0) return ALEA_OK;
  alea_gpu_failed(gpu, error, "there is no GPU that can be used", why);
  return ALEA_UNSUPPORTED;
}

static const char *const drivers[] = {"libcuda.so.1", "libcuda.so", NULL};
static const char *const compilers[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "libnvrtc.so.11.2", NULL};

static void wait_for_jobs(void);

static void count_user(alea_gpu *gpu) {
  pthread_mutex_lock(&jobs_lock);
  users++;
  pthread_mutex_unlock(&jobs_lock);
  gpu->counted = true;
}

static bool last_user(void) {
  pthread_mutex_lock(&jobs_lock);
  bool last = --users == 0;
  pthread_mutex_unlock(&jobs_lock);
  return last;
}

alea_status alea_gpu_open(alea_gpu **gpu, uint32_t number, alea_mem *mem, char *why) {
  *gpu = NULL;
  alea_gpu *g = alea_mem_zalloc(mem, sizeof *g);
  if (g == NULL) return alea_mem_lack(mem);
  alea_status status = ALEA_UNSUPPORTED;
  g->mem = mem;
  g->driver = open_library(drivers);
  g->compiler = open_library(compilers);
  if (g->driver == NULL)
    snprintf(why, ALEA_GPU_WHY, "there is no driver of CUDA (libcuda.so.1) on this machine");
  else if (g->compiler == NULL)
    snprintf(why, ALEA_GPU_WHY, "there is no compiler of CUDA (libnvrtc.so) on this machine");
  else if (find_functions(g, why))
    status = find_device(g, number, why);
  if (status == ALEA_OK) {
    count_user(g);
    *gpu = g;
  } else {
    alea_gpu_close(g);
  }
  return status;
}

void alea_gpu_close(alea_gpu *gpu) {
  if (gpu == NULL) return;
  if (gpu->counted && last_user()) wait_for_jobs();
  if (gpu->context != NULL) gpu->cuDevicePrimaryCtxRelease_v2(gpu->device);
  if (gpu->driver != NULL) dlclose(gpu->driver);
  if (gpu->compiler != NULL) dlclose(gpu->compiler);
  alea_mem_free(gpu->mem, gpu, sizeof *gpu);
}

void alea_gpu_describe(const alea_gpu *gpu, alea_gpu_info *info) { *info = gpu->info; }

/* ---- compiling ---- */

void alea_gpu_image_clear(alea_gpu_image *image, alea_mem *mem) {
  alea_mem_free(mem, image->bytes, image->size);
  *image = (alea_gpu_image){0};
}

static alea_status compile(const alea_gpu *gpu, const char *source, alea_gpu_image *image,
                           char *why) {
  char architecture[40];
  const char *options[] = {architecture, "--std=c++17"};
  alea_gpu_handle program = NULL;
  snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%u%u", gpu->info.major,
           gpu->info.minor);
  int error = gpu->nvrtcCreateProgram(&program, source, "game.cu", 0, NULL, NULL);
  if (error == 0) error = gpu->nvrtcCompileProgram(program, 2, options);
  if (error == 0) error = gpu->nvrtcGetCUBINSize(program, &image->size);
  if (error == 0) image->bytes = alea_mem_alloc(gpu->mem, image->size);
  bool lack = error == 0 && image->bytes == NULL;
  if (error == 0 && !lack) error = gpu->nvrtcGetCUBIN(program, image->bytes);
  if (program != NULL) gpu->nvrtcDestroyProgram(&program);
  if (lack) return alea_mem_lack(gpu->mem);
  if (error == 0) return ALEA_OK;
  snprintf(why, ALEA_GPU_WHY, "the code cannot be compiled: %s", gpu->nvrtcGetErrorString(error));
  return ALEA_UNSUPPORTED;
}

/* ---- the file ---- */

const char *alea_gpu_find_cache(char *path, size_t size) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = 0;
  if (base != NULL && base[0] == '/')
    length = snprintf(path, size, "%s", base);
  else if (home != NULL && home[0] == '/')
    length = snprintf(path, size, "%s/.cache", home);
  if (length <= 0 || (size_t)length + 6 >= size) return NULL;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return NULL;
  memcpy(path + length, "/alea", 6);
  return mkdir(path, 0700) == 0 || errno == EEXIST ? path : NULL;
}

/* A file begins with its key and ends with a sum over the code: what is not
 * whole is compiled again. */
static uint64_t key_of(const alea_gpu *gpu, const char *source) {
  uint64_t key = alea_hash_bytes(source, strlen(source));
  key = alea_hash_join(key, gpu->info.major * 100 + gpu->info.minor);
  return alea_hash_join(key, (uint64_t)gpu->version[0] * 1000 + (uint64_t)gpu->version[1]);
}

static bool path_of(char *path, size_t size, const char *cache, uint64_t key, const char *suffix) {
  int length = snprintf(path, size, "%s/%016llx.cubin%s", cache, (unsigned long long)key, suffix);
  return length > 0 && (size_t)length < size;
}

/* Code that others could have written is not run: it is compiled again. */
static bool is_own(FILE *file) {
  struct stat about;
  return fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
         (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool read_image(const alea_gpu *gpu, const char *cache, uint64_t key,
                       alea_gpu_image *image) {
  char path[4096];
  uint64_t head[3];
  if (cache == NULL || !path_of(path, sizeof path, cache, key, "")) return false;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  bool good = is_own(file) && fread(head, sizeof *head, 3, file) == 3 && head[0] == key &&
              head[1] < 1u << 30;
  if (good) {
    image->size = (size_t)head[1];
    image->bytes = alea_mem_alloc(gpu->mem, image->size);
    good = image->bytes != NULL && fread(image->bytes, 1, image->size, file) == image->size &&
           fgetc(file) == EOF && alea_hash_bytes(image->bytes, image->size) == head[2];
    if (!good) alea_gpu_image_clear(image, gpu->mem);
  }
  fclose(file);
  return good;
}

/* Written beside and put in place whole; a cache that cannot be written is none. */
static bool write_image(const char *cache, uint64_t key, const alea_gpu_image *image) {
  char path[4096], beside[4096], suffix[32];
  snprintf(suffix, sizeof suffix, ".%ld", (long)getpid());
  if (cache == NULL || !path_of(path, sizeof path, cache, key, "") ||
      !path_of(beside, sizeof beside, cache, key, suffix))
    return false;
  FILE *file = fopen(beside, "wb");
  if (file == NULL) return false;
  uint64_t head[3] = {key, image->size, alea_hash_bytes(image->bytes, image->size)};
  bool good = fchmod(fileno(file), S_IRUSR | S_IWUSR) == 0 &&
              fwrite(head, sizeof *head, 3, file) == 3 &&
              fwrite(image->bytes, 1, image->size, file) == image->size;
  good = fclose(file) == 0 && good;
  good = good && rename(beside, path) == 0;
  if (!good) (void)remove(beside);
  return good;
}

alea_status alea_gpu_image_make(alea_gpu_image *image, const alea_gpu *gpu, const char *source,
                                const char *cache, bool *cached, char *why) {
  uint64_t key = key_of(gpu, source);
  *image = (alea_gpu_image){0};
  *cached = read_image(gpu, cache, key, image);
  alea_status status = *cached ? ALEA_OK : compile(gpu, source, image, why);
  if (status == ALEA_OK && !*cached) (void)write_image(cache, key, image);
  return status;
}

static alea_status load(alea_gpu_code *code, const alea_gpu_image *image, alea_gpu_code_info *info,
                        char *why) {
  const alea_gpu *gpu = code->gpu;
  int error = gpu->cuCtxSetCurrent(gpu->context);
  if (error == 0) error = gpu->cuModuleLoadData(&code->module, image->bytes);
  if (error == 0) error = gpu->cuModuleGetFunction(&code->function, code->module, "alea_play");
  if (error == 0) error = gpu->cuFuncGetAttribute(&info->registers, REGISTERS, code->function);
  if (error == 0) error = gpu->cuFuncGetAttribute(&info->spilled, LOCAL_BYTES, code->function);
  if (error == 0 && code->shared > 0)
    error = gpu->cuFuncSetAttribute(code->function, SHARED_BYTES, (int)code->shared);
  if (error == 0)
    error = gpu->cuOccupancyMaxActiveBlocksPerMultiprocessor(&info->blocks, code->function,
                                                             (int)code->threads, code->shared);
  if (error == 0) return ALEA_OK;
  alea_gpu_failed(gpu, error, "the code cannot be loaded", why);
  return ALEA_UNSUPPORTED;
}

alea_status alea_gpu_compile(alea_gpu_code **code, alea_gpu *gpu, const char *source,
                             const alea_gpu_tables *tables, size_t shared, const char *cache,
                             alea_gpu_code_info *info, char *why) {
  *code = NULL;
  *info = (alea_gpu_code_info){0};
  alea_gpu_code *c = alea_mem_zalloc(gpu->mem, sizeof *c);
  if (c == NULL) return alea_mem_lack(gpu->mem);
  double start = alea_clock_wall();
  alea_gpu_image image;
  c->gpu = gpu;
  c->threads = tables != NULL ? tables->shape.threads : ALEA_GPU_BLOCK;
  c->width = tables != NULL ? alea_gpu_shape_wide(&tables->shape) : ALEA_GPU_BLOCK;
  c->shared = tables != NULL ? tables->shared : shared;
  alea_status status = alea_gpu_image_make(&image, gpu, source, cache, &info->cached, why);
  if (status == ALEA_OK) status = load(c, &image, info, why);
  alea_gpu_image_clear(&image, gpu->mem);
  info->seconds = alea_clock_wall() - start;
  if (status == ALEA_OK)
    *code = c;
  else
    alea_gpu_code_free(c);
  return status;
}

static void clear_slot(const alea_gpu *gpu, gpu_slot *slot) {
  if (slot->stream != NULL) {
    gpu->cuStreamSynchronize(slot->stream);
    gpu->cuStreamDestroy_v2(slot->stream);
  }
  if (slot->there != 0) gpu->cuMemFree_v2(slot->there);
  if (slot->memory != 0) gpu->cuMemFree_v2(slot->memory);
  if (slot->here != NULL) gpu->cuMemFreeHost(slot->here);
}

void alea_gpu_code_free(alea_gpu_code *code) {
  if (code == NULL) return;
  alea_gpu *gpu = code->gpu;
  gpu->cuCtxSetCurrent(gpu->context);
  for (uint32_t i = 0; i < ALEA_GPU_SLOTS; i++) clear_slot(gpu, &code->slots[i]);
  if (code->words != 0) gpu->cuMemFree_v2(code->words);
  if (code->module != NULL) gpu->cuModuleUnload(code->module);
  alea_mem_free(gpu->mem, code, sizeof *code);
}

/* ---- beside ---- */

/* What is compiled by a thread.  It has the functions it needs, and memory of its own. */
typedef struct gpu_job {
  struct gpu_job *next;
  uint64_t key;
  pthread_t thread;
  pid_t process;    /* that has the thread */
  atomic_int state; /* alea_gpu_order */
  alea_gpu gpu;
  alea_mem mem;
  char *source, *cache;
} gpu_job;

static char *copy_text(const char *text, alea_mem *mem) {
  size_t size = strlen(text) + 1;
  char *copy = alea_mem_alloc(mem, size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

static void free_text(char *text, alea_mem *mem) {
  if (text != NULL) alea_mem_free(mem, text, strlen(text) + 1);
}

static void free_job(gpu_job *job) {
  free_text(job->source, &job->mem);
  free_text(job->cache, &job->mem);
  if (job->gpu.compiler != NULL) dlclose(job->gpu.compiler);
  free(job);
}

static void wait_for_jobs(void) {
  pthread_mutex_lock(&jobs_lock);
  gpu_job *job = ordered;
  ordered = NULL;
  pthread_mutex_unlock(&jobs_lock);
  while (job != NULL) {
    gpu_job *next = job->next;
    if (job->process == getpid()) { /* a child has neither the thread nor a right to its memory */
      pthread_join(job->thread, NULL);
      free_job(job);
    }
    job = next;
  }
}

/* A process that ends without closing waits, too.  That is no more than a second net: the
 * compiler's own end may come before this. */
static bool wait_at_exit(void) {
  static bool registered;
  if (!registered) registered = atexit(wait_for_jobs) == 0;
  return registered;
}

static void *do_job(void *argument) {
  gpu_job *job = argument;
  alea_gpu_image image = {0};
  char why[ALEA_GPU_WHY];
  bool made = compile(&job->gpu, job->source, &image, why) == ALEA_OK &&
              write_image(job->cache, job->key, &image);
  alea_gpu_image_clear(&image, &job->mem);
  atomic_store(&job->state, made ? ALEA_GPU_IN_FILE : ALEA_GPU_NOT_MADE);
  return NULL;
}

/* Not counted with the memory of a game: it outlives that. */
static gpu_job *new_job(const alea_gpu *gpu, const char *source, const char *cache, uint64_t key) {
  gpu_job *job = calloc(1, sizeof *job);
  if (job == NULL) return NULL;
  alea_mem_init(&job->mem, 0);
  job->key = key;
  job->process = getpid();
  job->gpu = *gpu;
  job->gpu.mem = &job->mem;
  job->gpu.compiler = open_library(compilers); /* once more, so that it stays */
  job->source = copy_text(source, &job->mem);
  job->cache = copy_text(cache, &job->mem);
  atomic_init(&job->state, ALEA_GPU_AT_WORK);
  if (job->gpu.compiler != NULL && job->source != NULL && job->cache != NULL &&
      pthread_create(&job->thread, NULL, do_job, job) == 0)
    return job;
  free_job(job);
  return NULL;
}

static gpu_job *find_job(uint64_t key) {
  gpu_job *job = ordered;
  while (job != NULL && (job->key != key || job->process != getpid())) job = job->next;
  return job;
}

alea_gpu_order alea_gpu_ask_order(uint64_t key) {
  pthread_mutex_lock(&jobs_lock);
  gpu_job *job = find_job(key);
  alea_gpu_order state = job != NULL ? (alea_gpu_order)atomic_load(&job->state) : ALEA_GPU_NOT_MADE;
  pthread_mutex_unlock(&jobs_lock);
  return state;
}

alea_gpu_order alea_gpu_order_code(const alea_gpu *gpu, const char *source, const char *cache,
                                   uint64_t *key) {
  alea_gpu_image image = {0};
  *key = key_of(gpu, source);
  if (cache == NULL) return ALEA_GPU_NOT_MADE;
  if (read_image(gpu, cache, *key, &image)) {
    alea_gpu_image_clear(&image, gpu->mem);
    return ALEA_GPU_IN_FILE;
  }
  pthread_mutex_lock(&jobs_lock);
  gpu_job *job = find_job(*key);
  if (job == NULL && wait_at_exit()) {
    job = new_job(gpu, source, cache, *key);
    if (job != NULL) {
      job->next = ordered;
      ordered = job;
    }
  }
  alea_gpu_order state = job != NULL ? (alea_gpu_order)atomic_load(&job->state) : ALEA_GPU_NOT_MADE;
  pthread_mutex_unlock(&jobs_lock);
  return state;
}

/* ---- running ---- */

/* Room for 'bytes', the old one if it is enough. */
static int make_room(const alea_gpu *gpu, alea_gpu_address *at, size_t *have, size_t bytes) {
  if (*have >= bytes) return 0;
  if (*at != 0) gpu->cuMemFree_v2(*at);
  *at = 0;
  *have = 0;
  int error = gpu->cuMemAlloc_v2(at, bytes);
  if (error == 0) *have = bytes;
  return error;
}

/* The same here, in memory that is locked. */
static int make_room_here(const alea_gpu *gpu, gpu_slot *slot, size_t bytes) {
  if (slot->here_bytes >= bytes) return 0;
  if (slot->here != NULL) gpu->cuMemFreeHost(slot->here);
  slot->here = NULL;
  slot->here_bytes = 0;
  int error = gpu->cuMemAllocHost_v2(&slot->here, bytes);
  if (error == 0) slot->here_bytes = bytes;
  return error;
}

/* The tables, once.  They have arrived when this returns: other streams do not wait for them. */
static int bring_tables(alea_gpu_code *code, const alea_gpu_tables *tables) {
  const alea_gpu *gpu = code->gpu;
  size_t words = tables->words.count * sizeof *tables->words.data;
  if (code->word_bytes != 0) return 0;
  int error = make_room(gpu, &code->words, &code->word_bytes, words);
  if (error == 0) error = gpu->cuMemcpyHtoD_v2(code->words, tables->words.data, words);
  return error != 0 ? error : gpu->cuCtxSynchronize();
}

/* A stream, and all memory that a launch of 'bytes' in 'blocks' needs. */
static int prepare_slot(alea_gpu_code *code, gpu_slot *slot, const alea_gpu_tables *tables,
                        size_t bytes, size_t blocks) {
  const alea_gpu *gpu = code->gpu;
  int error = slot->stream == NULL ? gpu->cuStreamCreate(&slot->stream, NON_BLOCKING) : 0;
  if (error == 0) error = make_room(gpu, &slot->there, &slot->there_bytes, bytes);
  if (error == 0) error = make_room_here(gpu, slot, bytes);
  if (error != 0 || tables == NULL) return error;
  error = make_room(gpu, &slot->memory, &slot->memory_bytes, blocks * tables->memory);
  return error != 0 ? error : bring_tables(code, tables);
}

/* How a launch lies in memory, here and there, in bytes: what comes out, the starts, the jobs.  The
 * last block may have threads without a job: there are jobs for these, of no games. */
typedef struct gpu_room {
  uint32_t blocks;
  size_t out, starts, jobs;
} gpu_room;

static gpu_room room_of(const alea_gpu_code *code, const alea_gpu_launch *l) {
  uint64_t threads = (uint64_t)l->job_count * l->threads_per_job;
  uint64_t blocks = (threads + code->width - 1) / code->width;
  uint64_t jobs = (blocks * code->width + l->threads_per_job - 1) / l->threads_per_job;
  return (gpu_room){.blocks = (uint32_t)blocks,
                    .out = jobs * (l->out_count / l->job_count) * sizeof *l->out,
                    .starts = jobs * (l->start_count / l->job_count) * sizeof *l->starts,
                    .jobs = jobs * 2 * sizeof *l->jobs};
}

alea_status alea_gpu_start(alea_gpu_code *code, uint32_t slot, const alea_gpu_launch *l,
                           char *why) {
  const alea_gpu *gpu = code->gpu;
  gpu_slot *at = &code->slots[slot];
  gpu_room room = room_of(code, l);
  size_t bytes = room.out + room.starts + room.jobs;
  uint32_t threads_per_job = l->threads_per_job, cap = l->cap;
  uint64_t seed = l->seed;
  int error = gpu->cuCtxSetCurrent(gpu->context);
  if (error == 0) error = prepare_slot(code, at, l->tables, bytes, room.blocks);
  if (error != 0) return alea_gpu_failed(gpu, error, "the GPU failed", why);
  char *starts = (char *)at->here + room.out, *jobs = starts + room.starts;
  memset(at->here, 0, room.out);
  memcpy(starts, l->starts, l->start_count * sizeof *l->starts);
  memset(jobs, 0, room.jobs);
  memcpy(jobs, l->jobs, 2 * (size_t)l->job_count * sizeof *l->jobs);
  at->out = l->out;
  at->out_bytes = l->out_count * sizeof *l->out;
  alea_gpu_address out_there = at->there, starts_there = out_there + room.out,
                   jobs_there = starts_there + room.starts;
  void *arguments[] = {&starts_there, &jobs_there, &out_there,   &threads_per_job,
                       &cap,          &seed,       &code->words, &at->memory};
  error = gpu->cuMemcpyHtoDAsync_v2(at->there, at->here, bytes, at->stream);
  if (error == 0)
    error = gpu->cuLaunchKernel(code->function, room.blocks, 1, 1, code->threads, 1, 1,
                                (unsigned)code->shared, at->stream, arguments, NULL);
  if (error == 0) error = gpu->cuMemcpyDtoHAsync_v2(at->here, at->there, at->out_bytes, at->stream);
  if (error == 0) return ALEA_OK;
  gpu->cuStreamSynchronize(at->stream);
  return alea_gpu_failed(gpu, error, "the GPU failed", why);
}

alea_status alea_gpu_finish(alea_gpu_code *code, uint32_t slot, char *why) {
  const alea_gpu *gpu = code->gpu;
  const gpu_slot *at = &code->slots[slot];
  int error = gpu->cuCtxSetCurrent(gpu->context);
  if (error == 0) error = gpu->cuStreamSynchronize(at->stream);
  if (error != 0) return alea_gpu_failed(gpu, error, "the GPU failed", why);
  memcpy(at->out, at->here, at->out_bytes);
  return ALEA_OK;
}

alea_status alea_gpu_run(alea_gpu_code *code, const alea_gpu_launch *launch, char *why) {
  alea_status status = alea_gpu_start(code, 0, launch, why);
  return status == ALEA_OK ? alea_gpu_finish(code, 0, why) : status;
}

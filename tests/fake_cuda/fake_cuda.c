/* A GPU that is none: the functions of CUDA's driver and compiler that
 * gpu/device.c opens, done by this machine's C compiler and CPU.
 *
 * It is loaded as libcuda.so.1 and libnvrtc.so.  FAKE_CUDA_FAILS=NAME lets the
 * function NAME fail: init, compile, load, launch, wait, memory or lost. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default) /* everything here is found by its name */

typedef void play_function(uint32_t block, uint32_t thread, const uint32_t *starts,
                           const uint32_t *jobs, uint64_t *out, uint32_t threads_per_job,
                           uint32_t cap, uint64_t seed, const uint32_t *words, uint32_t *memory);

/* Other functions take the address of what they are told. */
typedef void told_function(uint32_t block, uint32_t thread, const void *arguments);

static int fails(const char *name) {
  const char *wanted = getenv("FAKE_CUDA_FAILS");
  return wanted != NULL && strcmp(wanted, name) == 0;
}

/* What the code tells while it plays is of no interest here. */
void alea_told(uint32_t role, uint32_t move, uint32_t lanes) {
  (void)role, (void)move, (void)lanes;
}
void alea_begun(uint32_t lanes) { (void)lanes; }
void alea_ended(uint32_t lanes) { (void)lanes; }
void alea_lost(uint32_t lanes) { (void)lanes; }
void alea_stepped(uint32_t lanes) { (void)lanes; }

/* ---- the compiler: the code is the bytes of a shared library ---- */

typedef struct program {
  char *source, *code;
  size_t size;
} program;

int nvrtcVersion(int *major, int *minor) { return *major = 0, *minor = 1, 0; }

int nvrtcCreateProgram(void **made, const char *source, const char *name, int count,
                       const char *const *headers, const char *const *names) {
  program *p = calloc(1, sizeof *p);
  (void)name, (void)count, (void)headers, (void)names;
  if (p != NULL) p->source = strdup(source);
  *made = p;
  return p != NULL && p->source != NULL ? 0 : 1;
}

int nvrtcCompileProgram(void *made, int count, const char *const *options) {
  program *p = made;
  char folder[] = "/tmp/alea-fake-XXXXXX", code[64], object[64], command[512];
  (void)count, (void)options;
  if (fails("compile") || mkdtemp(folder) == NULL) return 6;
  snprintf(code, sizeof code, "%s/game.c", folder);
  snprintf(object, sizeof object, "%s/game.so", folder);
  FILE *file = fopen(code, "w");
  if (file == NULL || fputs(p->source, file) < 0 || fclose(file) != 0) return 6;
  snprintf(command, sizeof command, "%s -std=c17 -O1 -w -shared -fPIC -o %s %s", ALEA_C_COMPILER,
           object, code);
  int result = system(command) == 0 ? 0 : 6;
  file = result == 0 ? fopen(object, "rb") : NULL;
  if (file != NULL) {
    p->code = malloc(64u << 20);
    p->size = p->code != NULL ? fread(p->code, 1, 64u << 20, file) : 0;
    fclose(file);
  }
  remove(code);
  remove(object);
  remove(folder);
  return p->size > 0 ? 0 : 6;
}

int nvrtcGetCUBINSize(void *made, size_t *size) { return *size = ((program *)made)->size, 0; }

int nvrtcGetCUBIN(void *made, char *image) {
  program *p = made;
  memcpy(image, p->code, p->size);
  return 0;
}

int nvrtcDestroyProgram(void **made) {
  program *p = *made;
  free(p->source);
  free(p->code);
  free(p);
  *made = NULL;
  return 0;
}

const char *nvrtcGetErrorString(int error) { return error == 0 ? "none" : "it was told to fail"; }

/* ---- the driver ---- */

int cuInit(unsigned flags) { return (void)flags, fails("init") ? 100 : 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, ordinal == 0 ? 0 : 101; }
int cuDeviceGetName(char *name, int length, int device) {
  return (void)device, snprintf(name, (size_t)length, "no GPU at all"), 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *processors = getenv("FAKE_CUDA_PROCESSORS");
  int count = processors != NULL ? atoi(processors) : 1;
  return (void)device, *value = attribute == 16 ? count : attribute == 97 ? 100000 : 9, 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device) { return (void)device, *bytes = 1u << 30, 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
  return (void)device, *context = (void *)1, 0;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return (void)device, 0; }
int cuCtxSetCurrent(void *context) { return (void)context, 0; }
int cuCtxPushCurrent_v2(void *context) { return (void)context, fails("lost") ? 719 : 0; }
int cuCtxPopCurrent_v2(void **context) { return *context = NULL, 0; }
int cuCtxSynchronize(void) { return 0; }
int cuGetErrorString(int error, const char **text) {
  return *text = error == 0 ? "none" : "it was told to fail", 0;
}

/* The size of an image is not told; a library ends where its section headers do. */
static size_t elf_size(const unsigned char *image) {
  uint64_t headers;
  uint16_t size, count;
  memcpy(&headers, image + 40, 8);
  memcpy(&size, image + 58, 2);
  memcpy(&count, image + 60, 2);
  return (size_t)headers + (size_t)size * count;
}

int cuModuleLoadData(void **module, const void *image) {
  char path[] = "/tmp/alea-fake-XXXXXX";
  Dl_info self;
  if (fails("load") || dladdr((void *)&elf_size, &self) == 0) return 200;
  /* The code calls back: make what is here visible to it. */
  void *visible = dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  if (visible != NULL) dlclose(visible);
  int file = mkstemp(path);
  size_t size = elf_size(image);
  if (file < 0) return 200;
  int good = write(file, image, size) == (ssize_t)size;
  close(file);
  *module = good ? dlopen(path, RTLD_NOW) : NULL;
  remove(path);
  return *module != NULL ? 0 : 200;
}
int cuModuleUnload(void *module) { return dlclose(module) != 0; }

/* The functions that were found, and whether they play. */
enum { MOST_FUNCTIONS = 1024 };
static struct fake_function {
  void *code;
  int plays;
} functions[MOST_FUNCTIONS];

int cuModuleGetFunction(void **function, void *module, const char *name) {
  void *code = dlsym(module, name);
  size_t i = 0;
  if (code == NULL) return 500;
  while (i < MOST_FUNCTIONS && functions[i].code != NULL && functions[i].code != code) i++;
  if (i == MOST_FUNCTIONS) return 500;
  functions[i] = (struct fake_function){code, strcmp(name, "alea_play") == 0};
  *function = &functions[i];
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  return (void)attribute, (void)function, *value = 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  return (void)function, (void)attribute, (void)value, 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int block,
                                                size_t shared) {
  return (void)function, (void)block, (void)shared, *blocks = 1, 0;
}

int cuMemAlloc_v2(uint64_t *at, size_t bytes) {
  void *memory = fails("memory") ? NULL : malloc(bytes);
  *at = (uint64_t)(uintptr_t)memory;
  return memory != NULL ? 0 : 2;
}
int cuMemFree_v2(uint64_t at) { return free((void *)(uintptr_t)at), 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return memcpy((void *)(uintptr_t)to, from, bytes), 0;
}
int cuMemAllocHost_v2(void **at, size_t bytes) {
  *at = fails("memory") ? NULL : malloc(bytes);
  return *at != NULL ? 0 : 2;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  return memcpy(to, (void *)(uintptr_t)from, bytes), 0;
}
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
  return memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes), 0;
}
int cuMemsetD8_v2(uint64_t at, unsigned char value, size_t bytes) {
  return memset((void *)(uintptr_t)at, value, bytes), 0;
}
int cuMemFreeHost(void *at) { return free(at), 0; }

/* ---- streams: all is done when somebody waits for it, and not before ---- */

typedef struct task {
  struct task *next;
  void *to; /* copies; NULL: plays */
  const void *from;
  size_t bytes;
  play_function *play;
  unsigned blocks, threads;
  uint32_t *starts, *jobs, *words, *memory;
  uint64_t *out, seed;
  uint32_t threads_per_job, cap;
} task;

typedef struct stream {
  task *first, *last;
} stream;

static int add_task(stream *s, task t) {
  task *made = malloc(sizeof *made);
  if (made == NULL) return 2;
  *made = t;
  if (s->last != NULL)
    s->last->next = made;
  else
    s->first = made;
  s->last = made;
  return 0;
}

static void perform(const task *t) {
  if (t->to != NULL) memcpy(t->to, t->from, t->bytes);
  for (unsigned block = 0; t->to == NULL && block < t->blocks; block++)
    for (unsigned thread = 0; thread < t->threads; thread++)
      t->play(block, thread, t->starts, t->jobs, t->out, t->threads_per_job, t->cap, t->seed,
              t->words, t->memory);
}

int cuStreamCreate(void **made, unsigned flags) {
  return (void)flags, (*made = calloc(1, sizeof(stream))) != NULL ? 0 : 2;
}

int cuStreamSynchronize(void *made) {
  stream *s = made;
  int failed = fails("wait");
  for (task *t = s->first, *next; t != NULL; t = next) {
    next = t->next;
    if (!failed) perform(t);
    free(t);
  }
  s->first = s->last = NULL;
  return failed ? 719 : 0;
}

int cuStreamDestroy_v2(void *made) {
  cuStreamSynchronize(made);
  free(made);
  return 0;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *s) {
  return add_task(s, (task){.to = (void *)(uintptr_t)to, .from = from, .bytes = bytes});
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *s) {
  return add_task(s, (task){.to = to, .from = (void *)(uintptr_t)from, .bytes = bytes});
}

/* What does not play is done at once. */
static int tell(const struct fake_function *f, unsigned blocks, unsigned threads,
                void **arguments) {
  told_function *told;
  *(void **)&told = f->code;
  for (unsigned block = 0; block < blocks; block++)
    for (unsigned thread = 0; thread < threads; thread++) told(block, thread, arguments[0]);
  return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *s, void **arguments, void **extra) {
  const struct fake_function *f = function;
  task t = {.blocks = gx, .threads = bx};
  (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)extra;
  if (fails("launch")) return 719;
  if (!f->plays) return tell(f, gx, bx, arguments);
  *(void **)&t.play = f->code;
  t.starts = *(uint32_t **)arguments[0];
  t.jobs = *(uint32_t **)arguments[1];
  t.out = *(uint64_t **)arguments[2];
  t.threads_per_job = *(uint32_t *)arguments[3];
  t.cap = *(uint32_t *)arguments[4];
  t.seed = *(uint64_t *)arguments[5];
  t.words = *(uint32_t **)arguments[6];
  t.memory = *(uint32_t **)arguments[7];
  return add_task(s, t);
}

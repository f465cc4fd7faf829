#ifndef ALEA_GPU_DEVICE_H
#define ALEA_GPU_DEVICE_H

/* A GPU, if there is one.
 *
 * The driver and the compiler of CUDA are opened at run time: one program serves
 * machines with and without a GPU, and nothing of CUDA is needed to build it.
 * Code is compiled once and kept in a file, by a hash of its text, the
 * compiler's version and the device.
 *
 * An alea_gpu belongs to one thread at a time. */

#include "base/status.h"
#include "gpu/interpreter.h"

typedef struct alea_gpu alea_gpu;
typedef struct alea_gpu_code alea_gpu_code;

enum {
  ALEA_GPU_WHY = 512, /* bytes of a message */
  ALEA_GPU_WAVES = 4, /* blocks of a full launch, in those that a device holds at once */
  ALEA_GPU_SLOTS = 2, /* launches in flight */
};

typedef struct alea_gpu_info {
  char name[128];
  uint32_t processors; /* streaming multiprocessors */
  uint32_t major, minor;
  uint64_t memory;
  uint32_t shared; /* bytes that a block can share */
} alea_gpu_info;

/* Opens a device by its number, from 0 on.  ALEA_UNSUPPORTED: there is none, or no driver, or
 * no compiler; 'why' (ALEA_GPU_WHY bytes) says which. */
alea_status alea_gpu_open(alea_gpu **gpu, uint32_t number, alea_mem *mem, char *why);
void alea_gpu_close(alea_gpu *gpu); /* NULL is a no-op. */
void alea_gpu_describe(const alea_gpu *gpu, alea_gpu_info *info);

/* A folder for compiled code, as text in 'path'; NULL if there can be none. */
const char *alea_gpu_find_cache(char *path, size_t size);

typedef struct alea_gpu_code_info {
  bool cached;     /* it was compiled before */
  bool interprets; /* it is not the game's own code (the sampler says so) */
  double seconds;
  int registers, spilled; /* of a thread; bytes of local memory */
  int blocks;             /* that a processor can hold */
} alea_gpu_code_info;

/* Compiles 'source', whose kernel is alea_play (gpu/source.h); 'tables' are those of one that
 * interprets, else NULL, and 'shared' are the bytes that alea_gpu_source gave.  'cache' is a folder
 * that exists, or NULL.  ALEA_UNSUPPORTED: it cannot be compiled or loaded here. */
alea_status alea_gpu_compile(alea_gpu_code **code, alea_gpu *gpu, const char *source,
                             const alea_gpu_tables *tables, size_t shared, const char *cache,
                             alea_gpu_code_info *info, char *why);
/* Waits for what is in flight.  NULL is a no-op. */
void alea_gpu_code_free(alea_gpu_code *code);

/* Compiling beside play: by a thread of its own, into the file, where alea_gpu_compile finds
 * it.  All of a process who order the same code wait for one thread.  A compiler cannot be
 * interrupted, and must not be at work when the process ends: the last alea_gpu that is closed
 * waits for it, and the next process finds the file. */
typedef enum alea_gpu_order {
  ALEA_GPU_IN_FILE,
  ALEA_GPU_AT_WORK,
  ALEA_GPU_NOT_MADE /* it cannot be compiled, or kept */
} alea_gpu_order;
/* Orders the code of 'source' for the folder 'cache', which may be NULL; '*key' is what to ask
 * for it by. */
alea_gpu_order alea_gpu_order_code(const alea_gpu *gpu, const char *source, const char *cache,
                                   uint64_t *key);
/* How the code of an order is doing.  Any thread may ask. */
alea_gpu_order alea_gpu_ask_order(uint64_t key);

/* One launch of alea_play; the arrays are copied there, and 'out' back, which is
 * set to zero first. */
typedef struct alea_gpu_launch {
  const uint32_t *starts;
  size_t start_count;
  const uint32_t *jobs; /* two words each */
  uint32_t job_count, threads_per_job, cap;
  uint64_t seed;
  uint64_t *out;
  size_t out_count;
  const alea_gpu_tables *tables; /* for code that interprets, and always the same; else NULL */
} alea_gpu_launch;
/* A launch in two steps: it is in flight between them, and those of different slots, which are
 * below ALEA_GPU_SLOTS, are played at the same time.  What was given at the start is not needed
 * any more when that returns, but 'out' and the tables, which must stay.  ALEA_LIMIT: too little
 * memory there.  ALEA_SYSTEM: the device failed, and should not be used again.  Neither leaves
 * anything in flight. */
alea_status alea_gpu_start(alea_gpu_code *code, uint32_t slot, const alea_gpu_launch *launch,
                           char *why);
alea_status alea_gpu_finish(alea_gpu_code *code, uint32_t slot, char *why);
/* Both, in slot 0. */
alea_status alea_gpu_run(alea_gpu_code *code, const alea_gpu_launch *launch, char *why);

#endif

#ifndef ALEA_GPU_MODULE_H
#define ALEA_GPU_MODULE_H

/* Code of several functions, and memory on the device that somebody holds from call to call.
 *
 * Other libraries of the process may use the same device.  So who calls the following does it
 * between alea_gpu_enter and alea_gpu_leave, which give the thread back the context it had.
 *
 * All these return ALEA_LIMIT where the device's memory does not suffice, and ALEA_SYSTEM where
 * the device failed; then it should not be used again. */

#include "gpu/device.h"

typedef struct alea_gpu_module alea_gpu_module;
typedef uint64_t alea_gpu_place; /* an address on the device; 0 is none */

enum { ALEA_GPU_MOST_FUNCTIONS = 12 };

alea_status alea_gpu_enter(const alea_gpu *gpu, char *why);
void alea_gpu_leave(const alea_gpu *gpu);

/* Compiles 'source' and finds the functions 'names', at most ALEA_GPU_MOST_FUNCTIONS.  As
 * alea_gpu_compile otherwise. */
alea_status alea_gpu_module_new(alea_gpu_module **module, alea_gpu *gpu, const char *source,
                                const char *const *names, uint32_t name_count, const char *cache,
                                char *why);
void alea_gpu_module_free(alea_gpu_module *module); /* NULL is a no-op. */

/* Starts function number 'function', which takes the struct 'arguments' by value, in 'blocks'
 * blocks of 'threads'. */
alea_status alea_gpu_module_start(const alea_gpu_module *module, uint32_t function, uint32_t blocks,
                                  uint32_t threads, const void *arguments, char *why);
/* Waits for all that was started on the device by this process, whoever did it. */
alea_status alea_gpu_wait(const alea_gpu *gpu, char *why);

/* ---- memory ---- */

/* Memory that is all zero; 0 bytes are none. */
alea_status alea_gpu_hold(const alea_gpu *gpu, alea_gpu_place *at, size_t bytes, char *why);
void alea_gpu_drop(const alea_gpu *gpu, alea_gpu_place *at);
/* Copies to the device, from it, and within it. */
alea_status alea_gpu_bring(const alea_gpu *gpu, alea_gpu_place to, const void *from, size_t bytes,
                           char *why);
alea_status alea_gpu_fetch(const alea_gpu *gpu, void *to, alea_gpu_place from, size_t bytes,
                           char *why);
alea_status alea_gpu_copy(const alea_gpu *gpu, alea_gpu_place to, alea_gpu_place from, size_t bytes,
                          char *why);
alea_status alea_gpu_zero(const alea_gpu *gpu, alea_gpu_place at, size_t bytes, char *why);

#endif

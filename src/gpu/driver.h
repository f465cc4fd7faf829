#ifndef ALEA_GPU_DRIVER_H
#define ALEA_GPU_DRIVER_H

/* The inside of an alea_gpu, for those who call the driver: device.c and module.c. */

#include "gpu/device.h"

/* The few functions that are used, with the types of CUDA as they are laid out:
 * handles are pointers, results and devices are int, device addresses are
 * 64 bits. */
typedef void *alea_gpu_handle;
typedef uint64_t alea_gpu_address;

#define ALEA_GPU_DRIVER(X)                                                                      \
  X(int, cuInit, (unsigned flags))                                                              \
  X(int, cuDeviceGet, (int *device, int ordinal))                                               \
  X(int, cuDeviceGetName, (char *name, int length, int device))                                 \
  X(int, cuDeviceGetAttribute, (int *value, int attribute, int device))                         \
  X(int, cuDeviceTotalMem_v2, (size_t * bytes, int device))                                     \
  X(int, cuDevicePrimaryCtxRetain, (alea_gpu_handle * context, int device))                     \
  X(int, cuDevicePrimaryCtxRelease_v2, (int device))                                            \
  X(int, cuCtxSetCurrent, (alea_gpu_handle context))                                            \
  X(int, cuCtxPushCurrent_v2, (alea_gpu_handle context))                                        \
  X(int, cuCtxPopCurrent_v2, (alea_gpu_handle * context))                                       \
  X(int, cuCtxSynchronize, (void))                                                              \
  X(int, cuModuleLoadData, (alea_gpu_handle * module, const void *image))                       \
  X(int, cuModuleUnload, (alea_gpu_handle module))                                              \
  X(int, cuModuleGetFunction,                                                                   \
    (alea_gpu_handle * function, alea_gpu_handle module, const char *name))                     \
  X(int, cuFuncGetAttribute, (int *value, int attribute, alea_gpu_handle function))             \
  X(int, cuFuncSetAttribute, (alea_gpu_handle function, int attribute, int value))              \
  X(int, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                           \
    (int *blocks, alea_gpu_handle function, int block, size_t shared))                          \
  X(int, cuMemAlloc_v2, (alea_gpu_address * at, size_t bytes))                                  \
  X(int, cuMemFree_v2, (alea_gpu_address at))                                                   \
  X(int, cuMemAllocHost_v2, (void **at, size_t bytes))                                          \
  X(int, cuMemFreeHost, (void *at))                                                             \
  X(int, cuMemcpyHtoDAsync_v2,                                                                  \
    (alea_gpu_address to, const void *from, size_t bytes, alea_gpu_handle stream))              \
  X(int, cuMemcpyDtoHAsync_v2,                                                                  \
    (void *to, alea_gpu_address from, size_t bytes, alea_gpu_handle stream))                    \
  X(int, cuStreamCreate, (alea_gpu_handle * stream, unsigned flags))                            \
  X(int, cuStreamDestroy_v2, (alea_gpu_handle stream))                                          \
  X(int, cuStreamSynchronize, (alea_gpu_handle stream))                                         \
  X(int, cuMemcpyHtoD_v2, (alea_gpu_address to, const void *from, size_t bytes))                \
  X(int, cuMemcpyDtoH_v2, (void *to, alea_gpu_address from, size_t bytes))                      \
  X(int, cuMemcpyDtoD_v2, (alea_gpu_address to, alea_gpu_address from, size_t bytes))           \
  X(int, cuMemsetD8_v2, (alea_gpu_address at, unsigned char value, size_t bytes))               \
  X(int, cuLaunchKernel,                                                                        \
    (alea_gpu_handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, \
     unsigned bz, unsigned shared, alea_gpu_handle stream, void **arguments, void **extra))     \
  X(int, cuGetErrorString, (int error, const char **text))

#define ALEA_GPU_COMPILER(X)                                                                    \
  X(int, nvrtcVersion, (int *major, int *minor))                                                \
  X(int, nvrtcCreateProgram,                                                                    \
    (alea_gpu_handle * program, const char *source, const char *name, int count,                \
     const char *const *h, const char *const *names))                                           \
  X(int, nvrtcCompileProgram, (alea_gpu_handle program, int count, const char *const *options)) \
  X(int, nvrtcGetCUBINSize, (alea_gpu_handle program, size_t * size))                           \
  X(int, nvrtcGetCUBIN, (alea_gpu_handle program, char *image))                                 \
  X(int, nvrtcDestroyProgram, (alea_gpu_handle * program))                                      \
  X(const char *, nvrtcGetErrorString, (int error))

struct alea_gpu {
  alea_mem *mem;
  void *driver, *compiler;
  int device, version[2];
  alea_gpu_handle context;
  alea_gpu_info info;
  bool counted; /* among the users */
#define MEMBER(type, name, arguments) type(*name) arguments;
  ALEA_GPU_DRIVER(MEMBER)
  ALEA_GPU_COMPILER(MEMBER)
#undef MEMBER
};

/* Code as a device runs it. */
typedef struct alea_gpu_image {
  char *bytes;
  size_t size;
} alea_gpu_image;

/* The code of 'source', compiled or from the folder 'cache', which may be NULL; the caller
 * clears it. */
alea_status alea_gpu_image_make(alea_gpu_image *image, const alea_gpu *gpu, const char *source,
                                const char *cache, bool *cached, char *why);
void alea_gpu_image_clear(alea_gpu_image *image, alea_mem *mem);

/* Why a call of the driver failed: ALEA_LIMIT where memory did not suffice, else ALEA_SYSTEM. */
alea_status alea_gpu_failed(const alea_gpu *gpu, int error, const char *what, char *why);

#endif

/* Functions and memory on a device. */
#include "gpu/module.h"

#include "gpu/driver.h"

struct alea_gpu_module {
  alea_gpu *gpu;
  alea_gpu_handle module, functions[ALEA_GPU_MOST_FUNCTIONS];
};

static alea_status judge(const alea_gpu *gpu, int error, char *why) {
  return error == 0 ? ALEA_OK : alea_gpu_failed(gpu, error, "the GPU failed", why);
}

alea_status alea_gpu_enter(const alea_gpu *gpu, char *why) {
  return judge(gpu, gpu->cuCtxPushCurrent_v2(gpu->context), why);
}

void alea_gpu_leave(const alea_gpu *gpu) {
  alea_gpu_handle ours;
  gpu->cuCtxPopCurrent_v2(&ours);
}

/* ---- functions ---- */

static alea_status load(alea_gpu_module *m, const alea_gpu_image *image, const char *const *names,
                        uint32_t name_count, char *why) {
  const alea_gpu *gpu = m->gpu;
  int error = gpu->cuModuleLoadData(&m->module, image->bytes);
  for (uint32_t i = 0; error == 0 && i < name_count; i++)
    error = gpu->cuModuleGetFunction(&m->functions[i], m->module, names[i]);
  if (error == 0) return ALEA_OK;
  alea_gpu_failed(gpu, error, "the code cannot be loaded", why);
  return ALEA_UNSUPPORTED;
}

alea_status alea_gpu_module_new(alea_gpu_module **module, alea_gpu *gpu, const char *source,
                                const char *const *names, uint32_t name_count, const char *cache,
                                char *why) {
  bool cached;
  alea_gpu_image image;
  *module = NULL;
  alea_gpu_module *m = alea_mem_zalloc(gpu->mem, sizeof *m);
  if (m == NULL) return alea_mem_lack(gpu->mem);
  m->gpu = gpu;
  alea_status status = alea_gpu_image_make(&image, gpu, source, cache, &cached, why);
  if (status == ALEA_OK) status = load(m, &image, names, name_count, why);
  alea_gpu_image_clear(&image, gpu->mem);
  if (status == ALEA_OK)
    *module = m;
  else
    alea_gpu_module_free(m);
  return status;
}

void alea_gpu_module_free(alea_gpu_module *module) {
  if (module == NULL) return;
  alea_gpu *gpu = module->gpu;
  if (module->module != NULL) gpu->cuModuleUnload(module->module);
  alea_mem_free(gpu->mem, module, sizeof *module);
}

alea_status alea_gpu_module_start(const alea_gpu_module *module, uint32_t function, uint32_t blocks,
                                  uint32_t threads, const void *arguments, char *why) {
  const alea_gpu *gpu = module->gpu;
  void *list[] = {(void *)(uintptr_t)arguments}; /* which the driver only reads */
  if (blocks == 0) return ALEA_OK;
  return judge(gpu,
               gpu->cuLaunchKernel(module->functions[function], blocks, 1, 1, threads, 1, 1, 0,
                                   NULL, list, NULL),
               why);
}

alea_status alea_gpu_wait(const alea_gpu *gpu, char *why) {
  return judge(gpu, gpu->cuCtxSynchronize(), why);
}

/* ---- memory ---- */

alea_status alea_gpu_hold(const alea_gpu *gpu, alea_gpu_place *at, size_t bytes, char *why) {
  *at = 0;
  if (bytes == 0) return ALEA_OK;
  int error = gpu->cuMemAlloc_v2(at, bytes);
  if (error != 0) *at = 0;
  if (error == 0) error = gpu->cuMemsetD8_v2(*at, 0, bytes);
  return judge(gpu, error, why);
}

void alea_gpu_drop(const alea_gpu *gpu, alea_gpu_place *at) {
  if (*at != 0) gpu->cuMemFree_v2(*at);
  *at = 0;
}

alea_status alea_gpu_bring(const alea_gpu *gpu, alea_gpu_place to, const void *from, size_t bytes,
                           char *why) {
  return bytes == 0 ? ALEA_OK : judge(gpu, gpu->cuMemcpyHtoD_v2(to, from, bytes), why);
}

alea_status alea_gpu_fetch(const alea_gpu *gpu, void *to, alea_gpu_place from, size_t bytes,
                           char *why) {
  return bytes == 0 ? ALEA_OK : judge(gpu, gpu->cuMemcpyDtoH_v2(to, from, bytes), why);
}

alea_status alea_gpu_copy(const alea_gpu *gpu, alea_gpu_place to, alea_gpu_place from, size_t bytes,
                          char *why) {
  return bytes == 0 ? ALEA_OK : judge(gpu, gpu->cuMemcpyDtoD_v2(to, from, bytes), why);
}

alea_status alea_gpu_zero(const alea_gpu *gpu, alea_gpu_place at, size_t bytes, char *why) {
  return bytes == 0 ? ALEA_OK : judge(gpu, gpu->cuMemsetD8_v2(at, 0, bytes), why);
}

/* Sizes of games as constraint networks. */
#include "match/sizes.h"

#include "encode/services.h"

alea_status alea_sizes_of(const alea_opened *opened, alea_encoder encoder, double seconds,
                          alea_network_sizes *sizes, alea_mem *mem) {
  *sizes = (alea_network_sizes){0};
  if (opened->services == NULL) return ALEA_UNSUPPORTED;
  double start = alea_clock_thread();
  alea_deadline deadline = {.thread_at = seconds > 0 ? start + seconds : 0,
                            .stop = mem->deadline != NULL ? mem->deadline->stop : NULL};
  alea_template_options options = {.encoder = encoder,
                                   .prove_seconds = seconds < 8 ? seconds / 4 : 2,
                                   .sac_seconds = seconds < 10 ? seconds / 20 : 0.5,
                                   .game = opened->game,
                                   .deadline = &deadline};
  const alea_ground *ground = NULL;
  alea_template *t = NULL;
  alea_status status =
      alea_services_ground(opened->services, encoder == ALEA_ENCODER_PAPER, &deadline, &ground);
  if (status == ALEA_OK) status = alea_template_new(&t, ground, opened->program, &options, mem);
  if (status == ALEA_OK)
    *sizes = (alea_network_sizes){t->before, t->after, alea_clock_thread() - start};
  alea_template_free(t);
  return status;
}

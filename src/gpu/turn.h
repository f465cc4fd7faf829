#ifndef ALEA_GPU_TURN_H
#define ALEA_GPU_TURN_H

/* Turns on a device.  Processes that keep a device busy for long get less out of it together than
 * one after the other (bench/learning.md): of a user's, one at a time has its turn, by a lock on a
 * file beside the compiled code.  Where there is no such folder nobody waits. */

#include <stdbool.h>
#include <stdint.h>

typedef struct alea_gpu_turn {
  int file; /* -1: nobody else is kept waiting */
} alea_gpu_turn;

/* Waits for the turn on device 'number', until 'over' says that it is too late; 'cache' is a folder
 * (alea_gpu_find_cache), or NULL. */
void alea_gpu_turn_take(alea_gpu_turn *turn, uint32_t number, const char *cache,
                        bool (*over)(void *context), void *context);
void alea_gpu_turn_end(alea_gpu_turn *turn);

#endif

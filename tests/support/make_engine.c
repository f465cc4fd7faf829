/* Games of every engine for the tests. */
#include "support/make_engine.h"

#include "ground/ground.h"
#include "propnet/propnet.h"
#include "prover/prover.h"

alea_status make_prover(alea_game **game, alea_program *program, alea_mem *mem, alea_diag *diag) {
  return alea_prover_game_new(game, program, NULL, mem, diag);
}

static alea_status try_net(alea_game **game, alea_program *program, alea_mem *mem,
                           alea_diag *diag) {
  alea_deadline deadline = alea_deadline_in(30);
  alea_ground_options options = {.deadline = &deadline};
  alea_ground *ground = NULL;
  alea_net *net = NULL;
  size_t limit = mem->limit;
  if (limit == 0) mem->limit = (size_t)2 << 30;
  alea_status status = alea_ground_new(&ground, program, &options, mem, diag);
  if (status == ALEA_OK) status = alea_net_new(&net, ground, NULL, mem, diag);
  alea_ground_free(ground);
  if (status == ALEA_OK) status = alea_net_game_new(game, net, mem);
  mem->limit = limit;
  return status;
}

alea_status make_net(alea_game **game, alea_program *program, alea_mem *mem, alea_diag *diag) {
  alea_status status = try_net(game, program, mem, diag);
  alea_program_free(program);
  return status;
}

alea_status make_net_or_prover(alea_game **game, alea_program *program, alea_mem *mem,
                               alea_diag *diag) {
  alea_status status = try_net(game, program, mem, diag);
  if (status == ALEA_LIMIT) return make_prover(game, program, mem, diag);
  alea_program_free(program);
  return status;
}

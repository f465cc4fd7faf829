#ifndef ALEA_MODELS_STRATEGIC_H
#define ALEA_MODELS_STRATEGIC_H

/* The strategic models of the papers, built from their definitions: [STRAT06 §3,
 * §5]; D39, D41, K8.  Like the paper's answers, they ask that existential values
 * are consistent, and test it by propagation (D40, D42). */

#include "csp/strategic.h"

/* Model 1 as printed, or with the closing constraints; model 2. */
alea_strategic *alea_model_tictactoe(alea_mem *mem, int model, bool closed);
/* Connect 'line' on a board of columns x rows. */
alea_strategic *alea_model_connect(alea_mem *mem, uint32_t columns, uint32_t rows, uint32_t line);
/* The same question for a draw: player 1 has a line, or nobody has. */
alea_strategic *alea_model_connect_hold(alea_mem *mem, uint32_t columns, uint32_t rows,
                                        uint32_t line);
/* Connect with the ranks of [STRAT06 §5.2] as printed, 1 to the number of
 * cells (D41). */
alea_strategic *alea_model_connect_printed(alea_mem *mem, uint32_t columns, uint32_t rows,
                                           uint32_t line);
/* Tokens 1..k, taken in turn; no sum of player 1's tokens so far may be
 * divisible by 3. */
alea_strategic *alea_model_tokens(alea_mem *mem, uint32_t k);
/* Reads the numbers of a name such as connect:7x6:4, one for each '#' of its form, which is
 * connect:#x#:#.  False: the name is not of that form, or a number is too large. */
bool alea_model_read_name(const char *name, const char *form, unsigned *numbers);
/* The model of a name such as connect:4:3, connect:7x6:4, connect-hold:7x6:4,
 * connect-printed:4:3, tictactoe:1:closed or tokens:5; NULL if there is none. */
alea_strategic *alea_model_strategic(alea_mem *mem, const char *name);

#endif

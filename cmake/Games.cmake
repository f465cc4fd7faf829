# The games of games/, the experiments of experiments/ and the page as bytes in the
# program: generated C files that src/match/shipped.h and src/minimax/shipped_evals.h describe.  A changed or
# new file rebuilds them.
function(alea_embed out table header what)
  string(REPLACE ";" "|" argument "${ARGN}")
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${argument}" -DTABLE=${table} -DHEADER=${header}
            -DOUT=${out}
            -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
    COMMENT "Embedding the ${what}"
    VERBATIM)
endfunction()

file(GLOB ALEA_GAME_FILES CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/games/*.kif ${CMAKE_SOURCE_DIR}/games/*.toss)
set(ALEA_GAMES_C ${CMAKE_BINARY_DIR}/shipped_games.c)
alea_embed(${ALEA_GAMES_C} alea_shipped_file match/shipped.h "games" ${ALEA_GAME_FILES})

# What is known of some of them before they are played: tools/shipped-evaluations.
file(GLOB ALEA_EVAL_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/games/*.eval)
set(ALEA_EVALS_C ${CMAKE_BINARY_DIR}/shipped_evals.c)
alea_embed(${ALEA_EVALS_C} alea_shipped_eval minimax/shipped_evals.h "evaluations" ${ALEA_EVAL_FILES})

file(GLOB ALEA_EXPERIMENT_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/experiments/*.yaml)
set(ALEA_EXPERIMENTS_C ${CMAKE_BINARY_DIR}/shipped_experiments.c)
alea_embed(${ALEA_EXPERIMENTS_C} alea_shipped_experiment match/shipped.h "experiments"
           ${ALEA_EXPERIMENT_FILES})

# The bundle of the page, which is checked in: building Alea needs no Node.  The claims
# of the papers and what was measured are the table of docs/results.
file(GLOB ALEA_PAGE_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/dist/*)
list(APPEND ALEA_PAGE_FILES ${CMAKE_SOURCE_DIR}/docs/results/README.md)
set(ALEA_PAGE_C ${CMAKE_BINARY_DIR}/shipped_page.c)
alea_embed(${ALEA_PAGE_C} alea_page_file match/shipped.h "page" ${ALEA_PAGE_FILES})

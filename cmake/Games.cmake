# The games of games/ as bytes in the program: one generated C file that
# src/match/shipped.h describes.  A changed or new game rebuilds it.
file(GLOB ALEA_GAME_FILES CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/games/*.kif ${CMAKE_SOURCE_DIR}/games/*.toss)
set(ALEA_GAMES_C ${CMAKE_BINARY_DIR}/shipped_games.c)
string(REPLACE ";" "|" games_argument "${ALEA_GAME_FILES}")
add_custom_command(
  OUTPUT ${ALEA_GAMES_C}
  COMMAND ${CMAKE_COMMAND} "-DGAMES=${games_argument}" -DOUT=${ALEA_GAMES_C}
          -P ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
  DEPENDS ${ALEA_GAME_FILES} ${CMAKE_SOURCE_DIR}/cmake/Embed.cmake
  COMMENT "Embedding the games"
  VERBATIM)

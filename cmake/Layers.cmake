# One object library per folder of src/; libalea is all of them, the program one file more.
# Sources are found by themselves: a new file needs no line here.
set(ALEA_LAYERS base gdl game sat nra sym ground csp propnet prover toss scsp gpu symmetry unroll models encode
    equilibrium planning minimax learning play match draw tournament experiment net page cli api)

# What a layer needs beyond the C library.
set(ALEA_LIBS_base m)
set(ALEA_LIBS_sym alea_nauty)
set(ALEA_LIBS_csp PkgConfig::XML2 PkgConfig::JANSSON)
set(ALEA_LIBS_sat alea_cadical)
set(ALEA_LIBS_nra alea_z3)
set(ALEA_LIBS_scsp PkgConfig::JANSSON)
set(ALEA_LIBS_models PkgConfig::JANSSON)
set(ALEA_LIBS_match PkgConfig::XML2 PkgConfig::JANSSON PkgConfig::CRYPTO)
set(ALEA_LIBS_tournament PkgConfig::JANSSON PkgConfig::SQLITE PkgConfig::YAML alea_mpi)
set(ALEA_LIBS_experiment PkgConfig::JANSSON PkgConfig::SQLITE)
set(ALEA_LIBS_net PkgConfig::MICROHTTPD PkgConfig::CURL)
set(ALEA_LIBS_page PkgConfig::JANSSON)
set(ALEA_LIBS_cli PkgConfig::JANSSON PkgConfig::EDIT)

# The files propnet/lanes_*.c that are compiled once for each width of words.
set(ALEA_LANE_FILES album batch eval load log pick sampler team)

# Generated sources of a layer.
set(ALEA_MADE_minimax ${ALEA_EVALS_C})
set(ALEA_MADE_match ${ALEA_GAMES_C} ${ALEA_EXPERIMENTS_C})
set(ALEA_MADE_page ${ALEA_PAGE_C})

set(ALEA_OBJECTS)
set(ALEA_ALL_LIBS Threads::Threads)
foreach(layer IN LISTS ALEA_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${layer}/*.c)
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  if(sources)
    add_library(alea_${layer} OBJECT ${sources} ${ALEA_MADE_${layer}})
    target_include_directories(alea_${layer} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_compile_definitions(alea_${layer} PRIVATE ALEA_VERSION="${PROJECT_VERSION}")
    target_link_libraries(alea_${layer} PUBLIC alea_flags ${ALEA_LIBS_${layer}})
    list(APPEND ALEA_OBJECTS $<TARGET_OBJECTS:alea_${layer}>)
    list(APPEND ALEA_ALL_LIBS ${ALEA_LIBS_${layer}})
  endif()
endforeach()
list(REMOVE_DUPLICATES ALEA_ALL_LIBS)

# The files that work on words of lanes once more, for narrow words: propnet/lane_word.h.
list(TRANSFORM ALEA_LANE_FILES PREPEND ${CMAKE_SOURCE_DIR}/src/propnet/lanes_)
list(TRANSFORM ALEA_LANE_FILES APPEND .c)
add_library(alea_lanes_narrow OBJECT ${ALEA_LANE_FILES})
target_include_directories(alea_lanes_narrow PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(alea_lanes_narrow PRIVATE ALEA_LANES=128)
target_link_libraries(alea_lanes_narrow PUBLIC alea_flags)
list(APPEND ALEA_OBJECTS $<TARGET_OBJECTS:alea_lanes_narrow>)

add_library(alea_lib STATIC ${ALEA_OBJECTS})
set_target_properties(alea_lib PROPERTIES OUTPUT_NAME alea)
target_include_directories(alea_lib PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(alea_lib PUBLIC alea_flags ${ALEA_ALL_LIBS})

# The library for everybody: what the headers of include/alea/ declare, and nothing else.
# libalea.so hides the rest; libalea.a is one object whose hidden symbols are local.
add_library(alea_shared SHARED ${ALEA_OBJECTS})
set_target_properties(alea_shared PROPERTIES OUTPUT_NAME alea VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
target_include_directories(alea_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>)
target_link_libraries(alea_shared PRIVATE alea_flags ${ALEA_ALL_LIBS})
target_link_options(alea_shared PRIVATE -Wl,--exclude-libs,ALL)
if(NOT ALEA_SANITIZE) # clang's sanitizers leave their runtime to the program
  target_link_options(alea_shared PRIVATE -Wl,--no-undefined)
endif()

set(ALEA_STATIC ${CMAKE_BINARY_DIR}/lib/libalea.a)
add_custom_command(
  OUTPUT ${ALEA_STATIC}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib
  COMMAND ${CMAKE_LINKER} -r --whole-archive $<TARGET_FILE:alea_lib> -o ${CMAKE_BINARY_DIR}/lib/alea.o
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${CMAKE_BINARY_DIR}/lib/alea.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${ALEA_STATIC}
  COMMAND ${CMAKE_AR} rcs ${ALEA_STATIC} ${CMAKE_BINARY_DIR}/lib/alea.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${CMAKE_BINARY_DIR}/lib/alea.o
  DEPENDS alea_lib
  COMMENT "Linking libalea.a with hidden symbols made local"
  VERBATIM)
add_custom_target(alea_static ALL DEPENDS ${ALEA_STATIC})

add_executable(alea ${CMAKE_SOURCE_DIR}/src/cli/main.c)
target_link_libraries(alea PRIVATE alea_lib)

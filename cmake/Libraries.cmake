# The libraries that Alea stands on, each as one imported target.  tools/setup
# installs them; docs/DEPENDENCIES.md says why each of them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(XML2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

# Older packages of nauty come without a .pc file.
pkg_check_modules(NAUTY QUIET IMPORTED_TARGET nauty)
if(NAUTY_FOUND)
  add_library(alea_nauty ALIAS PkgConfig::NAUTY)
else()
  find_path(NAUTY_INCLUDE nauty/nauty.h REQUIRED)
  find_library(NAUTY_LIBRARY nauty REQUIRED)
  add_library(alea_nauty INTERFACE)
  target_include_directories(alea_nauty SYSTEM INTERFACE ${NAUTY_INCLUDE})
  target_link_libraries(alea_nauty INTERFACE ${NAUTY_LIBRARY})
endif()

# SUNDIALS and CaDiCaL, for structure rewriting games, have no .pc files either.
find_path(SUNDIALS_INCLUDE cvode/cvode.h REQUIRED)
find_library(SUNDIALS_CVODE sundials_cvode REQUIRED)
find_library(SUNDIALS_NVECSERIAL sundials_nvecserial REQUIRED)
find_library(SUNDIALS_FIXEDPOINT sundials_sunnonlinsolfixedpoint REQUIRED)
add_library(alea_sundials INTERFACE)
target_include_directories(alea_sundials SYSTEM INTERFACE ${SUNDIALS_INCLUDE})
target_link_libraries(alea_sundials INTERFACE ${SUNDIALS_CVODE} ${SUNDIALS_NVECSERIAL}
                      ${SUNDIALS_FIXEDPOINT})
find_path(CADICAL_INCLUDE ccadical.h REQUIRED)
find_library(CADICAL_LIBRARY cadical REQUIRED)
add_library(alea_cadical INTERFACE)
target_include_directories(alea_cadical SYSTEM INTERFACE ${CADICAL_INCLUDE})
target_link_libraries(alea_cadical INTERFACE ${CADICAL_LIBRARY} stdc++)

# Tournaments on a cluster; without Open MPI the program says so when mpirun starts it.
option(ALEA_MPI "Use Open MPI where it is installed" ON)
add_library(alea_mpi INTERFACE)
if(ALEA_MPI)
  pkg_check_modules(OMPI QUIET IMPORTED_TARGET ompi-c)
  if(OMPI_FOUND)
    target_link_libraries(alea_mpi INTERFACE PkgConfig::OMPI)
    target_compile_definitions(alea_mpi INTERFACE ALEA_HAS_MPI=1)
  else()
    message(STATUS "Open MPI is not installed: tournaments run on one machine only")
  endif()
endif()

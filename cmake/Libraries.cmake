# The libraries that Alea stands on, each as one imported target.  tools/setup
# installs them; docs/DEPENDENCIES.md says why each of them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(XML2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
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

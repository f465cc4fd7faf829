# make install and make deb: program, library, headers, manuals, packages.
include(GNUInstallDirs)

# Manual pages and completions, from the program's own tables of options.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(ALEA_MANUALS ${CMAKE_BINARY_DIR}/manuals)
add_custom_command(
  OUTPUT ${ALEA_MANUALS}/man1/alea.1
  COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tools/manuals --alea $<TARGET_FILE:alea>
          ${ALEA_MANUALS}
  DEPENDS alea ${CMAKE_SOURCE_DIR}/tools/manuals
  COMMENT "Writing manual pages and completions"
  VERBATIM)
add_custom_target(alea_manuals ALL DEPENDS ${ALEA_MANUALS}/man1/alea.1)

install(TARGETS alea RUNTIME COMPONENT alea)
install(DIRECTORY ${ALEA_MANUALS}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT alea)
install(FILES ${ALEA_MANUALS}/bash/alea
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT alea)
install(FILES ${ALEA_MANUALS}/zsh/_alea
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT alea)
install(FILES ${ALEA_MANUALS}/fish/alea.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT alea)

# The library.  libalea.so itself, for the linker, belongs to the headers.
set_target_properties(alea_shared PROPERTIES EXPORT_NAME alea)
target_include_directories(alea_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS alea_shared EXPORT aleaTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libalea0
        NAMELINK_COMPONENT libalea-dev)
install(FILES ${ALEA_STATIC} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libalea-dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/alea DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT libalea-dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT libalea-dev)
install(FILES ${CMAKE_SOURCE_DIR}/docs/API.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT libalea-dev)

# pkg-config and CMake find it wherever it was installed: paths are relative.
set(ALEA_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH ALEA_PREFIX_FROM_PC /root/${ALEA_PKGCONFIG_DIR} /root)
# What libalea.a needs.  These are shared libraries, so that what they need in turn is not listed:
# Requires.private would ask for static libraries that Debian does not have.
set(ALEA_PC_PRIVATE "-ljansson -lxml2 -lmicrohttpd -lcurl -lcrypto -lsqlite3 -lyaml -ledit -lnauty"
    " -lcadical -lz3 -lstdc++ -lm -pthread")
if(OMPI_FOUND)
  list(APPEND ALEA_PC_PRIVATE ${OMPI_LDFLAGS})
endif()
list(JOIN ALEA_PC_PRIVATE " " ALEA_PC_PRIVATE)
configure_file(${CMAKE_SOURCE_DIR}/cmake/alea.pc.in ${CMAKE_BINARY_DIR}/alea.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/alea.pc DESTINATION ${ALEA_PKGCONFIG_DIR} COMPONENT libalea-dev)

include(CMakePackageConfigHelpers)
set(ALEA_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/alea)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/aleaConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(EXPORT aleaTargets NAMESPACE alea:: FILE aleaConfig.cmake DESTINATION ${ALEA_CMAKE_DIR}
        COMPONENT libalea-dev)
install(FILES ${CMAKE_BINARY_DIR}/aleaConfigVersion.cmake DESTINATION ${ALEA_CMAKE_DIR}
        COMPONENT libalea-dev)

# Debian packages, one per component.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME alea)
set(CPACK_PACKAGE_CONTACT "The developers of Alea <alea@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL alea libalea0 libalea-dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_ALEA_PACKAGE_NAME alea)
set(CPACK_COMPONENT_ALEA_DESCRIPTION "general game playing: the program
 Plays any game that is given as rules, and solves constraint problems.")
set(CPACK_DEBIAN_LIBALEA0_PACKAGE_NAME libalea0)
set(CPACK_DEBIAN_LIBALEA0_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBALEA0_DESCRIPTION "general game playing: the shared library
 Games, states, batches, players, matches and constraint problems for programs.")
set(CPACK_DEBIAN_LIBALEA-DEV_PACKAGE_NAME libalea-dev)
set(CPACK_DEBIAN_LIBALEA-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBALEA-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBALEA-DEV_PACKAGE_DEPENDS "libalea0 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_LIBALEA-DEV_DESCRIPTION "general game playing: headers and examples
 What a program needs to be compiled against libalea.")
# The Python module, where Debian's Python finds it.
if(TARGET alea_python)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/python/alea DESTINATION lib/python3/dist-packages
          COMPONENT python3-alea PATTERN __pycache__ EXCLUDE)
  list(APPEND CPACK_COMPONENTS_ALL python3-alea)
  set(CPACK_DEBIAN_PYTHON3-ALEA_PACKAGE_NAME python3-alea)
  set(CPACK_DEBIAN_PYTHON3-ALEA_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON3-ALEA_PACKAGE_DEPENDS "python3 (>= 3.11), python3-numpy")
  set(CPACK_COMPONENT_PYTHON3-ALEA_DESCRIPTION "general game playing: the Python module
 Games, states, batches as NumPy arrays, players, matches and constraint problems.")
endif()
include(CPack)

# The strict warning set of the house, for gcc and clang alike.
add_library(alea_flags INTERFACE)
target_compile_options(alea_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef
  -Wimplicit-fallthrough -Wformat=2 -Werror=implicit-function-declaration)
target_compile_definitions(alea_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(ALEA_NATIVE)
  include(CheckCCompilerFlag)
  check_c_compiler_flag(-march=native ALEA_HAS_MARCH_NATIVE)
  check_c_compiler_flag(-mcpu=native ALEA_HAS_MCPU_NATIVE)
  if(ALEA_HAS_MCPU_NATIVE AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(alea_flags INTERFACE -mcpu=native)
  elseif(ALEA_HAS_MARCH_NATIVE)
    target_compile_options(alea_flags INTERFACE -march=native)
  endif()
endif()
if(ALEA_SANITIZE)
  target_compile_options(alea_flags INTERFACE -fsanitize=${ALEA_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(alea_flags INTERFACE -fsanitize=${ALEA_SANITIZE})
endif()

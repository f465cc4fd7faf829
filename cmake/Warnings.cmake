# The strict warning set of the house, for gcc and clang alike.
add_library(alea_flags INTERFACE)
target_compile_options(alea_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wundef
  -Wimplicit-fallthrough -Wformat=2 -Werror=implicit-function-declaration)
# clang fuses a*b+c where the machine can, gcc with -std=c17 does not: play is to be the same.
target_compile_options(alea_flags INTERFACE -ffp-contract=off)
target_compile_definitions(alea_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(ALEA_WERROR)
  target_compile_options(alea_flags INTERFACE -Werror)
endif()
if(ALEA_NATIVE)
  include(CheckCCompilerFlag)
  check_c_compiler_flag(-march=native ALEA_HAS_MARCH_NATIVE)
  check_c_compiler_flag(-mcpu=native ALEA_HAS_MCPU_NATIVE)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    # clang takes the core's name for what the system allows, and emits SVE
    # where a virtual machine hides it; gcc asks the system.
    if(ALEA_HAS_MCPU_NATIVE AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
      target_compile_options(alea_flags INTERFACE -mcpu=native)
    endif()
  elseif(ALEA_HAS_MARCH_NATIVE)
    target_compile_options(alea_flags INTERFACE -march=native)
  endif()
endif()
if(ALEA_SANITIZE)
  target_compile_options(alea_flags INTERFACE -fsanitize=${ALEA_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(alea_flags INTERFACE -fsanitize=${ALEA_SANITIZE})
  if(ALEA_SANITIZE MATCHES "undefined")
    target_compile_options(alea_flags INTERFACE -fno-sanitize-recover=undefined)
    # Empty vectors have no array, and NULL + 0 is what every compiler of ours takes it for (and what
    # C says from C2y on); clang reports it, and has no finer switch.  gcc checks overflow only.
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
      target_compile_options(alea_flags INTERFACE -fno-sanitize=pointer-overflow)
    endif()
  endif()
endif()
if(ALEA_FUZZ)
  target_compile_options(alea_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

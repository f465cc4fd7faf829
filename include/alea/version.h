#ifndef ALEA_VERSION_H
#define ALEA_VERSION_H

/* The version of libalea, and how its symbols are exported.
 *
 * The number is major * 10000 + minor * 100 + patch.  A program that was compiled
 * with one version of these headers runs with any library of the same soname
 * (libalea.so.0): functions are added, never changed, and structs of options
 * grow at their end, which their first member, 'size', tells the library. */

#define ALEA_VERSION_NUMBER 100
#define ALEA_VERSION_TEXT "0.1.0"

#if defined(__GNUC__)
#define ALEA_API __attribute__((visibility("default")))
#else
#define ALEA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, which need not be that of the headers.
 * Any thread may ask. */
ALEA_API const char *alea_version(void);
ALEA_API int alea_version_number(void);

#ifdef __cplusplus
}
#endif

#endif

/* The shapes of pieces. */
#include "draw/glyph.h"

#include <string.h>

/* 'shape' is filled and outlined, 'detail' drawn as lines on it, 'solid' filled
 * with the tone of details. */
typedef struct glyph_shape {
  const char *shape, *detail, *solid;
} glyph_shape;

#define CIRCLE(r, d) "M-" r " 0a" r " " r " 0 1 0 " d " 0a" r " " r " 0 1 0-" d " 0z"

static const glyph_shape shapes[] = {
    [ALEA_GLYPH_DISC] = {CIRCLE("14", "28"), NULL, NULL},
    [ALEA_GLYPH_STONE] = {CIRCLE("18", "36"), NULL, NULL},
    [ALEA_GLYPH_MAN] = {CIRCLE("15", "30"), CIRCLE("10.5", "21"), NULL},
    [ALEA_GLYPH_DAME] = {CIRCLE("15", "30"), CIRCLE("12", "24"),
                         "M-6.5 5.5l-2-10 4.5 4 4-6.5 4 6.5 4.5-4-2 10z"},
    [ALEA_GLYPH_PAWN] = {"M-10.5 15.5h21v-3c0-3-3.5-4.5-5-6-1.8-2-2.6-5-2.6-8 2-1.2 3.1-3.2 3.1-5.3"
                         "a6 6 0 0 0-12 0c0 2.1 1.1 4.1 3.1 5.3 0 3-.8 6-2.6 8-1.5 1.5-5 3-5 6z",
                         "M-5.5 6.5h11", NULL},
    [ALEA_GLYPH_ROOK] = {"M-11.5 15.5h23v-4l-3.5-3V-5l3-2.5v-7h-5v3h-3.5v-3h-5v3h-3.5v-3h-5v7l3 2.5"
                         "V8.5l-3.5 3z",
                         "M-8 8.5h16M-8-5h16", NULL},
    [ALEA_GLYPH_KNIGHT] = {"M-8.5 15.5H11C11.5 6 11.5-3 7.5-8.5 5-12 1-13.5-2-13.5L-4.5-17-5.8-12.5"
                           "C-8.5-10.5-9.5-7-11.5-3.5-13-1-15 1-14.5 3.5-14.2 5.2-12.5 6.5-10.5 6"
                           "-9.5 5.8-9 5-8 4.2-6 3-3.5 3.3-1 1.5-.5 6.5-8.5 8.5-8.5 15.5z",
                           "M1-10.2C5.5-6 7.6 1 7.8 11.5M-12.2 3.2l.8-.8",
                           "M-7.4-6.4a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0z"},
    [ALEA_GLYPH_BISHOP] = {"M-11 15.5h22c0-2.5-2-4-5-4.5l-2-.3c-.6-1.6-.8-2.6-.5-4.2 4-2 6-5.2 6-9 "
                           "0-4.5-4-8.5-7.4-11a2.6 2.6 0 1 0-4.2 0c-3.4 2.5-7.4 6.5-7.4 11 0 3.8 2 "
                           "7 6 9 .3 1.6.1 2.6-.5 4.2l-2 .3c-3 .5-5 2-5 4.5z",
                           "M-3.5 6.5h7M-4 10.7h8M0-7.5v6.4M-3.1-4.5h6.2", NULL},
    [ALEA_GLYPH_QUEEN] = {"M-11 15.5h22l-1-4c-1-1-1.5-2-1.5-3.5L14-7 7.6 1 7-10.5 2.8 0 0-12.5-2.8 "
                          "0-7-10.5-7.6 1-14-7-8.5 8c0 1.5-.5 2.5-1.5 3.5z"
                          "M16.2-8.8a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0z"
                          "M9.2-12.6a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0z"
                          "M2.2-14.7a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0z"
                          "M-4.8-12.6a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0z"
                          "M-11.8-8.8a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 1 1 4.4 0z",
                          "M-8.4 7.8c5-2 11.8-2 16.8 0M-9.8 11.6c6-1.8 13.6-1.8 19.6 0", NULL},
    [ALEA_GLYPH_KING] = {"M-1.3-18h2.6v2.6H4v2.6H1.3v2.6C3.4-7.5 3-4.5 0-2-3-4.5-3.4-7.5-1.3-10.2"
                         "v-2.6H-4v-2.6h2.7z"
                         "M-11 15.5h22v-4l-1-2.5c3.5-3 5.5-6 5.5-9.5 0-4-3-6.5-6.5-6.5-3 0-6 1.5-9 "
                         "5-3-3.5-6-5-9-5-3.5 0-6.5 2.5-6.5 6.5 0 3.5 2 6.5 5.5 9.5l-1 2.5z",
                         "M-10 9c6-2 14-2 20 0M-10.6 12.2c7-1.6 14.2-1.6 21.2 0M0-2v9.2", NULL},
    [ALEA_GLYPH_CROSS] = {"M0-4.6L8.6-13.2a2 2 0 0 1 2.8 0l1.8 1.8a2 2 0 0 1 0 2.8L4.6 0l8.6 8.6a2 "
                          "2 0 0 1 0 2.8l-1.8 1.8a2 2 0 0 1-2.8 0L0 4.6l-8.6 8.6a2 2 0 0 1-2.8 0"
                          "l-1.8-1.8a2 2 0 0 1 0-2.8L-4.6 0l-8.6-8.6a2 2 0 0 1 0-2.8l1.8-1.8a2 2 0 "
                          "0 1 2.8 0z",
                          NULL, NULL},
    [ALEA_GLYPH_RING] = {"M-14 0a14 14 0 1 0 28 0a14 14 0 1 0-28 0z"
                         "M-7.8 0a7.8 7.8 0 1 1 15.6 0a7.8 7.8 0 1 1-15.6 0z",
                         NULL, NULL},
    [ALEA_GLYPH_PELLET] = {CIRCLE("3.6", "7.2"), NULL, NULL},
    [ALEA_GLYPH_MUNCHER] = {"M-1 0L11.6-8.2A15 15 0 1 0 11.6 8.2z", NULL,
                            "M-.6-8.4a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z"},
    [ALEA_GLYPH_GHOST] = {"M-12.5 14.5V-2.5a12.5 12.5 0 0 1 25 0v17l-4.2-3.6-4.1 3.6-4.2-3.6-4.2 "
                          "3.6-4.1-3.6z",
                          NULL,
                          "M-8.4-3.4a3.2 3.8 0 1 0 6.4 0a3.2 3.8 0 1 0-6.4 0z"
                          "M2-3.4a3.2 3.8 0 1 0 6.4 0a3.2 3.8 0 1 0-6.4 0z"},
    [ALEA_GLYPH_CRATE] = {"M-15-15h30v30h-30z", "M-11-11h22v22h-22zM-11-11l22 22M11-11l-22 22",
                          NULL},
    [ALEA_GLYPH_BOMB] = {"M-13.5 4a12 12 0 1 0 24 0a12 12 0 1 0-24 0zM3-9.5l4-3 4.6 5-3.6 3.4z"
                         "M9.5-10.5c2-4 5-3 5.5-6c-.5 3-3.5 2-5.5 6z",
                         NULL, "M-9.5 1.5a8 8 0 0 1 4-5l1 1.6a6 6 0 0 0-3 4z"},
    [ALEA_GLYPH_FIRE] =
        {"M0 16C-9 16-13 10-12 3.5-11.4-.5-8.5-2.5-8-7c2 1.2 3 3 3 5.2C-1-6-3-11-.5-16"
         " 1-10 12.5-5 12.5 5 12.5 12 8 16 0 16z",
         NULL,
         "M0 14.5C-5 14.5-6.5 11-5.5 7.5-4.5 4.5-1 4-.5-1 4 3 6 6 5.5 9.5 5 13 3 "
         "14.5 0 14.5z"},
    [ALEA_GLYPH_ROBOT] = {"M-11-6a3 3 0 0 1 3-3H8a3 3 0 0 1 3 3V9a3 3 0 0 1-3 3H-8a3 3 0 0 1-3-3z"
                          "M-8.5 12h5v4h-5zM3.5 12h5v4h-5zM-15-2h4v8h-4zM11-2h4v8h-4z"
                          "M-1-9v-4h2v4zM-2.6-15a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0z",
                          "M-5 6.5H5",
                          "M-6.6-2a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z"
                          "M2.2-2a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z"},
    [ALEA_GLYPH_DIRT] =
        {"M-12 8a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0zM2 3a3 3 0 1 0 6 0a3 3 0 1 0-6 "
         "0zM-5-7a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0zM6-11a2 2 0 1 0 4 0a2 2 0 "
         "1 0-4 0zM5 11a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0zM-12-4a2 2 0 1 0 4 "
         "0a2 2 0 1 0-4 0z",
         NULL, NULL},
    [ALEA_GLYPH_PIT] = {"M-15.5 2a15.5 11.5 0 1 0 31 0a15.5 11.5 0 1 0-31 0z",
                        "M-11 4.5a11 6.5 0 0 1 22 0", NULL},
    [ALEA_GLYPH_COIN] =
        {CIRCLE("13", "26"), CIRCLE("9.5", "19"),
         "M0-6.2L1.8-1.9 6.2-1.6 2.8 1.3 4 5.8 0 3.3-4 5.8-2.8 1.3-6.2-1.6-1.8-1.9z"},
    [ALEA_GLYPH_MONSTER] =
        {"M-13 15c-2-10 0-17 3-20l-4-9 8 4.5c4-1.6 8-1.6 12 0l8-4.5-4 9c3 3 5 10 3 "
         "20l-4.3-3L4 15 0 12l-4 3-4.7-3z",
         "M-6 7.5c4 2.5 8 2.5 12 0",
         "M-8-2.5l5.5 2.3a2.9 2.9 0 0 1-5.5-2.3zM8-2.5L2.5-.2A2.9 2.9 0 0 0 8-2.5z"
         "M-3.6 8.6l1.4 3.4 1.4-2.8zM3.6 8.6L2.2 12 .8 9.2z"},
    [ALEA_GLYPH_PERSON] = {"M-5.5-9.5a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0z"
                           "M-11.5 15.5v-6C-11.5 2.5-7-1.5 0-1.5S11.5 2.5 11.5 9.5v6z",
                           "M-6 15.5V9M6 15.5V9", NULL},
    [ALEA_GLYPH_ARROW] = {"M-16-16h32v32h-32z", "M-9 9L9-9M2.5-9.5H9.5V-2.5M-9 3.5V9h5.5", NULL},
    [ALEA_GLYPH_SHIP] = {"M-16 4h32l-5.5 9.5h-21zM-1.2 2.5h2.4v-17h-2.4zM3 1V-12C9-9 12-4 12.5 1z"
                         "M-3 1h-9.5C-11-4-8-8-3-10z",
                         NULL, NULL},
    [ALEA_GLYPH_MOUSE] =
        {"M-14-9a5.5 5.5 0 0 1 10.2-2.8c2.4-.8 5.2-.8 7.6 0A5.5 5.5 0 1 1 10.6-3.6"
         "C12 3 7 12 0 15.5-7 12-12 3-10.6-3.6A5.5 5.5 0 0 1-14-9z",
         "M-4 9.5l-8.5 1M-4 11l-7 4M4 9.5l8.5 1M4 11l7 4",
         "M-6-1a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0zM2.6-1A1.7 1.7 0 1 0 6-1a1.7 "
         "1.7 0 1 0-3.4 0zM-2 11a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"},
    [ALEA_GLYPH_CAT] =
        {"M-12.5-15.5l7.5 5c3.2-1 6.8-1 10 0l7.5-5 .6 10.5C16 3 11 13.5 0 13.5S-16 3"
         "-13.1-5z",
         "M0 4.5v3M0 7.5c-1.5 2-4 2-5 .5M0 7.5c1.5 2 4 2 5 .5M-7 5l-9-1M-7 7l-8 2.5M7 5"
         "l9-1M7 7l8 2.5",
         "M-7.6-2a2 2.4 0 1 0 4 0a2 2.4 0 1 0-4 0zM3.6-2a2 2.4 0 1 0 4 0a2 2.4 0 1 0-4 "
         "0zM-2 3h4L0 5.2z"},
    [ALEA_GLYPH_CHEESE] =
        {"M-15 2L9-11c3.5 2.5 5.5 6.5 6 13v10h-30z", "M-15 2h30",
         "M-9 7a2.2 2.2 0 1 0 4.4 0A2.2 2.2 0 1 0-9 7zM2 8a2.6 2.6 0 1 0 5.2 0A2.6 "
         "2.6 0 1 0 2 8zM2.5-3a2.2 1.8 0 1 0 4.4 0a2.2 1.8 0 1 0-4.4 0z"},
    [ALEA_GLYPH_RABBIT] =
        {"M-7.5-5C-10-11-9.5-16.5-7-17.5-4-18-2-12-1.5-7h3C2-12 4-18 7-17.5c2.5 1 3 "
         "6.5.5 12.5 3 2.5 4 5.5 4 8.5 0 7-5 11.5-11.5 11.5S-11.5 10.5-11.5 3.5c0-3 "
         "1-6 4-8.5z",
         "M0 7v3M-3 11c1.2 1 2.2.5 3-1 .8 1.5 1.8 2 3 1",
         "M-6.2 1.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0zM2.8 1.5a1.7 1.7 0 1 0 "
         "3.4 0a1.7 1.7 0 1 0-3.4 0zM-2 5h4L0 7.4z"},
    [ALEA_GLYPH_WOLF] = {"M-14-15.5l8.5 6c3.6-1.2 7.4-1.2 11 0l8.5-6 .2 11.5c2 3 1.3 5-1.2 7.5L6 8"
                         "l-2.5 6.5h-7L-6 8l-7-4.5c-2.5-2.5-3.2-4.5-1.2-7.5z",
                         "M-6 8L-3 2M6 8L3 2",
                         "M-8.5-3.5l5 2.4a2.6 2.6 0 0 1-5-2.4zM8.5-3.5l-5 2.4a2.6 2.6 0 0 0 5-2.4z"
                         "M-2.8 10.6h5.6L0 14z"},
    [ALEA_GLYPH_SHEEP] =
        {"M-8 9.5a5.5 5.5 0 0 1-5.6-7.6A5.4 5.4 0 0 1-9.5-7.2 5.6 5.6 0 0 1 0-9.6a5.6 "
         "5.6 0 0 1 9.5 2.4 5.4 5.4 0 0 1 4.1 9.1A5.5 5.5 0 0 1 8 9.5z"
         "M-6.5-1C-6.5-5 6.5-5 6.5-1 6.5 8 4 15 0 15S-6.5 8-6.5-1z",
         "M-2.2 10.5h4.4",
         "M-4.6 2a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0zM1.6 2a1.5 1.5 "
         "0 1 0 3 0a1.5 1.5 0 1 0-3 0z"},
    [ALEA_GLYPH_BRUSH] = {"M16-12.6L12.6-16-1.5-3.6 3.6 1.5zM-2.8-2.4L2.4 2.8C2.5 8-1 13-14 14.5"
                          "c3-3 2-4.5 3-8.5 1-4.5 4.5-7.5 8.2-8.4z",
                          "M-2.8-2.4L2.4 2.8", NULL},
    [ALEA_GLYPH_LAMP] = {"M-4.5 9.5C-4.5 5-11-.5-11-6.5a11 11 0 0 1 22 0C11-.5 4.5 5 4.5 9.5z"
                         "M-4.5 11h9v2.6l-2 2.4h-5l-2-2.4z",
                         "M-4-4.5L0-1.5 4-4.5M0-1.5v11", NULL},
    [ALEA_GLYPH_STAR] = {"M0-15.5L4.4-5.6 15.2-4.6 7.1 2.5 9.5 13.1 0 7.6-9.5 13.1-7.1 2.5-15.2-4.6"
                         "-4.4-5.6z",
                         NULL, NULL},
    [ALEA_GLYPH_SPLASH] = {CIRCLE("5", "10") "M0-8.5V-13M0 8.5V13M8.5 0H13M-8.5 0H-13M6-6L9.2-9.2"
                                             "M-6 6L-9.2 9.2M6 6L9.2 9.2M-6-6L-9.2-9.2",
                           NULL, NULL},
    [ALEA_GLYPH_BLOCK] = {"M-20-20h40v40h-40zM-20-6.7h40M-20 6.7h40M0-20v13.3M-10-6.7V6.7"
                          "M10-6.7V6.7M0 6.7V20",
                          NULL, NULL},
    [ALEA_GLYPH_TRACE] = {CIRCLE("6", "12"), NULL, NULL},
    [ALEA_GLYPH_RAVEN] =
        {"M-16-5l7-1.5C-8-11-3-12.5.5-10.5 5-8 5-3 9-.5L16 5c-4 1-8 .5-10-.5C3 9-2 10.5"
         "-6 8.5-10.5 6-11 .5-10-3.5zM-3 9.8V15M1 9V15",
         NULL, "M-7-6.5a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0z"},
    [ALEA_GLYPH_ROCKET] =
        {"M0-17C5-13 7-8 7-1V7l5 4v4.5L5 12.5H-5L-12 15.5V11l5-4V-1C-7-8-5-13 0-17z", "M-7 7H7",
         "M-3.2-4a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"},
    [ALEA_GLYPH_CAR] =
        {"M-16 8V2.5C-16 1-15 0-13.5-.5L-9.5-1.5-6.5-8C-6-9-5-9.5-4-9.5H6c1 0 2 .5 2.6 "
         "1.4l4 6.1C15-1.5 16-.5 16 1.5V8z"
         "M-12 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM4 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
         "M-9.5-1.5H12M1-9.5v8", NULL},
    [ALEA_GLYPH_DOOR] = {"M-10-16.5h20v33h-20z", "M-6.5-12.5h13v10h-13zM-6.5 2h13v10h-13z",
                         "M5.5-.3a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0z"},
    [ALEA_GLYPH_PAINT] = {"M-19-19h38v38h-38z", NULL, NULL},
    [ALEA_GLYPH_ROCK] = {"M-15.5 8L-12.5-3.5-5-11 4.5-12 12.5-5.5 15.5 5 12 11.5-11 12.5z",
                         "M-5-11l3.5 8.5 8.5 1.5 5.5-4.5M-12.5-3.5l11 1M7-1l1.5 7.5 3.5 5", NULL},
    [ALEA_GLYPH_PAPER] = {"M-11-15H5l6.5 6.5V15H-11z",
                          "M5-15v6.5h6.5M-7-5.5H7.5M-7 0H7.5M-7 5.5H7.5M-7 10.5H3", NULL},
    [ALEA_GLYPH_SCISSORS] =
        {"M-1.8 3.6L6.2-16c2.4.6 3.6 3 2.8 5.2L2.4 5.6zM1.8 3.6L-6.2-16c-2.4.6-3.6 3-2.8 5.2L-2.4 "
         "5.6z"
         "M-12.5 10a5.4 5.4 0 1 0 10.8 0a5.4 5.4 0 1 0-10.8 0zM-9.8 10a2.7 2.7 0 1 1 5.4 0"
         "a2.7 2.7 0 1 1-5.4 0z"
         "M1.7 10a5.4 5.4 0 1 0 10.8 0a5.4 5.4 0 1 0-10.8 0zM4.4 10a2.7 2.7 0 1 1 5.4 0"
         "a2.7 2.7 0 1 1-5.4 0z",
         NULL, "M-1 2.4a1 1 0 1 0 2 0a1 1 0 1 0-2 0z"},
    [ALEA_GLYPH_HEADS] = {CIRCLE("15", "30"), CIRCLE("12.6", "25.2"),
                          "M-5.5 9.5c0-4 2-5 2-7-3-1.6-4-4.8-3-7.8 1.4-3.8 5-4.8 8.2-4 3.8 1 5 4.4 "
                          "4.2 7.8l2 3.2-2.2.6v3.2h-3.2v4z"},
    [ALEA_GLYPH_TAILS] = {CIRCLE("15", "30"), CIRCLE("12.6", "25.2"),
                          "M-1.8-8.5h4V6.5h3.3v2.5h-10V6.5h3.2V-5l-3.3 1v-2.6z"},
};

_Static_assert(ALEA_GLYPH_COUNT <= 64, "glyphs are bits of a word");

#define GLYPH_NAME(constant, name) name,
static const char *const names[] = {ALEA_GLYPHS(GLYPH_NAME)};

/* Words for things that have a glyph of another name. */
typedef struct glyph_word {
  const char *word;
  alea_glyph glyph;
} glyph_word;

static const glyph_word words[] = {
    {"checker", ALEA_GLYPH_MAN},     {"x", ALEA_GLYPH_CROSS},        {"o", ALEA_GLYPH_RING},
    {"dot", ALEA_GLYPH_PELLET},      {"food", ALEA_GLYPH_PELLET},    {"pacman", ALEA_GLYPH_MUNCHER},
    {"wall", ALEA_GLYPH_BLOCK},      {"hubi", ALEA_GLYPH_GHOST},     {"box", ALEA_GLYPH_CRATE},
    {"gold", ALEA_GLYPH_COIN},       {"wumpus", ALEA_GLYPH_MONSTER}, {"hunter", ALEA_GLYPH_PERSON},
    {"burned", ALEA_GLYPH_FIRE},     {"vacuum", ALEA_GLYPH_ROBOT},   {"cleaner", ALEA_GLYPH_ROBOT},
    {"shot", ALEA_GLYPH_SPLASH},     {"seen", ALEA_GLYPH_TRACE},     {"visited", ALEA_GLYPH_TRACE},
    {"explorer", ALEA_GLYPH_PERSON}, {"treasure", ALEA_GLYPH_COIN},  {"agent", ALEA_GLYPH_ROBOT},
    {"goat", ALEA_GLYPH_SHEEP},
};

alea_glyph alea_glyph_find(const char *word) {
  for (size_t i = 0; i < ALEA_GLYPH_COUNT; i++) {
    if (strcmp(word, names[i]) == 0) return (alea_glyph)i;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(word, words[i].word) == 0) return words[i].glyph;
  }
  return ALEA_GLYPH_COUNT;
}

alea_ink alea_glyph_ink(alea_glyph glyph) {
  switch (glyph) {
    case ALEA_GLYPH_CROSS: return ALEA_INK_RED;
    case ALEA_GLYPH_RING: return ALEA_INK_BLUE;
    case ALEA_GLYPH_MUNCHER:
    case ALEA_GLYPH_LAMP:
    case ALEA_GLYPH_COIN:
    case ALEA_GLYPH_HEADS:
    case ALEA_GLYPH_TAILS:
    case ALEA_GLYPH_PELLET:
    case ALEA_GLYPH_CHEESE: return ALEA_INK_YELLOW;
    case ALEA_GLYPH_FIRE: return ALEA_INK_ORANGE;
    case ALEA_GLYPH_CRATE:
    case ALEA_GLYPH_DOOR:
    case ALEA_GLYPH_RABBIT:
    case ALEA_GLYPH_DIRT: return ALEA_INK_BROWN;
    case ALEA_GLYPH_BLOCK:
    case ALEA_GLYPH_ROCK:
    case ALEA_GLYPH_MOUSE:
    case ALEA_GLYPH_WOLF:
    case ALEA_GLYPH_TRACE:
    case ALEA_GLYPH_ARROW: return ALEA_INK_GREY;
    case ALEA_GLYPH_BOMB:
    case ALEA_GLYPH_RAVEN:
    case ALEA_GLYPH_PIT: return ALEA_INK_BLACK;
    case ALEA_GLYPH_PAPER:
    case ALEA_GLYPH_SHEEP: return ALEA_INK_WHITE;
    case ALEA_GLYPH_MONSTER: return ALEA_INK_PURPLE;
    case ALEA_GLYPH_SCISSORS:
    case ALEA_GLYPH_ROBOT: return ALEA_INK_TEAL;
    default: return ALEA_INK_COUNT;
  }
}

bool alea_glyph_is_ground(alea_glyph glyph) {
  return glyph == ALEA_GLYPH_PELLET || glyph == ALEA_GLYPH_FIRE || glyph == ALEA_GLYPH_DIRT ||
         glyph == ALEA_GLYPH_PIT || glyph == ALEA_GLYPH_TRACE || glyph == ALEA_GLYPH_PAINT ||
         glyph == ALEA_GLYPH_CHEESE;
}

void alea_glyph_use(alea_canvas *canvas, alea_text *out, alea_glyph glyph, alea_ink ink, double x,
                    double y, double scale) {
  canvas->glyphs |= UINT64_C(1) << glyph;
  alea_text_format(out, "<use href=\"#alea-%s\" class=\"%s\"", names[glyph],
                   alea_canvas_ink(canvas, ink));
  if (scale == 1) {
    alea_svg_length(out, "x", x);
    alea_svg_length(out, "y", y);
    return;
  }
  alea_text_put(out, " transform=\"translate(");
  alea_svg_number(out, x);
  alea_text_char(out, ' ');
  alea_svg_number(out, y);
  alea_text_format(out, ")scale(%.2g)\"", scale);
}

void alea_glyphs_define(alea_text *out, uint64_t glyphs) {
  if (glyphs == 0) return;
  alea_text_put(out, "<defs>\n");
  for (size_t i = 0; i < ALEA_GLYPH_COUNT; i++) {
    if ((glyphs >> i & 1) == 0) continue;
    alea_text_format(out,
                     "<g id=\"alea-%s\" stroke-width=\"1.4\" stroke-linejoin=\"round\" "
                     "stroke-linecap=\"round\"><path d=\"%s\"/>",
                     names[i], shapes[i].shape);
    if (shapes[i].detail != NULL)
      alea_text_format(out, "<path d=\"%s\" fill=\"none\" stroke=\"currentColor\"/>",
                       shapes[i].detail);
    if (shapes[i].solid != NULL)
      alea_text_format(out, "<path d=\"%s\" fill=\"currentColor\" stroke=\"none\"/>",
                       shapes[i].solid);
    alea_text_put(out, "</g>\n");
  }
  alea_text_put(out, "</defs>\n");
}

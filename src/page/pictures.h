#ifndef ALEA_PAGE_PICTURES_H
#define ALEA_PAGE_PICTURES_H

/* What a game is made of, for pictures of it: the network of its rules, the constraint
 * graph of one stage, and the generators of its symmetry group.
 *
 * A process of its own (page/launcher.h) reads a request as one JSON object from standard
 * input: a game as for a table (page/table.h).  It answers with one JSON object:
 *
 *   "network":     "fluents", "moves", "gates", "levels" (gates by their distance from
 *                  fluents and moves), and where there are few "nodes" ("kind", "level",
 *                  "text") and "edges" (from, to, whether negated), else null; null: the
 *                  rules are proved in place of a network
 *   "constraints": "variables" ("name", "kind", "size") and "scopes" (lists of variables),
 *                  of the encoder `paper` where it can be made; or null
 *   "symmetry":    "order", and "generators": lists of cycles of fluents; or null */

/* What the process does; an alea_launch_main. */
int alea_page_pictures_run(int argc, char **argv);

#endif

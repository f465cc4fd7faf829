#ifndef ALEA_PAGE_REPLAY_H
#define ALEA_PAGE_REPLAY_H

/* Every position of a play, drawn, for the page.
 *
 * Runs in a process of its own.  Standard input is one JSON object as the first
 * line of a table (page/table.h), with "moves", an array of joint moves as text,
 * or "record", the text of a match record; with "values" players say what each
 * position is worth.  The output is one object:
 *
 *   {"title", "description", "roles": [{"name", "spelling"}, ...],
 *    "steps": [{"moves": null at first, else one text per role; "svg"; "text";
 *               "over"; "goals": [number or null, ...];
 *               "value": null or {"role", "value"}}, ...],
 *    "problem": null, or why the play cannot be followed further} */

/* What the process does; an alea_launch_main. */
int alea_page_replay_run(int argc, char **argv);

#endif

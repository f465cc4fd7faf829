#ifndef ALEA_PAGE_WATCH_H
#define ALEA_PAGE_WATCH_H

/* Watching an event elsewhere: the server of `alea tournament --watch-port` or `alea host
 * --watch-port`.
 *
 * Runs in a process of its own.  Asks the address for /events and prints every object that
 * comes as `{"type":"live","event":OBJECT}`, until the other side ends.  Nothing but JSON
 * objects is passed on, and no other address is called, whatever the answer says. */

/* What the process does; an alea_launch_main.  argv[1] is the address. */
int alea_page_watch_run(int argc, char **argv);

#endif

/* salotto notices: the licences of what lies inside the program. */
#include "cli.h"

static int run_notices(int argc, char **argv) {
  if (argc > 1)
    return misused(&command_notices, _("unexpected argument '%s'."), argv[1]);
  fputs(embedded_file("notices.txt", NULL), stdout);
  return DONE;
}

const struct command command_notices = {
    "notices", N_("print the licences of what is inside this program"), "",
    N_("Prints the licence of Salotto, and those of the third-party work inside the\n"
       "program and its pages.\n"),
    run_notices};

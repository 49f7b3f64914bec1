/* What the server's messages look like; see docs/server.md for the notation. The
 * tests hold every message that they get against this, so it cannot fall behind
 * messages.c and lobby.c.
 *
 * Every message has `op`; an answer also has `re` and, if the request had one,
 * `id`. "State" and "Event" are those of the game, "Game" is one of the offer
 * (docs/protocol.md); "any" is anything. */
#include "messages.h"

#define SEATS                                                                  \
  "[{\"kind\": \"string\", \"level?\": \"string\", \"name?\": \"string\","     \
  " \"person?\": \"int\", \"connected?\": \"bool\", \"away?\": \"bool\","      \
  " \"part_hash?\": \"string\", \"part?\": \"string\","                        \
  " \"face?\": \"int\"}]"
#define CLOCK_RULE                                                             \
  "{\"|\": [{\"kind\": \"string\", \"days?\": \"int\", \"seconds?\": \"int\"," \
  " \"increment?\": \"int\"}, \"null\"]}"
#define CLOCK                                                                  \
  "{\"|\": [{\"rule?\": " CLOCK_RULE ", \"left\": [\"int|null\"],"             \
  " \"running\": [\"int\"]}, \"null\"]}"
/* A table; `mark` is "?" where a message may leave it out. */
#define TABLE(mark)                                                            \
  " \"game" mark "\": \"string\", \"players" mark "\": \"int\","               \
  " \"options" mark "\": {\"*\": \"any\"}, \"seats" mark "\": " SEATS          \
  ", \"listed" mark "\": \"bool\", \"spectators" mark "\": \"bool\","          \
  " \"chat" mark "\": \"bool\", \"hints" mark "\": \"bool\","                  \
  " \"undo" mark "\": \"bool\", \"rated" mark "\": \"bool\","                  \
  " \"practice" mark "\": \"bool\", \"stand_in" mark "\": \"string\","         \
  " \"commitment" mark "\": \"string\", \"started" mark "\": \"bool\","        \
  " \"revealing?\": \"bool\", \"before?\": \"string\","                        \
  " \"rematch?\": \"string\""
/* What sal_table_tell writes. */
#define TOLD                                                                   \
  " \"seat\": \"int|null\", \"events?\": [\"Event\"], \"next?\": \"int\","     \
  " \"words?\": [{\"text\": \"string\", \"rule?\": \"string\"}],"              \
  " \"state?\": \"State\", \"prompt?\": \"string\","                           \
  " \"position?\": \"string\", \"legal?\": [\"string\"],"                      \
  " \"legal_count?\": \"int\", \"legal_say?\": [\"string\"],"                  \
  " \"may_undo?\": \"bool\", \"may_rewind?\": \"bool\""
#define NAMED "\"person\": \"int\", \"name\": \"string\""
#define SAID NAMED ", \"seat\": \"int|null\", \"text\": \"string\""
#define REFUSED                                                                \
  "\"code\": \"string\", \"rule\": \"string|null\", \"message\": \"string\""

const char message_schema[] =
    "{\"hello\": {\"protocol\": \"int\", \"you\": {" NAMED "},"
    " \"games\": [\"Game\"], \"levels\": [\"any\"],"
    " \"bots\": [\"string\"], \"welcome?\": \"string\"},"
    " \"error\": {" REFUSED "},"
    " \"why\": {\"legal\": \"bool\", \"code?\": \"string\","
    " \"rule?\": \"string|null\", \"message?\": \"string\"},"
    " \"done\": {\"table?\": \"string\", \"seq?\": \"int\"},"
    " \"table\": {\"table\": \"string\", \"seq\": \"int\"," TABLE(
        "") ", \"clock\": " CLOCK ", \"key?\": \"string\"," TOLD
            ", \"said\": [{" SAID "}]},"
            " \"moved\": {\"table\": \"string\", \"seq\": \"int\","
            " \"kind\": \"string\", \"by?\": \"int\"," TABLE(
                "?") ", \"clock?\": " CLOCK ", \"key?\": \"string\"," TOLD "},"
                     " \"left\": {\"table\": \"string\"},"
                     " \"hint\": {\"table\": \"string\", \"seq\": \"int\","
                     " \"action\": \"string\", \"say\": \"string\", \"candidates\":"
                     " [{\"action\": \"string\", \"value\": \"real\", \"share\": \"real\"}]},"
                     " \"rematch\": {\"table\": \"string\", \"next\": \"string\"},"
                     " \"reveal\": {\"table\": \"string\", \"hashes\": [\"string|null\"],"
                     " \"seconds\": \"int\"},"
                     " \"result\": {\"table\": \"string\", \"rated\": \"bool\","
                     " \"unrated?\": \"string\", \"seats\": [{\"place\": \"int\","
                     " \"score\": \"int\", \"gone\": \"bool\", \"before?\": \"int\","
                     " \"after?\": \"int\"}]},"
                     " \"presence\": {\"table\": \"string\", \"seat\": \"int\","
                     " \"connected\": \"bool\"},"
                     " \"record\": {\"table\": \"string\", \"record\": \"string\"},"
                     " \"said\": {\"table\": \"string\", " SAID "},"
                     " \"lobby\": {\"tables\": [{\"table\": \"string\"," TABLE(
                         "") ", \"clock\": {\"|\": [{\"rule\": " CLOCK_RULE
                             "}, \"null\"]}}]},"
                             " \"mine\": {\"tables\": [{\"table\": \"string\", \"seq\": \"int\","
                             " \"seat\": \"int\", \"asked\": \"bool\"," TABLE(
                                 "") ", \"clock\": " CLOCK "}]},"
                                     " \"closing\": {}}";

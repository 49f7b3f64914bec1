/* A model of how several servers share one store: src/server/store/lease.h and
 * store.c. `tests/model/check` lets spin look at every order of these steps.
 *
 * One room, and servers that stop anywhere and go on later or never, fall and start
 * again. There is no clock: a lease may be out at any moment, also one that was just
 * renewed; so pauses, slow networks and wrong clocks are all among the orders.
 *
 * Steps, by the functions that they are:
 *   take     lease_take: removes the row that is there, which waits for whoever
 *            holds it; puts its own there
 *   load     rooms_load: reads the log
 *   check    lease_check: finds its own row and holds it, or fails
 *   append   store_append: writes the next move, by its key
 *   commit   sql_commit: the move is durable, the row is let go
 *   roll back  the database ends a transaction that its server has forgotten
 *   tell     move_is_durable: the client hears of it
 *   doubt    lease_doubt: whether the commit happened is not known; the server
 *            steps down, and reads the log again when it next has the lease
 *   lose     lease_is_lost: the row is gone, or was not seen for long; the server
 *            steps down
 *   leave    lease_let_go
 *
 * Claims:
 *   - one owner's moves only: whoever commits a move has its row there, and has
 *     read or written all moves before it.
 *   - no acknowledged move lost or doubled: what a client was told is in the log
 *     under that number, as told, and no other was told under it. The log is only
 *     appended to.
 *
 * Bounds: as below. */
#ifndef SERVERS
#define SERVERS 3
#define SEQS 3
#define LEASES 5
#endif
#define NOBODY 0

byte row = NOBODY;   /* the number of the lease whose row is there */
bool held;           /* a transaction holds it */
byte next_lease = 1; /* never given twice */
byte length;         /* of the log */
byte author[SEQS];   /* by which lease each move was made */
byte told[SEQS];     /* the same, as a client was told */

proctype server() {
  byte lease = NOBODY, known = 0;
waiting:
  atomic { /* take */
    (row == NOBODY || !held) && next_lease <= LEASES;
    lease = next_lease;
    next_lease++;
    row = lease
  }
  known = length; /* load */
serving:
  do
  :: atomic { row != lease -> lease = NOBODY; known = 0; goto waiting } /* lose */
  :: atomic { known < SEQS && row == lease -> held = true } /* check */
     if
     :: atomic { /* append, commit */
          assert(row == lease && known == length);
          author[length] = lease;
          length++;
          held = false
        }
        if
        :: atomic { /* tell */
             assert(known < length && author[known] == lease);
             assert(told[known] == NOBODY);
             told[known] = lease;
             known++
           }
        :: atomic { lease = NOBODY; known = 0; goto waiting } /* doubt */
        fi
     :: atomic { held = false; lease = NOBODY; known = 0; goto waiting } /* fall */
     :: held = false /* roll back */
     fi
  :: atomic { row == lease -> row = NOBODY; lease = NOBODY; known = 0;
              goto waiting } /* leave */
  :: atomic { lease = NOBODY; known = 0; goto waiting } /* fall, kill -9 */
  od
}

init {
  byte i;
  atomic { for (i : 1 .. SERVERS) { run server() } }
}

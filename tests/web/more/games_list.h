/* The list of games of a build that has one more (tests/web/more_test.mjs). */
#define SAL_GAMES(X) X(doors) X(favor) X(traps) X(louis) X(null)

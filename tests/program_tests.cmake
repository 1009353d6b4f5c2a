# Tests of the programs as a user runs them, one line each.

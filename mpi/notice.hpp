#pragma once

namespace hiple::mpi {

/// "Look now": one integer, the sender's rank: from each trainer to the integrator when its list is done, and where judging is on
/// demand, from the integrator to a trainer that is asked, and back when it has answered. It carries nothing that is not in
/// files; if it is lost, the other side finds out by itself.

/// Sends it without blocking. Gives up after `seconds`: false.
bool send_notice(int to, int rank, double seconds);

/// Takes every notice that is there; how many. Never blocks.
int receive_notices();

}  // namespace hiple::mpi

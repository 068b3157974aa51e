#pragma once
// The main loop of trl-executor.
#include "verifier/executor_server/candidate.hpp"

namespace trl::runtime {

/// Announces on standard output that trl-executor is ready, then serves candidates until standard input ends.
/// `words` are the command line; `--memory BYTES` limits the memory of each child process. Returns the exit
/// status.
///
/// The process itself never reads data of a candidate. Each file descriptor that it receives is the socket of
/// one candidate. For each socket it forks a child, which confines itself further and serves the socket. So a
/// candidate that takes over its child can't affect other candidates or answer for them.
int serve_candidates(int count, char** words, const Candidate::Watch& watch = {});

}  // namespace trl::runtime

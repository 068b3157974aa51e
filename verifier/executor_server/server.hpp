#pragma once
// The main loop of trl-executor.
#include "verifier/executor_server/candidate.hpp"

namespace trl::runtime {

/// `--memory BYTES` limits the memory of each candidate's child. Announces that it is ready, then serves
/// candidates until its standard input ends. Returns the exit status.
///
/// The process itself reads no byte of any candidate. Each file descriptor that it receives is the socket of
/// one candidate; a child, forked for it and confined further, serves that socket. So nothing that a
/// candidate does to its child affects the next, and no child can answer for another.
int serve_candidates(int count, char** words, const Candidate::Watch& watch = {});

}  // namespace trl::runtime

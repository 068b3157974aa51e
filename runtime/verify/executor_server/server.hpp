#pragma once
// trl-executor's main loop.
#include "runtime/verify/executor_server/candidate.hpp"

namespace trl::runtime {

/// `--memory BYTES`: of each candidate's child. Says that it is ready, then serves candidates until its
/// standard input ends. Returns the exit status.
///
/// The process itself reads no byte of a candidate's: each descriptor that it is given is a candidate's
/// socket, which a child serves, forked for it and confined further. So nothing that a candidate does to its
/// child is there for the next, and no child can speak for another.
int serve_candidates(int count, char** words, const Candidate::Watch& watch = {});

}  // namespace trl::runtime

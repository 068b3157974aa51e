// The server mode: it reads a request per line and writes an answer per line, with one process per candidate.
#pragma once
#include "verifier/kernel_check/finding.hpp"

namespace trl::kernel_check {

/// Answers requests on standard input until it ends; returns the exit status. Each candidate has a process of
/// its own, forked from one that has parsed the prelude. A candidate that makes Clang crash, hang or use up
/// memory affects its own answer only.
int serve();

/// Checks one candidate in a process of its own.
Answer check_apart(const Request& request);

}  // namespace trl::kernel_check

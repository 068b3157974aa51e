// The server mode of the kernel check: it reads one request per line and writes one answer per line, and
// checks each candidate in its own process.
#pragma once
#include "verifier/kernel_check/finding.hpp"

namespace trl::kernel_check {

/// Answers the requests on standard input until the input ends; returns the exit status. Each candidate has
/// its own process, forked from a process that has parsed the prelude. A candidate that makes Clang crash,
/// hang or use up memory affects only its own answer.
int serve();

/// Checks one candidate in a separate process.
Answer check_apart(const Request& request);

}  // namespace trl::kernel_check

// The persistent mode: a line in, a line out, a process for each candidate.
#pragma once
#include "runtime/verify/kernel_check/finding.hpp"

namespace trl::kernel_check {

/// Answers requests on standard input until it ends; the exit status. A candidate has a process of its own,
/// forked from one that has parsed the prelude: what crashes, hangs or eats memory there costs its own
/// answer.
int serve();

/// One candidate in a process of its own.
Answer check_apart(const Request& request);

}  // namespace trl::kernel_check

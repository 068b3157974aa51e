#pragma once

namespace trl::interpreter {

/// Marks a named step between two changes to the disk, at which a test can stop the real program. The call
/// does nothing unless the environment has TRL_FAILPOINT = "STEP:K=ACTION". When the process passes STEP for
/// the K-th time (K is 1 by default; "*" matches every step), the action `kill` kills the process and `stop`
/// stops it. The action `list` writes the name of each step to standard error instead.
/// interpreter/store/README.md names the steps.
void failpoint(const char* step);

}  // namespace trl::interpreter

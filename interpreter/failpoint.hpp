#pragma once

namespace trl::interpreter {

/// A named moment between two changes to the disk, where a test can stop the real program. Does nothing
/// unless the environment has TRL_FAILPOINT = "STEP:K=ACTION": at the K-th passing of the step (K = 1 when
/// left out; the step "*" is any) the process is killed (`kill`) or stopped (`stop`); `list` writes the name
/// of each step passed to standard error instead. interpreter/store/README.md names the steps.
void failpoint(const char* step);

}  // namespace trl::interpreter

#pragma once

namespace trl::interpreter {

/// A named step between two changes to the disk at which a test can stop the real program. It does nothing
/// unless the environment has TRL_FAILPOINT = "STEP:K=ACTION". The K-th time that the step is passed (K is 1
/// by default; the step "*" is any), the process is killed (`kill`) or stopped (`stop`); `list` instead
/// writes the name of each step to standard error. interpreter/store/README.md names the steps.
void failpoint(const char* step);

}  // namespace trl::interpreter

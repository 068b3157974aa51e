// trl-executor parses and executes the TTIR of candidates (docs/interfaces.md, 4). It has no torch, no
// Python, no expected values and no files.
#include "verifier/executor_server/server.hpp"

int main(int count, char** words) { return trl::runtime::serve_candidates(count, words); }

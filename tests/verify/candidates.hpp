#pragma once
// Tasks, answers and processes that the tests of verification share.
#include <string>

#include "runtime/verify/verify.hpp"

namespace trl::runtime::candidates {

/// y = relu(x), x: f32[M = 64, N = 256].
Task relu();
/// y = x @ w, M = 64, K = 64, N = 48.
Task matmul();
/// y = softmax(x, 1), M = 32, N = 100.
Task softmax();
/// y = sum(x, 1), M = 32, N = 100.
Task row_sum();
/// z = x + y.
Task add();

/// A masked relu over all elements; what stands in for `KERNEL`, `WRAPPER` of the honest answer below.
std::string relu_answer(const std::string& forward);

extern const std::string relu_kernel;
extern const std::string honest_relu;

/// One lane, started at first use and kept for the process.
Verifier& lane();
Recorder& recorder();
/// True when this machine can't isolate candidates: tests then run without.
bool unconfined();

/// An exam: tiny, all variations, every kernel compiled, memory errors fail.
Protocol exam();
/// A training round without extensions: the original alone, tolerant.
Protocol training();

Verdict judge(const Task& task, const std::string& answer, const Protocol& protocol = exam());

}  // namespace trl::runtime::candidates

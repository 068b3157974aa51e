#pragma once
// Tasks, answers and processes that the tests of verification share.
#include <string>

#include "runtime/verify/examination/verify.hpp"

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

// Inline, so that they are there before the parameters of a file's tests are made of them.
inline const std::string relu_kernel = R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=m)

)";
inline const std::string honest_relu = relu_answer(R"(        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
)");

/// What inputs are drawn by: always the same, or what TRL_TEST_SECRET says. No verdict hangs on it.
std::string secret();
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

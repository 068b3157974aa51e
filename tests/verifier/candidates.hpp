#pragma once
// Tasks, answers and processes that the tests of verification share.
#include <string>

#include "verifier/examination/verify.hpp"

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

/// An honest answer with a masked relu over all elements; `forward` is the body of the wrapper.
std::string relu_answer(const std::string& forward);

// These are inline so that they are initialised before the parameters of a file's tests, which use them.
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

/// The secret from which inputs are drawn: a fixed one, or TRL_TEST_SECRET. No verdict depends on it.
std::string secret();
/// A worker slot that is started on first use and kept for the process.
Verifier& verifier();
Recorder& recorder();
/// Whether this machine can't isolate candidates; the tests then run without isolation.
bool unconfined();

/// An exam: the tiny stage, all variations, every kernel compiled, and memory errors fail.
Protocol exam();
/// A training round without extensions: only the original variation, memory errors are tolerated.
Protocol training();

Verdict judge(const Task& task, const std::string& answer, const Protocol& protocol = exam());

}  // namespace trl::runtime::candidates

#include "base/support/asking.hpp"

namespace trl {
namespace {

constexpr std::string_view zero_shot_opening =
    R"(Write {language} kernels that compute what the following PyTorch module computes, and as fast as you can.

```python
{task}
```
)";

constexpr std::string_view one_shot_opening =
    R"(Write {language} kernels that compute what a PyTorch module computes, and as fast as you can. Here are a module and an answer to it.

{example}

Now this module:

```python
{task}
```
)";

constexpr std::string_view closing = R"(
Answer with one fenced block of Python that defines the class `ModelNew`. Its constructor takes the arguments of `Model`'s and keeps
the same parameters under the same names; its `forward` takes the same inputs and returns the same values. PyTorch may allocate, reshape
and launch. Everything else is computed by your kernels, at any sizes of the inputs.
)";

constexpr std::string_view module_of_example = R"(```python
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return x + y
```

)";

constexpr std::string_view triton_of_example = R"(```python
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(out_ptr + i, x + y, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        out = torch.empty_like(x)
        n = out.numel()
        add_kernel[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
        return out
```)";

constexpr std::string_view cuda_of_example = R"(```python
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void add_kernel(const float* x, const float* y, float* out, long n) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}

torch::Tensor add(torch::Tensor x, torch::Tensor y) {
  auto out = torch::empty_like(x);
  const long n = x.numel();
  add_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}
"""
module = load_inline(name="add", cpp_sources="torch::Tensor add(torch::Tensor x, torch::Tensor y);", cuda_sources=source, functions=["add"])


class ModelNew(nn.Module):
    def forward(self, x, y):
        return module.add(x.contiguous(), y.contiguous())
```)";

}  // namespace

std::optional<std::string_view> library_prompt(std::string_view name) {
  static const std::string zero_shot = std::string(zero_shot_opening).append(closing),
                           one_shot = std::string(one_shot_opening).append(closing);
  if (name == "zero_shot") return zero_shot;
  if (name == "one_shot") return one_shot;
  return std::nullopt;
}

std::string language_in_prompt(bool cuda) { return cuda ? "CUDA C++" : "Triton"; }

std::string example_in_prompt(bool cuda) {
  return std::string(module_of_example).append(cuda ? cuda_of_example : triton_of_example);
}

std::string asked(std::string_view text, std::string module) {
  if (text.empty()) return module;
  return filled(text, {{"task", std::move(module)}});
}

}  // namespace trl

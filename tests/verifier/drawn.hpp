#pragma once
// A task's drawn inputs with the expected output.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/secret.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/inputs/inputs.hpp"

namespace trl::runtime {

struct Drawn {
  Drawn(const Task& task, const std::string& name, Precision precision = Precision::task, int draw = 0)
      : variation(Variation::parse(name)),
        data(draw_inputs(task, variation, test_secret("a secret"), "a seal", draw)),
        inputs(input_tensors(task, variation, data)),
        expected(expect(task, variation, data, precision)) {}

  bool accepts(const at::Tensor& answer) const {
    const at::Tensor values = answer.to(at::kDouble).contiguous();
    for (std::size_t i = 0; i < expected.values.size(); ++i)
      if (!expected.accepts(i, values.data_ptr<double>()[i])) {
        if (std::getenv("TRL_SHOW") != nullptr)
          fmt::print("at {}: {:.9g} instead of {:.9g}, tolerance {:.3g}\n", i, values.data_ptr<double>()[i],
                     expected.values[i], expected.tolerance(i));
        return false;
      }
    return true;
  }

  Variation variation;
  std::vector<InputData> data;
  std::vector<at::Tensor> inputs;
  Expected expected;
};

inline at::Tensor single(const at::Tensor& x) { return x.to(at::kFloat); }

}  // namespace trl::runtime

// Prints how long a trial's inputs, expected values and tolerances take, for the tasks of the wind tunnel's
// suites.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <chrono>

#include "verifier/assess/assessment.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/corpus/suites.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/tasks/reference.hpp"

namespace {

using namespace trl::runtime;
using Clock = std::chrono::steady_clock;

struct Cost {
  double draw = 0, reference = 0, expect = 0, tolerances = 0;
};

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void measure(const Task& task, const Variation& variation, Cost& cost) {
  for (int number = 0; number < draws(task, variation); ++number) {
    auto begin = Clock::now();
    const std::vector<InputData> inputs = draw_inputs(task, variation, "a secret", "a seal", number);
    cost.draw += since(begin);
    begin = Clock::now();
    reference(task, input_tensors(task, variation, inputs));
    cost.reference += since(begin);
    begin = Clock::now();
    const Expected expected = expect(task, variation, inputs, Precision::task);
    cost.expect += since(begin);
    begin = Clock::now();
    expected.demanded();
    cost.tolerances += since(begin);
  }
}

}  // namespace

int main() {
  at::set_num_threads(1);  // as in trl-worker
  const std::vector<Task> tasks = every_suite();
  fmt::print("ms a trial, mean over {} tasks: draw, reference, expect, tolerances\n", tasks.size());
  for (const char* name : {"original", "resize(150%)", "cast(f16)", "extreme"}) {
    Cost cost;
    const Variation variation = Variation::parse(name);
    for (const Task& task : tasks) measure(task, variation, cost);
    const auto each = 1 / static_cast<double>(tasks.size());
    fmt::print("{:14} {:6.2f} {:6.2f} {:6.2f} {:6.2f}\n", name, cost.draw * each, cost.reference * each,
               cost.expect * each, cost.tolerances * each);
  }
}

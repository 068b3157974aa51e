#include "interpreter/report/exam_details.hpp"

namespace trl::interpreter {

std::vector<std::string> exam_details() {
  return {
      "extreme: large numbers of both signs, near and exact ties, zeros, denormals and infinities, as far as "
      "the value is defined there, finite in the task's dtype, and PyTorch's own f32 agrees",
      "the error of an honest computation is propagated from operator to operator, like a standard "
      "deviation: "
      "an operator errs by 32 u of its arguments and of its value (u = 2^-24, half a unit in the last place "
      "of f32), a sum of n terms t that comes to S by 8 x 0.42 u sqrt(n (S^2/3 + sum of t^2/2)), a value of "
      "an f16 or bf16 task by 4 u of its own, 2^-11 or 2^-8; views, comparisons and maxima add nothing",
      "besides, the output may differ by 32 u of f32, of its own size and of the typical size; where "
      "PyTorch's own "
      "arithmetic has a larger error, that error is the tolerance, in f32 four times it; where it fails, any "
      "value passes; "
      "NaN is only correct where the reference has NaN",
      "an output of fewer than 4 elements, 64 in half precision, is judged with up to 8 draws of the inputs",
      "a variation that refuses none of the trivial answers to a task (zeros, a constant, a copy of an "
      "input, "
      "the value without one of them, a first tile alone) is no evidence for a candidate; a task that one of "
      "them passes is an error in an exam (`trl explain degenerate_task`), and where that is allowed no "
      "answer "
      "to it is right"};
}

}  // namespace trl::interpreter

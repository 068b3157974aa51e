#include "base/contract/reasons.hpp"

namespace trl::contract {

std::span<const Reason> reasons() {
  static constexpr Reason all[] = {
      {"assertion", "An assertion of the kernel's own, `tl.device_assert`, does not hold."},
      {"bad_plan",
       "The launch plan contradicts itself, for example by a view that ends beyond its buffer. It comes from "
       "the candidate's process and is not believed."},
      {"compile_error",
       "A kernel does not compile for the named GPU, or a source does not compile at all. The message is the "
       "compiler's."},
      {"crashed",
       "A process that worked for this candidate alone ended without an answer, for example because the "
       "compiler crashed."},
      {"cut_off",
       "The answer reached `max_tokens` before its program was whole, and isn't a program as far as it goes. "
       "A larger `max_tokens` of the "
       "evaluation leaves it room."},
      {"data_dependent",
       "The wrapper reads what a tensor holds. While a plan is recorded tensors have shapes and no contents, "
       "so that only kernels can compute with them."},
      {"deadlock", "A program waits for something that no other program will do."},
      {"decoy_kernel",
       "The output is right, but the kernels don't make it: without them the plan gives most of it as well."},
      {"degenerate_task",
       "The task says nothing of a kernel: an answer that computes nothing passes it, too."},
      {"device_assert", "An assertion failed in a kernel on the GPU."},
      {"division_by_zero", "A kernel divides an integer by zero, which has no value."},
      {"exception",
       "The answer raised an exception before it launched all kernels. The message is Python's."},
      {"forbidden",
       "The answer does what no answer may, such as reading files or asking the system for what the sandbox "
       "withholds."},
      {"framework_compute",
       "The wrapper lets PyTorch compute. It may allocate, view, fill and copy; what is computed, kernels "
       "compute. Training with `framework = epilogue` lets PyTorch finish what kernels computed, for at most "
       "a "
       "quarter of the work."},
      {"gpu_error", "The GPU's driver refused or ended the kernels."},
      {"illegal_access", "A kernel on the GPU accessed memory that nothing was allocated in."},
      {"kept_output",
       "A timed run with changed inputs gave the output of the inputs before: it was kept and not computed."},
      {"launch", "The arguments or the grid of a launch don't match the kernel."},
      {"low_precision",
       "The values are those of a lower precision than the protocol allows (TF32, f16 or bf16): rounded to "
       "it, the task gives nearly the same. `precision` of the evaluation says what is allowed."},
      {"memory", "More memory was used than a candidate is given."},
      {"misaligned", "An address is not a multiple of the size of what is loaded or stored there."},
      {"missing_function", "A function that the answer names is not there."},
      {"missing_model",
       "The answer doesn't define what is called: the class `ModelNew` with the method `forward`, or "
       "`forward` in a CUDA file."},
      {"needs_gpu",
       "A CUDA kernel runs on a GPU alone, and this machine has none: whether its values are right is not "
       "known."},
      {"no_kernel", "The wrapper launches no kernel."},
      {not_judged,
       "Answers to the task can't be judged here, whatever they are: by its size, by what it is, or since "
       "the "
       "answer's file isn't read. Such an answer is neither right nor wrong; it counts in no column, and "
       "tables say "
       "how many there are."},
      {"option",
       "An option of a compilation or a launch would bring in code from elsewhere, or is not allowed."},
      {"order_dependent",
       "The values depend on what Triton leaves to the compiler: the order in which a reduction, a scan or a "
       "block that may be reordered joins or keeps elements, or whether a product and a sum are contracted "
       "to "
       "a fused multiply-add. A GPU joins neither neighbours first nor from left to right: what a "
       "reduction's "
       "function makes of two elements must not depend on which comes first."},
      {"out_of_bounds_load",
       "A kernel reads outside its buffer: often a mask is missing where sizes aren't round."},
      {"out_of_bounds_store",
       "A kernel writes outside its buffer: often a mask is missing where sizes aren't round."},
      {"overflow",
       "A value is NaN or infinite where the reference is finite, with inputs of the variation `extreme`: "
       "for example an exp without the maximum subtracted."},
      {"own_size_only",
       "The values are right at the sizes that the task's file has, and at no other: the answer has these "
       "sizes in its text. KernelBench's protocol, which tries no other sizes, may accept it."},
      {"processes", "The wrapper starts processes or threads."},
      {"race",
       "Two programs, or threads of one, touch a byte in no order, and at least one of them writes it. A GPU "
       "may give either result."},
      {"read_only_store", "A kernel writes into an input."},
      {"syntax_error", "The answer is no Python, or no C++."},
      {"timeout", "The candidate used up the time or the operations that one is given, or sleeps."},
      {"too_large", "The answer, its kernels or its plan are larger than what is accepted."},
      {"undefined_result",
       "The output depends on a result that has no defined value: of a shift by as many bits as the number "
       "has "
       "or more, of a division of integers by zero, of a conversion of NaN or of a number that doesn't fit "
       "to "
       "an integer, or of a histogram of values outside of its bins. Such results may occur where `tl.where` "
       "or "
       "a mask discards them."},
      {"unsupported",
       "The answer uses what the verifier doesn't know, such as inline assembly or streams of its own. It "
       "may be right; it isn't counted as right."},
      {"untrue_hint",
       "A number isn't what the kernel promises the compiler: by `tl.multiple_of`, `tl.max_contiguous` or "
       "`tl.max_constancy`, or by the multiple of 16 for which an argument's kernel was compiled. A GPU may "
       "then "
       "access other memory than the kernel says."},
      {"unwritten_output", "No kernel writes a part of the output."},
      {"unwritten_read", "A kernel reads memory that nothing has written."},
      {"wrong_arguments", "A function is called with other arguments than it takes."},
      {"wrong_dtype", "The output has another type of elements than the reference's."},
      {"wrong_launch", "A launch asks for what no GPU can do, such as a block of more than 1024 threads."},
      {"wrong_output", "The wrapper returns something else than one tensor on the GPU."},
      {"wrong_parameters",
       "The answer's module has other parameters than the task's module, and which of them are the task's "
       "can't be said: by name, by the numbers that they are drawn as, or by the order of their "
       "construction. "
       "Each must have the shape that the task's has."},
      {"wrong_shape", "The output has another shape than the reference's."},
      {"wrong_values",
       "Values of the output differ from the reference's by more than rounding can explain. `trl explain "
       "exam` says how much that is."},
  };
  return all;
}

}  // namespace trl::contract

#pragma once
// A candidate in the form of data: the sources of its kernels, and the steps that launch them
// (docs/interfaces.md, 4).
#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/operators/dtype.hpp"
#include "base/tasks/footprint.hpp"

namespace trl::runtime {

/// Element types of tensors in a plan.
using operators::ElementType;
std::optional<ElementType> element_type(std::string_view name);
std::string_view name(ElementType type);
std::int64_t bytes_of(ElementType type);

/// A strided view of a buffer. `offset` is in bytes, the strides in elements; all are ≥ 0.
struct BufferView {
  int buffer = 0;
  std::int64_t offset = 0;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;

  std::int64_t elements() const;
};

struct PlanBuffer {
  std::int64_t bytes = 0;
  int input = -1;  ///< index of the task's input that the buffer holds; -1: none, the buffer is a temporary
};

struct FillStep {
  BufferView to;
  double value = 0;
  int line = 0;
};

struct CopyStep {
  BufferView to, from;
  int line = 0;
};

/// A position in a buffer, `offset` bytes from its beginning. As a kernel's argument it passes the address of
/// that position, to a pointer parameter or to a 64-bit integer parameter.
struct BufferArgument {
  int buffer = 0;
  std::int64_t offset = 0;
};
/// Writes the address of the position `of` to each element of the view `to`, whose type is i64 or u64. So
/// kernels can get a table of addresses, which they convert to pointers.
struct AddressStep {
  BufferView to;
  BufferArgument of;
  int line = 0;
};

/// A 16-bit float argument (CUDA): its type, f16 or bf16, and its bits.
struct HalfArgument {
  ElementType type = ElementType::f16;
  std::uint16_t bits = 0;
};
/// A struct argument passed by value (CUDA): its bytes, and the positions in them at which addresses of
/// buffers must be written.
struct StructArgument {
  struct Address {
    std::size_t at = 0;  ///< offset in the struct of the address's eight bytes
    BufferArgument to;
  };
  std::vector<std::uint8_t> bytes;
  std::vector<Address> addresses;
};
using PlanArgument = std::variant<BufferArgument, bool, std::int32_t, std::int64_t, float, double,
                                  HalfArgument, StructArgument>;

/// One configuration of a kernel launch: a kernel, the grid of its programs (Triton) or blocks (CUDA), and
/// the arguments.
struct PlanLaunch {
  int kernel = 0;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{
      0, 0, 0};              ///< threads of a block; zeros: the number of threads in the cubin (Triton)
  std::uint32_t shared = 0;  ///< bytes of dynamic shared memory (CUDA)
  std::vector<PlanArgument> args;
};

/// A launch step. If the kernel is autotuned, `alternatives` are the other configurations, which use the same
/// buffers; any of them may be run on a GPU instead.
struct LaunchStep : PlanLaunch {
  int line = 0;
  std::vector<PlanLaunch> alternatives;
  /// The PyTorch operation that the launch stands for, such as "add"; empty: the candidate's own kernel. This
  /// is a claim of the recorder's answer, checked by examination/epilogue.hpp.
  std::string framework = {};
};

using Step = std::variant<FillStep, CopyStep, AddressStep, LaunchStep>;

/// The reason why there is no plan for a shape. If it comes from the process in which the candidate's code
/// ran, it may be false: it may explain a failure, but must not earn a reward.
struct PlanError {
  std::string reason, message;
  int line = 0;
  bool claimed =
      true;  ///< whether the reason comes from the candidate's process; false: the verifier found the defect
  bool everywhere = false;  ///< whether any evaluation that runs the answer's Python fails at this, too
};

struct Plan {
  std::string label;
  std::optional<PlanError> error;  ///< if set, the other members are empty
  std::vector<PlanBuffer> buffers;
  std::vector<Step> steps;
  std::vector<BufferView>
      outputs;  ///< the results of forward: one tensor, or the tensors of a tuple in order

  int launches() const;
  int own_launches() const;  ///< the number of launches of the candidate's own kernels
  /// Whether an output is a view of the buffer.
  bool returns(int buffer) const;
  /// The number of elements of all outputs together. For comparisons the values of all outputs are
  /// concatenated.
  std::size_t output_elements() const;
  struct OutputElement {
    std::size_t output = 0, element = 0;
  };
  /// Returns the output, and the element of it, to which index `value` of the concatenated outputs belongs.
  OutputElement output_of(std::size_t value) const;
  /// Formats the position of index `value` of the concatenated outputs: "[2, 7]", or "[2, 7] of result 2" if
  /// there are several outputs.
  std::string place_of(std::size_t value) const;
  /// Returns the byte offset of each output if all are packed into one block of memory, followed by the size
  /// of the block. Each offset is a multiple of 16.
  std::vector<std::size_t> packed_offsets() const;
};

struct PlanKernel {
  enum class Language { triton, cuda };
  Language language = Language::triton;
  std::string name;
  std::string text;        ///< TTIR, or CUDA device code without host code
  std::string expression;  ///< CUDA: the C++ expression that names the kernel, such as "scale<float>"
  /// The name expressions of all kernels with the same text, including this kernel. They are compiled
  /// together.
  std::vector<std::string> expressions;
  nlohmann::json
      options;  ///< num_warps, num_stages, maxnreg, enable_fp_fusion (Triton), use_fast_math (CUDA)
  /// CUDA: maps a range of lines of the text to lines of the answer. A line that is in no range has the same
  /// number in the answer.
  struct Lines {
    int first = 0, last = 0;  ///< first and last line of the range in the text, inclusive
    std::optional<int>
        delta;  ///< the answer's line number minus the text's; empty: the answer has no such line
  };
  std::vector<Lines> lines;

  /// Returns the answer's line for a line of the text; 0: none. The mapping comes from the candidate's
  /// process and may be false.
  int line_of_answer(int line) const;
};

/// The kernels and plans of a candidate, fixed by a hash (the commitment).
struct Recording {
  std::vector<PlanKernel> kernels;
  std::vector<Plan> plans;
  std::string commitment;  ///< SHA-256 of kernels and plans

  /// Whether the plan launches a kernel that can't run on the executor, only on a GPU.
  bool needs_gpu(const Plan& plan) const;
};

/// Thrown if a recording or a single plan isn't sound, or if the executor can't take its arguments. what()
/// names the defect.
struct BadPlan : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PlanLimits {
  std::int64_t buffer_bytes = tasks::most_executed_bytes;  ///< total size of a plan's buffers
  std::int64_t moved_elements = std::int64_t{1}
                                << 27;  ///< total number of elements that a plan's fills and copies write
  std::int64_t view_elements = std::int64_t{1} << 31;  ///< number of elements of a view
  std::int64_t constant_bytes = 4096;  ///< total size of a plan's scalar arguments and fill values
  std::size_t kernel_bytes = std::size_t{1} << 20;  ///< size of one kernel's text

  /// The limits of a plan that a GPU with this many bytes of memory carries out.
  static PlanLimits on_gpu(std::int64_t memory) {
    PlanLimits limits;
    limits.buffer_bytes = std::max(limits.buffer_bytes, memory);
    limits.moved_elements = std::max(limits.moved_elements, memory);
    limits.view_elements = std::max(limits.view_elements, memory);
    return limits;
  }
  /// The limits of plans for which the executor holds only the touched pages of buffers (executor::Pages).
  static PlanLimits of_pages() {
    PlanLimits limits;
    limits.buffer_bytes = limits.moved_elements = limits.view_elements = std::int64_t{1} << 40;
    return limits;
  }
};

/// Reads {"reason", "message", "line"} as untrusted data. Long texts are cut, and a reason that isn't one of
/// the recorder's becomes "crashed".
PlanError parse_plan_error(const nlohmann::json& answer);

/// Reads `{"kernels", "plans"}` as hostile data: every type, range, index and size is checked, and no sum can
/// overflow. `inputs[i]` holds the sizes in bytes of the inputs that plan i must have, and `of_each[i]` the
/// limits of plan i if they differ from `limits`. Throws BadPlan if the kernels or the first plan are
/// unsound. An unsound later plan is replaced by an error.
Recording parse_recording(const nlohmann::json& answer, const std::vector<std::vector<std::int64_t>>& inputs,
                          const PlanLimits& limits = {}, const std::vector<PlanLimits>& of_each = {});

/// Reads one plan as hostile data. `inputs` holds the sizes in bytes of its inputs; it may launch kernels 0 …
/// `kernels` − 1. Throws BadPlan if the plan is unsound.
Plan parse_plan(const nlohmann::json& plan, const std::vector<std::int64_t>& inputs, std::size_t kernels,
                const PlanLimits& limits = {});

/// Converts a plan without an error to JSON (docs/interfaces.md, 4). `parse_plan` reads that form.
nlohmann::json to_json(const Plan& plan);

}  // namespace trl::runtime

#pragma once
// A candidate reduced to data: its compiled kernels and the steps that launch them (docs/interfaces.md, 4).
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace trl::runtime {

/// Element types of tensors in a plan.
enum class ElementType { f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, i16, i8, u64, u32, u16, u8, i1 };
std::optional<ElementType> element_type(std::string_view name);
std::string_view name(ElementType type);
std::int64_t bytes_of(ElementType type);

/// A strided view of a buffer; `offset` in bytes, strides in elements, all ≥ 0.
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
  int input = -1;  ///< the task's input that it holds; -1: none, it is a temporary
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

/// A place of a buffer. An argument that is one gives a pointer its address, or an integer of 64 bits.
struct BufferArgument {
  int buffer = 0;
  std::int64_t offset = 0;
};
/// The address of a place of a buffer is written to each element of a view of i64 or u64: a table of
/// addresses, which a kernel makes pointers of.
struct AddressStep {
  BufferView to;
  BufferArgument of;
  int line = 0;
};

/// A 16-bit float (CUDA): f16 or bf16, with its bits.
struct HalfArgument {
  ElementType type = ElementType::f16;
  std::uint16_t bits = 0;
};
/// A struct passed by value (CUDA): its bytes, and where addresses of buffers belong in them.
struct StructArgument {
  struct Address {
    std::size_t at = 0;  ///< offset of the first of its eight bytes
    BufferArgument to;
  };
  std::vector<std::uint8_t> bytes;
  std::vector<Address> addresses;
};
using PlanArgument = std::variant<BufferArgument, bool, std::int32_t, std::int64_t, float, double,
                                  HalfArgument, StructArgument>;

/// A kernel on a grid of programs (Triton) or blocks (CUDA).
struct PlanLaunch {
  int kernel = 0;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{0, 0,
                                     0};  ///< threads of a block; zeros: the number in its cubin (Triton)
  std::uint32_t shared = 0;               ///< bytes of dynamic shared memory (CUDA)
  std::vector<PlanArgument> args;
};

/// A launch. If it is autotuned, its other configurations are alternatives, which use the same buffers; a GPU
/// may run any of them instead.
struct LaunchStep : PlanLaunch {
  int line = 0;
  std::vector<PlanLaunch> alternatives;
  /// The operation of PyTorch's that the launch stands for, as "add"; empty: the candidate's own kernel. It
  /// is a claim, which examination/epilogue.hpp checks.
  std::string framework = {};
};

using Step = std::variant<FillStep, CopyStep, AddressStep, LaunchStep>;

/// Why a wrapper has no plan for a shape. When the candidate's own process says so, it may be untrue: it may
/// explain a failure, but earns no reward.
struct PlanError {
  std::string reason, message;
  int line = 0;
  bool claimed = true;  ///< true: the candidate's process says so; false: its message is no sound plan
};

struct Plan {
  std::string label;
  std::optional<PlanError> error;  ///< if set, the other members are empty
  std::vector<PlanBuffer> buffers;
  std::vector<Step> steps;
  std::vector<BufferView>
      outputs;  ///< the result of forward: one tensor, or a tuple's tensors in their order

  int launches() const;
  int own_launches() const;  ///< of the candidate's own kernels
  /// Whether an output is a view of the buffer.
  bool returns(int buffer) const;
  /// Values of all outputs stand one after another wherever they are compared.
  std::size_t output_elements() const;
  struct OutputElement {
    std::size_t output = 0, element = 0;
  };
  /// The output that a value belongs to, and which of its elements it is.
  OutputElement output_of(std::size_t value) const;
  /// "[2, 7]", or "[2, 7] of result 2" where there are several.
  std::string place_of(std::size_t value) const;
  /// Where each output begins when all are packed into one block of memory, and behind the last the block's
  /// size. Each begins at a multiple of 16 bytes.
  std::vector<std::size_t> packed_offsets() const;
};

struct PlanKernel {
  enum class Language { triton, cuda };
  Language language = Language::triton;
  std::string name;
  std::string text;        ///< TTIR, or CUDA C++ without its wrappers
  std::string expression;  ///< CUDA: the name expression of the kernel in the text, as "scale<float>"
  /// All name expressions that the recording has for this text, including this kernel's: all are compiled
  /// together.
  std::vector<std::string> expressions;
  nlohmann::json
      options;  ///< num_warps, num_stages, maxnreg, enable_fp_fusion (Triton), use_fast_math (CUDA)
  /// CUDA: maps lines of the text to lines of the answer. A line in no range has the same number in the
  /// answer.
  struct Lines {
    int first = 0, last = 0;   ///< lines of the text, both inclusive
    std::optional<int> delta;  ///< difference to the answer's line; none: the answer has no such line
  };
  std::vector<Lines> lines;

  /// The answer's line for a line of the text, as the candidate's process claims; 0: none.
  int line_of_answer(int line) const;
};

/// A candidate whose kernels and plans are fixed by a hash (a commitment).
struct Recording {
  std::vector<PlanKernel> kernels;
  std::vector<Plan> plans;
  std::string commitment;  ///< SHA-256 of kernels and plans

  /// Whether a plan launches a kernel that only a GPU can run.
  bool needs_gpu(const Plan& plan) const;
};

/// Thrown for a recorder's answer that is not a sound plan. what() names the defect.
struct BadPlan : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PlanLimits {
  std::int64_t buffer_bytes = std::int64_t{128} << 20;  ///< of all buffers of a plan
  std::int64_t moved_elements = std::int64_t{1} << 27;  ///< of all fills and copies of a plan
  std::int64_t constant_bytes = 4096;                   ///< scalars and fills of a plan
  std::size_t kernel_bytes = std::size_t{1} << 20;      ///< of one kernel's text
};

/// Reads {"reason", "message", "line"} as untrusted data: texts are cut, and a reason that the recorder
/// doesn't give becomes "crashed".
PlanError parse_plan_error(const nlohmann::json& answer);

/// Reads `{"kernels", "plans"}` as hostile data: every type, range, index and size is checked, and no sum can
/// overflow. `inputs[i]` has the sizes in bytes of the inputs that plan i must have. Throws BadPlan when
/// kernels or the first plan are unsound; a later unsound plan is replaced by an error.
Recording parse_recording(const nlohmann::json& answer, const std::vector<std::vector<std::int64_t>>& inputs,
                          const PlanLimits& limits = {});

/// Reads one plan, as `parse_recording` does, for kernels 0 … `kernels` − 1. Throws BadPlan.
Plan parse_plan(const nlohmann::json& plan, const std::vector<std::int64_t>& inputs, std::size_t kernels,
                const PlanLimits& limits = {});

/// Writes a plan without an error as docs/interfaces.md, 4 describes it; parse_plan reads it back.
nlohmann::json to_json(const Plan& plan);

}  // namespace trl::runtime

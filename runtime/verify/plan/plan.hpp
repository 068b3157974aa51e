#pragma once
// A candidate reduced to data: compiled kernels and the steps that launch them (docs/seams.md, 4).
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
  int input = -1;  ///< which of the task's inputs it holds; -1: a temporary
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

struct BufferArgument {
  int buffer = 0;
  std::int64_t offset = 0;
};
/// A 16-bit float (CUDA): f16 or bf16, by its bits.
struct HalfArgument {
  ElementType type = ElementType::f16;
  std::uint16_t bits = 0;
};
/// A struct by value (CUDA): its bytes, in which addresses of buffers have their places.
struct StructArgument {
  struct Address {
    std::size_t at = 0;  ///< the first of its eight bytes
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
                                     0};  ///< threads of a block; zeros: as many as its cubin says (Triton)
  std::uint32_t shared = 0;               ///< bytes of dynamic shared memory (CUDA)
  std::vector<PlanArgument> args;
};

/// An autotuned launch has its other configurations as alternatives, which use the same buffers: a GPU may
/// run any of them in its place.
struct LaunchStep : PlanLaunch {
  int line = 0;
  std::vector<PlanLaunch> alternatives;
};

using Step = std::variant<FillStep, CopyStep, LaunchStep>;

/// Why a wrapper gives no plan for a shape. Where its own process says so, nobody can know whether it is
/// true: it may explain a failure, and earns nothing.
struct PlanError {
  std::string reason, message;
  int line = 0;
  bool claimed = true;  ///< the candidate's process says so; false: what it gave is no sound plan
};

struct Plan {
  std::string label;
  std::optional<PlanError> error;  ///< set: the rest is empty
  std::vector<PlanBuffer> buffers;
  std::vector<Step> steps;
  BufferView output;

  int launches() const;
};

struct PlanKernel {
  enum class Language { triton, cuda };
  Language language = Language::triton;
  std::string name;
  std::string text;        ///< TTIR, or CUDA C++ without its wrappers
  std::string expression;  ///< CUDA: what names it in the text, as "scale<float>"
  /// All name expressions that the recording has for this text, this kernel's among them: one compilation is
  /// for all.
  std::vector<std::string> expressions;
  nlohmann::json
      options;  ///< num_warps, num_stages, maxnreg, enable_fp_fusion (Triton), use_fast_math (CUDA)
  /// CUDA: what leads from lines of the text to those of the answer; a line of no range is the answer's own.
  struct Lines {
    int first = 0, last = 0;   ///< of the text, both among them
    std::optional<int> delta;  ///< what to add; none: the answer has no such line
  };
  std::vector<Lines> lines;

  /// The answer's line that a line of the text is, by the candidate's word; 0: none.
  int line_of_answer(int line) const;
};

/// A sealed candidate.
struct Recording {
  std::vector<PlanKernel> kernels;
  std::vector<Plan> plans;
  std::string seal;  ///< SHA-256 of kernels and plans

  /// Whether a plan launches a kernel that only a GPU can run.
  bool needs_gpu(const Plan& plan) const;
};

/// A recorder's answer that is not a plan: what() says what is wrong with it.
struct BadPlan : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PlanLimits {
  std::int64_t buffer_bytes = std::int64_t{128} << 20;  ///< of all buffers of a plan
  std::int64_t moved_elements = std::int64_t{1} << 27;  ///< of all fills and copies of a plan
  std::int64_t constant_bytes = 4096;                   ///< scalars and fills of a plan
  std::size_t kernel_bytes = std::size_t{1} << 20;      ///< of one kernel's text
};

/// Reads {"reason", "message", "line"} as a candidate's word: texts are cut, a reason that the recorder
/// doesn't give is "crashed".
PlanError parse_plan_error(const nlohmann::json& answer);

/// Reads `{"kernels", "plans"}` as hostile data: every type, range, index and size is checked, no sum can
/// overflow. `inputs[i]` lists the bytes of the inputs that plan i must have. Throws BadPlan when kernels or
/// the first plan are unsound; a later unsound plan has an error in its place.
Recording parse_recording(const nlohmann::json& answer, const std::vector<std::vector<std::int64_t>>& inputs,
                          const PlanLimits& limits = {});

/// Reads one plan, as `parse_recording` does, for kernels 0 … `kernels` − 1. Throws BadPlan.
Plan parse_plan(const nlohmann::json& plan, const std::vector<std::int64_t>& inputs, std::size_t kernels,
                const PlanLimits& limits = {});

/// A plan without an error, as docs/seams.md, 4 writes it: parse_plan gives it back.
nlohmann::json to_json(const Plan& plan);

}  // namespace trl::runtime

#include "verifier/plan/launch_wrapper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace trl::runtime {
namespace {

/// Returns a valid C++ name for a kernel or an input whose own name a candidate chose. The name isn't in
/// `taken`, and is added to it.
std::string identifier(const std::string& name, const char* otherwise, std::set<std::string>& taken) {
  std::string word;
  for (const char letter : name) {
    const bool letters = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    if (letters || (letter >= '0' && letter <= '9' && !word.empty()))
      word += letter;
    else if (!word.empty() && word.back() != '_')
      word += '_';
  }
  while (!word.empty() && word.back() == '_') word.pop_back();
  if (word.empty() || word.size() > 80) word = otherwise;
  // A keyword, a name that the wrapper itself uses, or a name in use gets a suffix.
  static const std::set<std::string> own = {
      "alignas",  "alignof",  "and",      "asm",     "at",      "auto",      "bool",          "break",
      "case",     "catch",    "char",     "class",   "const",   "constexpr", "continue",      "decltype",
      "default",  "delete",   "do",       "double",  "else",    "enum",      "explicit",      "export",
      "extern",   "false",    "float",    "for",     "forward", "friend",    "goto",          "if",
      "inline",   "int",      "kernels",  "long",    "mutable", "namespace", "new",           "noexcept",
      "not",      "nullptr",  "operator", "or",      "private", "protected", "public",        "register",
      "return",   "short",    "signed",   "sizeof",  "static",  "stream",    "struct",        "switch",
      "template", "this",     "throw",    "true",    "try",     "typedef",   "typeid",        "typename",
      "union",    "unsigned", "using",    "virtual", "void",    "volatile",  "while",         "xor",
      "std",      "bytes",    "view",     "address", "Bytes",   "Address",   "with_addresses"};
  std::string unique = word;
  for (int number = 1; own.count(unique) || !taken.insert(unique).second; ++number)
    unique = fmt::format("{}_{}", word, number);
  return unique;
}

std::string scalar_type(ElementType type) { return fmt::format("at::k{}", operators::row_of(type).aten); }

std::string list(const std::vector<std::int64_t>& numbers) {
  return fmt::format("{{{}}}", fmt::join(numbers, ", "));
}

/// Returns a number as a C++ literal that gives the same bits, except for a NaN's payload.
template <class T>
std::string floating(T value, const char* type) {
  if (std::isnan(value)) return fmt::format("std::numeric_limits<{}>::quiet_NaN()", type);
  if (std::isinf(value))
    return fmt::format("{}std::numeric_limits<{}>::infinity()", value < 0 ? "-" : "", type);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::is_same_v<T, float> ? text + "f" : text;
}

/// A parameter's bytes as a literal of the generated type `Bytes`.
std::string bytes_value(const std::vector<std::uint8_t>& bytes) {
  return fmt::format("Bytes<{}>{{{{{}}}}}", bytes.size(), fmt::join(bytes, ", "));
}

struct Argument {
  std::string type;
  std::string value;
};

Argument argument(const PlanArgument& one) {
  if (const auto* buffer = std::get_if<BufferArgument>(&one))
    return {"CUdeviceptr", fmt::format("address(buffer_{}, {})", buffer->buffer, buffer->offset)};
  if (const auto* flag = std::get_if<bool>(&one)) return {"bool", *flag ? "true" : "false"};
  if (const auto* number = std::get_if<std::int32_t>(&one))
    return {"int32_t", fmt::format("int32_t({})", *number)};
  if (const auto* number = std::get_if<std::int64_t>(&one))
    // The smallest integer has no literal of its own.
    return {"int64_t", *number == INT64_MIN ? "INT64_MIN" : fmt::format("int64_t({})", *number)};
  if (const auto* number = std::get_if<float>(&one)) return {"float", floating(*number, "float")};
  if (const auto* number = std::get_if<double>(&one)) return {"double", floating(*number, "double")};
  if (const auto* half = std::get_if<HalfArgument>(&one))
    return {"Bytes<2>", bytes_value({static_cast<std::uint8_t>(half->bits & 255),
                                     static_cast<std::uint8_t>(half->bits >> 8)})};
  const auto& whole = std::get<StructArgument>(one);
  std::string addresses;
  for (const auto& [at, to] : whole.addresses)
    addresses += fmt::format("{}{{{}, address(buffer_{}, {})}}", addresses.empty() ? "" : ", ", at, to.buffer,
                             to.offset);
  return {fmt::format("Bytes<{}>", whole.bytes.size()),
          addresses.empty() ? bytes_value(whole.bytes)
                            : fmt::format("with_addresses({}, {{{}}})", bytes_value(whole.bytes), addresses)};
}

std::string view(const BufferView& one) {
  return fmt::format("view(buffer_{}, {}, {}, {}, {})", one.buffer, one.offset, scalar_type(one.type),
                     list(one.shape), list(one.strides));
}

/// The generated text's additional part where a parameter is a 16-bit float or a struct.
constexpr const char* bytes_text = R"(
/// A parameter by its bytes: a 16-bit float or a struct.
template <int size>
struct Bytes {
  alignas(16) unsigned char data[size];
};

struct Address {
  int at;  ///< the field's offset within the struct, in bytes
  CUdeviceptr to;
};

namespace {

template <int size>
[[maybe_unused]] Bytes<size> with_addresses(Bytes<size> bytes, std::initializer_list<Address> addresses) {
  for (const Address& one : addresses) std::memcpy(bytes.data + one.at, &one.to, sizeof one.to);
  return bytes;
}

}  // namespace

)";

bool by_bytes(const PlanArgument& one) {
  return std::holds_alternative<HalfArgument>(one) || std::holds_alternative<StructArgument>(one);
}

constexpr const char* beginning = R"(#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <cuda.h>

#include <cstdint>
#include <limits>
#include <type_traits>

/// A loaded kernel and the types of its parameters, without the pointers to scratch memory that follow them.
template <int scratch, class... Parameters>
struct Kernel {
  CUfunction function = nullptr;
  int shared_bytes = -1;  ///< dynamic shared memory of the loaded code; -1: the launch says how much

  template <class... Arguments>
  void operator()(CUlaunchConfig launch, Arguments... arguments) const {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments), "as many arguments as the kernel takes");
    static_assert((std::is_same_v<Parameters, Arguments> && ...), "arguments of the kernel's types");
    if (shared_bytes >= 0) launch.sharedMemBytes = static_cast<unsigned>(shared_bytes);
    CUdeviceptr none = 0;
    void* parameters[sizeof...(Arguments) + scratch + 1] = {&arguments...};
    for (int i = 0; i < scratch; ++i) parameters[sizeof...(Arguments) + i] = &none;
    TORCH_CHECK(cuLaunchKernelEx(&launch, function, parameters, nullptr) == CUDA_SUCCESS, "the launch failed");
  }
};

namespace {

/// A tensor's bytes in the order of its elements.
[[maybe_unused]] at::Tensor bytes(const at::Tensor& tensor) {
  return tensor.contiguous().reshape({-1}).view(at::kByte);
}

/// A part of a buffer: `offset` in bytes, `strides` in elements.
[[maybe_unused]] at::Tensor view(const at::Tensor& buffer, int64_t offset, at::ScalarType type, at::IntArrayRef shape,
                                 at::IntArrayRef strides) {
  const int64_t size = static_cast<int64_t>(at::elementSize(type));
  const int64_t elements = (buffer.numel() - offset) / size;
  return buffer.narrow(0, offset, elements * size).view(type).as_strided(shape, strides);
}

[[maybe_unused]] CUdeviceptr address(const at::Tensor& buffer, int64_t offset) {
  return reinterpret_cast<CUdeviceptr>(buffer.data_ptr()) + offset;
}

}  // namespace

)";

}  // namespace

std::vector<std::string> wrapper_members(const std::vector<WrapperKernel>& kernels) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const WrapperKernel& one : kernels) names.push_back(identifier(one.name, "kernel", taken));
  return names;
}

std::vector<std::string> wrapper_inputs(const Plan& plan, const std::vector<WrapperInput>& inputs) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) taken.insert(fmt::format("buffer_{}", i));
  std::vector<std::string> names;
  for (const WrapperInput& one : inputs) names.push_back(identifier(one.name, "input", taken));
  return names;
}

std::string comment_text(const std::string& text) {
  std::string out;
  for (const char c : text) out += c >= ' ' && c <= '~' && c != '\\' ? c : ' ';
  return out;
}

std::string wrapper_result(const Plan& plan) {
  return plan.outputs.size() == 1 ? "at::Tensor" : "std::vector<at::Tensor>";
}

std::string launch_wrapper(const Plan& plan, const std::vector<WrapperKernel>& kernels,
                           const std::vector<WrapperInput>& inputs) {
  if (plan.error) throw std::invalid_argument("the plan is an error: " + plan.error->message);
  // The kernels' names, and each kernel's parameter types as its first launch has them.
  const std::vector<std::string> kernel_names = wrapper_members(kernels);
  const std::vector<std::string> input_names = wrapper_inputs(plan, inputs);
  std::vector<std::string> kernel_types(kernels.size());
  std::vector<bool> launched(kernels.size());
  bool has_bytes = false;
  for (const Step& step : plan.steps) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (!launch) continue;
    const auto number = static_cast<std::size_t>(launch->kernel);
    if (number >= kernels.size()) throw std::invalid_argument("a launch of a kernel that isn't there");
    if (launched[number]) continue;
    launched[number] = true;
    for (const PlanArgument& one : launch->args) {
      kernel_types[number] += fmt::format(", {}", argument(one).type);
      has_bytes |= by_bytes(one);
    }
  }

  std::string text = fmt::format(
      "// The launch plan `{}` as C++: {} launches. Its sizes are fixed.\n{}{}{}struct Kernels {{\n",
      comment_text(plan.label), plan.launches(),
      std::string(plan.outputs.size() > 1 ? "#include <vector>\n" : "") +
          (has_bytes ? "#include <cstring>\n#include <initializer_list>\n" : ""),
      beginning, has_bytes ? bytes_text : "");
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (launched[i])
      text += fmt::format("  Kernel<{}{}> {};\n", kernels[i].scratch_parameters, kernel_types[i],
                          kernel_names[i]);
  text += fmt::format("}};\n\n{} forward([[maybe_unused]] const Kernels& kernels", wrapper_result(plan));
  for (const std::string& name : input_names)
    text += fmt::format(", [[maybe_unused]] const at::Tensor& {}", name);
  text += ") {\n";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    text +=
        fmt::format("  TORCH_CHECK({0}.is_cuda() && {0}.scalar_type() == {1}, \"{0}: {2} on the GPU\");\n",
                    input_names[i], scalar_type(inputs[i].type), name(inputs[i].type));
    text += fmt::format("  TORCH_CHECK({0}.sizes() == at::IntArrayRef({1}), \"{0}: {1}\");\n", input_names[i],
                        list(inputs[i].shape));
  }
  text += "  const CUstream stream = at::cuda::getCurrentCUDAStream();\n";
  text += "  const auto options = at::TensorOptions().dtype(at::kByte).device(at::kCUDA);\n";
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const PlanBuffer& one = plan.buffers[i];
    if (one.input >= static_cast<int>(inputs.size()))
      throw std::invalid_argument("a buffer of an input that isn't there");
    if (one.input >= 0)
      text += fmt::format("  const at::Tensor buffer_{} = bytes({});\n", i, input_names[one.input]);
    else
      text += fmt::format("  const at::Tensor buffer_{} = at::empty({{{}}}, options);\n", i, one.bytes);
  }
  for (const Step& step : plan.steps) {
    if (const auto* fill = std::get_if<FillStep>(&step)) {
      text += fmt::format("  {}.fill_({});\n", view(fill->to), floating(fill->value, "double"));
    } else if (const auto* copy = std::get_if<CopyStep>(&step)) {
      text += fmt::format("  {}.copy_({});\n", view(copy->to), view(copy->from));
    } else if (const auto* address = std::get_if<AddressStep>(&step)) {
      text += fmt::format("  {}.fill_(static_cast<int64_t>(address(buffer_{}, {})));\n", view(address->to),
                          address->of.buffer, address->of.offset);
    } else {
      const auto& launch = std::get<LaunchStep>(step);
      const auto number = static_cast<std::size_t>(launch.kernel);
      std::string arguments;
      for (const PlanArgument& one : launch.args) arguments += fmt::format(", {}", argument(one).value);
      text += fmt::format("  // line {}: grid, block, bytes of shared memory\n", launch.line);
      const bool cuda = launch.block[0] > 0;
      const std::array<std::uint32_t, 3> block =
          cuda ? launch.block : std::array<std::uint32_t, 3>{kernels[number].threads, 1, 1};
      text +=
          fmt::format("  kernels.{}(CUlaunchConfig{{{}, {}, {}, {}, {}, {}, {}, stream, nullptr, 0}}{});\n",
                      kernel_names[number], launch.grid[0], launch.grid[1], launch.grid[2], block[0],
                      block[1], block[2], cuda ? launch.shared : kernels[number].shared_bytes, arguments);
    }
  }
  std::string results;
  for (const BufferView& one : plan.outputs) results += (results.empty() ? "" : ", ") + view(one);
  if (plan.outputs.size() > 1) results = "{" + results + "}";
  text += fmt::format("  return {};\n}}\n", results);
  return text;
}

}  // namespace trl::runtime

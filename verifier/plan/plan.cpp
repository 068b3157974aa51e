#include "verifier/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "base/support/digest.hpp"
#include "verifier/executor/values/half.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::size_t address_bytes = 8;
constexpr std::size_t max_buffers = 1024, max_steps = 1024, max_kernels = 256, max_args = 256, max_rank = 8,
                      max_outputs = 16, max_alternatives = 64, max_struct = 4096, max_line_ranges = 4096;

// The reasons that the recorder gives when it turns a candidate down. Any other reason was made up by the
// candidate's process.
constexpr std::string_view reasons[] = {
    "compile_error",     "crashed",     "data_dependent",   "exception",    "forbidden",
    "framework_compute", "memory",      "missing_function", "cut_off",      "missing_model",
    "no_kernel",         "option",      "processes",        "syntax_error", "timeout",
    "too_large",         "unsupported", "wrong_arguments",  "wrong_launch", "wrong_output",
    "wrong_parameters"};

[[noreturn]] void bad(const std::string& what) { throw BadPlan("the launch plan is not sound: " + what); }

const json& member(const json& object, const char* name) {
  if (!object.is_object()) bad(fmt::format("there is no object that could have a member `{}`", name));
  const auto found = object.find(name);
  if (found == object.end()) bad(fmt::format("`{}` is missing", name));
  return *found;
}

const json& list(const json& object, const char* name, std::size_t max) {
  const json& value = member(object, name);
  if (!value.is_array() || value.size() > max)
    bad(fmt::format("`{}` is not a list of at most {}", name, max));
  return value;
}

std::int64_t integer(const json& value, std::int64_t low, std::int64_t high, const char* what) {
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)))
    bad(fmt::format("{} is not an integer in range", what));
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) bad(fmt::format("{} is {}, outside {} to {}", what, number, low, high));
  return number;
}

double real(const json& value, const char* what) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  bad(fmt::format("{} is not a number", what));
}

std::string text(const json& value, std::size_t max, const char* what) {
  if (!value.is_string() || value.get_ref<const std::string&>().size() > max)
    bad(fmt::format("{} is not a text of at most {} bytes", what, max));
  return value.get<std::string>();
}

int line_of(const json& step) {
  const auto found = step.find("line");
  if (found == step.end() || found->is_null()) return 0;
  return static_cast<int>(integer(*found, 0, 1'000'000, "a line"));
}

class Reader {
 public:
  Reader(const PlanLimits& limits, std::size_t kernels) : limits_(limits), kernels_(kernels) {}

  Plan read(const json& plan, const std::vector<std::int64_t>& inputs) {
    result_.label = text(member(plan, "label"), 200, "a label");
    if (plan.contains("error")) {
      result_.error = parse_plan_error(plan["error"]);
      return std::move(result_);
    }
    read_buffers(list(plan, "buffers", max_buffers), inputs);
    for (const json& step : list(plan, "steps", max_steps)) read_step(step);
    const json& output = member(plan, "output");
    if (!output.is_array()) {
      result_.outputs.push_back(view(output));
    } else {
      for (const json& one : list(plan, "output", max_outputs)) result_.outputs.push_back(view(one));
      if (result_.outputs.size() < 2) bad("a list of outputs has fewer than two");
    }
    return std::move(result_);
  }

 private:
  void read_buffers(const json& buffers, const std::vector<std::int64_t>& inputs) {
    std::int64_t total = 0;
    std::vector<bool> seen(inputs.size(), false);
    for (const json& buffer : buffers) {
      PlanBuffer one;
      one.bytes = integer(member(buffer, "bytes"), 0, limits_.buffer_bytes, "a buffer's size");
      total += one.bytes;
      if (total > limits_.buffer_bytes) bad(fmt::format("its buffers exceed {} bytes", limits_.buffer_bytes));
      const std::string role = text(member(buffer, "role"), 20, "a role");
      if (role == "input") {
        const auto last = static_cast<std::int64_t>(inputs.size()) - 1;
        one.input = static_cast<int>(integer(member(buffer, "input"), 0, last, "an input's number"));
        const auto index = static_cast<std::size_t>(one.input);
        if (seen[index]) bad("an input occurs twice");
        if (one.bytes != inputs[index]) bad("an input has another size");
        seen[index] = true;
      } else if (role != "temporary") {
        bad("a buffer is neither input nor temporary");
      }
      result_.buffers.push_back(one);
    }
    if (std::find(seen.begin(), seen.end(), false) != seen.end()) bad("an input has no buffer");
  }

  int buffer(const json& value) {
    return static_cast<int>(
        integer(value, 0, static_cast<std::int64_t>(result_.buffers.size()) - 1, "a buffer's number"));
  }

  BufferView view(const json& value) {
    BufferView one;
    one.buffer = buffer(member(value, "buffer"));
    const std::int64_t size = result_.buffers[static_cast<std::size_t>(one.buffer)].bytes;
    one.offset = integer(member(value, "offset"), 0, size, "an offset");
    const auto type = element_type(text(member(value, "dtype"), 8, "a dtype"));
    if (!type) bad("a dtype is unknown");
    one.type = *type;
    const json &shape = list(value, "shape", max_rank), &strides = list(value, "strides", max_rank);
    if (shape.size() != strides.size()) bad("a view must have one stride per dimension");
    constexpr std::int64_t most = std::int64_t{1} << 40;
    std::int64_t last = 0, count = 1;  // index of the last element, number of elements
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::int64_t extent = integer(shape[i], 0, most, "an extent"),
                         stride = integer(strides[i], 0, most, "a stride");
      one.shape.push_back(extent);
      one.strides.push_back(stride);
      count = extent == 0                              ? 0
              : count > limits_.view_elements / extent ? limits_.view_elements + 1
                                                       : count * extent;
      if (count > limits_.view_elements) bad("a view has too many elements");
      // No buffer has 2^40 elements, so any larger index is replaced by one that is too large. Nothing
      // overflows then.
      if (extent > 1 && stride > 0)
        last = std::min(most, last + (extent - 1 > most / stride ? most : (extent - 1) * stride));
    }
    moved_ += count;
    if (moved_ > limits_.moved_elements) bad("its fills and copies are too large");
    if (count > 0 &&
        (last > size / bytes_of(one.type) || one.offset + (last + 1) * bytes_of(one.type) > size))
      bad("a view leaves its buffer");
    return one;
  }

  void count_constant(std::int64_t bytes) {
    constants_ += bytes;
    if (constants_ > limits_.constant_bytes)
      throw BadPlan(fmt::format("scalars, fills and constants exceed {} bytes", limits_.constant_bytes));
  }

  void read_step(const json& step) {
    if (!step.is_object() || step.size() != 1) bad("a step is not one operation");
    const std::string kind = step.begin().key();
    const json& body = step.begin().value();
    if (kind == "fill") {
      FillStep fill{view(member(body, "to")), real(member(body, "value"), "a fill"), line_of(body)};
      count_constant(bytes_of(fill.to.type));
      result_.steps.emplace_back(std::move(fill));
    } else if (kind == "copy") {
      CopyStep copy{view(member(body, "to")), view(member(body, "from")), line_of(body)};
      if (copy.to.shape != copy.from.shape) bad("a copy's shapes differ");
      result_.steps.emplace_back(std::move(copy));
    } else if (kind == "address") {
      AddressStep address{view(member(body, "to")), read_address(member(body, "of")), line_of(body)};
      if (address.to.type != ElementType::i64 && address.to.type != ElementType::u64)
        bad("an address is put where no integer of 64 bits is");
      // An address with an offset that the candidate chose can carry as much information as a number.
      count_constant(bytes_of(address.to.type));
      result_.steps.emplace_back(address);
    } else if (kind == "launch") {
      read_launch(body);
    } else {
      bad("a step of an unknown kind");
    }
  }

  void read_launch(const json& body) {
    LaunchStep launch{read_call(body, nullptr), line_of(body), {}};
    if (body.contains("alternatives"))
      for (const json& alternative : list(body, "alternatives", max_alternatives))
        launch.alternatives.push_back(read_call(alternative, &launch));
    if (body.contains("framework")) launch.framework = operation(body["framework"]);
    result_.steps.emplace_back(std::move(launch));
  }

  static std::string operation(const json& value) {
    std::string name = text(value, 20, "an operation");
    const auto strange = [](char c) { return (c < 'a' || c > 'z') && c != '_'; };
    if (name.empty() || std::any_of(name.begin(), name.end(), strange))
      bad("an operation has a strange name");
    return name;
  }

  // Reads a launch, or an alternative to `first`.
  PlanLaunch read_call(const json& body, const PlanLaunch* first) {
    PlanLaunch call;
    call.kernel = static_cast<int>(
        integer(member(body, "kernel"), 0, static_cast<std::int64_t>(kernels_) - 1, "a kernel's number"));
    const json& grid = list(body, "grid", 3);
    if (grid.size() != 3) bad("a grid doesn't have three dimensions");
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t most = i == 0 ? INT32_MAX : 65535;
      call.grid[i] = static_cast<std::uint32_t>(integer(grid[i], 1, most, "a grid's dimension"));
    }
    if (body.contains("block")) read_block(body, call);
    for (const json& argument : list(body, "args", max_args)) {
      call.args.push_back(read_argument(argument));
      count_argument(call.args, first);
    }
    return call;
  }

  // Checks the block against the limits of compute capability 9.0 (CUDA C++ programming guide, "Compute
  // capabilities").
  static void read_block(const json& body, PlanLaunch& call) {
    constexpr std::int64_t most_threads = 1024, most[] = {1024, 1024, 64}, most_shared = 232448;
    const json& block = list(body, "block", 3);
    if (block.size() != 3) bad("a block doesn't have three dimensions");
    std::int64_t threads = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t extent = integer(block[i], 1, most[i], "a block's dimension");
      threads *= extent;
      call.block[i] = static_cast<std::uint32_t>(extent);
    }
    if (threads > most_threads)
      bad(fmt::format("a block has {} threads; there are at most {}", threads, most_threads));
    if (body.contains("shared"))
      call.shared = static_cast<std::uint32_t>(integer(body["shared"], 0, most_shared, "shared memory"));
  }

  // Counts the last of `args` as a constant, unless an alternative repeats an argument of its launch. An
  // alternative may only use buffers that its launch has.
  void count_argument(const std::vector<PlanArgument>& args, const PlanLaunch* first) {
    const PlanArgument& last = args.back();
    if (const auto* mine = std::get_if<BufferArgument>(&last)) {
      if (first == nullptr) return;
      const bool known = std::any_of(first->args.begin(), first->args.end(), [&](const PlanArgument& theirs) {
        const auto* other = std::get_if<BufferArgument>(&theirs);
        return other != nullptr && other->buffer == mine->buffer;
      });
      if (!known) bad("an alternative has a buffer that its launch doesn't have");
      return;
    }
    if (first != nullptr && args.size() <= first->args.size() && same(first->args[args.size() - 1], last))
      return;
    if (const auto* whole = std::get_if<StructArgument>(&last)) {
      count_constant(
          static_cast<std::int64_t>(whole->bytes.size() - address_bytes * whole->addresses.size()));
      return;
    }
    count_constant(std::holds_alternative<std::int64_t>(last) || std::holds_alternative<double>(last) ? 8
                                                                                                      : 4);
  }

  // Whether two scalars are equal, bit by bit.
  static bool same(const PlanArgument& a, const PlanArgument& b) {
    return a.index() == b.index() &&
           std::visit(
               [&](const auto& value) {
                 using Value = std::decay_t<decltype(value)>;
                 if constexpr (!std::is_arithmetic_v<Value>)
                   return false;
                 else
                   return std::memcmp(&value, &std::get<Value>(b), sizeof value) == 0;
               },
               a);
  }

  BufferArgument read_address(const json& argument) {
    const int number = buffer(member(argument, "buffer"));
    const std::int64_t size = result_.buffers[static_cast<std::size_t>(number)].bytes;
    return BufferArgument{number, integer(member(argument, "offset"), 0, size, "an offset")};
  }

  StructArgument read_struct(const json& argument) {
    StructArgument made;
    const std::string digits = text(argument["bytes"], 2 * max_struct, "a struct");
    if (digits.empty() || digits.size() % 2 != 0 ||
        digits.find_first_not_of("0123456789abcdef") != std::string::npos)
      bad("a struct's bytes are not pairs of hexadecimal digits");
    const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
    for (std::size_t i = 0; i < digits.size(); i += 2)
      made.bytes.push_back(static_cast<std::uint8_t>(16 * value(digits[i]) + value(digits[i + 1])));
    std::size_t end = 0;  // end of the previous address
    for (const json& one : list(argument, "addresses", max_struct / address_bytes)) {
      const auto last =
          static_cast<std::int64_t>(made.bytes.size()) - static_cast<std::int64_t>(address_bytes);
      const auto at = static_cast<std::size_t>(
          integer(member(one, "at"), static_cast<std::int64_t>(end), last, "an address's offset"));
      if (std::any_of(made.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      made.bytes.begin() + static_cast<std::ptrdiff_t>(at + address_bytes),
                      [](std::uint8_t byte) { return byte != 0; }))
        bad("a struct has a number where an address is");
      made.addresses.push_back({at, read_address(one)});
      end = at + address_bytes;
    }
    return made;
  }

  PlanArgument read_argument(const json& argument) {
    if (!argument.is_object() || argument.empty()) bad("an argument is not an object");
    if (argument.contains("buffer")) return read_address(argument);
    if (argument.contains("bytes")) return read_struct(argument);
    const std::string kind = argument.begin().key();
    const json& value = argument.begin().value();
    if (kind == "i1" && value.is_boolean()) return value.get<bool>();
    if (kind == "i32") {
      // Triton passes unsigned numbers with the same bits.
      const std::int64_t number = integer(value, INT32_MIN, UINT32_MAX, "an argument");
      return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(number));
    }
    if (kind == "i64") {
      if (value.is_number_unsigned()) return std::bit_cast<std::int64_t>(value.get<std::uint64_t>());
      return integer(value, INT64_MIN, INT64_MAX, "an argument");
    }
    if (kind == "f32") return static_cast<float>(real(value, "an argument"));
    if (kind == "f64") return real(value, "an argument");
    if (kind == "f16" || kind == "bf16") return read_half(kind == "f16", real(value, "an argument"));
    bad("an argument of an unknown kind");
  }

  static HalfArgument read_half(bool f16, double number) {
    namespace half = executor::half;
    const auto value = static_cast<float>(number);
    if (f16) return {ElementType::f16, half::to_f16_bits(half::round_f16(value))};
    return {ElementType::bf16,
            static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(half::round_bf16(value)) >> 16)};
  }

  const PlanLimits& limits_;
  std::size_t kernels_;
  std::int64_t constants_ = 0, moved_ = 0;
  Plan result_;
};

// The first plan makes a candidate valid, so it must be sound. A later unsound plan is a failed test case.
Plan read_plan(const json& plan, std::size_t number, const std::vector<std::int64_t>& inputs,
               std::size_t kernels, const PlanLimits& limits) {
  try {
    return Reader(limits, kernels).read(plan, inputs);
  } catch (const BadPlan& bad) {
    if (number == 0) throw;
    Plan failed;
    failed.error = PlanError{"bad_plan", bad.what(), 0, false};
    return failed;
  }
}

json view_json(const BufferView& view) {
  return {{"buffer", view.buffer},
          {"offset", view.offset},
          {"dtype", name(view.type)},
          {"shape", view.shape},
          {"strides", view.strides}};
}

/// Numbers that JSON can't express are written as strings.
json real_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

json step_json(const FillStep& fill) {
  return {{"fill", {{"to", view_json(fill.to)}, {"value", real_json(fill.value)}, {"line", fill.line}}}};
}

json step_json(const CopyStep& copy) {
  return {{"copy", {{"to", view_json(copy.to)}, {"from", view_json(copy.from)}, {"line", copy.line}}}};
}

json step_json(const AddressStep& address) {
  return {{"address",
           {{"to", view_json(address.to)},
            {"of", {{"buffer", address.of.buffer}, {"offset", address.of.offset}}},
            {"line", address.line}}}};
}

json struct_json(const StructArgument& argument) {
  json addresses = json::array();
  for (const auto& [at, to] : argument.addresses)
    addresses.push_back({{"at", at}, {"buffer", to.buffer}, {"offset", to.offset}});
  return {{"bytes", fmt::format("{:02x}", fmt::join(argument.bytes, ""))}, {"addresses", addresses}};
}

json argument_json(const PlanArgument& argument) {
  return std::visit(
      [](const auto& value) -> json {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, BufferArgument>)
          return {{"buffer", value.buffer}, {"offset", value.offset}};
        else if constexpr (std::is_same_v<T, bool>)
          return {{"i1", value}};
        else if constexpr (std::is_same_v<T, std::int32_t>)
          return {{"i32", value}};
        else if constexpr (std::is_same_v<T, std::int64_t>)
          return {{"i64", value}};
        else if constexpr (std::is_same_v<T, HalfArgument>)
          return {{name(value.type),
                   real_json(value.type == ElementType::f16 ? executor::half::from_f16_bits(value.bits)
                                                            : executor::half::from_bf16_bits(value.bits))}};
        else if constexpr (std::is_same_v<T, StructArgument>)
          return struct_json(value);
        else
          return {{std::is_same_v<T, float> ? "f32" : "f64", real_json(value)}};
      },
      argument);
}

json step_json(const LaunchStep& launch) {
  json args = json::array();
  for (const PlanArgument& argument : launch.args) args.push_back(argument_json(argument));
  json body = {{"kernel", launch.kernel}, {"grid", launch.grid}, {"args", args}, {"line", launch.line}};
  if (launch.block[0] > 0) body["block"] = launch.block, body["shared"] = launch.shared;
  if (!launch.framework.empty()) body["framework"] = launch.framework;
  return {{"launch", std::move(body)}};
}

std::vector<PlanKernel::Lines> read_lines(const json& lines) {
  constexpr std::int64_t most = 10'000'000;
  std::vector<PlanKernel::Lines> ranges;
  for (const json& range : lines) {
    if (!range.is_array() || range.size() != 3) bad("a range of lines is not three numbers");
    PlanKernel::Lines one{static_cast<int>(integer(range[0], 0, most, "a line")),
                          static_cast<int>(integer(range[1], 0, most, "a line")), std::nullopt};
    if (!range[2].is_null())
      one.delta = static_cast<int>(integer(range[2], -most, most, "a range's difference of lines"));
    ranges.push_back(one);
  }
  return ranges;
}

PlanKernel read_kernel(const json& kernel, const PlanLimits& limits) {
  PlanKernel one;
  one.name = text(member(kernel, "name"), 200, "a kernel's name");
  const bool cuda = kernel.contains("language") && kernel["language"] == "cuda";
  if (cuda) {
    one.language = PlanKernel::Language::cuda;
    one.text = text(member(kernel, "source"), limits.kernel_bytes, "a kernel");
    one.expression = text(member(kernel, "expression"), 200, "a kernel's name expression");
    if (kernel.contains("lines")) one.lines = read_lines(list(kernel, "lines", max_line_ranges));
  } else {
    one.text = text(member(kernel, "ttir"), limits.kernel_bytes, "a kernel");
  }
  const json& options = member(kernel, "options");
  if (!options.is_object()) bad("a kernel's options are not an object");
  one.options = json::object();
  for (const auto& [name, value] : options.items()) {
    if (cuda != (name == "use_fast_math")) bad("a launch option that is not allowed");
    if (cuda) {
      if (!value.is_boolean()) bad("use_fast_math is not a boolean");
    } else if (name == "num_warps") {
      if (!std::has_single_bit(static_cast<std::uint64_t>(integer(value, 1, 32, "num_warps"))))
        bad("num_warps is not a power of two");
    } else if (name == "num_stages") {
      integer(value, 0, 32, "num_stages");
    } else if (name == "maxnreg") {
      if (!value.is_null()) integer(value, 16, 255, "maxnreg");
    } else if (name == "enable_fp_fusion") {
      if (!value.is_boolean()) bad("enable_fp_fusion is not a boolean");
    } else {
      bad("a launch option that is not allowed");
    }
    one.options[name] = value;
  }
  return one;
}

}  // namespace

std::optional<ElementType> element_type(std::string_view name) {
  for (const operators::Dtype& row : operators::all_dtypes)
    if (row.name == name && name != "bool") return row.element;
  return std::nullopt;
}

std::string_view name(ElementType type) { return operators::row_of(type).name; }

std::int64_t bytes_of(ElementType type) { return operators::row_of(type).bytes; }

std::int64_t BufferView::elements() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
}

bool Recording::needs_gpu(const Plan& plan) const {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    return launch != nullptr &&
           kernels[static_cast<std::size_t>(launch->kernel)].language == PlanKernel::Language::cuda;
  });
}

int PlanKernel::line_of_answer(int line) const {
  for (const Lines& range : lines)
    if (range.first <= line && line <= range.last) return range.delta ? std::max(0, line + *range.delta) : 0;
  return line;
}

bool Plan::returns(int buffer) const {
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const BufferView& one) { return one.buffer == buffer; });
}

std::size_t Plan::output_elements() const {
  std::size_t sum = 0;
  for (const BufferView& one : outputs) sum += static_cast<std::size_t>(one.elements());
  return sum;
}

Plan::OutputElement Plan::output_of(std::size_t value) const {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto count = static_cast<std::size_t>(outputs[i].elements());
    if (value < count) return {i, value};
    value -= count;
  }
  throw std::out_of_range("a value beyond the outputs");
}

std::string Plan::place_of(std::size_t value) const {
  const OutputElement at = output_of(value);
  const std::vector<std::int64_t>& shape = outputs[at.output].shape;
  std::vector<std::int64_t> index(shape.size());
  auto left = static_cast<std::int64_t>(at.element);
  for (std::size_t d = shape.size(); d-- > 0; left /= shape[d]) index[d] = left % shape[d];
  const std::string place = fmt::format("[{}]", fmt::join(index, ", "));
  return outputs.size() == 1 ? place : fmt::format("{} of result {}", place, at.output + 1);
}

std::vector<std::size_t> Plan::packed_offsets() const {
  constexpr std::size_t alignment = 16;
  std::vector<std::size_t> out = {0};
  for (const BufferView& one : outputs) {
    std::size_t& begin = out.back();
    begin = (begin + alignment - 1) / alignment * alignment;
    out.push_back(begin + static_cast<std::size_t>(one.elements() * bytes_of(one.type)));
  }
  return out;
}

int Plan::launches() const {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(),
                                        [](const Step& s) { return std::holds_alternative<LaunchStep>(s); }));
}

int Plan::own_launches() const {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](const Step& step) {
    const auto* launch = std::get_if<LaunchStep>(&step);
    return launch != nullptr && launch->framework.empty();
  }));
}

PlanError parse_plan_error(const json& answer) {
  PlanError error{text_of(answer, "reason", 40), text_of(answer, "message")};
  if (std::find(std::begin(reasons), std::end(reasons), error.reason) == std::end(reasons))
    error.reason = "crashed";
  error.line = static_cast<int>(integer_of(answer, "line", 1, 999'999));
  const auto everywhere = answer.is_object() ? answer.find("everywhere") : answer.end();
  error.everywhere = everywhere != answer.end() && *everywhere == true;
  return error;
}

Plan parse_plan(const json& plan, const std::vector<std::int64_t>& inputs, std::size_t kernels,
                const PlanLimits& limits) {
  return Reader(limits, kernels).read(plan, inputs);
}

json to_json(const Plan& plan) {
  json out = {
      {"label", plan.label}, {"buffers", json::array()}, {"steps", json::array()}, {"output", json::array()}};
  for (const BufferView& output : plan.outputs) out["output"].push_back(view_json(output));
  if (plan.outputs.size() == 1) out["output"] = json(out["output"][0]);
  for (const PlanBuffer& buffer : plan.buffers) {
    json one = {{"bytes", buffer.bytes}, {"role", buffer.input >= 0 ? "input" : "temporary"}};
    if (buffer.input >= 0) one["input"] = buffer.input;
    out["buffers"].push_back(std::move(one));
  }
  for (const Step& step : plan.steps)
    out["steps"].push_back(std::visit([](const auto& s) { return step_json(s); }, step));
  return out;
}

Recording parse_recording(const json& answer, const std::vector<std::vector<std::int64_t>>& inputs,
                          const PlanLimits& limits, const std::vector<PlanLimits>& of_each) {
  Recording recording;
  for (const json& kernel : list(answer, "kernels", max_kernels))
    recording.kernels.push_back(read_kernel(kernel, limits));
  for (PlanKernel& kernel : recording.kernels)
    for (const PlanKernel& other : recording.kernels)
      if (kernel.language == PlanKernel::Language::cuda && other.language == kernel.language &&
          other.text == kernel.text && other.options == kernel.options)
        kernel.expressions.push_back(other.expression);
  const json& plans = list(answer, "plans", inputs.size());
  if (plans.size() != inputs.size()) bad("there isn't one plan for each shape");
  for (std::size_t i = 0; i < plans.size(); ++i)
    recording.plans.push_back(read_plan(plans[i], i, inputs[i], recording.kernels.size(),
                                        i < of_each.size() ? of_each[i] : limits));
  for (std::size_t i = 0; i < recording.plans.size(); ++i)
    for (const Step& step : recording.plans[i].steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step)) {
        const auto language = [&](const PlanLaunch& call) {
          return recording.kernels[static_cast<std::size_t>(call.kernel)].language;
        };
        const auto fits = [&](const PlanLaunch& call) {
          return (call.block[0] > 0) == (language(call) == PlanKernel::Language::cuda);
        };
        const auto foreign = [&](const PlanLaunch& call) { return language(call) != language(*launch); };
        if (std::any_of(launch->alternatives.begin(), launch->alternatives.end(), foreign))
          bad("an alternative is in another language than its launch");
        const auto for_cuda = [](const PlanArgument& one) {
          return std::holds_alternative<HalfArgument>(one) || std::holds_alternative<StructArgument>(one);
        };
        const auto stranger = [&](const PlanLaunch& call) {
          return call.block[0] == 0 && std::any_of(call.args.begin(), call.args.end(), for_cuda);
        };
        if (stranger(*launch) ||
            std::any_of(launch->alternatives.begin(), launch->alternatives.end(), stranger))
          bad("a kernel in Triton has an argument that only kernels in CUDA can have");
        if (!fits(*launch) || !std::all_of(launch->alternatives.begin(), launch->alternatives.end(), fits))
          bad("a launch in Triton has a block size, or a launch in CUDA has none");
      }
  recording.commitment = sha256_hex(json{{"kernels", answer["kernels"]}, {"plans", plans}}.dump());
  return recording;
}

}  // namespace trl::runtime

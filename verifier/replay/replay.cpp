#include "verifier/replay/replay.hpp"

#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Half.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <iterator>
#include <set>

#include "base/support/random.hpp"
#include "verifier/executor/launch/model_time.hpp"
#include "verifier/executor/launch/trace.hpp"
#include "verifier/executor/paths/paths.hpp"

namespace trl::runtime {
namespace {

// The number of memory findings that are kept for a plan; a verdict shows the first.
constexpr std::size_t most_findings = 64;
// The number of operations with undefined results that are kept for a plan.
constexpr std::size_t most_undefined = 16;

template <typename T>
T bits_from(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void bits_to(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

template <typename T>
T truncated(double value) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

// Calls `visit` with the byte offset of each element of a view, in order.
template <typename Visit>
void for_each_element(const BufferView& view, Visit visit) {
  const std::int64_t count = view.elements(), width = bytes_of(view.type);
  std::vector<std::int64_t> index(view.shape.size(), 0);
  std::int64_t offset = view.offset;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(i, offset);
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += view.strides[d] * width;
      if (++index[d] < view.shape[d]) break;
      offset -= view.strides[d] * width * view.shape[d];
      index[d] = 0;
    }
  }
}

/// The bytes that PyTorch moves for a view: sectors of memory, each once.
std::uint64_t moved_bytes(const BufferView& view, std::int64_t buffer_bytes) {
  constexpr std::int64_t sector = 32;
  const std::int64_t width = bytes_of(view.type);
  std::int64_t in_order = 1;
  bool contiguous = true;
  for (std::size_t d = view.shape.size(); d-- > 0; in_order *= view.shape[d])
    contiguous = contiguous && (view.shape[d] == 1 || view.strides[d] == in_order);
  if (contiguous) return static_cast<std::uint64_t>(view.elements() * width);
  std::vector<bool> touched(static_cast<std::size_t>(buffer_bytes / sector + 1));
  for_each_element(view, [&](std::int64_t, std::int64_t offset) {
    touched[static_cast<std::size_t>(offset / sector)] = true;  // elements are aligned, so each is in one
  });
  return sector * static_cast<std::uint64_t>(std::count(touched.begin(), touched.end(), true));
}

class Replay {
 public:
  Replay(const Plan& plan, const std::vector<executor::Module>& modules,
         const std::vector<std::string>& names, const std::vector<InputData>& inputs,
         const ReplayOptions& options)
      : plan_(plan), modules_(modules), names_(names), options_(options) {
    int temporaries = 0;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      const PlanBuffer& buffer = plan.buffers[i];
      if (buffer.input >= 0) {
        const InputData& input = inputs[static_cast<std::size_t>(buffer.input)];
        memory_.add_buffer(input.name, input.bytes, false);
      } else {
        const bool output = plan.returns(static_cast<int>(i));
        memory_.add_unwritten(output ? "the output" : "temporary " + std::to_string(++temporaries),
                              static_cast<std::size_t>(buffer.bytes), true,
                              options.sample == 0 ? options.poison : std::uint8_t{0});
      }
    }
  }

  ReplayResult run() {
    draw_addresses();
    for (const Step& step : plan_.steps) {
      const bool going = std::visit([&](const auto& one) { return carry_out(one); }, step);
      if (!going) break;
    }
    read_output();
    if (options_.explain) {
      const auto [output, element] = plan_.output_of(*options_.explain);
      const BufferView& view = plan_.outputs[output];
      for (const executor::Trace::Step& step : trace_.origin(view.buffer, offset_of(view, element)))
        result_.origin.push_back({step.what, step.source.line});
    }
    for (const Launched& launched : launched_) tell_paths(launched);
    return std::move(result_);
  }

 private:
  std::uint64_t moved(const BufferView& view) const {
    return moved_bytes(view, plan_.buffers[static_cast<std::size_t>(view.buffer)].bytes);
  }

  bool writable(const BufferView& view, int line) {
    if (memory_.buffer(view.buffer).writable) return true;
    result_.findings.push_back({"mutated_input",
                                "the wrapper writes to its input " + memory_.buffer(view.buffer).name, line,
                                false});
    return false;
  }

  void mark(executor::Buffer& buffer, std::int64_t offset, std::int64_t bytes, Writer writer) {
    if (!buffer.written.empty())
      std::fill_n(buffer.written.begin() + offset, bytes, static_cast<std::uint8_t>(writer));
  }

  bool carry_out(const FillStep& fill) {
    if (!writable(fill.to, fill.line)) return false;
    executor::Buffer& to = memory_.buffer(fill.to.buffer);
    const std::int64_t width = bytes_of(fill.to.type);
    std::byte element[8];
    store_element(fill.to.type, fill.value, element);
    const auto count = static_cast<std::uint64_t>(fill.to.elements());
    result_.per_launch.push_back(executor::framework_pass(count, 0, moved(fill.to)));
    for_each_element(fill.to, [&](std::int64_t, std::int64_t offset) {
      std::memcpy(to.bytes.data() + offset, element, static_cast<std::size_t>(width));
      mark(to, offset, width, Writer::host);
    });
    return true;
  }

  // Gives each buffer an address of its own for tables, anew in each trial and far from all others, so that a
  // kernel finds no buffer by a number that isn't in a table.
  void draw_addresses() {
    constexpr std::uint64_t most = std::uint64_t{1} << 62, aligned = 256;
    constexpr std::uint64_t distance = executor::Memory::address_distance;
    RandomStream draw(RandomKey{options_.order ^ 0x6164647265737365});
    std::set<std::uint64_t> taken{0, most};
    for (int i = 0; i < memory_.size(); ++i) {
      std::uint64_t address = 0;
      do {
        address = draw.below(most) / aligned * aligned;
        const auto next = taken.lower_bound(address);
        if (*next - address >= distance && address - *std::prev(next) >= distance) break;
      } while (true);
      taken.insert(address);
      memory_.buffer(i).address = address;
    }
  }

  bool carry_out(const AddressStep& step) {
    if (!writable(step.to, step.line)) return false;
    executor::Buffer& to = memory_.buffer(step.to.buffer);
    const std::uint64_t number =
        memory_.buffer(step.of.buffer).address + static_cast<std::uint64_t>(step.of.offset);
    const auto count = static_cast<std::uint64_t>(step.to.elements());
    result_.per_launch.push_back(executor::framework_pass(count, 0, count * sizeof number));
    for_each_element(step.to, [&](std::int64_t, std::int64_t offset) {
      bits_to(number, to.bytes.data() + offset);
      mark(to, offset, sizeof number, Writer::host);
    });
    return true;
  }

  bool carry_out(const CopyStep& copy) {
    if (!writable(copy.to, copy.line)) return false;
    const executor::Buffer& from = memory_.buffer(copy.from.buffer);
    executor::Buffer& to = memory_.buffer(copy.to.buffer);
    const std::int64_t from_width = bytes_of(copy.from.type), to_width = bytes_of(copy.to.type);
    // Everything is read before anything is written, since the views may overlap.
    const auto count = static_cast<std::size_t>(copy.from.elements());
    result_.per_launch.push_back(executor::framework_pass(count, moved(copy.from), moved(copy.to)));
    std::vector<std::byte> values(count * static_cast<std::size_t>(to_width));
    std::vector<Writer> writers(count);
    std::vector<std::int64_t> sources(options_.explain ? count : 0);
    for_each_element(copy.from, [&](std::int64_t i, std::int64_t offset) {
      if (!sources.empty()) sources[static_cast<std::size_t>(i)] = offset;
      std::byte* value = values.data() + i * to_width;
      if (copy.from.type == copy.to.type)
        std::memcpy(value, from.bytes.data() + offset, static_cast<std::size_t>(to_width));
      else
        store_element(copy.to.type, load_element(copy.from.type, from.bytes.data() + offset), value);
      writers[static_cast<std::size_t>(i)] = writer_of(from, offset, from_width);
    });
    for_each_element(copy.to, [&](std::int64_t i, std::int64_t offset) {
      std::memcpy(to.bytes.data() + offset, values.data() + i * to_width, static_cast<std::size_t>(to_width));
      mark(to, offset, to_width, writers[static_cast<std::size_t>(i)]);
      if (!sources.empty())
        trace_.copy(copy.to.buffer, offset, copy.from.buffer, sources[static_cast<std::size_t>(i)]);
    });
    return true;
  }

  // The writer of an element: the least trusted writer of its bytes.
  static Writer writer_of(const executor::Buffer& buffer, std::int64_t offset, std::int64_t width) {
    if (buffer.written.empty()) return Writer::input;
    Writer writer = Writer::kernel;
    for (std::int64_t i = 0; i < width; ++i) {
      const std::uint8_t mark = buffer.written[static_cast<std::size_t>(offset + i)];
      if (mark == 0) return Writer::nobody;
      if (mark != static_cast<std::uint8_t>(Writer::kernel)) writer = static_cast<Writer>(mark);
    }
    return writer;
  }

  bool carry_out(const LaunchStep& step) {
    if (!options_.launches) return true;
    executor::Launch launch;
    launch.kernel = names_[static_cast<std::size_t>(step.kernel)];
    std::copy(step.grid.begin(), step.grid.end(), launch.grid);
    for (const PlanArgument& argument : step.args)
      launch.args.push_back(std::visit(
          [](const auto& value) -> executor::Argument {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, BufferArgument>)
              return executor::PointerArg{value.buffer, value.offset};
            else if constexpr (!std::is_arithmetic_v<std::decay_t<decltype(value)>>)
              throw BadPlan("an argument that no kernel in Triton takes");
            else
              return value;
          },
          argument));
    executor::Options options;
    options.strict = false;
    options.poison = options_.sample == 0 ? options_.poison : std::uint8_t{0};
    options.unfilled = options_.unfilled;
    options.lowering = options_.lowering;
    options.lowered_to_line = options_.lowered_to_line;
    options.undefined = options_.undefined;
    options.undefined_line = options_.undefined_line;
    options.order = options_.order;
    options.interleaved = options_.interleaved;
    static const executor::GpuModel gpu = executor::gpu_model("H200").value();
    options.clock = options_.by_clock ? &gpu : nullptr;
    options.threads = options_.threads ? options_.threads() : 1;
    options.trace = options_.explain ? &trace_ : nullptr;
    const std::uint64_t left =
        options_.plan_operations - std::min(options_.plan_operations, result_.counters.operations);
    options.limits.max_operations = std::min(options_.launch_operations, left);
    options.limits.cancelled = options_.cancelled;
    if (options_.sample != 0) return carry_out_sampled(step, launch, options);
    options.ways = step.framework.empty() ? ways_of(step.kernel, launch) : nullptr;
    const executor::Report report =
        executor::run(modules_[static_cast<std::size_t>(step.kernel)], launch, memory_, options);
    result_.counters += report.counters;
    result_.per_launch.push_back(report.counters);
    for (const executor::UndefinedResult& one : report.undefined)
      if (result_.undefined.size() < most_undefined) result_.undefined.push_back({one.what, one.source.line});
    return note(step, report, left);
  }

  // Whether a finding holds for a program that runs without the others. Wrong reads don't: other programs may
  // have had to write that memory. Nor does anything computed from it.
  static bool tells_apart(executor::Kind kind) {
    using executor::Kind;
    return kind == Kind::out_of_bounds_load || kind == Kind::out_of_bounds_store ||
           kind == Kind::stray_store || kind == Kind::misaligned || kind == Kind::read_only_store ||
           kind == Kind::timeout;
  }

  bool carry_out_sampled(const LaunchStep& step, const executor::Launch& launch, executor::Options options) {
    options.races = false;
    options.threads = 1;
    const std::uint64_t programs = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    RandomStream draw(RandomKey{options_.sample + result_.per_launch.size()});
    executor::Counters counters;
    for (std::uint64_t i = 0; i < programs; ++i) {
      if (i >= 2 && counters.operations >= options_.sampled_operations) break;
      options.only = {i == 0 ? 0 : i == 1 ? programs - 1 : draw.below(programs)};
      executor::Report report =
          executor::run(modules_[static_cast<std::size_t>(step.kernel)], launch, memory_, options);
      counters += report.counters;
      std::erase_if(report.findings, [](const executor::Finding& one) { return !tells_apart(one.kind); });
      for (executor::Finding& finding : report.findings)
        if (finding.kind == executor::Kind::timeout)
          finding.message = fmt::format(
              "one program alone isn't done after {} operations, the executor's limit for one launch",
              options.limits.max_operations);
      if (!note(step, report, options_.launch_operations)) return false;
      if (!report.findings.empty()) break;
    }
    result_.counters += counters;
    result_.per_launch.push_back(counters);
    return true;
  }

  // Adds an execution's findings to the result. `left` is the number of operations that the plan had left
  // before it. Returns false when one of them is not about memory.
  bool note(const LaunchStep& step, const executor::Report& report, std::uint64_t left) {
    bool going = true;
    for (const executor::Finding& finding : report.findings) {
      const bool input = finding.kind == executor::Kind::read_only_store;
      const bool memory = executor::is_memory_error(finding.kind) && !input;
      const bool together = finding.kind == executor::Kind::timeout && left < options_.launch_operations;
      going = going && memory;
      if (memory && result_.findings.size() >= most_findings) continue;
      std::string message =
          together ? fmt::format(
                         "the launches aren't done after {} operations together, the executor's limit for a "
                         "plan",
                         options_.plan_operations)
                   : finding.message;
      if (finding.kind == executor::Kind::timeout) message += which(step);
      result_.findings.push_back({input ? "mutated_input" : std::string(executor::name(finding.kind)),
                                  message, finding.line > 0 ? finding.line : step.line, memory});
    }
    return going;
  }

  // Says which of several launches a step is.
  std::string which(const LaunchStep& step) const {
    int number = 0, all = 0;
    for (const Step& one : plan_.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&one); launch != nullptr && ++all && launch == &step)
        number = all;
    return all < 2 ? "" : fmt::format(" (launch {} of {})", number, all);
  }

  // A kernel's first launch represents all its launches when turning values are searched for.
  struct Launched {
    int kernel = 0;
    executor::Launch launch;
    std::vector<std::uint8_t> ways;
  };

  // Where a launch records its decisions; null where they aren't asked for.
  std::vector<std::uint8_t>* ways_of(int kernel, const executor::Launch& launch) {
    if (!options_.ways) return nullptr;
    for (Launched& one : launched_)
      if (one.kernel == kernel) return &one.ways;
    const auto number = static_cast<std::size_t>(kernel);
    std::vector<std::uint8_t> ways;
    if (number < options_.ways->size()) ways = (*options_.ways)[number];
    ways.resize(static_cast<std::size_t>(executor::decision_count(modules_[number])));
    launched_.push_back({kernel, launch, std::move(ways)});
    return &launched_.back().ways;
  }

  void tell_paths(const Launched& launched) {
    const executor::Module& module = modules_[static_cast<std::size_t>(launched.kernel)];
    KernelPaths& paths = result_.paths.emplace_back();
    paths.kernel = launched.kernel;
    for (executor::Decision& decision : executor::decisions(module))
      paths.decisions.push_back(
          {std::move(decision.what), decision.source.line, launched.ways[paths.decisions.size()]});
    if (std::find(options_.turn.begin(), options_.turn.end(), launched.kernel) == options_.turn.end()) return;
    if (options_.cancelled && options_.cancelled()) return;
    const int looked_at = std::min({executor::one_sided(launched.ways), most_turned, turned_left_});
    turned_left_ -= looked_at;
    for (const executor::Decider& decider :
         executor::deciders(module, launched.launch, launched.ways, looked_at, &memory_)) {
      TurningValues& values = result_.turning.emplace_back();
      values = {launched.kernel, decider.decision, {}, decider.low, decider.high, decider.everywhere};
      for (const int buffer : decider.buffers)
        if (const int input = input_of(buffer); input >= 0) values.inputs.push_back(input);
      if (values.inputs.size() < decider.buffers.size()) values.inputs.clear();
    }
  }

  // The task's input that a buffer holds or was copied from; -1: none.
  int input_of(int buffer) const {
    for (int copies = 0; copies < 4; ++copies) {
      if (buffer < 0 || static_cast<std::size_t>(buffer) >= plan_.buffers.size()) return -1;
      if (plan_.buffers[static_cast<std::size_t>(buffer)].input >= 0)
        return plan_.buffers[static_cast<std::size_t>(buffer)].input;
      const auto from = std::find_if(plan_.steps.begin(), plan_.steps.end(), [&](const Step& step) {
        const auto* copy = std::get_if<CopyStep>(&step);
        return copy != nullptr && copy->to.buffer == buffer;
      });
      if (from == plan_.steps.end()) return -1;
      buffer = std::get<CopyStep>(*from).from.buffer;
    }
    return -1;
  }

  void read_output() {
    result_.output.resize(plan_.output_elements());
    result_.writers.resize(result_.output.size());
    std::size_t begin = 0;
    for (const BufferView& view : plan_.outputs) {
      const executor::Buffer& buffer = memory_.buffer(view.buffer);
      const std::int64_t width = bytes_of(view.type);
      for_each_element(view, [&](std::int64_t i, std::int64_t offset) {
        const std::size_t at = begin + static_cast<std::size_t>(i);
        result_.output[at] = load_element(view.type, buffer.bytes.data() + offset);
        result_.writers[at] = writer_of(buffer, offset, width);
      });
      begin += static_cast<std::size_t>(view.elements());
    }
  }

  const Plan& plan_;
  const std::vector<executor::Module>& modules_;
  const std::vector<std::string>& names_;
  const ReplayOptions& options_;
  // The number of decisions for which turning values are searched: per kernel, and of all kernels of a plan.
  static constexpr int most_turned = 16;
  int turned_left_ = 64;
  executor::Memory memory_;
  executor::Trace trace_;
  std::deque<Launched> launched_;
  ReplayResult result_;
};

}  // namespace

ReplayResult replay(const Plan& plan, const std::vector<executor::Module>& modules,
                    const std::vector<std::string>& kernel_names, const std::vector<InputData>& inputs,
                    const ReplayOptions& options) {
  return Replay(plan, modules, kernel_names, inputs, options).run();
}

std::int64_t offset_of(const BufferView& view, std::size_t i) {
  auto left = static_cast<std::int64_t>(i);
  std::int64_t offset = view.offset;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    offset += left % view.shape[d] * view.strides[d] * bytes_of(view.type);
    left /= view.shape[d];
  }
  return offset;
}

void store_element(ElementType type, double value, std::byte* to) {
  switch (type) {
    case ElementType::f64:
      return bits_to(value, to);
    case ElementType::f32:
      return bits_to(static_cast<float>(value), to);
    case ElementType::f16:
      return bits_to(c10::Half(static_cast<float>(value)).x, to);
    case ElementType::bf16:
      return bits_to(c10::BFloat16(static_cast<float>(value)).x, to);
    case ElementType::f8e4m3:
      return bits_to(c10::Float8_e4m3fn(static_cast<float>(value)).x, to);
    case ElementType::f8e5m2:
      return bits_to(c10::Float8_e5m2(static_cast<float>(value)).x, to);
    case ElementType::i64:
      return bits_to(truncated<std::int64_t>(value), to);
    case ElementType::i32:
      return bits_to(truncated<std::int32_t>(value), to);
    case ElementType::i16:
      return bits_to(truncated<std::int16_t>(value), to);
    case ElementType::i8:
      return bits_to(truncated<std::int8_t>(value), to);
    case ElementType::u64:
      return bits_to(truncated<std::uint64_t>(value), to);
    case ElementType::u32:
      return bits_to(truncated<std::uint32_t>(value), to);
    case ElementType::u16:
      return bits_to(truncated<std::uint16_t>(value), to);
    case ElementType::u8:
      return bits_to(truncated<std::uint8_t>(value), to);
    case ElementType::i1:
      return bits_to(static_cast<std::uint8_t>(value != 0), to);
  }
}

double load_element(ElementType type, const std::byte* from) {
  switch (type) {
    case ElementType::f64:
      return bits_from<double>(from);
    case ElementType::f32:
      return bits_from<float>(from);
    case ElementType::f16:
      return c10::Half(bits_from<std::uint16_t>(from), c10::Half::from_bits());
    case ElementType::bf16:
      return c10::BFloat16(bits_from<std::uint16_t>(from), c10::BFloat16::from_bits());
    case ElementType::f8e4m3:
      return c10::Float8_e4m3fn(bits_from<std::uint8_t>(from), c10::Float8_e4m3fn::from_bits());
    case ElementType::f8e5m2:
      return c10::Float8_e5m2(bits_from<std::uint8_t>(from), c10::Float8_e5m2::from_bits());
    case ElementType::i64:
      return static_cast<double>(bits_from<std::int64_t>(from));
    case ElementType::i32:
      return bits_from<std::int32_t>(from);
    case ElementType::i16:
      return bits_from<std::int16_t>(from);
    case ElementType::i8:
      return bits_from<std::int8_t>(from);
    case ElementType::u64:
      return static_cast<double>(bits_from<std::uint64_t>(from));
    case ElementType::u32:
      return bits_from<std::uint32_t>(from);
    case ElementType::u16:
      return bits_from<std::uint16_t>(from);
    case ElementType::u8:
      return bits_from<std::uint8_t>(from);
    case ElementType::i1:
      return bits_from<std::uint8_t>(from) != 0;
  }
  return 0;
}

}  // namespace trl::runtime

#include "tests/fuzz/verify_targets.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/support/json_text.hpp"
#include "verifier/executor/executor.hpp"
#include "verifier/executor/launch/trace.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/plan/launch_wrapper.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/plan/source_line.hpp"
#include "verifier/replay/replay_messages.hpp"
#include "verifier/services/service.hpp"

namespace trl::fuzz {
namespace {

using nlohmann::json;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

executor::Options small_limits() {
  executor::Options options;
  options.strict = false;
  options.limits.max_operations = 300'000;
  options.limits.max_programs = 64;
  options.limits.max_block_bytes = 1 << 22;
  return options;
}

/// Memory with an input, an initialised buffer and an uninitialised one.
executor::Memory small_memory() {
  constexpr std::size_t bytes = 2048;
  std::vector<std::byte> numbers(bytes);
  for (std::size_t i = 0; i < bytes / 4; ++i) {
    const float value = std::sin(static_cast<float>(i)) * 3;
    std::memcpy(numbers.data() + 4 * i, &value, 4);
  }
  executor::Memory memory;
  memory.add_buffer("x", numbers, false);
  memory.add_unwritten("y", bytes);
  memory.add_buffer("z", numbers, true);
  return memory;
}

executor::Launch launch_of(const executor::Module& module, const std::string& kernel) {
  executor::Launch launch;
  launch.kernel = kernel;
  launch.grid[0] = 3, launch.grid[1] = 2;
  int pointers = 0;
  for (const executor::Parameter& parameter : module.parameters(kernel)) {
    if (parameter.pointer)
      launch.args.emplace_back(executor::PointerArg{pointers++ % 3, 0});
    else if (parameter.type == "i1")
      launch.args.emplace_back(true);
    else if (parameter.type == "i64")
      launch.args.emplace_back(std::int64_t{48});
    else if (parameter.type == "f32" || parameter.type == "f16" || parameter.type == "bf16")
      launch.args.emplace_back(0.5f);
    else if (parameter.type == "f64")
      launch.args.emplace_back(0.5);
    else
      launch.args.emplace_back(std::int32_t{48});
  }
  return launch;
}

bool same(const executor::Report& a, const executor::Report& b) {
  if (a.ok != b.ok || a.findings.size() != b.findings.size()) return false;
  if (a.counters.operations != b.counters.operations) return false;
  for (std::size_t i = 0; i < a.findings.size(); ++i)
    if (a.findings[i].message != b.findings[i].message || a.findings[i].kind != b.findings[i].kind)
      return false;
  return true;
}

bool same(const executor::Memory& a, const executor::Memory& b) {
  for (int i = 0; i < a.size(); ++i)
    if (a.buffer(i).bytes != b.buffer(i).bytes || a.buffer(i).written != b.buffer(i).written) return false;
  return true;
}

}  // namespace

void kernel_text(std::string_view ttir) {
  const auto parsed = executor::parse(ttir);
  if (const auto* error = std::get_if<executor::ParseError>(&parsed)) {
    require(!error->message.empty(), "what isn't read is said");
    (void)runtime::source_line(ttir, error->line);
    return;
  }
  const auto& module = std::get<executor::Module>(parsed);
  const std::vector<std::string> kernels = module.kernels();
  for (std::size_t k = 0; k < std::min<std::size_t>(kernels.size(), 2); ++k) {
    const executor::Launch launch = launch_of(module, kernels[k]);
    executor::Options options = small_limits();
    options.order = ttir.size() | 1;
    executor::Memory once = small_memory(), again = once, followed = once;
    const executor::Report report = executor::run(module, launch, once, options);
    require(report.ok == report.findings.empty() || !report.findings.empty(), "what is not right is said");
    require(same(report, executor::run(module, launch, again, options)), "a launch ends the same way again");
    require(same(once, again), "a launch leaves the same memory again");
    require(once.buffer(0).bytes == small_memory().buffer(0).bytes, "an input stays as it is");
    executor::Trace trace;
    options.trace = &trace;
    executor::run(module, launch, followed, options);
    (void)trace.origin(1, 0);
  }
}

namespace {

/// Runs a plan's launches on memory with its buffers' sizes, as far as these are small.
void run_plan(const runtime::Plan& plan, const std::vector<std::optional<executor::Module>>& modules) {
  executor::Memory memory;
  std::int64_t total = 0;
  for (const runtime::PlanBuffer& buffer : plan.buffers) total += buffer.bytes;
  if (total > 1 << 18) return;
  for (const runtime::PlanBuffer& buffer : plan.buffers) {
    const auto bytes = static_cast<std::size_t>(buffer.bytes);
    if (buffer.input >= 0)
      memory.add_buffer("input", std::vector<std::byte>(bytes, std::byte{0x3F}), false);
    else
      memory.add_unwritten("temporary", bytes);
  }
  int launches = 0;
  for (const runtime::Step& step : plan.steps) {
    const auto* body = std::get_if<runtime::LaunchStep>(&step);
    if (body == nullptr || !modules[static_cast<std::size_t>(body->kernel)] || ++launches > 4) continue;
    executor::Launch launch;
    std::copy(body->grid.begin(), body->grid.end(), launch.grid);
    for (const runtime::PlanArgument& argument : body->args)
      std::visit(
          [&](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, runtime::BufferArgument>)
              launch.args.emplace_back(executor::PointerArg{value.buffer, value.offset});
            else if constexpr (std::is_arithmetic_v<Value>)
              launch.args.emplace_back(value);
            else
              require(body->block[0] > 0, "structs and halves are CUDA's arguments");
          },
          argument);
    executor::run(*modules[static_cast<std::size_t>(body->kernel)], launch, memory, small_limits());
  }
}

/// The input sizes that the recording's plans may be for: those of the seeds, with one and with two inputs.
const std::vector<std::vector<std::vector<std::int64_t>>>& input_sizes() {
  static const std::vector<std::vector<std::vector<std::int64_t>>> sizes = {
      {{3072}}, {{3072}, {64}}, {{3072, 3072}}, {{6144, 6144}}, {{3072, 192}}, {}};
  return sizes;
}

void read_and_run(const json& answer) {
  for (const auto& inputs : input_sizes()) {
    runtime::PlanLimits limits;
    limits.buffer_bytes = 1 << 22;
    limits.moved_elements = 1 << 16;
    runtime::Recording recording;
    try {
      recording = runtime::parse_recording(answer, inputs, limits);
    } catch (const runtime::BadPlan& bad) {
      require(std::strlen(bad.what()) > 0, "what isn't sound is said");
      continue;
    }
    require(recording.plans.size() == inputs.size(), "a plan a shape");
    std::vector<std::optional<executor::Module>> modules;
    for (const runtime::PlanKernel& kernel : recording.kernels) {
      modules.emplace_back();
      if (kernel.language == runtime::PlanKernel::Language::cuda) continue;
      auto parsed = executor::parse(kernel.text);
      if (auto* module = std::get_if<executor::Module>(&parsed)) modules.back() = std::move(*module);
    }
    for (std::size_t i = 0; i < recording.plans.size(); ++i) {
      const runtime::Plan& plan = recording.plans[i];
      if (plan.error) continue;
      const json written = runtime::to_json(plan);
      require(runtime::to_json(runtime::parse_plan(written, inputs[i], recording.kernels.size(), limits)) ==
                  written,
              "a plan that is written down is read as it was");
      std::vector<runtime::WrapperKernel> kernels;
      for (const runtime::PlanKernel& kernel : recording.kernels) kernels.push_back({kernel.name});
      std::vector<runtime::WrapperInput> named;
      for (const std::int64_t bytes : inputs[i])
        named.push_back({"x", runtime::element_type("f32").value(), {bytes / 4}});
      try {
        (void)runtime::launch_wrapper(plan, kernels, named);
      } catch (const std::invalid_argument&) {
      }
      run_plan(plan, modules);
    }
  }
}

}  // namespace

namespace {

/// Whether brackets are nested deeper than a document's bound.
bool deep(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '{'; }) > 32;
}

}  // namespace

void recording(std::string_view text) {
  const auto answer = runtime::read_hostile(text);
  require(answer.has_value() || text.size() > (1 << 20) || !json::accept(text) || deep(text),
          "a document within the bounds is read");
  if (!answer) return;
  (void)answer->dump();  // throws if a string isn't UTF-8
  const runtime::PlanError error = runtime::parse_plan_error(*answer);
  require(error.reason.size() <= 40 && error.message.size() <= 2000, "an error's texts are short");
  require(error.line >= 0 && error.line < 1'000'000, "an error's line may be one");
  require(error.claimed, "an error that was said is claimed");
  read_and_run(*answer);
}

void answers(std::string_view bytes) {
  std::int64_t id = 1;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string line(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    const json answer = runtime::answer_to(id, line);
    recording(line);
    if (answer.is_null()) continue;
    require(answer.is_object() && answer["id"] == json(id), "an answer is to what was asked");
    ++id;
    (void)dumped(answer);
  }
}

namespace {

/// A plan of two launches with 12 output elements.
runtime::Plan small_plan() {
  return runtime::parse_plan(json::parse(R"({"label": "original",
        "buffers": [{"bytes": 48, "role": "input", "input": 0}, {"bytes": 48, "role": "temporary"}],
        "steps": [{"launch": {"kernel": 0, "grid": [1, 1, 1], "args": [{"buffer": 0, "offset": 0}]}},
                  {"launch": {"kernel": 0, "grid": [1, 1, 1], "args": [{"buffer": 1, "offset": 0}]}}],
        "output": {"buffer": 1, "offset": 0, "dtype": "f32", "shape": [3, 4], "strides": [4, 1]}})"),
                             {48}, 1);
}

}  // namespace

std::string replayed_seed() {
  runtime::ReplayResult result;
  result.output.assign(12, 0.5);
  result.writers.assign(12, runtime::Writer::kernel);
  result.per_launch.resize(2);
  result.findings.push_back({"race", "program 1 stores what program 2 loads", 7, true});
  const runtime::SentResult sent = runtime::send(result);
  std::string text = sent.head.dump() + "\n";
  for (const auto& part : sent.parts) text.append(reinterpret_cast<const char*>(part.data()), part.size());
  return text;
}

void replayed(std::string_view bytes) {
  static const runtime::Plan plan = small_plan();
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const json head = json::parse(bytes.substr(0, end), nullptr, false);
  bytes.remove_prefix(std::min(end + 1, bytes.size()));
  runtime::ReceivedResult received(head, plan);
  if (!received.sound()) return;
  for (const auto& part : received.parts()) {
    const std::size_t size = std::min(part.size(), bytes.size());
    if (size > 0) std::memcpy(part.data(), bytes.data(), size);
    bytes.remove_prefix(size);
  }
  const auto result = received.take();
  if (!result) return;
  require(result->output.size() == 12 && result->writers.size() == 12, "a result has the output's size");
  require(result->per_launch.size() <= plan.steps.size(), "a launch a step at most");
  for (const runtime::Writer writer : result->writers)
    require(writer <= runtime::Writer::input, "a writer is one that there is");
  for (const runtime::ReplayFinding& finding : result->findings)
    require(finding.message.size() <= 2000 && finding.line >= 0, "a finding is short");
}

}  // namespace trl::fuzz

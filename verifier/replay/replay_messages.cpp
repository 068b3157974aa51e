#include "verifier/replay/replay_messages.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "verifier/hostile_json.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::size_t most_findings = 100, most_steps = 16, most_text = 2000;
constexpr std::size_t most_kernels = 256, most_decisions = 256, most_turning = 4096, most_inputs = 64;
constexpr std::int64_t most_lines = 1'000'000;
constexpr std::size_t most_sampled = 1 << 20;
constexpr std::int64_t most_stored_runs = 1 << 24, most_stored_bytes = 1 << 26;

// Counters and writers are sent with the layout that they have in memory, since both programs are of one
// build.
static_assert(std::is_trivially_copyable_v<executor::Counters> && sizeof(executor::Counters) % 8 == 0);
static_assert(sizeof(Writer) == 1);
static_assert(std::is_trivially_copyable_v<SampledProgram> &&
              std::is_trivially_copyable_v<executor::StoredRun>);

// All reasons that a replay can give.
const std::set<std::string, std::less<>>& kinds() {
  static const std::set<std::string, std::less<>> all = [] {
    std::set<std::string, std::less<>> names{"mutated_input"};
    for (int kind = 0; executor::name(static_cast<executor::Kind>(kind)) != "unknown"; ++kind)
      names.emplace(executor::name(static_cast<executor::Kind>(kind)));
    return names;
  }();
  return all;
}

const json* member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::optional<std::string> text(const json& object, const char* name) {
  const json* const value = member(object, name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return prefix_of(value->get_ref<const std::string&>(), most_text);
}

std::optional<std::int64_t> integer(const json& object, const char* name, std::int64_t most) {
  const json* const value = member(object, name);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(most))
    return std::nullopt;
  const auto number = value->get<std::int64_t>();
  return number < 0 || number > most ? std::nullopt : std::optional(number);
}

const json* list(const json& object, const char* name, std::size_t most) {
  const json* const value = member(object, name);
  return value != nullptr && value->is_array() && value->size() <= most ? value : nullptr;
}

// Which ways a kernel's decisions went; none where the message is malformed. PathCoverage checks that the
// kernel and the decisions exist.
std::optional<KernelPaths> kernel_paths(const json& one) {
  if (!one.is_object()) return std::nullopt;
  const auto kernel = integer(one, "kernel", most_kernels);
  const json* const decisions = list(one, "decisions", most_decisions);
  if (!kernel || decisions == nullptr) return std::nullopt;
  KernelPaths paths{static_cast<int>(*kernel), {}};
  for (const json& decision : *decisions) {
    if (!decision.is_object()) return std::nullopt;
    auto what = text(decision, "what");
    const auto line = integer(decision, "line", most_lines), ways = integer(decision, "ways", 3);
    if (!what || !line || !ways) return std::nullopt;
    paths.decisions.push_back({std::move(*what), static_cast<int>(*line), static_cast<std::uint8_t>(*ways)});
  }
  return paths;
}

std::optional<TurningValues> turning_values(const json& one) {
  if (!one.is_object()) return std::nullopt;
  const auto kernel = integer(one, "kernel", most_kernels),
             decision = integer(one, "decision", most_decisions);
  const json* const inputs = list(one, "inputs", most_inputs);
  const json *const low = member(one, "low"), *const high = member(one, "high"),
                    *const everywhere = member(one, "everywhere");
  if (!kernel || !decision || inputs == nullptr || low == nullptr || !low->is_number() || high == nullptr ||
      !high->is_number() || everywhere == nullptr || !everywhere->is_boolean())
    return std::nullopt;
  TurningValues values{static_cast<int>(*kernel), static_cast<int>(*decision), {},
                       low->get<double>(),        high->get<double>(),         everywhere->get<bool>()};
  for (const json& input : *inputs) {
    if (!input.is_number_unsigned() || input.get<std::uint64_t>() >= most_inputs) return std::nullopt;
    values.inputs.push_back(input.get<int>());
  }
  return values;
}

json to_json(const std::vector<OriginStep>& steps) {
  json out = json::array();
  for (const OriginStep& step : steps) out.push_back({{"what", step.what}, {"line", step.line}});
  return out;
}

std::optional<std::vector<OriginStep>> steps(const json& head, const char* name) {
  const json* const all = list(head, name, most_steps);
  if (all == nullptr) return std::nullopt;
  std::vector<OriginStep> read;
  for (const json& step : *all) {
    if (!step.is_object()) return std::nullopt;
    auto what = text(step, "what");
    const auto line = integer(step, "line", most_lines);
    if (!what || !line) return std::nullopt;
    read.push_back({std::move(*what), static_cast<int>(*line)});
  }
  return read;
}

}  // namespace

json to_json(const ReplayOptions& options, int threads) {
  json out = {{"poison", options.poison},
              {"order", options.order},
              {"interleaved", options.interleaved},
              {"launches", options.launches},
              {"threads", threads},
              {"launch_operations", options.launch_operations},
              {"plan_operations", options.plan_operations},
              {"sample", options.sample},
              {"sampled_operations", options.sampled_operations}};
  if (std::isfinite(options.cpu_seconds)) out["cpu_seconds"] = options.cpu_seconds;
  if (options.explain) out["explain"] = *options.explain;
  if (options.ways) out["ways"] = *options.ways;
  if (options.unfilled != 0) out["unfilled"] = options.unfilled;
  if (options.lowering != 0) out["lowering"] = options.lowering;
  if (options.lowered_to_line != executor::anywhere) out["lowered_to_line"] = options.lowered_to_line;
  if (options.undefined) out["undefined"] = *options.undefined;
  if (options.undefined_line != executor::anywhere) out["undefined_line"] = options.undefined_line;
  if (options.by_clock) out["by_clock"] = true;
  if (options.missing != 0) out["missing"] = options.missing;
  if (options.sampled_programs < most_sampled) out["sampled_programs"] = options.sampled_programs;
  if (!options.turn.empty()) out["turn"] = options.turn;
  return out;
}

ReplayOptions read_options(const json& options) {
  ReplayOptions out;
  out.poison = options.at("poison");
  out.order = options.at("order");
  out.interleaved = options.at("interleaved");
  out.launches = options.at("launches");
  out.launch_operations = options.at("launch_operations");
  out.plan_operations = options.at("plan_operations");
  out.sample = options.at("sample");
  out.sampled_operations = options.at("sampled_operations");
  if (options.contains("cpu_seconds")) out.cpu_seconds = options["cpu_seconds"];
  if (options.contains("explain")) out.explain = options["explain"].get<std::size_t>();
  if (options.contains("ways")) out.ways = options["ways"].get<std::vector<std::vector<std::uint8_t>>>();
  if (options.contains("unfilled")) out.unfilled = options["unfilled"];
  if (options.contains("lowering")) out.lowering = options["lowering"];
  if (options.contains("lowered_to_line")) out.lowered_to_line = options["lowered_to_line"];
  if (options.contains("undefined")) out.undefined = options["undefined"].get<std::uint64_t>();
  if (options.contains("undefined_line")) out.undefined_line = options["undefined_line"];
  out.by_clock = options.contains("by_clock");
  if (options.contains("missing")) out.missing = options["missing"];
  if (options.contains("sampled_programs")) out.sampled_programs = options["sampled_programs"];
  if (options.contains("turn")) out.turn = options["turn"].get<std::vector<int>>();
  return out;
}

SentResult send(const ReplayResult& result) {
  SentResult sent;
  json findings = json::array();
  for (const ReplayFinding& finding : result.findings)
    findings.push_back({{"kind", finding.kind},
                        {"message", finding.message},
                        {"line", finding.line},
                        {"memory", finding.memory}});
  sent.head = {{"findings", findings},
               {"origin", to_json(result.origin)},
               {"undefined", to_json(result.undefined)},
               {"launches", result.per_launch.size()}};
  if (!result.sampled.empty())
    sent.head["sampled"] = {result.sampled.size(), result.stored.size(), result.stored_bytes.size()};
  for (const KernelPaths& paths : result.paths) {
    json decisions = json::array();
    for (const KernelDecision& one : paths.decisions)
      decisions.push_back({{"what", one.what}, {"line", one.line}, {"ways", one.ways}});
    sent.head["paths"].push_back({{"kernel", paths.kernel}, {"decisions", std::move(decisions)}});
  }
  for (const TurningValues& values : result.turning)
    sent.head["turning"].push_back({{"kernel", values.kernel},
                                    {"decision", values.decision},
                                    {"inputs", values.inputs},
                                    {"low", values.low},
                                    {"high", values.high},
                                    {"everywhere", values.everywhere}});
  sent.parts = {std::as_bytes(std::span(result.output)),       std::as_bytes(std::span(result.writers)),
                std::as_bytes(std::span(&result.counters, 1)), std::as_bytes(std::span(result.per_launch)),
                std::as_bytes(std::span(result.sampled)),      std::as_bytes(std::span(result.stored)),
                std::as_bytes(std::span(result.stored_bytes))};
  return sent;
}

bool any_drawn(const std::vector<InputData>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const InputData& one) { return one.drawn.has_value(); });
}

json to_json(const InputData& input) {
  if (!input.drawn) return {{"name", input.name}, {"bytes", input.bytes.size()}};
  const DrawnContents& drawn = *input.drawn;
  const Domain& domain = drawn.domain;
  return {{"name", input.name},
          {"bytes", drawn.bytes()},
          {"drawn",
           {{"dtype", name(drawn.type)},
            {"elements", drawn.elements},
            {"width", drawn.width},
            {"factor", drawn.factor},
            {"key", drawn.key.value},
            {"kind", static_cast<int>(domain.kind)},
            {"integers", domain.integers},
            {"low", domain.low},
            {"high", domain.high},
            {"mean", domain.mean},
            {"deviation", domain.deviation},
            {"least", domain.least}}}};
}

InputData read_input(const json& input) {
  InputData out{input.at("name"), {}};
  if (!input.contains("drawn")) {
    out.bytes.resize(input.at("bytes"));
    return out;
  }
  const json& from = input["drawn"];
  DrawnContents& drawn = out.drawn.emplace();
  drawn.type = element_type(from.at("dtype").get<std::string>()).value();
  drawn.elements = from.at("elements");
  drawn.width = from.at("width");
  drawn.factor = from.at("factor");
  drawn.key.value = from.at("key");
  drawn.domain.kind = static_cast<tasks::InputValues::Kind>(from.at("kind").get<int>());
  drawn.domain.integers = from.at("integers");
  drawn.domain.low = from.at("low");
  drawn.domain.high = from.at("high");
  drawn.domain.mean = from.at("mean");
  drawn.domain.deviation = from.at("deviation");
  drawn.domain.least = from.at("least");
  return out;
}

ReceivedResult::ReceivedResult(const json& head, const Plan& plan, bool output) {
  sound_ = read(head, plan, output);
}

bool ReceivedResult::read(const json& head, const Plan& plan, bool output) {
  if (!head.is_object()) return false;
  const json* const findings = list(head, "findings", most_findings);
  const auto launches = integer(head, "launches", static_cast<std::int64_t>(plan.steps.size()));
  auto origin = steps(head, "origin"), undefined = steps(head, "undefined");
  if (findings == nullptr || !origin || !undefined || !launches) return false;
  result_.origin = std::move(*origin);
  result_.undefined = std::move(*undefined);
  for (const json& finding : *findings) {
    if (!finding.is_object()) return false;
    auto kind = text(finding, "kind"), message = text(finding, "message");
    const auto line = integer(finding, "line", most_lines);
    const json* const memory = member(finding, "memory");
    if (!kind || !kinds().contains(*kind) || !message || !line || memory == nullptr || !memory->is_boolean())
      return false;
    result_.findings.push_back(
        {std::move(*kind), std::move(*message), static_cast<int>(*line), memory->get<bool>()});
  }
  if (head.contains("paths")) {
    const json* const paths = list(head, "paths", most_kernels * plan.steps.size());
    if (paths == nullptr) return false;
    for (const json& one : *paths) {
      auto sound = kernel_paths(one);
      if (!sound) return false;
      result_.paths.push_back(std::move(*sound));
    }
  }
  if (head.contains("turning")) {
    const json* const turning = list(head, "turning", most_turning);
    if (turning == nullptr) return false;
    for (const json& one : *turning) {
      auto sound = turning_values(one);
      if (!sound) return false;
      result_.turning.push_back(std::move(*sound));
    }
  }
  if (head.contains("sampled")) {
    const json& counts = head["sampled"];
    const auto count = [&](std::size_t i, std::int64_t most) -> std::optional<std::size_t> {
      if (!counts.is_array() || counts.size() != 3 || !counts[i].is_number_unsigned()) return std::nullopt;
      const auto number = counts[i].get<std::uint64_t>();
      if (number > static_cast<std::uint64_t>(most)) return std::nullopt;
      return number;
    };
    const auto programs = count(0, most_sampled), runs = count(1, most_stored_runs),
               bytes = count(2, most_stored_bytes);
    if (!programs || !runs || !bytes) return false;
    result_.sampled.resize(*programs);
    result_.stored.resize(*runs);
    result_.stored_bytes.resize(*bytes);
  }
  bytes_of_buffers_.clear();
  for (const PlanBuffer& buffer : plan.buffers) bytes_of_buffers_.push_back(buffer.bytes);
  steps_ = std::ssize(plan.steps);
  const std::size_t count = output ? plan.output_elements() : 0;
  result_.output.resize(count);
  result_.writers.resize(count);
  result_.per_launch.resize(static_cast<std::size_t>(*launches));
  return true;
}

std::vector<std::span<std::byte>> ReceivedResult::parts() {
  return {std::as_writable_bytes(std::span(result_.output)),
          std::as_writable_bytes(std::span(result_.writers)),
          std::as_writable_bytes(std::span(&result_.counters, 1)),
          std::as_writable_bytes(std::span(result_.per_launch)),
          std::as_writable_bytes(std::span(result_.sampled)),
          std::as_writable_bytes(std::span(result_.stored)),
          std::as_writable_bytes(std::span(result_.stored_bytes))};
}

std::optional<ReplayResult> ReceivedResult::take() {
  const bool known = std::all_of(result_.writers.begin(), result_.writers.end(),
                                 [](Writer writer) { return writer <= Writer::input; });
  if (!sound_ || !known || !sound_sample()) return std::nullopt;
  return std::move(result_);
}

bool ReceivedResult::sound_sample() const {
  std::int64_t runs = 0, bytes = 0;
  for (const SampledProgram& one : result_.sampled) {
    if (one.step < 0 || one.step >= steps_ || one.program >= one.of || one.runs < 0 ||
        one.runs > std::ssize(result_.stored) - runs)
      return false;
    runs += one.runs;
  }
  for (const executor::StoredRun& one : result_.stored) {
    if (one.buffer < 0 || one.buffer >= std::ssize(bytes_of_buffers_)) return false;
    const std::int64_t size = bytes_of_buffers_[static_cast<std::size_t>(one.buffer)];
    if (one.offset < 0 || one.bytes < 0 || one.offset > size || one.bytes > size - one.offset ||
        one.bytes > std::ssize(result_.stored_bytes) - bytes)
      return false;
    bytes += one.bytes;
  }
  return runs == std::ssize(result_.stored) && bytes == std::ssize(result_.stored_bytes);
}

}  // namespace trl::runtime

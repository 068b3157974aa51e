#include "verifier/services/gpu_runner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "verifier/services/patience.hpp"
#include "verifier/services/service.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr double most_sending = 60;  // seconds of sleep

/// The values of all outputs, which the runner packs into one block.
std::vector<double> elements(const Plan& plan, const std::vector<std::byte>& bytes) {
  std::vector<double> out;
  const std::vector<std::size_t> offsets = plan.packed_offsets();
  if (bytes.size() != offsets.back()) return out;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const BufferView& view = plan.outputs[i];
    const auto width = static_cast<std::size_t>(bytes_of(view.type));
    for (std::size_t k = 0; k < static_cast<std::size_t>(view.elements()); ++k)
      out.push_back(load_element(view.type, bytes.data() + offsets[i] + k * width));
  }
  return out;
}

std::vector<std::span<const std::byte>> bytes_of_all(const std::vector<InputData>& inputs) {
  std::vector<std::span<const std::byte>> out;
  for (const InputData& input : inputs) out.emplace_back(input.bytes);
  return out;
}

json head_of(const Plan& plan, const std::vector<Compiled>& kernels) {
  json head = {{"plan", to_json(plan)}, {"kernels", json::array()}, {"inputs", json::array()}};
  for (const Compiled& kernel : kernels)
    head["kernels"].push_back({{"name", kernel.name},
                               {"threads", kernel.threads},
                               {"shared", kernel.shared},
                               {"bytes", kernel.cubin.size()}});
  return head;
}

/// Throws UserError if the runner had no memory on the GPU. No answer is to blame for that.
void require_memory(const json& answer) {
  if (answer.value("kind", "") == "no_memory")
    throw UserError("the GPU has too little memory: " + answer.value("message", ""),
                    "end other programs that use the GPU; `nvidia-smi` lists them");
}

ReplayFinding too_slow() { return {"timeout", "its kernels do not end in time on the GPU"}; }

}  // namespace

std::optional<double> trimmed_mean(std::vector<double> values, double trim) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto cut =
      std::min(static_cast<std::size_t>(trim * static_cast<double>(values.size())), (values.size() - 1) / 2);
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(cut),
             end = values.end() - static_cast<std::ptrdiff_t>(cut);
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

GpuRunner::GpuRunner(std::string program) : program_(std::move(program)) {}

GpuRequest::GpuRequest(const Plan& plan, const std::vector<Compiled>& kernels,
                       const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                       const std::vector<Challenge>& challenges)
    : kernels_(kernels), inputs_(bytes_of_all(inputs)) {
  json head = head_of(plan, kernels);
  for (const auto& input : inputs_) head["inputs"].push_back(input.size());
  if (timing)
    head["timing"] = {
        {"warmup", timing->warmup}, {"trials", timing->trials}, {"budget_ms", timing->budget_ms}};
  if (timing && !challenges.empty()) {
    head["challenges"] = json::array();
    for (const Challenge& one : challenges) {
      head["challenges"].push_back({{"input", one.input}, {"begin", one.begin}, {"bytes", one.bytes.size()}});
      challenges_.emplace_back(one.bytes);
    }
  }
  head_ = head.dump();
}

GpuRequest::GpuRequest(const Plan& plan, const std::vector<Compiled>& kernels,
                       const std::vector<std::int64_t>& input_bytes)
    : kernels_(kernels) {
  json head = head_of(plan, kernels);
  head["inputs"] = input_bytes;
  head["shared"] = true;
  head_ = head.dump();
}

// Waits for the line in which a runner reports its GPU.
GpuRunner::Start GpuRunner::start(ChildProcess& child, const std::function<bool()>& cancelled) {
  const json ready = first_words(child, std::chrono::seconds(60), cancelled);
  if (ready.is_object() && ready.value("ready", false)) {
    gpu_ = {ready.value("gpu", ""), ready.value("driver", ""), ready.value("cuda", ""),
            ready.value("memory_bytes", std::int64_t{0})};
    return {};
  }
  Start failed{false, false, ready.is_object() ? ready.value("message", "") : child.errors()};
  const int status = child.wait(std::chrono::seconds(1));
  failed.killed = status > 128;
  if (failed.why.empty())
    failed.why = "the runner does not start (exit status " + std::to_string(status) + ")";
  return failed;
}

void GpuRunner::ready(const std::function<bool()>& cancelled) {
  if (!working_.alive() && standby_.alive()) {
    working_ = std::move(standby_);
    if (!start(working_, cancelled).good) working_.stop();
  }
  // A runner that is killed while it starts says nothing about the GPU, so the start is repeated.
  constexpr int turns = 8;
  for (int turn = 1; !working_.running(); ++turn) {
    working_ = ChildProcess({program_});
    const Start started = start(working_, cancelled);
    if (started.good) break;
    working_.stop();
    if (started.killed && turn < turns) continue;
    throw UserError(
        "kernels cannot be timed on a GPU here: " + started.why,
        "leave `--kernel-times measured` out to time them by a model, or see what `nvidia-smi` says");
  }
  if (!standby_.alive()) standby_ = ChildProcess({program_});
}

GpuAnswer GpuRunner::ask(const GpuRequest& request, std::chrono::milliseconds time,
                         const std::function<bool()>& cancelled) {
  // If something else ended the runner, this is no verdict on the candidate, so the request is tried again in
  // other runners.
  constexpr int turns = 3;
  for (int turn = 0; turn < turns; ++turn)
    if (auto answered = attempt(request, time, cancelled)) return std::move(*answered);
  return {ReplayFinding{"gpu_error", "its kernels end the process that runs them"}, {}, {}};
}

bool GpuRunner::send(const GpuRequest& request) {
  bool sent = working_.write_line(with_id(++id_, request.head_));
  for (const Compiled& kernel : request.kernels_)
    sent = sent && working_.write_bytes(std::as_bytes(std::span(kernel.cubin)));
  for (const auto* parts : {&request.inputs_, &request.challenges_})
    for (const auto& bytes : *parts) sent = sent && working_.write_bytes(bytes);
  return sent;
}

std::variant<json, ReplayFinding> GpuRunner::heard(bool sent, std::chrono::milliseconds time,
                                                   const std::function<bool()>& cancelled) {
  const double most = std::chrono::duration<double>(time).count();
  Patience patience(working_.pid(), {most, most});
  const json answer =
      answer_to(id_, sent ? working_.read_line(patience.wait_limit(cancelled)) : std::nullopt);
  const bool over = answer.is_null() && patience.over();
  if (answer.is_null() || answer.value("sticky", false)) working_.stop();
  if (over) return too_slow();
  if (answer.is_null()) {
    if (cancelled && cancelled()) throw Cancelled();
    return ReplayFinding{"gpu_error", "its kernels end the process that runs them"};
  }
  if (answer.value("ok", false)) return answer;
  require_memory(answer);
  return ReplayFinding{answer.at("kind"), answer.at("message"), answer.value("line", 0)};
}

std::variant<json, ReplayFinding> GpuRunner::begin(const GpuRequest& request, std::chrono::milliseconds time,
                                                   const std::function<bool()>& cancelled) {
  ready(cancelled);
  return heard(send(request), time, cancelled);
}

std::variant<json, ReplayFinding> GpuRunner::go_on(const json& step, std::chrono::milliseconds time,
                                                   const std::function<bool()>& cancelled) {
  return heard(working_.write_line(step.dump()), time, cancelled);
}

// Sends the request to the working runner. Returns nothing if the runner ended without an answer.
std::optional<GpuAnswer> GpuRunner::attempt(const GpuRequest& request, std::chrono::milliseconds time,
                                            const std::function<bool()>& cancelled) {
  ready(cancelled);
  GpuAnswer out;
  const auto lost = [&]() -> std::optional<GpuAnswer> {
    working_.stop();
    if (cancelled && cancelled()) throw Cancelled();
    return std::nullopt;
  };
  const double most = std::chrono::duration<double>(time).count();
  Patience patience(working_.pid(), {most, most});
  const bool sent = send(request);
  const auto line = sent ? working_.read_line(patience.wait_limit(cancelled)) : std::nullopt;
  if (!line && patience.over()) {
    working_.stop();
    out.finding = too_slow();
    return out;
  }
  out.head = answer_to(id_, line);
  if (out.head.is_null()) return lost();
  require_memory(out.head);
  // The spare runner takes over, and another one is started.
  if (out.head.value("sticky", false)) {
    working_.stop();
    return out;
  }
  for (const json& size : out.head.at("outputs")) {
    Patience sending(working_.pid(), {most_sending});
    auto bytes = working_.read_bytes(size.get<std::size_t>(), sending.wait_limit(cancelled));
    if (!bytes) return lost();
    out.parts.push_back(std::move(*bytes));
  }
  return out;
}

GpuReplay GpuAnswer::read(const Plan& plan) const {
  GpuReplay out;
  out.finding = finding;
  if (finding) return out;
  const json took = head.value("took", json::object());
  for (const Work work : {Work::load, Work::replay, Work::time})
    out.timings.add(work, took.value(work_names[static_cast<std::size_t>(work)], 0.0));
  if (!head.at("ok").get<bool>()) {
    out.finding = ReplayFinding{head.at("kind"), head.at("message"), head.value("line", 0)};
    return out;
  }
  if (head.contains("damage")) out.damage = ReplayFinding{"out_of_bounds_store", head["damage"], 0, true};
  if (head.value("unkept", 0) > 0) {
    out.finding = ReplayFinding{"too_large", "its timed runs give too many different outputs"};
    return out;
  }
  // The parts are: two replays, the plan without its kernels, the distinct outputs of timed runs, and the
  // outputs under challenges.
  const std::size_t first_challenged = parts.size() - head.value("challenged", std::size_t{0});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<double> values = elements(plan, parts[i]);
    if (i == 2)
      out.without_kernels = std::move(values);
    else
      (i < first_challenged ? out.outputs : out.challenged).push_back(std::move(values));
  }
  out.graph_us = head.value("graph_us", std::vector<double>{});
  out.stream_us = head.value("stream_us", std::vector<double>{});
  return out;
}

}  // namespace trl::runtime

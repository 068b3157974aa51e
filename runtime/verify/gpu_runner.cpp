#include "runtime/verify/gpu_runner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "runtime/verify/service.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

std::vector<double> elements(ElementType type, const std::vector<std::byte>& bytes) {
  const auto width = static_cast<std::size_t>(bytes_of(type));
  std::vector<double> out(bytes.size() / width);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load_element(type, bytes.data() + i * width);
  return out;
}

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

// Waits for the line that says that a runner has its GPU.
void GpuRunner::await(ChildProcess& child, const std::function<bool()>& cancelled) {
  const json ready = first_words(child, std::chrono::seconds(60), cancelled);
  if (ready.is_object() && ready.value("ready", false)) {
    gpu_ = ready.value("gpu", "");
    return;
  }
  std::string why = ready.is_object() ? ready.value("message", "") : child.errors();
  const int status = child.wait(std::chrono::seconds(1));
  if (why.empty()) why = "the runner does not start (exit status " + std::to_string(status) + ")";
  throw StageError(
      "kernels cannot be timed on a GPU here: " + why,
      "leave `--kernel-times measured` out to time them by a model, or see what `nvidia-smi` says");
}

void GpuRunner::ready(const std::function<bool()>& cancelled) {
  if (!working_.running()) {
    working_ = standby_.running() ? std::move(standby_) : start_service({program_});
    await(working_, cancelled);
  }
  if (!standby_.running()) standby_ = start_service({program_});
}

GpuReplay GpuRunner::replay(const Plan& plan, const std::vector<Compiled>& kernels,
                            const std::vector<InputData>& inputs, const std::optional<TimingProtocol>& timing,
                            std::chrono::milliseconds time, const std::function<bool()>& cancelled) {
  // A runner that something else ended is no verdict on the candidate: once more, in another.
  for (int turn = 0; turn < 2; ++turn)
    if (auto answered = attempt(plan, kernels, inputs, timing, time, cancelled)) return std::move(*answered);
  GpuReplay out;
  out.finding = ReplayFinding{"gpu_error", "its kernels end the process that runs them"};
  return out;
}

// None when the runner ended without an answer.
std::optional<GpuReplay> GpuRunner::attempt(const Plan& plan, const std::vector<Compiled>& kernels,
                                            const std::vector<InputData>& inputs,
                                            const std::optional<TimingProtocol>& timing,
                                            std::chrono::milliseconds time,
                                            const std::function<bool()>& cancelled) {
  ready(cancelled);
  json head = {{"id", ++id_}, {"plan", to_json(plan)}, {"kernels", json::array()}, {"inputs", json::array()}};
  for (const Compiled& kernel : kernels)
    head["kernels"].push_back({{"name", kernel.name},
                               {"threads", kernel.threads},
                               {"shared", kernel.shared},
                               {"bytes", kernel.cubin.size()}});
  for (const InputData& input : inputs) head["inputs"].push_back(input.bytes.size());
  if (timing) head["timing"] = {{"warmup", timing->warmup}, {"trials", timing->trials}};

  GpuReplay out;
  const auto lost = [&]() -> std::optional<GpuReplay> {
    working_.stop();
    if (cancelled && cancelled()) throw Cancelled();
    return std::nullopt;
  };
  const auto deadline = std::chrono::steady_clock::now() + time;
  const auto left = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  };
  bool sent = working_.write_line(head.dump());
  for (const Compiled& kernel : kernels)
    sent = sent && working_.write_bytes(std::as_bytes(std::span(kernel.cubin)));
  for (const InputData& input : inputs) sent = sent && working_.write_bytes(input.bytes);
  const auto line = sent ? working_.read_line(time, cancelled) : std::nullopt;
  if (!line && left().count() <= 0) {
    working_.stop();
    out.finding = ReplayFinding{"timeout", "its kernels do not end in time on the GPU"};
    return out;
  }
  const json answer = json::parse(line.value_or(""), nullptr, false);
  if (!answer.is_object() || answer.value("id", json()) != json(id_)) return lost();
  if (!answer.at("ok").get<bool>()) {
    // Its neighbour takes over; a new one is started beside it.
    if (answer.value("sticky", false)) working_.stop();
    out.finding = ReplayFinding{answer.at("kind"), answer.at("message"), answer.value("line", 0),
                                answer.at("kind") == "out_of_bounds_store"};
    return out;
  }
  std::size_t number = 0;
  for (const json& size : answer.at("outputs")) {
    const auto bytes = working_.read_bytes(size.get<std::size_t>(), std::chrono::seconds(60), cancelled);
    if (!bytes) return lost();
    auto values = elements(plan.output.type, *bytes);
    if (number++ == 2)
      out.without_kernels = std::move(values);
    else
      out.outputs.push_back(std::move(values));
  }
  if (answer.value("unkept", 0) > 0) {
    out = {};
    out.finding = ReplayFinding{"too_large", "its timed runs give too many different outputs"};
    return out;
  }
  out.graph_us = answer.value("graph_us", std::vector<double>{});
  out.stream_us = answer.value("stream_us", std::vector<double>{});
  return out;
}

}  // namespace trl::runtime

#include "verifier/services/shared_plan.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <utility>

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds step_time{10};

std::vector<std::int64_t> bytes_of_each(const std::vector<TensorShape>& tensors) {
  std::vector<std::int64_t> out;
  for (const TensorShape& one : tensors) out.push_back(one.elements() * bytes_of(one.dtype));
  return out;
}

ReplayFinding wrong_values(const json& wrong, const std::string& reference) {
  std::string where;
  auto index = wrong.at("index").get<std::int64_t>();
  const std::vector<std::int64_t> shape = wrong.at("shape");
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d])
    where = std::to_string(index % shape[d]) + (where.empty() ? "" : ", ") + where;
  std::string allowed;
  if (wrong.at("tolerance").is_number())
    allowed = fmt::format(", which may differ by {:.3g}", wrong["tolerance"].get<double>());
  return {"wrong_values", fmt::format("the value at [{}] is {}; PyTorch in {} has {}{}, on the GPU", where,
                                      wrong.at("got").get<std::string>(), reference,
                                      wrong.at("expected").get<std::string>(), allowed)};
}

}  // namespace

SharedPlan::SharedPlan(GpuRunner& runner, Ask ask, const Plan& plan, const std::vector<Compiled>& kernels,
                       const Task& task, const Variation& variation, const std::function<bool()>& cancelled)
    : runner_(runner),
      ask_(std::move(ask)),
      inputs_(input_shapes(task, variation)),
      outputs_(output_shapes(task, variation)),
      cancelled_(cancelled) {
  talking_ = take(runner_.begin(GpuRequest(plan, kernels, bytes_of_each(inputs_)), step_time, cancelled));
}

SharedPlan::~SharedPlan() {
  try {
    close();
  } catch (const std::exception&) {
    // The failure is reported when the process that failed is needed next.
  }
}

std::string SharedPlan::open(json request) {
  request["handle"] = heard_.at("handle"), request["bytes"] = heard_.at("bytes");
  for (std::size_t i = 0; i < inputs_.size(); ++i) request["inputs"][i]["at"] = heard_.at("inputs").at(i);
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    request["outputs"].push_back(
        {{"at", heard_.at("outputs").at(i)}, {"dtype", outputs_[i].dtype}, {"shape", outputs_[i].extents}});
  opened_ = true;
  const json opened = ask_({{"open", request}});
  reference = opened.value("reference", "");
  return opened.value("left", "");
}

bool SharedPlan::run(std::uint8_t pattern, bool launches) {
  if (!take(runner_.go_on({{"run", pattern}, {"launches", launches}}, step_time, cancelled_))) return false;
  note_damage();
  return true;
}

std::optional<ReplayFinding> SharedPlan::compare() {
  const json answer = ask_({{"compare", true}});
  if (answer.contains("mutated"))
    return ReplayFinding{"mutated_input",
                         fmt::format("input {} was written to", answer["mutated"].get<int>())};
  if (answer.contains("wrong")) return wrong_values(answer["wrong"], reference);
  compared = answer.at("compared");
  return std::nullopt;
}

std::optional<json> SharedPlan::time(const TimingProtocol& timing) {
  auto heard = runner_.go_on(
      {{"time", {{"warmup", timing.warmup}, {"trials", timing.trials}, {"budget_ms", timing.budget_ms}}}},
      step_time, cancelled_);
  while (take(std::move(heard))) {
    if (!heard_.contains("judge")) {
      note_damage();
      return heard_;
    }
    auto wrong = compare();
    heard = runner_.go_on({{"judged", !wrong}}, step_time, cancelled_);
    if (!wrong) continue;
    talking_ = false;
    finding = std::move(wrong);
    return std::nullopt;
  }
  return std::nullopt;
}

void SharedPlan::close() {
  if (std::exchange(talking_, false)) runner_.go_on({{"end", true}}, step_time);
  if (std::exchange(opened_, false)) ask_({{"close", true}});
}

/// Keeps the runner's answer. A finding ends the conversation.
bool SharedPlan::take(std::variant<json, ReplayFinding> heard) {
  if (auto* answer = std::get_if<json>(&heard)) {
    heard_ = std::move(*answer);
    return true;
  }
  finding = std::get<ReplayFinding>(std::move(heard));
  return talking_ = false;
}

void SharedPlan::note_damage() {
  if (heard_.at("damage").is_string() && !damage)
    damage = ReplayFinding{"out_of_bounds_store", heard_["damage"], 0, true};
}

}  // namespace trl::runtime

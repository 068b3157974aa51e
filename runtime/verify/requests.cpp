#include "runtime/verify/requests.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include "runtime/verify/export_kernel.hpp"
#include "runtime/verify/published_plan.hpp"
#include "runtime/worker/rows.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

void answer(const json& row) {
  fmt::print("{}\n", row.dump(-1, ' ', false, json::error_handler_t::replace));
  std::fflush(stdout);
}

void examine(const json& request, const Protocol& protocol, Verifier& verifier) {
  const Task task = Task::parse(field<json>(request, "task"));
  const Examined examined = verifier.examine(task, field<std::string>(request, "answer"), protocol,
                                             field<std::string>(request, "secret"));
  json row = examined.verdict.to_json();
  for (const ExaminedStep& step : examined.steps) row["stages"].push_back(step.to_json());
  if (request.contains("export") && examined.verdict.correct) {
    const json wanted = request["export"];
    row["exported"] = export_kernel(field<std::string>(wanted, "folder"), field<std::string>(wanted, "name"),
                                    task, examined.recording, verifier.compiler());
  }
  answer(row);
}

json examine_again(const json& row, const Task& task, const Protocol& protocol, const std::string& secret,
                   Verifier& verifier) {
  const PublishedPlan plan = read_published(row);
  if (plan.omitted > 0) return {{"omitted", plan.omitted}};
  const Examined examined = verifier.examine_recorded(task, plan.recorded, protocol, secret);
  // Inputs are drawn from the seal: another plan would have met others.
  if (examined.seal != plan.seal) return {{"forged", true}};
  return {{"verdict", examined.verdict.to_json()}, {"planned", plan.recorded["ok"]}};
}

void examine_plans(const json& request, const Protocol& protocol, Verifier& verifier) {
  const auto secret = field<std::string>(request, "secret");
  std::vector<Task> tasks;
  for (const json& task : read_json(field<std::string>(request, "tasks"))) tasks.push_back(Task::parse(task));
  for_each_row(field<std::string>(request, "plans"), [&](const json& row) {
    const auto number = field<std::size_t>(row, "task");
    if (number >= tasks.size()) throw StageError("plans.jsonl names a task that tasks.json lacks");
    json said = examine_again(row, tasks[number], protocol, secret, verifier);
    said["rows"] = field<json>(row, "rows");
    said["task"] = number;
    answer(said);
  });
}

}  // namespace

int carry_out_request() {
  const json request = json::parse(std::cin, nullptr, false);
  if (!request.is_object()) throw StageError("standard input holds no request");
  Protocol protocol = Protocol::parse(field<json>(request, "spec"));
  // Any machine can judge values; measured times are one machine's own, and asked for.
  const bool measured = field_or(request, "measured", false);
  if (!measured) protocol.timing.reset();
  if (measured && !protocol.timing) protocol.timing = TimingProtocol{};
  const Installation installation = find_installation();
  Verifier verifier(installation, field<bool>(request, "sandbox"));
  if (measured) verifier.set_gpu(std::make_shared<GpuLane>(installation));
  if (request.contains("plans"))
    examine_plans(request, protocol, verifier);
  else
    examine(request, protocol, verifier);
  return 0;
}

}  // namespace trl::runtime

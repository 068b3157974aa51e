// Checks the servers that sample in training: whether they have the model and can load adapters. The worker
// sends the requests.
#include <nlohmann/json.hpp>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/doctor/probes.hpp"
#include "interpreter/scratch.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// The summary of a request that the worker carried out, or its error.
struct Answered {
  json summary;
  std::string trouble, remedy;
};

Answered asked(const Machine& machine, const json& request) {
  const Scratch scratch;
  const auto file = scratch.path() / "request.json";
  auto whole = request;
  whole["output"] = (scratch.path() / "output").string();
  write_text(file, whole.dump());
  const auto worker = machine.program().parent_path() / "trl-worker";
  const auto ran = machine.run({worker.string(), "--stage", file.string()});
  const auto last = ran.out.substr(0, ran.out.find_last_not_of('\n') + 1);
  const auto event = json::parse(last.substr(last.rfind('\n') + 1), nullptr, false);
  if (event.is_object() && event.value("event", "") == "done")
    return {event.value("summary", json::object()), "", ""};
  if (event.is_object() && event.value("event", "") == "error")
    return {nullptr, event.value("message", ""), event.value("help", "")};
  return {nullptr, "trl-worker doesn't answer", "see above"};
}

}  // namespace

std::vector<Finding> probe_servers(const Machine& machine, const Needs& needs) {
  std::vector<Finding> findings;
  for (const auto& [address, request] : needs.servers) {
    const auto answered = asked(machine, request);
    if (!answered.trouble.empty()) {
      findings.push_back(
          {address, Finding::Outcome::lacking, answered.trouble, "to sample in training", answered.remedy});
      continue;
    }
    for (const auto& [part, fine, needed] :
         {std::tuple{"model", "serves the model", "the model, to sample in training"},
          std::tuple{"adapters", "takes adapters", "the adapter of each round"}}) {
      if (!answered.summary.contains(part)) continue;  // of a server that isn't there
      const auto one = answered.summary.at(part);
      const auto trouble = one.value("trouble", "");
      if (trouble.empty())
        findings.push_back({address, Finding::Outcome::fine, fine, "", ""});
      else
        findings.push_back({address, Finding::Outcome::lacking, trouble, needed, one.value("remedy", "")});
    }
  }
  return findings;
}

}  // namespace trl::interpreter

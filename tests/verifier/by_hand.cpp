#include "tests/verifier/by_hand.hpp"

#include <utility>

#include "verifier/examination/test_case.hpp"

namespace trl::runtime::candidates {

using nlohmann::json;

json refusing_other_sizes(json recording, const Task& task, const Protocol& protocol,
                          const std::string& secret) {
  const json shapes = choose_test_cases({task, protocol, secret}).shapes;
  json& plans = recording["plans"];
  for (std::size_t i = plans.size(); i < shapes.size(); ++i)
    plans.push_back(
        {{"label", shapes[i]["label"]},
         {"error", {{"reason", "unsupported"}, {"message", "this size isn't recorded"}, {"line", 0}}}});
  return recording;
}

Examined examine_recorded(const Task& task, json recording, const Protocol& protocol,
                          const std::string& secret) {
  return verifier().examine_recorded(task, refusing_other_sizes(std::move(recording), task, protocol, secret),
                                     protocol, secret);
}

}  // namespace trl::runtime::candidates

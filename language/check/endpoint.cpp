#include "language/check/endpoint.hpp"

#include <algorithm>

namespace trl::language {

const Value* rollout_of(const Resolved& train) {
  const Value* rollout = train.field("rollout");
  const bool called = rollout != nullptr && rollout->is(Value::Kind::call) && rollout->name == "endpoint" &&
                      !rollout->items.empty();
  return called ? rollout : nullptr;
}

std::vector<AskedServer> asked_servers(const Inspection& inspection) {
  std::vector<AskedServer> servers;
  if (const Value* endpoint = weights_called(inspection, "endpoint"))
    servers.push_back({inspection.model(), endpoint});
  for (const auto& stage : inspection.stages()) {
    const Value* rollout = rollout_of(*stage.train);
    if (rollout == nullptr) continue;
    const bool known = std::any_of(servers.begin(), servers.end(), [&](const AskedServer& one) {
      return one.endpoint->range == rollout->range;
    });
    if (!known) servers.push_back({stage.train, rollout, true});
  }
  return servers;
}

}  // namespace trl::language

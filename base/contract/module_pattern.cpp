#include "base/contract/module_pattern.hpp"

#include "base/contract/call.hpp"
#include "base/contract/form.hpp"

namespace trl::contract {

ModulePattern ModulePattern::read(const nlohmann::json& input) {
  const Call call = Call::read(input);
  if (call.call != "modules" || call.args.size() != 1 || !call.args[0].is_string())
    throw unexpected(input, "a call of `modules` with a pattern");
  ModulePattern read{call.args[0].get<std::string>(), {}, {}};
  Reading named(call.named);
  named.if_any("rank", read.rank);
  named.if_any("alpha", read.alpha);
  return read;
}

nlohmann::json ModulePattern::write() const {
  Call call{"modules", {pattern}};
  if (rank) call.named["rank"] = *rank;
  if (alpha) call.named["alpha"] = *alpha;
  return call.write();
}

}  // namespace trl::contract

#include "runtime/verify/examination/verdict.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

json Verdict::to_json() const {
  json row = {{"valid", valid},
              {"compiled", or_null(compiled)},
              {"tiny", tiny},
              {"correct", correct},
              {"values", values},
              {"failed", or_null(failed)},
              {"reason", or_null(reason)},
              {"message", or_null(message)},
              {"line", line > 0 ? json(line) : json(nullptr)},
              {"claimed", claimed},
              {"variation", or_null(variation)},
              {"speedup", speedup},
              {"time_us", or_null(time_us)},
              {"reference_us", or_null(reference_us)},
              {"modelled", modelled},
              {"launches", launches}};
  if (launched_us) row["launched_us"] = *launched_us;
  if (compiled_us) row["compiled_us"] = *compiled_us;
  if (paths) row["paths"] = *paths;
  if (!no_evidence.empty()) row["no_evidence"] = no_evidence;
  return row;
}

json ExaminedStep::to_json() const {
  static constexpr const char* outcomes[] = {"passed", "failed", "skipped"};
  json shown = json::array();
  for (const LaunchGeometry& launch : launches)
    shown.push_back({{"kernel", launch.kernel},
                     {"grid", launch.grid},
                     {"block", launch.block},
                     {"num_warps", launch.num_warps},
                     {"line", launch.line}});
  json row = {{"stage", stage},
              {"variation", or_null(variation)},
              {"outcome", outcomes[static_cast<int>(outcome)]},
              {"reason", or_null(reason)},
              {"message", or_null(message)},
              {"line", line > 0 ? json(line) : json(nullptr)},
              {"launches", shown}};
  if (!evidence) row["evidence"] = false;
  return row;
}

}  // namespace trl::runtime

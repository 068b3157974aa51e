#include "verifier/stage/published_plan.hpp"

#include "base/support/json_text.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/plan/plan.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json failed_recording(const json& error) {
  json answer = {{"ok", false}};
  for (const char* name : {"reason", "message", "line", "everywhere"})
    if (error.is_object() && error.contains(name)) answer[name] = error[name];
  return answer;
}

}  // namespace

json publish(const Examined& examined) {
  const json& recorded = examined.recorded;
  json row;
  if (!recorded.value("ok", false)) {
    const PlanError error = parse_plan_error(recorded);
    row["error"] = {{"reason", error.reason}, {"message", error.message}, {"line", error.line}};
    if (error.everywhere) row["error"]["everywhere"] = true;
    return row;
  }
  // An unsound plan has no commitment. An audit finds again why it is unsound.
  row = {{"seal", examined.commitment}, {"kernels", json()}, {"plans", json()}};
  for (const char* part : {"kernels", "plans", "lines", "weights"})
    if (recorded.contains(part)) row[part] = recorded[part];
  const std::size_t bytes = dumped(row).size();
  if (bytes > most_published_bytes) return {{"seal", examined.commitment}, {"omitted", bytes}};
  return row;
}

PublishedPlan read_published(const json& row) {
  PublishedPlan read;
  if (row.contains("omitted")) {
    read.omitted = row["omitted"].is_number_unsigned() ? row["omitted"].get<std::size_t>() : 1;
    return read;
  }
  if (row.contains("error")) {
    read.recorded = failed_recording(row["error"]);
    return read;
  }
  read.recorded = {{"ok", true}};
  for (const char* part : {"kernels", "plans", "lines", "weights"})
    if (row.contains(part) && !row[part].is_null()) read.recorded[part] = row[part];
  if (row.contains("seal") && row["seal"].is_string()) read.commitment = row["seal"];
  return read;
}

}  // namespace trl::runtime

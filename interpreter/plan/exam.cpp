#include "interpreter/plan/exam.hpp"

#include <utility>

#include <fmt/format.h>

namespace trl::interpreter {
using nlohmann::json;

json exam_variations() {
  const auto call = [](const char* name, const json& argument) -> json {
    return {{"call", name}, {"args", json::array({argument})}, {"named", json::object()}};
  };
  return json::array(
      {"original", call("scale", 2), "reseed", call("resize", 1.5), call("cast", "f16"), "extreme"});
}

json candidate_limits() {
  return {{"seconds", 20}, {"memory_bytes", 1 << 30}, {"total_seconds", 60}, {"wall_seconds", 300}};
}

json timed_or_modelled(json protocol, bool times_kernels) {
  if (times_kernels)
    protocol["timed"] = true;
  else
    protocol["modelled_for"] = "H200";
  return protocol;
}

json with_precision(json protocol, const json& declaration) {
  // A protocol that allows nothing doesn't say so: results from before there was a choice keep their keys.
  if (const auto allowed = declaration.value("precision", "task"); allowed != "task")
    protocol["precision"] = allowed;
  return protocol;
}

json exam_protocol(bool times_kernels) {
  const json calibrated = {{"warmup", 10}, {"trials", 50}, {"trim", 0.1}};
  return timed_or_modelled({{"variations", exam_variations()},
                            {"tiny", true},
                            {"compile", "all"},
                            {"memory_checks", true},
                            {"strict", true},
                            {"timing", times_kernels ? calibrated : json::object()},
                            {"limits", candidate_limits()}},
                           times_kernels);
}

std::string variation_text(const json& variation) {
  if (variation.is_string()) return variation;
  std::string arguments;
  for (const auto& argument : variation.value("args", json::array())) {
    arguments += arguments.empty() ? "" : ", ";
    if (variation.value("call", "") == "resize" && argument.is_number())
      arguments += fmt::format("{:g}%", 100 * argument.get<double>());
    else
      arguments += argument.is_string() ? argument.get<std::string>() : argument.dump();
  }
  return variation.value("call", "?") + "(" + arguments + ")";
}

}  // namespace trl::interpreter

#include "verifier/kernel_check/finding.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace trl::kernel_check {

using nlohmann::json;

bool Answer::refused() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& one) { return one.severity == Severity::refuse; });
}

Request parse_request(const std::string& line) {
  Request request;
  try {
    const json document = json::parse(line);
    request.id = document.value("id", json());
    request.source = document.at("source").get<std::string>();
    const std::string language = document.value("language", "cuda");
    if (language == "launch_wrapper")
      request.language = Language::launch_wrapper;
    else if (language != "cuda")
      throw std::invalid_argument("language is " + language + ", not cuda or launch_wrapper");
    request.milliseconds = std::clamp(document.value("milliseconds", request.milliseconds), 1, 60000);
    request.emit = document.value("emit", false);
    request.functions = document.value("functions", request.functions);
    const auto is_name = [](const std::string& name) {
      return !name.empty() && name.size() <= 200 &&
             std::all_of(name.begin(), name.end(),
                         [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
             !std::isdigit(static_cast<unsigned char>(name[0]));
    };
    if (request.functions.size() > 64 ||
        !std::all_of(request.functions.begin(), request.functions.end(), is_name))
      throw std::invalid_argument("functions are at most 64 names of C++");
    const json limits = document.value("limits", json::object());
    Limits& to = request.limits;
    to.threads_per_block = limits.value("threads_per_block", to.threads_per_block);
    to.block = limits.value("block", to.block);
    to.grid = limits.value("grid", to.grid);
    to.shared_bytes = limits.value("shared_bytes", to.shared_bytes);
    to.shared_bytes_optin = limits.value("shared_bytes_optin", to.shared_bytes_optin);
  } catch (const json::exception& error) {
    throw std::invalid_argument(error.what());
  }
  return request;
}

namespace {
json parameters(const std::vector<Facts::Parameter>& all) {
  json list = json::array();
  for (const auto& one : all) list.push_back({{"name", one.name}, {"type", one.type}});
  return list;
}
}  // namespace

json to_json(const Answer& answer, const json& id) {
  json findings = json::array(), kernels = json::array(), launches = json::array(), functions = json::array();
  for (const Finding& one : answer.findings)
    findings.push_back({{"check", one.check},
                        {"severity", one.severity == Severity::refuse ? "refuse" : "warn"},
                        {"reason", one.reason},
                        {"message", one.message},
                        {"help", one.help},
                        {"line", one.line},
                        {"column", one.column}});
  for (const auto& one : answer.facts.kernels)
    kernels.push_back({{"name", one.name},
                       {"line", one.line},
                       {"template", one.is_template},
                       {"parameters", parameters(one.parameters)}});
  for (const auto& one : answer.facts.launches)
    launches.push_back({{"kernel", one.kernel}, {"line", one.line}});
  for (const auto& one : answer.facts.functions)
    functions.push_back({{"name", one.name},
                         {"line", one.line},
                         {"result", one.result},
                         {"parameters", parameters(one.parameters)}});
  json out = {{"id", id},
              {"ok", !answer.refused()},
              {"findings", findings},
              {"facts", {{"kernels", kernels}, {"launches", launches}, {"functions", functions}}}};
  if (answer.emitted.is_object()) out.update(answer.emitted);
  return out;
}

}  // namespace trl::kernel_check

#include "editors/web/page.hpp"

#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/assess/assessments.hpp"
#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/plan/plan_text.hpp"
#include "interpreter/plan/reported.hpp"
#include "interpreter/plan/seen_parts.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/render.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/printing/show.hpp"
#include "language/program/program.hpp"

namespace trl::page {
namespace {

using nlohmann::json;

/// The folder of the library, beside the program. With this path, messages are the same as those of
/// `TRL_HOME=. trl`.
constexpr const char* home = ".";

/// Returns the known assessments of the library's tasks. A browser can't assess other tasks.
std::shared_ptr<interpreter::Assessments> known_assessments() {
  return std::make_shared<interpreter::Assessments>(interpreter::shipped_assessments(),
                                                    std::filesystem::path(), [](const json&, const auto&) {});
}

language::CheckOptions options_of(const std::shared_ptr<interpreter::Assessments>& known) {
  language::CheckOptions options;
  options.library = (std::filesystem::path(home) / "stdlib").string();
  options.assess = [known](const std::vector<const json*>& tasks, const std::string& precision) {
    return known->of(tasks, precision);
  };
  return options;
}

/// The file of a request, and how to read it.
struct File {
  std::string name;
  std::shared_ptr<interpreter::Assessments> known = known_assessments();
  language::CheckOptions options = options_of(known);

  explicit File(const json& params) : name(params.at("name").get<std::string>()) {
    options.read = [name = name, text = params.at("text").get<std::string>()](
                       const std::string& path) -> std::optional<std::string> {
      return path == name ? text : language::read_from_disk(path);
    };
  }
};

std::string rendered(const language::Checked& checked) {
  return checked.diagnostics.empty() ? "" : language::render(checked.diagnostics, checked.sources);
}

json check(const json& params) {
  File file(params);
  file.options.try_fixes = true;
  const auto checked = language::check_file(file.name, file.options);
  const auto [errors, warnings] = language::severities_of(checked.diagnostics);
  return {{"out", errors + warnings == 0 ? file.name + " is fine\n" : ""},
          {"err", rendered(checked)},
          {"untried", file.known->wants_more()}};
}

json show(const json& params) {
  const File file(params);
  const std::string of = params.value("of", "");
  const auto shown = language::show_file(file.name, file.options, {of, params.value("changed", false)});
  json out = {{"err", rendered(shown.checked)}, {"known", shown.known}};
  if (shown.checked.has_errors()) return out;
  if (!shown.found) {
    const auto help = language::suggestion(of, shown.known);
    throw UserError(file.name + " declares no " + of,
                    help.empty() ? "it declares " + language::enumeration(shown.known) : help);
  }
  out["text"] = language::show_text(shown);
  return out;
}

/// Finds a model. Of the embedded model, a page has the shape but not the weights, so its key is made from
/// its name. Other models are looked for and not found.
interpreter::ModelFolder model_without_weights(const json& weights) {
  if (!weights.is_object() || weights.value("call", "") != "windtunnel.base")
    return interpreter::find_model(weights, home, std::filesystem::path());
  interpreter::ModelFolder model;
  model.path = std::filesystem::path(home) / "stdlib" / "windtunnel";
  model.key = sha256_hex("windtunnel.base");
  return model;
}

/// Returns the stages as JSON: the stages from which each is made, and the rows and seeds that use it. `of`
/// and `from` count from 0.
json stages_of(const interpreter::Plan& plan) {
  std::map<std::string, std::size_t> number;
  json stages = json::array(), rows = json::array(), seeds = json::array();
  for (const auto& stage : plan.stages) {
    json from = json::array();
    for (const auto& [name, key] : stage.inputs)
      if (const auto at = number.find(key); at != number.end())
        from.push_back({{"name", name}, {"of", at->second}});
    number.emplace(stage.key, stages.size());
    const std::size_t slash = stage.slot.rfind('/');
    stages.push_back({{"kind", stage.kind},
                      {"what", stage.slot.substr(slash == std::string::npos ? 0 : slash + 1)},
                      {"where", stage.slot},
                      {"from", from},
                      {"uses", json::array()}});
  }
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    const auto& of = plan.rows[row];
    const char* kind = of.kind == interpreter::Row::Kind::cell      ? "cell"
                       : of.kind == interpreter::Row::Kind::control ? "control"
                                                                    : "model";
    rows.push_back({{"title", interpreter::row_title(of)}, {"kind", kind}});
    for (const auto& trace : of.traces) {
      if (row == 0) seeds.push_back(trace.seed);
      std::set<std::string> keys;
      for (const auto& [slot, key] : trace.slots) keys.insert(key);
      for (const auto& key : keys)
        if (const auto at = number.find(key); at != number.end())
          stages[at->second]["uses"].push_back({row, trace.seed});
    }
  }
  return {{"stages", stages}, {"rows", rows}, {"seeds", seeds}};
}

json plan(const json& params) {
  const File file(params);
  const auto checked = language::check_file(file.name, file.options);
  if (checked.has_errors() || !checked.resolved) return {{"err", rendered(checked)}};
  json out = {{"err", language::render_count(checked.diagnostics, file.name, "trl check " + file.name)}};
  const json& document = *checked.resolved;
  json experiments = json::array();
  for (const auto& [name, experiment] : document.at("experiments").items()) experiments.push_back(name);
  out["experiments"] = experiments;
  std::string name = params.value("of", "");
  if (name.empty() || !document.at("experiments").contains(name)) {
    const auto named = interpreter::named_experiments(document);
    if (named.empty())
      throw UserError(file.name + " declares no experiment, so there is nothing to plan",
                      "Declare one with `experiment NAME { … }`.");
    name = named.front();
  }
  interpreter::PlanOptions options;
  options.home = home;
  options.purity = interpreter::wants_purity(document, name);
  options.find_model = model_without_weights;
  const auto plan = interpreter::make_plan(document, name, options);
  out["experiment"] = name;
  out["text"] = interpreter::summary_text(plan, interpreter::notes_for_people(plan),
                                          [](const interpreter::Stage&) { return false; });
  const interpreter::Finished nothing = [](const auto&) { return std::nullopt; };
  const auto asking = interpreter::asking_cost(plan, nothing);
  std::string why, costs = asking ? interpreter::cost_text(*asking) : "";
  if (const auto cost = interpreter::cost_of(document, plan, nothing, {}, why))
    costs += interpreter::cost_text(*cost);
  else if (!asking)
    costs += "\n" + interpreter::wrapped("  no cost: " + why, 2) + "\n";
  out["cost"] = costs;
  out.update(stages_of(plan));
  return out;
}

using Answer = json (*)(const json& params);

Answer answer_of(const std::string& method) {
  static const std::map<std::string, Answer> answers = {
      {"trl/check", check}, {"trl/show", show}, {"trl/plan", plan}};
  const auto at = answers.find(method);
  return at == answers.end() ? nullptr : at->second;
}

}  // namespace

Page::Page(const std::string& version) {
  language_server::World world;
  world.options = options_of(known_assessments());
  world.files_below = [](const std::string&) { return std::vector<std::string>(); };
  world.table_summary = [](const std::string&, const std::string&) { return std::string(); };
  server_ = std::make_unique<language_server::Server>(
      std::move(world), version, [this](const json& message) { sent_.push_back(dumped(message)); });
}

std::vector<std::string> Page::receive(std::string_view text) {
  const json message = json::parse(text, nullptr, false);
  const Answer answer = message.is_object() && message.contains("method") && message["method"].is_string()
                            ? answer_of(message["method"])
                            : nullptr;
  if (answer == nullptr) {
    server_->receive_text(text);
    return std::exchange(sent_, {});
  }
  json reply = {{"jsonrpc", "2.0"}, {"id", message.value("id", json())}};
  try {
    reply["result"] = answer(message.value("params", json::object()));
  } catch (const UserError& error) {
    reply["result"] = {{"error", error.what()}, {"help", error.help}};
  } catch (const std::exception& error) {
    reply["error"] = {{"code", -32602}, {"message", error.what()}};
  }
  return {dumped(reply)};
}

std::vector<std::string> Page::settle() {
  do server_->settle();
  while (server_->wants_to_settle());
  return std::exchange(sent_, {});
}

}  // namespace trl::page

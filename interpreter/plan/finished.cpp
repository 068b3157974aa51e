#include "interpreter/plan/finished.hpp"

#include <algorithm>

#include "base/contract/protocol.hpp"
#include "base/contract/stages/sample.hpp"
#include "interpreter/store/index.hpp"

namespace trl::interpreter {

Finished finished_in(const Store& store) {
  return [&store](const Stage& stage) -> std::optional<double> {
    if (!store.has(stage.key) || store.damage(stage.key, Check::sizes)) return std::nullopt;
    return store.stage(stage.key).value("seconds", 0.0);
  };
}

namespace {
using nlohmann::json;

double number(const json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_number() ? at->get<double>() : 0;
}

/// Calls `visit` with stage.json of the latest finished stages of a kind.
template <typename Visit>
void each_latest(const Store& store, const Index& index, const char* kind, const Visit& visit) {
  constexpr int most = 100;
  for (const std::string& key : index.keys_of(kind, "", most)) {
    try {
      visit(store.stage(key));
    } catch (const std::exception&) {
      // The stages that need this result will report its damage.
    }
  }
}

}  // namespace

Experience experience_in(const Store& store, const Plan& plan) {
  Experience out;
  const auto index = Index::open_to_read(store.root() / "index.sqlite");
  if (!index) return out;
  each_latest(store, *index, contract::SampleSpec::kind, [&](const json& stage) {
    const double answers = number(stage.at("summary"), "candidates");
    if (answers == 0 || !plan.models.contains(stage.at("inputs").value("model", ""))) return;
    const auto longest =
        static_cast<double>(contract::SampleSpec::read(stage.at("spec")).sampling.max_tokens);
    auto same = std::find_if(out.sampled.begin(), out.sampled.end(),
                             [&](const auto& one) { return one.longest == longest; });
    if (same == out.sampled.end()) same = out.sampled.insert(same, {longest});
    same->answers += answers, same->tokens += number(stage.at("summary"), "tokens");
  });
  each_latest(store, *index, contract::Protocol::kind, [&](const json& stage) {
    const json spent = stage.at("summary").value("spent", json::object());
    const double answers = number(stage.at("summary"), "candidates");
    if (answers == 0 || spent.empty()) return;
    auto& of = contract::Protocol::read(stage.at("spec")).timed ? out.timed : out.judged;
    of.answers += answers;
    for (const char* work : {"record", "parse", "draw", "execute", "compile"})
      of.core_seconds += number(spent, work);
    for (const char* work : {"load", "replay", "time", "reference"}) of.gpu_seconds += number(spent, work);
  });
  return out;
}

std::optional<Cost> cost_in(const Store& store, const json& document, const Plan& plan, std::string& why) {
  return cost_of(document, plan, finished_in(store), experience_in(store, plan), why);
}

}  // namespace trl::interpreter

#include "interpreter/plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "interpreter/error.hpp"
#include "interpreter/plan/cells.hpp"
#include "interpreter/plan/chain.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::vector<std::string> names_of(const std::vector<json>& declarations) {
  std::vector<std::string> names;
  for (const auto& declaration : declarations) names.push_back(declaration.value("name", "?"));
  return names;
}

std::string pipeline_label(const json& phases) {
  std::string text;
  for (const auto& phase : phases) text += (text.empty() ? "" : " -> ") + phase.value("name", "?");
  return text;
}

/// Chains that end in the same stages are the same experiment.
bool same_chains(const Row& a, const Row& b) {
  return std::equal(a.traces.begin(), a.traces.end(), b.traces.begin(), b.traces.end(),
                    [](const Trace& x, const Trace& y) { return x.slots == y.slots; });
}

std::vector<json> as_phases(const json& train) {
  if (train.is_null()) return {};
  if (train.is_array()) return train.get<std::vector<json>>();
  return {train};
}

}  // namespace

const Stage* Plan::find(const std::string& key) const {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.key == key; });
  return found == stages.end() ? nullptr : &*found;
}

Plan make_plan(const json& document, const std::string& name, const PlanOptions& options) {
  const auto& experiments = document.at("experiments");
  if (!experiments.contains(name)) {
    std::string known;
    for (const auto& [other, value] : experiments.items()) known += (known.empty() ? "" : ", ") + other;
    throw UserError("there is no experiment " + name,
                    known.empty() ? "The file declares none." : "There is: " + known);
  }
  const auto& experiment = experiments[name];
  Plan plan;
  plan.experiment = name;
  ChainBuilder builder(document, experiment, options, plan);

  const auto seeds = experiment.value("seeds", json::array({1})).get<std::vector<std::uint64_t>>();
  const auto always = experiment.value("extensions", json::array()).get<std::vector<json>>();
  const auto varied = varied_extensions(experiment.value("vary", json()));
  const auto phases = as_phases(experiment.value("train", json()));
  plan.varied = names_of(varied);
  for (const auto& extension : varied)
    if (extension.value("variant", "") == "calibrated_timing" && !options.times_kernels) {
      plan.inert.push_back(extension.value("name", "?"));
      plan.notes.push_back(
          "Without a GPU kernel times are modelled, so `" + plan.inert.back() +
          "` (calibrated_timing) changes nothing: cells that differ only in it are one cell.");
    }

  const auto row_of = [&](Row::Kind kind, std::string text, const std::vector<json>& chain,
                          const std::vector<json>& extensions) {
    Row row;
    row.kind = kind;
    row.label = std::move(text);
    for (const auto seed : seeds) row.traces.push_back(builder.build({row.label, seed, chain, extensions}));
    return row;
  };

  for (const auto& cell : subsets(varied)) {
    auto extensions = always;
    extensions.insert(extensions.end(), cell.on.begin(), cell.on.end());
    const auto names = names_of(cell.on);
    auto row =
        row_of(Row::Kind::cell, varied.empty() ? pipeline_label(phases) : label(names), phases, extensions);
    row.extensions = names;
    ++plan.cells;
    const auto twin =
        std::find_if(plan.rows.begin(), plan.rows.end(), [&](const Row& r) { return same_chains(r, row); });
    if (twin == plan.rows.end()) {
      plan.rows.push_back(std::move(row));
    } else {
      twin->same_as.push_back(row.label);
      twin->folded.emplace_back(names.begin(), names.end());
    }
  }
  for (const auto& control : experiment.value("controls", json::array())) {
    const auto chain = as_phases(control);
    plan.rows.push_back(row_of(Row::Kind::control,
                               pipeline_label(control.is_array() ? control : json::array({control})), chain,
                               {}));
  }
  const bool from_nothing = std::any_of(phases.begin(), phases.end(),
                                        [](const json& p) { return p.value("variant", "") == "pretrain"; });
  if (!from_nothing && !phases.empty() && experiment.contains("evaluate"))
    plan.rows.push_back(row_of(Row::Kind::base, experiment.at("model").value("name", "base"), {}, {}));
  return plan;
}

}  // namespace trl::interpreter

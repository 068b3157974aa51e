#include "interpreter/plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "ground/error.hpp"
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

/// The extensions that are on in some cell, without duplicates.
std::vector<json> varied_extensions(const std::vector<Cell>& cells) {
  std::vector<json> out;
  for (const auto& cell : cells)
    for (const auto& extension : cell.on)
      if (std::find(out.begin(), out.end(), extension) == out.end()) out.push_back(extension);
  return out;
}

/// Whether two rows have the same chains: chains that end in the same stages are equal.
bool same_chains(const Row& a, const Row& b) {
  return std::equal(a.traces.begin(), a.traces.end(), b.traces.begin(), b.traces.end(),
                    [](const Trace& x, const Trace& y) { return x.slots == y.slots; });
}

/// Whether a way of training selects or weighs samples by their verdicts.
bool uses_rewards(const json& phase) {
  const auto variant = phase.value("variant", "");
  return variant != "sft" && variant != "pretrain" && phase.value("keep_by", "reward") != "random";
}

std::vector<json> as_phases(const json& train) {
  if (train.is_null()) return {};
  if (train.is_array()) return train.get<std::vector<json>>();
  return {train};
}

}  // namespace

std::string pipeline_label(const json& phases) {
  std::string text;
  for (const auto& phase : phases) text += (text.empty() ? "" : " -> ") + phase.value("name", "?");
  return text;
}

const Stage* Plan::find(const std::string& key) const {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.key == key; });
  return found == stages.end() ? nullptr : &*found;
}

void Plan::require_all() const {
  if (missing.empty()) return;
  std::string text = experiment + " can be planned, but not run here:", help;
  for (const auto& [what, mend] : missing) {
    text += "\n  - " + what;
    if (help.find(mend) == std::string::npos) help += (help.empty() ? "" : "\n        ") + mend;
  }
  throw UserError(text, help);
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
  ChainBuilder builder(document, options, plan);

  const auto seeds = experiment.value("seeds", json::array({1})).get<std::vector<std::uint64_t>>();
  const auto phases = as_phases(experiment.value("train", json()));
  plan.factors = factors_of(experiment);
  if (const auto fraction = experiment.value("design", json::object()).value("fraction", json());
      !fraction.is_null()) {
    plan.resolution = fraction.value("resolution", 0);
    std::string aliases;
    for (const auto& alias : fraction.value("aliases", json::array()))
      aliases += (aliases.empty() ? "" : "; ") + alias.get<std::string>();
    plan.notes.push_back("A fraction of resolution " + std::to_string(plan.resolution) +
                         ": these effects cannot be told apart: " + aliases + ".");
  }
  const auto cells = cells_of(experiment);
  // The experiment without its list of cells, which no chain needs.
  json declared = experiment;
  for (const char* field : {"design", "cells"}) declared.erase(field);
  plan.times_kernels = options.times_kernels;
  if (!options.times_kernels)
    for (const auto& extension : varied_extensions(cells))
      if (extension.value("variant", "") == "calibrated_timing") {
        plan.inert.push_back(extension.value("name", "?"));
        plan.notes.push_back(
            "Without a GPU kernel times are modelled, so `" + plan.inert.back() +
            "` (calibrated_timing) changes nothing: cells that differ only in it are one cell.");
      }

  const bool unjudged = experiment.value("language", "triton") == "cuda" && !options.times_kernels;
  bool rewarded = false;
  const auto require_rewards = [&](const std::vector<json>& chain) {
    for (const auto& phase : chain) {
      rewarded = rewarded || uses_rewards(phase);
      if (unjudged && uses_rewards(phase))
        builder.missing(
            "`" + phase.value("name", "?") +
                "` trains on rewards for CUDA kernels, which only run on a GPU: without one none is "
                "found right",
            "Run it on a machine with a GPU: trl run … --device cuda --kernel-times measured");
    }
  };

  const auto row_of = [&](Row::Kind kind, std::string text, const json& fields,
                          const std::vector<json>& chain, const std::vector<json>& extensions) {
    require_rewards(chain);
    Row row;
    row.kind = kind;
    row.label = std::move(text);
    for (const auto seed : seeds)
      row.traces.push_back(builder.build({row.label, seed, fields, chain, extensions}));
    return row;
  };

  for (const auto& cell : cells) {
    json fields = declared;
    fields.update(cell.with);
    auto extensions = fields.value("extensions", json::array()).get<std::vector<json>>();
    extensions.insert(extensions.end(), cell.on.begin(), cell.on.end());
    const auto chain = as_phases(fields.value("train", json()));
    auto row = row_of(Row::Kind::cell, plan.factors.empty() ? pipeline_label(phases) : cell.label, fields,
                      chain, extensions);
    row.extensions = names_of(cell.on);
    row.levels = cell.levels;
    ++plan.cells;
    const auto twin =
        std::find_if(plan.rows.begin(), plan.rows.end(), [&](const Row& r) { return same_chains(r, row); });
    if (twin == plan.rows.end()) {
      plan.rows.push_back(std::move(row));
    } else {
      twin->same_as.push_back(row.label);
      twin->folded.push_back(row.levels);
    }
  }
  for (const auto& control : experiment.value("controls", json::array())) {
    const auto chain = as_phases(control);
    plan.rows.push_back(row_of(Row::Kind::control,
                               pipeline_label(control.is_array() ? control : json::array({control})),
                               experiment, chain, {}));
  }
  const bool from_nothing = std::any_of(phases.begin(), phases.end(),
                                        [](const json& p) { return p.value("variant", "") == "pretrain"; });
  if (!from_nothing && !phases.empty() && experiment.contains("evaluate"))
    plan.rows.push_back(
        row_of(Row::Kind::base, experiment.at("model").value("name", "base"), experiment, {}, {}));
  if (unjudged && !rewarded)
    plan.notes.push_back(
        "CUDA kernels only run on a GPU: without `--kernel-times measured` they are compiled, and their "
        "values and "
        "speedups are not judged, so that none counts as correct.");
  return plan;
}

}  // namespace trl::interpreter

#include <fmt/format.h>

#include <vector>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unlike_control)
namespace {

/// Returns "`inputs`, `memory`": the extensions that are on in some of the compared cells; a control has
/// none.
std::string extensions_on(const Inspection& inspection, const Value* cell) {
  std::vector<std::string> names;
  if (const Value* always = inspection.experiment.field("extensions"); always != nullptr)
    for (const Value& one : always->items)
      if (one.declaration) names.push_back(one.declaration->name);
  if (cell == nullptr && inspection.design != nullptr)
    for (const Factor& factor : inspection.design->factors)
      if (factor.extension != nullptr) names.push_back(factor.extension->name);
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "`" : ", `") + name + "`";
  return list;
}

/// Reports a comparison of cells with several values of a setting with a control, which has only the declared
/// value.
void examine_settings(Inspection& inspection, const Resolved& hypothesis, const Value& against) {
  if (inspection.design == nullptr) return;
  for (const Factor& factor : inspection.design->factors) {
    if (factor.paths.empty() || factor.levels.size() < 2) continue;
    auto d =
        found(rules::unlike_control, against.range,
              fmt::format("`{}` compares the mean of cells with {} values of `{}` with a control, which has "
                          "the declared value alone: the difference isn't of training alone",
                          hypothesis.name, factor.levels.size(), factor.paths[0]));
    d.note("what is varied", inspection.experiment.field("vary")->range);
    d.helped(
        fmt::format("compare them in an experiment of its own, without what is varied: `experiment NAME : {} "
                    "{{ vary = none }}`, and `of = NAME`",
                    inspection.experiment.name));
    return inspection.report(std::move(d), {&hypothesis});
  }
}

void check_unlike_control(Inspection& inspection) {
  if (!inspection.experiment.sound("extensions") || !inspection.experiment.sound("vary")) return;
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *against = hypothesis->field("against"), *cell = hypothesis->field("cell");
    if (against == nullptr || against->absent() || is_cell(*against)) continue;
    if (!hypothesis->sound("cell")) continue;
    const bool one_cell = cell != nullptr && !cell->absent();
    const auto on = extensions_on(inspection, one_cell ? cell : nullptr);
    if (on.empty()) {
      if (!one_cell) examine_settings(inspection, *hypothesis, *against);
      continue;
    }
    const Value* vary = inspection.experiment.field("vary");
    const bool varied = !one_cell && vary != nullptr && !vary->absent();
    auto d = found(
        rules::unlike_control, against->range,
        fmt::format("`{}` compares {} on with a control, which has no extension: the difference isn't of "
                    "training alone",
                    hypothesis->name,
                    one_cell ? "a cell that beside what it names has " + on
                    : varied ? "cells of which some or all have " + on
                             : "a row that has " + on));
    if (varied) d.note("what is varied", vary->range);
    d.helped(varied ? "name the cell that is compared, `cell = []` for the one in which none of the varied "
                      "extensions is on"
                    : "say why it can be compared: `allow(unlike_control, \"…\")`");
    inspection.report(std::move(d), {hypothesis});
  }
}

}  // namespace

const Rule rules::unlike_control{
    "unlike_control",
    Severity::warning,
    true,
    "A control is run with every extension off: against cells that have some, the "
    "difference is that of the extensions, too.",
    R"(import windtunnel
import example
train unfiltered : example.reinforce { keep_by = random }
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), controls = [unfiltered], seeds = 1..5 }
hypothesis filter_helps { of = e, cell = [], against = unfiltered }
)",
    R"(import windtunnel
import example
train unfiltered : example.reinforce { keep_by = random }
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), controls = [unfiltered], seeds = 1..5 }
hypothesis filter_helps { of = e, against = unfiltered }
)",
    check_unlike_control};

}  // namespace trl::language

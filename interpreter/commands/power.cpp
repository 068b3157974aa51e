#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/statistics/pilot.hpp"
#include "base/support/counted.hpp"
#include "base/support/rounded.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/report/planning.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/wrap.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct PowerCommand {
  ProgramOptions program;
  int effect = 0;                         ///< in points; 0 if it isn't given
  int tasks = 0, seeds = 0, samples = 0;  ///< 0: as the experiment says
  int power = 80;                         ///< in percent
  bool as_json = false;

  PowerRequest request() const {
    PowerRequest out;
    out.size = {static_cast<std::size_t>(tasks), static_cast<std::size_t>(seeds),
                static_cast<std::size_t>(samples)};
    if (effect > 0) out.effect = effect / 100.0;
    out.power = power / 100.0;
    return out;
  }
};

std::string points(double share) { return rounded(100 * share, 1); }
std::string points(const std::optional<double>& share) { return share ? points(*share) : "-"; }

std::string source_of(VariancesOf source) {
  switch (source) {
    case VariancesOf::its_rows:
      return "its rows";
    case VariancesOf::others:
      return "other rows";
    case VariancesOf::pilot:
      break;
  }
  return "pilot";
}

json components_json(const statistics::Components& components) {
  return {{"tasks", components.task_row},
          {"runs", components.seed},
          {"runs_on_tasks", components.task_seed},
          {"samples", components.sample}};
}

json effect_json(const PlannedEffect& effect) {
  const auto number = [](const std::optional<double>& value) { return value ? json(*value) : json(); };
  json out = {{"comparison", effect.comparison.name},
              {"hypotheses", effect.hypotheses},
              {"inert", effect.comparison.pairs.empty()},
              {"variances_of", source_of(effect.variances_of)},
              {"variances", components_json(effect.components)},
              {"standard_error", number(effect.standard_error)},
              {"measured_standard_error", number(effect.measured_error)},
              {"finds", number(effect.detectable)},
              {"wanted", effect.wanted},
              {"hours", number(effect.hours)},
              {"would", json()}};
  if (effect.would)
    out["would"] = {{"seeds", effect.would->size.seeds},
                    {"samples", effect.would->size.samples},
                    {"power", effect.would->power}};
  return out;
}

/// Returns a remark for each hypothesis about a measure that isn't a share: its variance isn't known before
/// the run.
std::vector<std::string> unplanned(const std::vector<std::pair<std::string, json>>& hypotheses) {
  std::vector<std::string> out;
  for (const auto& [name, hypothesis] : hypotheses)
    if (const auto metric = parse_column(hypothesis.at("metric")); metric.mean != Mean::share)
      out.push_back(
          fmt::format("{} is about {}, of which no power is calculated: what it varies by is known once "
                      "rows are finished. The figures here are of shares.",
                      name, metric.id));
  return out;
}

void show(const std::vector<PlannedEffect>& effects, std::ostream& out) {
  std::vector<std::string> labels = {"comparison"};
  std::vector<std::vector<std::string>> columns = {{"finds"}, {"error"}, {"measured"},   {"to find"},
                                                   {"takes"}, {"by"},    {"declared by"}};
  for (const auto& effect : effects) {
    labels.push_back(effect.comparison.name);
    if (effect.comparison.pairs.empty()) {
      for (auto& column : columns) column.push_back("-");
      columns[4].back() = "inert on this machine";
      continue;
    }
    columns[0].push_back(points(effect.detectable));
    columns[1].push_back(points(effect.standard_error));
    columns[2].push_back(points(effect.measured_error));
    columns[3].push_back(points(effect.wanted));
    auto takes = effect.would ? fmt::format("{} x {}", counted(effect.would->size.seeds, "seed"),
                                            counted(effect.would->size.samples, "sample"))
                              : std::string("more tasks");
    if (effect.hours) takes += fmt::format(", {:.2g} h", *effect.hours);
    columns[4].push_back(takes);
    columns[5].push_back(source_of(effect.variances_of));
    columns[6].push_back(effect.hypotheses.empty() ? "-"
                                                   : fmt::format("{}", fmt::join(effect.hypotheses, ", ")));
  }
  out << markdown_table(labels, columns);
}

int power(const PowerCommand& options, Console& console) {
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  const auto request = options.request();
  const Store store(options.program.store);
  json all = json::array();
  for (const auto& job : program->jobs) {
    const auto& experiment = program->document.at("experiments").at(job.plan.experiment);
    const Evidence evidence(job.plan, store);
    const Inference inference(evidence);
    const auto effects = planned_effects(job.request.hypotheses, inference, experiment, request);
    const auto size = planned_size(experiment, request);
    if (options.as_json) {
      auto listed = json::array();
      for (const auto& effect : effects) listed.push_back(effect_json(effect));
      all.push_back({{"experiment", job.plan.experiment},
                     {"tasks", size.tasks},
                     {"seeds", size.seeds},
                     {"samples", size.samples},
                     {"power", request.power},
                     {"metric", request.metric},
                     {"comparisons", listed}});
      continue;
    }
    if (&job != &program->jobs.front()) console.out << '\n';
    console.out << fmt::format("{}: {} x {} x {}, {}\n\n", job.plan.experiment, counted(size.tasks, "task"),
                               counted(size.seeds, "seed"), counted(size.samples, "sample"), request.metric);
    for (const auto& left_out : unplanned(job.request.hypotheses)) console.out << wrapped(left_out) << "\n\n";
    if (effects.empty()) {
      console.out << "It compares nothing: it varies nothing, and no hypothesis is about it.\n";
      continue;
    }
    show(effects, console.out);
    bool piloted = false, undecidable = false, assumed = false;
    for (const auto& effect : effects) {
      if (effect.comparison.pairs.empty()) continue;
      assumed |= !effect.declared && !request.effect;
      piloted |= effect.variances_of == VariancesOf::pilot, undecidable |= !effect.detectable;
    }
    console.out
        << wrapped(fmt::format(
               "finds: the smallest true difference, in points, that a two-sided test finds with {:.0f} % "
               "power; error: its planned standard error; takes: the cheapest study of these tasks that "
               "finds "
               "the difference in `to find`, by variances of what `by` says.{}",
               100 * request.power,
               assumed
                   ? fmt::format(" `to find` is {:.0f} points where no hypothesis declares a smallest effect "
                                 "(`--effect` sets it).",
                                 100 * request.effect.value_or(usual_effect))
                   : ""))
        << '\n';
    if (piloted)
      console.out << wrapped("pilot: " + std::string(statistics::pilot().source) +
                             ". Once rows with several seeds are finished, their variances are taken.")
                  << '\n';
    if (undecidable)
      console.out << wrapped(
                         "-: one seed, and too few interactions that could stand for what runs vary by: "
                         "nothing is found, "
                         "however large.")
                  << '\n';
  }
  if (options.as_json) console.out << all.dump(1) << '\n';
  return fine;
}

}  // namespace

void add_power(Command trl, Console& console, int& status) {
  auto options = std::make_shared<PowerCommand>();
  auto command =
      trl.add_command("power", "Show which differences an experiment can find, and what finding more takes");
  add_file(command, options->program);
  add_name(command, options->program);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  command
      .add_option("--effect", options->effect,
                  "The difference to find, in points (default: each hypothesis' smallest effect, or 5)")
      .within(1, 100);
  command.add_option("--seeds", options->seeds, "Plan for so many seeds a row").within(1, 1000);
  command.add_option("--samples", options->samples, "Plan for so many samples a task").within(1, 10000);
  command.add_option("--tasks", options->tasks, "Plan for so many exam tasks").within(2, 100000);
  command.add_option("--power", options->power, "The chance in % with which it is to be found")
      .within(50, 99)
      .show_default();
  command.add_flag("--json", options->as_json, "The same as JSON, with the variances");
  add_examples(
      command,
      "  trl power experiments/ablation.trl\n  trl power experiments/ablation.trl --effect 10 --seeds 5\n  "
      "trl power experiments/ablation.trl --store other/.store");
  command.callback([options, &console, &status] { status = power(*options, console); });
}

}  // namespace trl::interpreter

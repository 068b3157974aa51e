#include "interpreter/schedule/scaling.hpp"

#include <algorithm>
#include <map>

#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/finished.hpp"
#include "interpreter/schedule/dispatch.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// The chain of stages that takes longest, from its first stage to its last.
std::vector<const Stage*> longest_chain(const std::vector<const Stage*>& stages,
                                        const std::map<std::string, double>& paths) {
  std::vector<const Stage*> chain;
  while (true) {
    const Stage* next = nullptr;
    for (const Stage* stage : stages) {
      const bool follows =
          chain.empty() || std::any_of(stage->inputs.begin(), stage->inputs.end(),
                                       [&](const auto& input) { return input.second == chain.back()->key; });
      if (follows && (!next || paths.at(stage->key) > paths.at(next->key))) next = stage;
    }
    if (!next) return chain;
    chain.push_back(next);
  }
}

/// Returns the seconds for starting and ending a stage, which are added to the modelled seconds of its work.
/// Measured on two H200s with the wind tunnel's model, whose work takes a few hundredths of a second: means
/// of 90 stages that sample, 65 that train and 90 that verify.
double least_seconds(const Stage& stage) {
  if (stage.kind == "finetune") return 1;
  return stage.kind == "sample" || stage.kind == "verify" || stage.kind == "score" ? 0.5 : 0;
}

std::vector<Seat> seats_for(int gpus) {
  std::vector<std::string> names;
  for (int i = 0; i < gpus; ++i) names.push_back("GPU " + std::to_string(i));
  return seats_on_gpus(names);
}

/// Returns an amount with two decimals; between 0 and 0.1, with two significant digits; a dash if it is
/// unknown.
std::string amount_text(const std::optional<double>& amount) {
  if (!amount) return "–";
  return *amount > 0 && *amount < 0.1 ? fmt::format("{:.2g}", *amount) : fmt::format("{:.2f}", *amount);
}

/// Returns the points sorted by the number of GPUs.
std::vector<ScalingPoint> ascending(std::vector<ScalingPoint> points) {
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  return points;
}

}  // namespace

std::optional<Scaling> scaling_of(const json& document, const Plan& plan, const Store& store,
                                  const std::vector<int>& gpus, std::string& why) {
  std::vector<const Stage*> missing;
  for (const auto& stage : plan.stages)
    if (!store.has(stage.key)) missing.push_back(&stage);
  const Forecast forecast(plan, store);
  const auto experience = experience_in(store, plan);
  const auto costs = stage_costs(document, plan, experience, why);
  Scaling scaling;
  scaling.stages = static_cast<int>(missing.size());
  scaling.assumed = costs && costs->assumed;
  std::map<std::string, StageCost> modelled;  // the modelled costs of stages that the store doesn't know
  for (const Stage* stage : missing) {
    if (forecast.seconds(*stage)) {
      ++scaling.measured;
      continue;
    }
    if (!costs) return std::nullopt;
    const auto cost = modelled[stage->key] = costs->of(*stage);
    if (cost.judged > 0) scaling.judged += cost.judged, scaling.judging_seconds += cost.core;
  }
  const auto machine = costs ? costs->machine : assumed_machine();
  scaling.cores = machine.cores;
  const auto seconds_on = [&](int count) {
    return [&, count](const Stage& stage, std::size_t seats) {
      double alone = 0;
      if (const auto known = modelled.find(stage.key); known == modelled.end()) {
        alone = *forecast.seconds(stage);
      } else {
        // Verification without a GPU uses all cores; verification on a GPU uses that GPU's share of the
        // cores.
        const bool all = need_of(stage, plan, true) == Need::cores;
        alone = known->second.gpu + known->second.core / (machine.cores / (all ? 1 : count));
        return least_seconds(stage) + alone / group_speedup(seats);
      }
      return alone / group_speedup(seats);
    };
  };
  const int most = *std::max_element(gpus.begin(), gpus.end());
  for (const int count : gpus) {
    const auto simulated = simulate(plan, missing, seats_for(count), seconds_on(count));
    ScalingPoint point{count, simulated.seconds, simulated.gpu_seconds, {}, {}};
    const double share = simulated.seconds * count / machine.gpus;  // prices are in usd per second
    if (machine.spot) point.spot = share * *machine.spot;
    if (machine.on_demand) point.on_demand = share * *machine.on_demand;
    if (count == most) scaling.cores_seconds = simulated.cores_seconds;
    scaling.points.push_back(point);
  }
  const auto best = [&, on_most = seconds_on(most)](const Stage& stage, std::size_t) {
    const bool grouped = can_be_shared(stage, need_of(stage, plan, true));
    return on_most(stage, grouped ? static_cast<std::size_t>(most) : 1);
  };
  std::map<std::string, double> of_kind;
  for (const Stage* stage : longest_chain(missing, remaining_paths(missing, best))) {
    const double takes = best(*stage, 1);
    scaling.chain_seconds += takes, of_kind[stage->kind] += takes;
    ++scaling.chain_stages, scaling.chain_end = stage->slot;
  }
  for (const auto& [kind, takes] : of_kind)
    if (takes > scaling.chain_share * scaling.chain_seconds)
      scaling.chain_kind = kind, scaling.chain_share = takes / scaling.chain_seconds;
  return scaling;
}

int pays_up_to(const Scaling& scaling) {
  const auto points = ascending(scaling.points);
  int pays = points.front().gpus;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double before = points[i - 1].seconds;
    const double could = before * (1 - double(points[i - 1].gpus) / points[i].gpus);
    if (before - points[i].seconds < could / 2) break;
    pays = points[i].gpus;
  }
  return pays;
}

std::string scaling_text(const Scaling& scaling) {
  if (scaling.stages == 0) return "\n  on several GPUs: nothing is left to do\n";
  std::string out = "\n  the missing stages on several GPUs, simulated:\n";
  out += fmt::format("  {:>6}{:>16}{:>12}{:>9}{:>12}{:>14}\n", "GPUs", "time", "GPU-hours", "busy",
                     "usd spot", "usd on demand");
  for (const auto& point : scaling.points)
    out += fmt::format("  {:>6}{:>16}{:>12}{:>7.0f} %{:>12}{:>14}\n", point.gpus,
                       duration_text(point.seconds), amount_text(point.gpu_hours()), 100 * point.busy(),
                       amount_text(point.spot), amount_text(point.on_demand));
  const auto say = [&](const std::string& text) { out += wrapped("  " + text, 4) + "\n"; };
  const auto points = ascending(scaling.points);
  if (points.size() > 1) {
    const int pays = pays_up_to(scaling);
    const auto at = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.gpus == pays; });
    const auto next = at + 1;
    say(next == points.end()
            ? fmt::format("Adding GPUs pays up to {}, the most that was asked for", pays)
            : fmt::format(
                  "Adding GPUs pays up to {}: {} take {} instead of {}, for {:.1f} times the GPU-hours", pays,
                  next->gpus, duration_text(next->seconds), duration_text(at->seconds),
                  next->gpu_hours() / at->gpu_hours()));
  }
  const int most = points.back().gpus;
  const double work = points.back().gpu_seconds / most;
  const std::string chain =
      fmt::format("a chain of {} stages that need each other takes {}, {:.0f} % of it {}; it ends in {}",
                  scaling.chain_stages, duration_text(scaling.chain_seconds), 100 * scaling.chain_share,
                  scaling.chain_kind, scaling.chain_end);
  if (work >= std::max(scaling.chain_seconds, scaling.cores_seconds))
    say(fmt::format(
        "What bounds {} GPUs: their own work, which keeps them {:.0f} % busy. However many there are, {}",
        most, 100 * points.back().busy(), chain));
  else if (scaling.cores_seconds >= scaling.chain_seconds)
    say(fmt::format("What bounds {} GPUs: the cores, which verify for {}. However many there are, {}", most,
                    duration_text(scaling.cores_seconds), chain));
  else
    say(fmt::format("What bounds {} GPUs: {}", most, chain));
  say(
      fmt::format("Of {} stages the seconds of {} are measured, by finished ones like them in the store; the "
                  "others are modelled on {}",
                  scaling.stages, scaling.measured,
                  scaling.assumed ? "an assumed machine with NVIDIA H200s, since none is declared"
                                  : "the declared machine"));
  if (scaling.judged > 0)
    say(fmt::format(
        "{:.2g} s of a core to judge each of {:.0f} answers is modelled, by the machine's `verify` or else "
        "the kind of tasks, and by launches",
        scaling.judging_seconds / scaling.judged, scaling.judged));
  say(fmt::format(
      "Measured on two GPUs and assumed for more, n GPUs carry a stage out n / (1 + {} (n - 1)) times as "
      "fast as "
      "one, 8 of them {:.2f} times. The machine has {:.0f} cores, whatever the number of GPUs, to which "
      "the price is in proportion",
      lost_by_each_further_gpu, group_speedup(8), scaling.cores));
  return out;
}

json scaling_json(const Scaling& scaling) {
  const auto or_null = [](const std::optional<double>& number) { return number ? json(*number) : json(); };
  json points = json::array();
  for (const auto& point : scaling.points)
    points.push_back({{"gpus", point.gpus},
                      {"seconds", point.seconds},
                      {"gpu_hours", point.gpu_hours()},
                      {"busy", point.busy()},
                      {"spot_usd", or_null(point.spot)},
                      {"on_demand_usd", or_null(point.on_demand)}});
  json out = {{"simulated", true},
              {"points", points},
              {"stages", scaling.stages},
              {"measured", scaling.measured},
              {"assumed_machine", scaling.assumed},
              {"chain_seconds", scaling.chain_seconds},
              {"chain_end", scaling.chain_end},
              {"cores_seconds", scaling.cores_seconds},
              {"judged", scaling.judged},
              {"judging_seconds", scaling.judging_seconds}};
  if (scaling.stages > 0 && !scaling.points.empty()) out["pays_up_to"] = pays_up_to(scaling);
  return out;
}

}  // namespace trl::interpreter

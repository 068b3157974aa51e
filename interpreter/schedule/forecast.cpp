#include "interpreter/schedule/forecast.hpp"

#include <algorithm>
#include <cctype>

#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/finished.hpp"
#include "interpreter/plan/plan_text.hpp"
#include "interpreter/schedule/progress.hpp"

namespace trl::interpreter {
namespace {

/// Returns the part of a slot behind row and seed, without round numbers: "round /draw" for "none/seed
/// 3/round 2/draw".
std::string place_of(const Stage& stage) {
  const auto seed = stage.slot.find("/seed ");
  const auto after = seed == std::string::npos ? std::string::npos : stage.slot.find('/', seed + 1);
  auto place = after == std::string::npos ? stage.slot : stage.slot.substr(after + 1);
  std::erase_if(place, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  return place;
}

}  // namespace

Forecast::Forecast(const Plan& plan) : work_of_(stage_work(plan)) {}

Forecast::Forecast(const Plan& plan, const Store& store) : Forecast(plan) {
  for (const auto& stage : plan.stages)
    if (store.has(stage.key)) add_stored(stage, store);
}

void Forecast::add_stored(const Stage& stage, const Store& store) {
  try {
    add_stored(stage, seconds_of(store.stage(stage.key)));
  } catch (const std::exception&) {
    // The stages that need this result will report why it can't be read; a forecast works without it.
  }
}

double Forecast::work(const Stage& stage) const {
  const auto [known, added] = work_.try_emplace(stage.key, 1);
  return added ? known->second = work_of_(stage) : known->second;
}

void Forecast::count(Mean& mean, double work, double seconds, bool made_here) {
  if (made_here && !mean.made_here) mean = {};
  mean.made_here |= made_here;
  mean.seconds += seconds, mean.work += work;
}

void Forecast::add_stored(const Stage& stage, double seconds) {
  count(by_place_[place_of(stage)], work(stage), seconds, false);
  count(by_kind_[stage.kind], work(stage), seconds, false);
}

void Forecast::add(const Stage& stage, double seconds) {
  count(by_place_[place_of(stage)], work(stage), seconds, true);
  count(by_kind_[stage.kind], work(stage), seconds, true);
}

std::optional<double> Forecast::seconds(const Stage& stage) const {
  const auto by = [&](const Mean& mean) { return mean.seconds / mean.work * work(stage); };
  if (const auto place = by_place_.find(place_of(stage)); place != by_place_.end()) return by(place->second);
  if (const auto kind = by_kind_.find(stage.kind); kind != by_kind_.end()) return by(kind->second);
  return std::nullopt;
}

std::optional<double> Forecast::seconds(std::span<const Stage* const> stages) const {
  double sum = 0;
  std::size_t known = 0;
  for (const Stage* stage : stages)
    if (const auto one = seconds(*stage)) sum += *one, ++known;
  if (stages.empty() || 10 * known < 9 * stages.size()) return std::nullopt;
  return sum * static_cast<double>(stages.size()) / static_cast<double>(known);
}

std::string without_forecast(const nlohmann::json& document, const Plan& plan, const Store& store) {
  std::string why;
  const auto cost = cost_in(store, document, plan, why);
  if (cost && cost->seconds > 0) {
    std::string text =
        "about " + duration_text(cost->seconds) +
        " to go on the declared machine, modelled, since too little like it was made here to go by";
    for (const std::string& one : assumptions_of(*cost)) text += "; " + one;
    return text;
  }
  return "how long the rest takes isn't known until stages of each kind were made here";
}

}  // namespace trl::interpreter

#include "interpreter/live/study.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "interpreter/plan/finished.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Whether stages of a kind report a measure that has a curve.
bool has_curves(const std::string& kind) {
  const auto all = contract::measures();
  return std::any_of(all.begin(), all.end(), [&](const contract::Measure& one) {
    return !one.curve.empty() && contract::measure_called(one.name, kind, one.of_step);
  });
}

bool share_a_row(const LiveSeries& a, const LiveSeries& b) {
  for (const auto& line : a.lines)
    for (const auto& other : b.lines)
      for (const auto& row : line.rows)
        if (std::find(other.rows.begin(), other.rows.end(), row) != other.rows.end()) return true;
  return false;
}

/// Sorts the series by their measures. Series of the same measure are joined if no row has values in both, as
/// for a control that trains by a declaration of another name.
std::vector<LiveSeries> joined(std::vector<LiveSeries> series) {
  std::stable_sort(series.begin(), series.end(), [](const LiveSeries& a, const LiveSeries& b) {
    return a.measure->curve_place < b.measure->curve_place;
  });
  std::vector<LiveSeries> out;
  for (auto& one : series) {
    const auto other = std::find_if(out.begin(), out.end(), [&](const LiveSeries& with) {
      return with.measure == one.measure && !share_a_row(with, one);
    });
    if (other == out.end()) {
      out.push_back(std::move(one));
      continue;
    }
    other->places.push_back(one.places.front());
    std::move(one.lines.begin(), one.lines.end(), std::back_inserter(other->lines));
  }
  return out;
}

}  // namespace

LiveStudy::LiveStudy(const json& document, const Plan& plan, const Store& store)
    : document_(document),
      plan_(plan),
      store_(store),
      uses_(plan.stages.size()),
      inputs_(plan.stages.size()),
      seen_(plan.stages.size()),
      seconds_(plan.stages.size()) {
  for (std::size_t i = 0; i < plan.stages.size(); ++i) by_key_[plan.stages[i].key] = i;
  for (std::size_t i = 0; i < plan.stages.size(); ++i)
    for (const auto& [name, key] : plan.stages[i].inputs)
      if (const auto input = by_key_.find(key); input != by_key_.end()) inputs_[i].push_back(input->second);
  for (std::size_t row = 0; row < plan.rows.size(); ++row)
    for (const auto& trace : plan.rows[row].traces) {
      std::vector<std::pair<std::size_t, std::string>> slots;
      for (const auto& [slot, key] : trace.slots)
        if (const auto stage = by_key_.find(key); stage != by_key_.end())
          slots.emplace_back(stage->second, slot);
      std::sort(slots.begin(), slots.end());
      auto& chain = chains_.emplace_back();
      chain.row = row, chain.seed = trace.seed;
      for (auto& [stage, slot] : slots) {
        uses_[stage].push_back({chains_.size() - 1, chain.slots.size()});
        chain.stages.push_back(stage), chain.slots.push_back(std::move(slot));
      }
    }
  experience_ = experience_in(store, plan);
}

bool LiveStudy::look() {
  const auto before = done_;
  std::vector<std::size_t> judged;
  for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
    if (seen_[i]) continue;
    // After the first look, a stage can't have finished before its inputs. In a store from earlier runs, a
    // finished stage may lack its inputs.
    const bool ready =
        std::all_of(inputs_[i].begin(), inputs_[i].end(), [&](std::size_t input) { return seen_[input]; });
    if ((looked_ && !ready) || !store_.has(plan_.stages[i].key)) continue;
    seen_[i] = 1, ++done_;
    read(i);
    if (plan_.stages[i].kind == "verify") judged.push_back(i);
  }
  looked_ = true;
  // If many stages `verify` are new, only the last two add to the refused answers.
  const auto first = judged.size() > 2 ? judged.size() - 2 : 0;
  for (std::size_t i = first; i < judged.size(); ++i)
    answers_.keep_refused(plan_.stages[judged[i]], plan_, store_);
  return done_ != before;
}

void LiveStudy::read(std::size_t at) {
  const Stage& stage = plan_.stages[at];
  try {
    const auto described = store_.stage(stage.key);
    seconds_[at] = seconds_of(described);
    forecast_.add_stored(stage, seconds_[at]);
    const Evidence evidence(plan_, store_);
    answers_.add(stage, seconds_[at], described.value("summary", json::object()), evidence);
    if (!has_curves(stage.kind)) return;
    add_numbers(at, numbers_of(stage, evidence));
  } catch (const std::exception&) {
    // The stages that need this result will report the damage.
  }
}

void LiveStudy::add_numbers(std::size_t at, const std::vector<StageNumber>& numbers) {
  const Stage& stage = plan_.stages[at];
  const auto steps = steps_in(numbers);
  for (const auto& use : uses_[at]) {
    auto& chain = chains_[use.chain];
    const auto place = training_place(chain.slots[use.slot]);
    auto& before = chain.steps[place.name];
    std::set<std::string> told;
    for (const auto& [name, step, value] : numbers) {
      const auto* measure = contract::measure_called(name, stage.kind, step.has_value());
      // A single number of a stage without rounds is no curve.
      if (!measure || measure->curve.empty() || (!step && !place.round)) continue;
      const auto series = place.name + "/" + name;
      kinds_[series] = {measure, !step.has_value()};
      chain.curves[series].add(step ? before + *step : *place.round, value);
      if (told.insert(series).second) chain.of[series] += stage.key;
    }
    before += steps;
  }
}

std::vector<LiveSeries> LiveStudy::series(const RunningStages& running) const {
  // The curves of a chain whose stage is running are continued with its steps so far.
  auto kinds = kinds_;
  std::map<std::pair<std::size_t, std::string>, Curve> going_on;
  std::map<std::pair<std::size_t, std::string>, std::string> of;
  for (const auto& [key, stage] : running) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end() || seen_[found->second] || !stage.contains("curves")) continue;
    for (const auto& [name, written] : stage.at("curves").items()) {
      const auto* measure = contract::measure_called(name, plan_.stages[found->second].kind, true);
      const auto curve = Curve::read(written);
      if (!measure || measure->curve.empty() || curve.empty()) continue;
      for (const auto& use : uses_[found->second]) {
        const auto& chain = chains_[use.chain];
        const auto place = training_place(chain.slots[use.slot]).name;
        const auto series = place + "/" + name;
        kinds[series] = {measure, false};
        const auto before = chain.curves.find(series);
        auto& longer = going_on[{use.chain, series}];
        if (before != chain.curves.end()) longer = before->second;
        const auto steps = chain.steps.find(place);
        longer.add(curve, steps == chain.steps.end() ? 0 : steps->second);
        of[{use.chain, series}] = key;
      }
    }
  }
  std::vector<LiveSeries> out;
  for (const auto& [name, kind] : kinds) {
    LiveSeries series{name, {name.substr(0, name.rfind('/'))}, kind.measure, kind.by_round, {}};
    std::map<std::string, std::size_t> known;  // lines by the stages behind them
    for (std::size_t row = 0; row < plan_.rows.size(); ++row) {
      std::vector<Curve> seeds;
      std::string stages;
      for (std::size_t c = 0; c < chains_.size(); ++c) {
        if (chains_[c].row != row) continue;
        const auto longer = going_on.find({c, name});
        const auto stored = chains_[c].curves.find(name);
        if (longer != going_on.end())
          seeds.push_back(longer->second);
        else if (stored != chains_[c].curves.end())
          seeds.push_back(stored->second);
        if (const auto keys = chains_[c].of.find(name); keys != chains_[c].of.end()) stages += keys->second;
        if (const auto keys = of.find({c, name}); keys != of.end()) stages += keys->second;
        stages += '/';
      }
      if (seeds.empty()) continue;
      const auto [line, is_new] = known.emplace(stages, series.lines.size());
      if (is_new)
        series.lines.push_back(
            {{plan_.rows[row].label}, plan_.rows[row].kind == Row::Kind::control, Curve::band(seeds)});
      else
        series.lines[line->second].rows.push_back(plan_.rows[row].label);
    }
    if (!series.lines.empty()) out.push_back(std::move(series));
  }
  return joined(std::move(out));
}

namespace {

json band_json(const LiveSeries::Line& line) {
  json at = json::array(), mean = json::array(), low = json::array(), high = json::array();
  for (std::size_t i = 0; i < line.band.at.size(); ++i) {
    at.push_back(line.band.at[i]), mean.push_back(brief(line.band.mean[i]));
    low.push_back(brief(line.band.low[i])), high.push_back(brief(line.band.high[i]));
  }
  return {{"rows", line.rows}, {"control", line.control},  {"at", at}, {"mean", mean}, {"low", low},
          {"high", high},      {"seeds", line.band.curves}};
}

json number_or_null(const std::optional<double>& number) { return number ? json(brief(*number)) : json(); }

}  // namespace

json LiveStudy::plan_part() const {
  // Chains that have the same stages in the same order share a list of their slots.
  json pipelines = json::array(), chains = json::array();
  std::map<std::vector<std::string>, std::size_t> known;
  for (const auto& chain : chains_) {
    const auto [pipeline, is_new] = known.emplace(chain.slots, pipelines.size());
    if (is_new) pipelines.push_back(chain.slots);
    chains.push_back(
        {{"row", plan_.rows[chain.row].label}, {"seed", chain.seed}, {"pipeline", pipeline->second}});
  }
  return {{"experiment", plan_.experiment}, {"pipelines", pipelines}, {"chains", chains}};
}

json LiveStudy::progress_part(const RunningStages& running) const {
  json states = json::array();
  for (const auto& chain : chains_) {
    std::string text;
    for (const auto stage : chain.stages)
      text += seen_[stage] ? '#' : running.contains(plan_.stages[stage].key) ? '>' : '.';
    states.push_back(std::move(text));
  }
  std::vector<const Stage*> missing;
  for (std::size_t i = 0; i < plan_.stages.size(); ++i)
    if (!seen_[i]) missing.push_back(&plan_.stages[i]);
  std::optional<double> of_run;
  for (const auto& [key, stage] : running)
    if (by_key_.contains(key) && stage.value("run_left", json()).is_number()) of_run = stage["run_left"];
  const auto by_stages = of_run ? of_run : forecast_.seconds(missing);
  return {{"done", done_},
          {"total", plan_.stages.size()},
          {"states", std::move(states)},
          {"seconds_left", number_or_null(missing.empty() ? 0 : by_stages)},
          {"modelled", modelled()}};
}

/// The modelled cost of the missing stages, as `trl plan --cost` has it.
json LiveStudy::modelled() const {
  if (modelled_ && modelled_->first == done_) return modelled_->second;
  const Finished finished = [this](const Stage& stage) -> std::optional<double> {
    const auto at = by_key_.find(stage.key);
    return at != by_key_.end() && seen_[at->second] ? std::optional(seconds_[at->second]) : std::nullopt;
  };
  std::string why;
  const auto cost = this->finished() ? std::nullopt : cost_of(document_, plan_, finished, experience_, why);
  const auto asking = this->finished() ? std::nullopt : asking_cost(plan_, finished);
  modelled_.emplace(done_, json{{"seconds", cost ? json(brief(cost->seconds)) : json()},
                                {"usd", cost ? number_or_null(cost->on_demand) : json()},
                                {"usd_spot", cost ? number_or_null(cost->spot) : json()},
                                {"usd_asking_at_most", asking ? json(brief(asking->usd)) : json()}});
  return modelled_->second;
}

std::map<std::string, json> LiveStudy::parts(const RunningStages& running) const {
  std::map<std::string, json> out = {{"plan", plan_part()},
                                     {"progress", progress_part(running)},
                                     {"answers", answers_.counts()},
                                     {"refused", answers_.refused()}};
  for (const auto& series : this->series(running)) {
    json lines = json::array();
    for (const auto& line : series.lines) lines.push_back(band_json(line));
    out["curve " + series.name] = {{"title", series.measure->curve},
                                   {"places", series.places},
                                   {"unit", series.measure->unit},
                                   {"meaning", series.measure->definition()},
                                   {"place", series.measure->curve_place},
                                   {"by_round", series.by_round},
                                   {"lines", std::move(lines)}};
  }
  return out;
}

}  // namespace trl::interpreter

#include "interpreter/report/observed.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/statistics/speed.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;
using statistics::Observations;

struct Names {
  std::map<std::string, std::size_t> tasks;
  std::map<std::uint64_t, std::size_t> seeds;
};

template <class Key>
void number(std::map<Key, std::size_t>& names) {
  std::size_t next = 0;
  for (auto& [name, at] : names) at = next++;
}

/// Whether there is only one number for each seed, and none for single tasks.
bool of_whole_seeds(const std::vector<ObservedCell>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const ObservedCell& cell) { return cell.task.empty(); });
}

std::set<std::uint64_t> seeds_of(const std::vector<ObservedCell>& cells) {
  std::set<std::uint64_t> seeds;
  for (const auto& cell : cells) seeds.insert(cell.seed);
  return seeds;
}

std::set<std::string> tasks_in(const std::vector<ObservedCell>& cells) {
  std::set<std::string> tasks;
  for (const auto& cell : cells) tasks.insert(cell.task);
  return tasks;
}

/// Returns the samples of the tasks in `names`; with `seeds_alone`, each seed takes the place of a task.
Observations observations(const std::vector<ObservedCell>& cells, const Names& names, bool seeds_alone) {
  Observations out(seeds_alone ? names.seeds.size() : names.tasks.size(),
                   seeds_alone ? 1 : names.seeds.size());
  for (const auto& cell : cells) {
    const auto seed = names.seeds.at(cell.seed);
    const auto task = names.tasks.find(cell.task);
    if (!seeds_alone && task == names.tasks.end()) continue;
    out.add_sums(seeds_alone ? seed : task->second, seeds_alone ? 0 : seed, cell.n, cell.sum, cell.squares);
  }
  return out;
}

}  // namespace

Observed observed(const Table& table, const Inference& inference) {
  Observed out;
  for (const auto& [row, figures] : table.rows)
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (!figures[i].value) continue;
      const auto& column = table.columns[i];
      std::map<std::pair<std::uint64_t, std::string>, ObservedCell> cells;
      std::map<std::uint64_t, std::pair<double, double>> of_seed;
      for (const auto& part : inference.parts(column, *row)) {
        if (column.mean == Mean::by_seed) {
          of_seed[part.seed].first += part.sum, of_seed[part.seed].second += part.weight;
        } else if (part.weight > 0) {
          const double value = part.sum / part.weight;
          auto& cell = cells[{part.seed, part.task}];
          cell.seed = part.seed, cell.task = part.task;
          cell.n += 1, cell.sum += value, cell.squares += value * value;
        }
      }
      for (const auto& [seed, sum] : of_seed)
        if (sum.second > 0) {
          const double value = sum.first / sum.second;
          cells[{seed, ""}] = {seed, "", 1, value, value * value};
        }
      auto& into = out[{row_label(*row), column.id}];
      for (auto& [name, cell] : cells) into.push_back(std::move(cell));
    }
  return out;
}

std::string samples_json(const std::string& table, const Observed& observed) {
  std::map<std::string, std::size_t> tasks;
  for (const auto& [figure, cells] : observed)
    for (const auto& cell : cells)
      if (!cell.task.empty()) tasks[cell.task];
  number(tasks);
  json keys = json::array();
  for (const auto& [key, at] : tasks) keys.push_back(key);
  std::string text =
      "{\"of\": " + json(table).dump() + ",\n \"tasks\": " + keys.dump() + ",\n \"figures\": [";
  const char* between = "\n";
  for (const auto& [figure, cells] : observed) {
    json list = json::array();
    for (const auto& cell : cells)
      list.push_back({cell.seed, cell.task.empty() ? json() : json(tasks.at(cell.task)), cell.n, cell.sum,
                      cell.squares});
    text += between + json{{"row", figure.first}, {"column", figure.second}, {"cells", list}}.dump();
    between = ",\n";
  }
  return text + "]}\n";
}

Observed read_samples(const json& file) {
  Observed out;
  const auto& tasks = file.at("tasks");
  for (const auto& figure : file.at("figures"))
    for (const auto& cell : figure.at("cells"))
      out[{figure.at("row"), figure.at("column")}].push_back(
          {cell.at(0), cell.at(1).is_null() ? "" : tasks.at(cell.at(1).get<std::size_t>()).get<std::string>(),
           cell.at(2), cell.at(3), cell.at(4)});
  return out;
}

std::optional<StudyDifference> study_difference(const Column& column, const std::vector<ObservedCell>& now,
                                                const std::vector<ObservedCell>& before) {
  if (now.empty() || before.empty()) return std::nullopt;
  StudyDifference out;
  const auto seeds = seeds_of(now), seeds_before = seeds_of(before);
  out.same_seeds = seeds == seeds_before;
  const bool seeds_alone =
      of_whole_seeds(now) || of_whole_seeds(before) || (tasks_of(column) == Tasks::drawn && seeds.size() > 1);
  // If seeds aren't paired, the studies can only be compared by tasks.
  if (seeds_alone && !out.same_seeds) return std::nullopt;
  Names names;
  for (const auto seed : seeds) names.seeds[seed];
  for (const auto seed : seeds_before) names.seeds[seed];
  const auto tasks = tasks_in(now), tasks_before = tasks_in(before);
  for (const auto& task : tasks)
    if (tasks_before.contains(task)) names.tasks[task];
  number(names.seeds), number(names.tasks);
  if (!seeds_alone) {
    out.tasks = names.tasks.size();
    out.other_tasks = tasks.size() + tasks_before.size() - 2 * out.tasks;
    if (out.tasks == 0) return std::nullopt;
  }
  const auto first = observations(now, names, seeds_alone), second = observations(before, names, seeds_alone);
  statistics::EstimateOptions options;
  options.shared_seeds = out.same_seeds && seeds.size() > 1;
  if (column.mean == Mean::geometric) {
    const auto ratio = statistics::speed_ratio(first, second, options);
    if (!ratio) return std::nullopt;
    out.difference = difference_of(*ratio);
    return out;
  }
  if (seeds_alone) options.shared_seeds = false;
  const statistics::Term terms[] = {{&first, 1}, {&second, -1}};
  auto estimate = statistics::contrast(terms, options);
  if (!estimate) return std::nullopt;
  if (seeds_alone) estimate->scope = seeds.size() > 1 ? Scope::recipe : Scope::these_runs;
  out.difference = difference_of(*estimate);
  // A difference of two shares is between -1 and 1. An interval that is cut there contains the true
  // difference as often as before.
  if (auto& interval = out.difference.interval; interval && column.mean == Mean::share)
    interval = Interval{std::max(interval->low, -1.0), std::min(interval->high, 1.0)};
  return out;
}

}  // namespace trl::interpreter

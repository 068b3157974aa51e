#include "interpreter/report/hardware.hpp"

#include <algorithm>
#include <tuple>

#include "base/support/counted.hpp"
#include "interpreter/plan/hardware.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string listing(const std::vector<std::string>& texts, const char* between = ", ") {
  std::string text;
  for (const auto& one : texts) text += (text.empty() ? "" : between) + one;
  return text;
}

/// A stage whose result depends on the hardware.
struct Dependent {
  Work work;
  std::optional<std::string> hardware;  ///< nothing if the result isn't stored, or doesn't name its hardware
};
using Dependents = std::map<std::string, Dependent>;  ///< by key

Dependents dependents_of(const Row& row, const Plan& plan, const Store& store) {
  Dependents dependents;
  for (const auto& trace : row.traces)
    for (const auto& [slot, key] : trace.slots) {
      const Stage* stage = plan.find(key);
      const auto work = stage ? work_of(*stage) : std::nullopt;
      if (!work || dependents.contains(key)) continue;
      const auto made_on = store.has(key) ? store.result(key).made_on() : std::nullopt;
      dependents[key] = {*work, made_on ? std::optional(hardware_text(*made_on)) : std::nullopt};
    }
  return dependents;
}

/// Stages that were made on one kind of hardware, and the rows to which they belong.
struct Made {
  std::set<std::size_t> rows;
  std::set<std::string> keys;
};
using MadeBy = std::map<Work, std::map<std::string, Made>>;  ///< by work and hardware

void add_all(Made& to, const Made& made) {
  to.rows.insert(made.rows.begin(), made.rows.end());
  to.keys.insert(made.keys.begin(), made.keys.end());
}

/// Adds the stages of a row that the other row doesn't share.
void add_own(MadeBy& made, std::size_t row, const Dependents& own, const Dependents& other) {
  for (const auto& [key, stage] : own)
    if (stage.hardware && !other.contains(key)) add_all(made[stage.work][*stage.hardware], {{row}, {key}});
}

bool is_mixed(const std::map<std::string, Made>& by_hardware) {
  std::set<std::size_t> rows;
  for (const auto& [hardware, made] : by_hardware) rows.insert(made.rows.begin(), made.rows.end());
  return by_hardware.size() > 1 && rows.size() > 1;
}

std::string text_of(const Made& made, const Plan& plan) {
  constexpr std::size_t most = 4;
  std::vector<std::string> rows;
  for (const auto row : made.rows)
    if (rows.size() < most) rows.push_back("`" + plan.rows[row].label + "`");
  if (made.rows.size() > most) rows.push_back(fmt::format("{} more", made.rows.size() - most));
  return fmt::format("{} ({})", listing(rows), counted(made.keys.size(), "stage"));
}

}  // namespace

std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::pair<std::size_t, std::size_t>> pairs) {
  if (plan.allowed.contains("mixed_hardware")) return std::nullopt;
  std::map<std::size_t, Dependents> dependents;
  for (const auto& [first, second] : pairs)
    for (const auto row : {first, second})
      if (!dependents.contains(row)) dependents[row] = dependents_of(plan.rows.at(row), plan, store);

  MadeBy mixed;
  for (const auto& [first, second] : pairs) {
    MadeBy made;
    add_own(made, first, dependents[first], dependents[second]);
    add_own(made, second, dependents[second], dependents[first]);
    for (const auto& [work, by_hardware] : made)
      if (is_mixed(by_hardware))
        for (const auto& [hardware, of] : by_hardware) add_all(mixed[work][hardware], of);
  }
  if (mixed.empty()) return std::nullopt;
  std::vector<std::string> works;
  for (const auto& [work, by_hardware] : mixed) {
    std::vector<std::string> parts;
    for (const auto& [hardware, of] : by_hardware) parts.push_back(hardware + " for " + text_of(of, plan));
    works.push_back(work_text(work) + " on " + listing(parts, ", on "));
  }
  return "these rows were made on different hardware, so a difference between them may be the hardware's: " +
         listing(works, "; ") +
         ". Run the experiment again on one machine, into a store of its own (`--store DIR`), or write "
         "`allow(mixed_hardware, \"…\")` in it with the reason why they can be compared.";
}

std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::size_t> rows) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) pairs.emplace_back(rows[i], rows[j]);
  return mixed_hardware(plan, store, pairs);
}

std::vector<MachineShare> machines_of(const std::vector<const Stage*>& stages, const Store& store) {
  std::vector<MachineShare> machines;
  MachineShare unrecorded;
  for (const Stage* stage : stages) {
    if (stage->local()) continue;
    auto made_on = store.result(stage->key).made_on();
    if (!made_on) {
      ++unrecorded.stages[stage->kind];
      continue;
    }
    const int threads = std::exchange(made_on->threads, 0);
    const auto versions = std::exchange(made_on->versions, {});
    auto share = std::find_if(machines.begin(), machines.end(),
                              [&](const MachineShare& one) { return one.made_on == made_on; });
    if (share == machines.end()) share = machines.insert(share, {std::move(made_on), {}, {}, {}});
    share->threads.insert(threads);
    for (const auto& [library, version] : versions)
      if (auto& known = share->versions[library];
          (", " + known + ", ").find(", " + version + ", ") == known.npos)
        known += (known.empty() ? "" : ", ") + version;
    ++share->stages[stage->kind];
  }
  const auto order = [](const MachineShare& share) {
    const auto& on = *share.made_on;
    return std::tie(on.device, on.cpu, on.capability, on.loops, on.driver, on.cuda);
  };
  std::sort(machines.begin(), machines.end(),
            [&](const MachineShare& a, const MachineShare& b) { return order(a) < order(b); });
  if (!unrecorded.stages.empty()) machines.push_back(std::move(unrecorded));
  return machines;
}

std::vector<MachineShare> machines_of(const Plan& plan, const Store& store) {
  std::vector<const Stage*> stages;
  for (const auto& stage : plan.stages) stages.push_back(&stage);
  return machines_of(stages, store);
}

std::string machine_text(const MachineShare& share) {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : share.stages) kinds.push_back(fmt::format("{} {}", count, kind));
  if (!share.made_on) return "not recorded: " + listing(kinds);
  const auto& on = *share.made_on;
  std::vector<std::string> parts;
  if (on.on_gpu()) parts.push_back(on.device);
  if (!on.driver.empty()) parts.push_back("driver " + on.driver);
  if (!on.cuda.empty()) parts.push_back("CUDA " + on.cuda);
  for (const auto* one : {&on.cpu, &on.capability, &on.loops})
    if (!one->empty()) parts.push_back(*one);
  std::string threads;
  for (const int count : share.threads) threads += (threads.empty() ? "" : " or ") + std::to_string(count);
  parts.push_back(threads + (threads == "1" ? " thread" : " threads"));
  for (const auto& [library, version] : share.versions) parts.push_back(library + " " + version);
  return listing(parts) + ": " + listing(kinds);
}

json as_json(const MachineShare& share) {
  json out = share.made_on ? share.made_on->write() : json{{"device", nullptr}};
  if (share.made_on) out["threads"] = share.threads, out["versions"] = share.versions;
  out["stages"] = share.stages;
  return out;
}

}  // namespace trl::interpreter

#include "interpreter/report/hardware.hpp"

#include <algorithm>
#include <tuple>

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

/// The stages of a row whose results other hardware may change.
std::set<std::string> keys_of(const Plan& plan, const Row& row) {
  std::set<std::string> keys;
  for (const auto& trace : row.traces)
    for (const auto& [slot, key] : trace.slots)
      if (const Stage* stage = plan.find(key); stage && work_of(*stage)) keys.insert(key);
  return keys;
}

/// What was made on one kind of hardware: by which rows, and how many stages.
struct Made {
  std::vector<std::string> rows;
  std::set<std::string> keys;
};

std::string text_of(const Made& made) {
  constexpr std::size_t most = 4;
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < made.rows.size() && i < most; ++i) rows.push_back("`" + made.rows[i] + "`");
  if (made.rows.size() > most) rows.push_back(fmt::format("{} more", made.rows.size() - most));
  return fmt::format("{} ({} stage{})", listing(rows), made.keys.size(), made.keys.size() == 1 ? "" : "s");
}

}  // namespace

std::optional<std::string> mixed_hardware(const Plan& plan, const Store& store,
                                          std::span<const std::size_t> rows) {
  if (plan.allowed.contains("mixed_hardware")) return std::nullopt;
  std::map<std::size_t, std::set<std::string>> keys;
  for (const auto row : rows) keys.try_emplace(row, keys_of(plan, plan.rows.at(row)));
  std::map<std::string, std::size_t> uses;
  for (const auto& [row, of_row] : keys)
    for (const auto& key : of_row) ++uses[key];

  std::map<Work, std::map<std::string, Made>> made;
  for (const auto& [row, of_row] : keys)
    for (const auto& key : of_row) {
      if (uses[key] == keys.size() || !store.has(key)) continue;
      const auto made_on = store.result(key).made_on();
      if (!made_on) continue;
      auto& [labels, made_keys] = made[*work_of(*plan.find(key))][hardware_text(*made_on)];
      if (const auto& label = plan.rows[row].label; labels.empty() || labels.back() != label)
        labels.push_back(label);
      made_keys.insert(key);
    }

  std::vector<std::string> mixed;
  for (const auto& [work, by_hardware] : made) {
    std::set<std::string> labels;
    for (const auto& [hardware, of] : by_hardware) labels.insert(of.rows.begin(), of.rows.end());
    if (by_hardware.size() < 2 || labels.size() < 2) continue;
    std::vector<std::string> parts;
    for (const auto& [hardware, of] : by_hardware) parts.push_back(hardware + " for " + text_of(of));
    mixed.push_back(work_text(work) + " on " + listing(parts, ", on "));
  }
  if (mixed.empty()) return std::nullopt;
  return "these rows were made on different hardware, so a difference between them may be the hardware's: " +
         listing(mixed, "; ") +
         ". Run the experiment again on one machine, into a store of its own (`--store DIR`), or write "
         "`allow(mixed_hardware, \"…\")` in it with the reason why they can be compared.";
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

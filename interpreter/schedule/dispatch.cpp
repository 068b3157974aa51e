#include "interpreter/schedule/dispatch.hpp"

#include <algorithm>
#include <set>

#include "base/contract/protocol.hpp"
#include "base/contract/stages/kinds.hpp"

namespace trl::interpreter {

Need need_of(const Stage& stage, const Plan& plan, bool on_gpus) {
  if (stage.local()) return Need::head;
  if (plan.endpoints.contains(stage.key)) return Need::server;
  if (stage.kind == contract::Protocol::kind)
    return contract::Protocol::read(stage.spec).timed ? Need::gpu : Need::cores;
  return !on_gpus || stage.kind == "corpus" || stage.kind == "tokenizer" ? Need::cores : Need::gpu;
}

double group_speedup(std::size_t gpus) {
  // What each further GPU costs in exchanging gradients, in the last wave of answers and in waiting.
  constexpr double lost = 0.04;
  const auto count = static_cast<double>(gpus);
  return count / (1 + lost * (count - 1));
}

FreeSeats::FreeSeats(const std::vector<Seat>& seats, const Plan& plan)
    : plan_(plan), free_(seats.size(), true) {
  for (const auto& seat : seats) offers_.push_back(seat.offers);
  on_gpus_ = offers_.front() == Need::gpu;
}

Need FreeSeats::need(const Stage& stage) const {
  return single() ? offers_.front() : need_of(stage, plan_, on_gpus_);
}

std::optional<std::vector<std::size_t>> FreeSeats::take(const Stage& stage, std::size_t ready) {
  const Need wanted = need(stage);
  std::vector<std::size_t> fitting;
  for (std::size_t seat = 0; seat < offers_.size(); ++seat)
    if (free_[seat] && offers_[seat] == wanted) fitting.push_back(seat);
  if (fitting.empty()) return std::nullopt;
  std::size_t count = 1;
  if (wanted == Need::gpu && !single() && contract::uses_group(stage.kind))
    count = std::max<std::size_t>(1, fitting.size() / std::max<std::size_t>(1, ready));
  fitting.resize(count);
  for (const std::size_t seat : fitting) free_[seat] = false;
  return fitting;
}

void FreeSeats::give_back(const std::vector<std::size_t>& seats) {
  for (const std::size_t seat : seats) free_[seat] = true;
}

std::map<std::string, double> remaining_paths(std::span<const Stage* const> stages,
                                              const StageSeconds& seconds) {
  std::map<std::string, double> paths, behind;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    const double path = seconds(**stage, 1) + behind[(*stage)->key];
    paths[(*stage)->key] = path;
    for (const auto& [name, key] : (*stage)->inputs) behind[key] = std::max(behind[key], path);
  }
  return paths;
}

void sort_by_path(std::vector<const Stage*>& stages, const std::map<std::string, double>& paths) {
  std::stable_sort(stages.begin(), stages.end(),
                   [&](const Stage* a, const Stage* b) { return paths.at(a->key) > paths.at(b->key); });
}

Simulated simulate(const Plan& plan, std::span<const Stage* const> missing, const std::vector<Seat>& seats,
                   const StageSeconds& seconds) {
  struct Running {
    const Stage* stage;
    std::vector<std::size_t> seats;
    double end;
  };
  Simulated out;
  FreeSeats free(seats, plan);
  std::vector<const Stage*> waiting(missing.begin(), missing.end());
  if (!free.single()) sort_by_path(waiting, remaining_paths(missing, seconds));
  std::set<std::string> absent;
  for (const Stage* stage : missing) absent.insert(stage->key);
  std::vector<Running> running;
  while (!waiting.empty() || !running.empty()) {
    std::vector<const Stage*> ready;
    for (const Stage* stage : waiting)
      if (std::none_of(stage->inputs.begin(), stage->inputs.end(),
                       [&](const auto& input) { return absent.contains(input.second); }))
        ready.push_back(stage);
    std::map<Need, std::size_t> wanting;
    for (const Stage* stage : ready) ++wanting[free.need(*stage)];
    for (const Stage* stage : ready) {
      auto taken = free.take(*stage, wanting[free.need(*stage)]);
      if (!taken) continue;
      --wanting[free.need(*stage)];
      const double takes = seconds(*stage, taken->size());
      const Need need = need_of(*stage, plan, seats.front().offers == Need::gpu);
      if (need == Need::gpu) out.gpu_seconds += takes * static_cast<double>(taken->size());
      if (need == Need::cores) out.cores_seconds += takes;
      running.push_back({stage, std::move(*taken), out.seconds + takes});
      std::erase(waiting, stage);
    }
    if (running.empty()) break;  // what is left lacks an input that nobody makes
    const auto next = std::min_element(running.begin(), running.end(),
                                       [](const Running& a, const Running& b) { return a.end < b.end; });
    out.seconds = next->end;
    absent.erase(next->stage->key);
    free.give_back(next->seats);
    running.erase(next);
  }
  return out;
}

}  // namespace trl::interpreter

#include "interpreter/schedule/dispatch.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

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

bool can_be_shared(const Stage& stage, Need need, bool on_cluster) {
  if (on_cluster) return need == Need::cores && stage.kind == contract::Protocol::kind;
  return need == Need::gpu && contract::uses_group(stage.kind);
}

double group_speedup(std::size_t gpus) {
  const auto count = static_cast<double>(gpus);
  return count / (1 + lost_by_each_further_gpu * (count - 1));
}

FreeSeats::FreeSeats(const std::vector<Seat>& seats, const Plan& plan)
    : plan_(plan), free_(seats.size(), true) {
  for (const auto& seat : seats) offers_.push_back(seat.offers);
  on_gpus_ = offers_.front() == Need::gpu;
  on_cluster_ = seats.front().on_cluster;
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
  if (!single() && can_be_shared(stage, wanted, on_cluster_))
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
    double end;
    std::size_t order;  ///< of stages that end together the first to begin comes first
    const Stage* stage;
    std::vector<std::size_t> seats;
    bool operator<(const Running& other) const {
      return std::tie(end, order) < std::tie(other.end, other.order);
    }
  };
  Simulated out;
  FreeSeats free(seats, plan);
  std::vector<const Stage*> order(missing.begin(), missing.end());
  if (!free.single()) sort_by_path(order, remaining_paths(missing, seconds));
  std::map<std::string, std::size_t> places;  // in `order`, by key
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]->key] = i;
  std::vector<std::vector<std::size_t>> users(order.size());
  std::vector<std::size_t> lacking(order.size());  // the inputs that aren't there yet
  std::map<Need, std::set<std::size_t>> ready;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const auto& [name, key] : order[i]->inputs)
      if (const auto place = places.find(key); place != places.end())
        users[place->second].push_back(i), ++lacking[i];
    if (lacking[i] == 0) ready[free.need(*order[i])].insert(i);
  }
  std::set<Running> running;
  const bool on_gpus = seats.front().offers == Need::gpu;
  for (std::size_t begun = 0;;) {
    for (auto& [need, waiting] : ready)
      while (!waiting.empty()) {
        const Stage& stage = *order[*waiting.begin()];
        auto taken = free.take(stage, waiting.size());
        if (!taken) break;
        const double takes = seconds(stage, taken->size());
        const Need used = need_of(stage, plan, on_gpus);
        if (used == Need::gpu) out.gpu_seconds += takes * static_cast<double>(taken->size());
        if (used == Need::cores) out.cores_seconds += takes;
        running.insert({out.seconds + takes, begun++, &stage, std::move(*taken)});
        waiting.erase(waiting.begin());
      }
    if (running.empty()) return out;
    const auto ended = running.extract(running.begin()).value();
    out.seconds = ended.end;
    free.give_back(ended.seats);
    for (const std::size_t user : users[places.at(ended.stage->key)])
      if (--lacking[user] == 0) ready[free.need(*order[user])].insert(user);
  }
}

}  // namespace trl::interpreter

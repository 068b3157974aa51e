#include "verifier/inputs/path_coverage.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace trl::runtime {
namespace {

constexpr std::size_t most_decisions = 256, most_values = 1024, most_listed = 8;
constexpr std::uint8_t both = 3;

}  // namespace

std::vector<std::vector<std::uint8_t>> PathCoverage::ways() const {
  std::vector<std::vector<std::uint8_t>> ways(kernels_.size());
  for (std::size_t i = 0; i < kernels_.size(); ++i)
    for (const KernelDecision& decision : kernels_[i].decisions) ways[i].push_back(decision.ways);
  return ways;
}

std::vector<int> PathCoverage::unasked(const std::vector<int>& kernels) {
  std::vector<int> list;
  for (const int kernel : kernels)
    if (!std::exchange(kernels_.at(static_cast<std::size_t>(kernel)).asked, true)) list.push_back(kernel);
  return list;
}

bool PathCoverage::add(const ReplayResult& result, bool directed) {
  bool more = false;
  for (const KernelPaths& paths : result.paths) {
    if (paths.kernel < 0 || static_cast<std::size_t>(paths.kernel) >= kernels_.size()) continue;
    Kernel& kernel = kernels_[static_cast<std::size_t>(paths.kernel)];
    if (!kernel.seen) {
      kernel.seen = true;
      kernel.decisions = paths.decisions;
      if (kernel.decisions.size() > most_decisions) kernel.decisions.resize(most_decisions);
      kernel.directed.assign(kernel.decisions.size(), false);
      for (KernelDecision& decision : kernel.decisions) decision.ways = 0;
    }
    const std::size_t count = std::min(kernel.decisions.size(), paths.decisions.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t& ways = kernel.decisions[i].ways;
      const auto now = static_cast<std::uint8_t>(ways | (paths.decisions[i].ways & both));
      if (now == ways) continue;
      ways = now;
      more = true;
      if (directed) kernel.directed[i] = true;
    }
  }
  for (const TurningValues& values : result.turning)
    if (decision(values.kernel, values.decision) != nullptr && turning_.size() < most_values &&
        std::isfinite(values.low) && std::isfinite(values.high) && values.low <= values.high)
      turning_.push_back(values);
  return more;
}

bool PathCoverage::open(int kernel) const {
  if (kernel < 0 || static_cast<std::size_t>(kernel) >= kernels_.size()) return false;
  const std::vector<KernelDecision>& decisions = kernels_[static_cast<std::size_t>(kernel)].decisions;
  return std::any_of(decisions.begin(), decisions.end(), [](const auto& one) { return one.ways != both; });
}

bool PathCoverage::open(int kernel, int number) const {
  const KernelDecision* one = decision(kernel, number);
  return one != nullptr && one->ways != both;
}

const KernelDecision* PathCoverage::decision(int kernel, int number) const {
  if (kernel < 0 || static_cast<std::size_t>(kernel) >= kernels_.size() || number < 0) return nullptr;
  const std::vector<KernelDecision>& decisions = kernels_[static_cast<std::size_t>(kernel)].decisions;
  const auto at = static_cast<std::size_t>(number);
  return at < decisions.size() ? &decisions[at] : nullptr;
}

std::vector<TurningValues> PathCoverage::turning(const std::vector<int>& kernels) const {
  std::vector<TurningValues> list;
  for (const TurningValues& values : turning_)
    if (open(values.kernel, values.decision) &&
        std::find(kernels.begin(), kernels.end(), values.kernel) != kernels.end())
      list.push_back(values);
  return list;
}

const KernelDecision* PathCoverage::turned_since(const PathCoverage& before) const {
  for (std::size_t k = 0; k < kernels_.size() && k < before.kernels_.size(); ++k)
    for (std::size_t i = 0; i < kernels_[k].decisions.size() && i < before.kernels_[k].decisions.size(); ++i)
      if (kernels_[k].decisions[i].ways != before.kernels_[k].decisions[i].ways)
        return &kernels_[k].decisions[i];
  return nullptr;
}

std::optional<nlohmann::json> PathCoverage::to_json() const {
  struct Site {
    std::uint8_t ways = 0;
    bool directed = false;
  };
  // A kernel may be compiled once for each of several sizes; all of these have the same decisions.
  std::map<std::tuple<int, std::string, int>, Site> sites;
  bool seen = false;
  for (const Kernel& kernel : kernels_) {
    seen = seen || kernel.seen;
    std::map<std::pair<int, std::string>, int> equal;  // numbers several equal decisions on one line
    for (std::size_t i = 0; i < kernel.decisions.size(); ++i) {
      const KernelDecision& decision = kernel.decisions[i];
      Site& site = sites[{decision.line, decision.what, equal[{decision.line, decision.what}]++}];
      site.ways |= decision.ways;
      site.directed = site.directed || kernel.directed[i];
    }
  }
  if (!seen) return std::nullopt;
  std::size_t decided = 0, directed = 0;
  nlohmann::json one_sided = nlohmann::json::array();
  for (const auto& [place, site] : sites) {
    decided += site.ways == both;
    directed += site.directed;
    if (site.ways != both && one_sided.size() < most_listed)
      one_sided.push_back(
          {{"line", std::get<0>(place) > 0 ? nlohmann::json(std::get<0>(place)) : nlohmann::json()},
           {"what", std::get<1>(place)}});
  }
  return nlohmann::json{
      {"sites", sites.size()}, {"both", decided}, {"directed", directed}, {"one_sided", one_sided}};
}

}  // namespace trl::runtime

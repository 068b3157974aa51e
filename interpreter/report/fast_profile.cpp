#include "interpreter/report/fast_profile.hpp"

#include <cmath>
#include <map>

#include "base/statistics/speed.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/table.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr int first_step = -4, last_step = 6;  // p = √2 to these powers

/// Returns a number for a thing, counted from 0: the same number for an equal thing.
template <class Key>
std::size_t number_of(std::map<Key, std::size_t>& numbers, const Key& key) {
  return numbers.try_emplace(key, numbers.size()).first->second;
}

}  // namespace

std::vector<PlotPoint> fast_profile(const Evidence& evidence) {
  std::vector<double> thresholds;
  for (int step = first_step; step <= last_step; ++step) thresholds.push_back(std::exp2(step / 2.0));
  std::vector<PlotPoint> points;
  for (const auto& row : evidence.plan().rows) {
    std::map<std::string, std::size_t> tasks;
    std::map<std::uint64_t, std::size_t> seeds;
    std::vector<statistics::TimedSample> samples;
    for (const auto& trace : row.traces) {
      for (const auto& verdict : evidence.exam(trace)) {
        if (!verdict.judged) continue;
        statistics::TimedSample sample{number_of(tasks, verdict.task), number_of(seeds, trace.seed), {}};
        if (verdict.correct && verdict.speedup > 0) sample.speed_up = verdict.speedup;
        samples.push_back(sample);
      }
    }
    const auto profile = statistics::fast_profile(tasks.size(), seeds.size(), samples, thresholds,
                                                  statistics::Band::simultaneous);
    for (std::size_t i = 0; i < profile.size() && profile.size() == thresholds.size(); ++i) {
      PlotPoint point;
      point.row = row.label, point.control = row.kind != Row::Kind::cell;
      point.x = std::log2(thresholds[i]), point.value = profile[i].value,
      point.interval = profile[i].interval;
      point.scope = profile[i].scope, point.n = static_cast<int>(samples.size());
      points.push_back(std::move(point));
    }
  }
  return points;
}

std::string fast_profile_csv(const std::vector<PlotPoint>& points) {
  std::string text = "row,p,share,n,low,high,about\n";
  for (const auto& point : points) {
    text +=
        fmt::format("{},{:.6g},{:.12g},{},", csv_field(point.row), std::exp2(point.x), point.value, point.n);
    text += point.interval ? fmt::format("{:.12g},{:.12g},{}\n", point.interval->low, point.interval->high,
                                         scope_name(point.scope))
                           : ",,\n";
  }
  return text;
}

Picture fast_profile_picture(const std::vector<PlotPoint>& points, const std::string& name, bool measured) {
  Axis p{first_step / 2.0 - 0.1, last_step / 2.0 + 0.1, {}, "p"};
  for (const auto& [power, text] :
       {std::pair(-2, "1/4"), {-1, "1/2"}, {0, "1"}, {1, "2"}, {2, "4"}, {3, "8"}})
    p.ticks.emplace_back(power, text);
  return {name,
          std::string(
              "Share of all answers that are correct and more than p times as fast as the reference; bands: "
              "95 % for all p of a row together; grey: the other rows; times are ") +
              (measured ? "measured." : "modelled, not measured."),
          points.empty() ? Graphic() : panels(points, false, p, "share")};
}

}  // namespace trl::interpreter

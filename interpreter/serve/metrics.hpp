// The service's counters, in the text format of Prometheus.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace trl::interpreter {

/// Counters with labels. Several threads may use it.
class Metrics {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  /// Declares a metric, whose `type` is "counter" or "gauge". A metric that isn't declared can't be counted.
  void declare(const std::string& name, const std::string& type, const std::string& help);
  void add(const std::string& name, const Labels& labels, double value = 1);
  void set(const std::string& name, const Labels& labels, double value);

  /// All metrics in the text format of Prometheus, version 0.0.4. A metric without a value is 0.
  std::string text() const;

 private:
  struct Metric {
    std::string type, help;
    std::map<std::string, double> values;  ///< by the labels' text: `{reason="race"}`
  };
  Metric& metric(const std::string& name);

  mutable std::mutex mutex_;
  std::map<std::string, Metric> metrics_;
};

}  // namespace trl::interpreter

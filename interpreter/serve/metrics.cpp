#include "interpreter/serve/metrics.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace trl::interpreter {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

std::string text_of(const Metrics::Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, escaped(value));
  return text.empty() ? text : "{" + text + "}";
}

}  // namespace

Metrics::Metric& Metrics::metric(const std::string& name) {
  const auto found = metrics_.find(name);
  if (found == metrics_.end()) throw std::logic_error("no metric is called " + name);
  return found->second;
}

void Metrics::declare(const std::string& name, const std::string& type, const std::string& help) {
  const std::lock_guard lock(mutex_);
  metrics_[name] = {type, help, {}};
}

void Metrics::add(const std::string& name, const Labels& labels, double value) {
  const std::lock_guard lock(mutex_);
  metric(name).values[text_of(labels)] += value;
}

void Metrics::set(const std::string& name, const Labels& labels, double value) {
  const std::lock_guard lock(mutex_);
  metric(name).values[text_of(labels)] = value;
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [name, metric] : metrics_) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, metric.help, metric.type);
    if (metric.values.empty()) text += name + " 0\n";
    for (const auto& [labels, value] : metric.values) text += fmt::format("{}{} {:g}\n", name, labels, value);
  }
  return text;
}

}  // namespace trl::interpreter

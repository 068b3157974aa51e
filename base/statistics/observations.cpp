#include "base/statistics/observations.hpp"

#include <stdexcept>

namespace trl::statistics {

Observations::Observations(std::size_t tasks, std::size_t seeds)
    : tasks_(tasks), seeds_(seeds), cells_(tasks * seeds) {}

Observations::Cell& Observations::cell(std::size_t task, std::size_t seed) {
  if (task >= tasks_ || seed >= seeds_)
    throw std::out_of_range("a sample of a task or seed that the row lacks");
  return cells_[task * seeds_ + seed];
}

void Observations::add(std::size_t task, std::size_t seed, double value) {
  add_sums(task, seed, 1, value, value * value);
}

void Observations::add_successes(std::size_t task, std::size_t seed, double successes, double samples) {
  add_sums(task, seed, samples, successes, successes);
}

void Observations::add_sums(std::size_t task, std::size_t seed, double count, double sum, double squares) {
  auto& to = cell(task, seed);
  to.count += count, to.sum += sum, to.squares += squares;
}

}  // namespace trl::statistics

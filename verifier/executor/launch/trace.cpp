#include "verifier/executor/launch/trace.hpp"

namespace trl::executor {
namespace {

// The first two limit memory: beyond them, origins are unknown. The third limits the steps that are listed
// for one origin.
constexpr std::size_t most_origins = 1 << 18;
constexpr std::size_t most_places = 1 << 22;
constexpr std::size_t most_steps = 8;

}  // namespace

std::vector<Trace::Step> Trace::origin(int buffer, std::int64_t offset) const {
  std::vector<Step> steps;
  for (std::uint32_t number = at(key(buffer, offset)); number != 0 && steps.size() < most_steps;) {
    const Origin& origin = origins_[number - 1];
    steps.push_back(origin.step);
    number = origin.cause;
  }
  return steps;
}

void Trace::copy(int to_buffer, std::int64_t to_offset, int from_buffer, std::int64_t from_offset) {
  if (const std::uint32_t origin = at(key(from_buffer, from_offset))) put(key(to_buffer, to_offset), origin);
}

std::uint32_t Trace::add(Step step, std::uint32_t cause) {
  const auto known = std::tuple(step.what, step.source.line, step.source.column, cause);
  if (const auto found = numbers_.find(known); found != numbers_.end()) return found->second;
  if (origins_.size() >= most_origins) return 0;
  origins_.push_back({std::move(step), cause});
  const auto number = static_cast<std::uint32_t>(origins_.size());
  numbers_.emplace(known, number);
  return number;
}

void Trace::put(std::uint64_t place, std::uint32_t origin) {
  if (places_.size() < most_places || places_.contains(place)) places_[place] = origin;
}

std::uint32_t Trace::at(std::uint64_t place) const {
  const auto found = places_.find(place);
  return found == places_.end() ? 0 : found->second;
}

}  // namespace trl::executor

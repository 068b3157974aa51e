#include "verifier/budget.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr Work counted[] = {Work::record, Work::parse,  Work::execute, Work::compile,
                            Work::load,   Work::replay, Work::time};

double total(const Timings& timings) {
  double sum = 0;
  for (const Work work : counted) sum += timings.on(work);
  return sum;
}

const char* name_of(Work work) { return work_names[static_cast<std::size_t>(work)]; }

constexpr Work uncounted[] = {Work::draw, Work::wait, Work::reference};

json by_work(const Timings& timings, std::span<const Work> works) {
  json out = json::object();
  for (const Work work : works)
    if (timings.on(work) > 0) out[name_of(work)] = std::round(1e3 * timings.on(work)) / 1e3;
  return out;
}

}  // namespace

double Budget::cpu_left() const { return limits_.cpu_seconds - total(cpu_); }
double Budget::asleep_left() const { return limits_.asleep_seconds - total(asleep()); }

Timings Budget::asleep() const {
  Timings all = asleep_;
  for (const Work work : {Work::load, Work::replay, Work::time}) all.add(work, timings_->on(work));
  return all;
}

std::string Budget::explain() const {
  const bool computed = cpu_left() <= 0;
  const Timings timings = computed ? cpu_ : asleep();
  std::string steps;
  for (const Work work : counted)
    if (timings.on(work) >= 0.05)
      steps += fmt::format("{}{} {:.1f} s", steps.empty() ? "" : ", ", name_of(work), timings.on(work));
  return fmt::format("the candidate's budget of {:g} s of {} is used up: {}",
                     computed ? limits_.cpu_seconds : limits_.asleep_seconds,
                     computed ? "computing" : "sleeping and waiting for the GPU", steps);
}

json Budget::to_json() const {
  json cpu = by_work(cpu_, counted), wall = by_work(*timings_, counted);
  cpu["limit"] = limits_.cpu_seconds, wall["limit"] = limits_.asleep_seconds;
  return {{"cpu_seconds", cpu}, {"wall_seconds", wall}, {"uncounted_seconds", by_work(*timings_, uncounted)}};
}

}  // namespace trl::runtime

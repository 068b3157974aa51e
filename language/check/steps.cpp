#include "language/check/steps.hpp"

#include <algorithm>
#include <cmath>

namespace trl::language {
namespace {

double number_in(const Resolved& train, const char* name) {
  const Value* value = train.field(name);
  return value == nullptr ? 0 : value->number();
}

}  // namespace

double most_samples_of_round(const Resolved& train) {
  if (train.field("rounds") == nullptr || train.field("candidates") == nullptr) return 0;
  double tasks = number_in(train, "tasks_per_round"), each = number_in(train, "candidates");
  if (const Value* of = train.field("tasks");
      of != nullptr && of->is(Value::Kind::tasks) && !of->tasks.empty())
    tasks = std::min(tasks, static_cast<double>(of->tasks.size()));
  if (train.field("keep") != nullptr) each = std::min(each, number_in(train, "keep"));
  if (train.field("pairs") != nullptr) each = std::min(each - 1, number_in(train, "pairs"));
  return tasks * each * std::max(1.0, number_in(train, "turns"));
}

double samples_at_once(const Inspection& inspection, const Resolved& train) {
  const Resolved* machine = inspection.machine();
  return std::max(1.0, machine == nullptr ? 1 : number_in(*machine, "gpus")) *
         std::max(1.0, number_in(train, "micro_batch"));
}

double round_batch(double most, double unit) {
  const double units = std::floor(most / unit);
  constexpr double eights = 16, sixteens = 64;
  double round = units;
  if (units < eights)
    for (round = units < 1 ? 0 : 1; 2 * round <= units && round > 0;) round *= 2;
  else
    round = std::floor(units / (units < sixteens ? 8 : 16)) * (units < sixteens ? 8 : 16);
  return round * unit;
}

bool takes_few_steps(const Resolved& train, const std::map<std::string, std::vector<SuiteTask>>& suites) {
  const double steps = most_steps(train, suites);
  if (steps <= 0 || steps >= fewest_steps) return false;
  if (train.is_a("sft")) return true;
  const double reach = steps * number_in(train, "learning_rate");
  // If the steps move weights less, `unmoving_training` reports it; if they move weights more, a few steps
  // are enough.
  return reach >= least_reach && reach < usual_reach;
}

double rate_for(double steps) {
  const double rate = usual_reach / steps, digit = std::pow(10, std::floor(std::log10(rate)));
  constexpr double rounding = 1e-9;
  return std::ceil(rate / digit - rounding) * digit;
}

double most_steps(const Resolved& train, const std::map<std::string, std::vector<SuiteTask>>& suites) {
  const double batch = number_in(train, "batch");
  if (batch < 1) return 0;
  if (train.is_a("sft")) {
    const Value* data = train.field("data");
    const auto samples = data == nullptr ? std::nullopt : corpus_samples(*data, suites);
    return samples ? std::ceil(*samples / batch) * number_in(train, "epochs") : 0;
  }
  return number_in(train, "rounds") * std::ceil(most_samples_of_round(train) / batch) *
         std::max(1.0, number_in(train, "epochs"));
}

}  // namespace trl::language

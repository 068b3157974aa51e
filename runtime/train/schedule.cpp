#include "runtime/train/schedule.hpp"

#include <cmath>
#include <numbers>

#include "base/support/error.hpp"

namespace trl::runtime {

Schedule::Shape schedule_shape(const std::string& name) {
  if (name == "constant") return Schedule::Shape::constant;
  if (name == "linear") return Schedule::Shape::linear;
  if (name == "cosine") return Schedule::Shape::cosine;
  throw UserError("the schedule `" + name + "` is unknown", "use constant, linear or cosine");
}

double Schedule::at(std::int64_t step) const {
  const auto rising = static_cast<std::int64_t>(std::ceil(warmup * static_cast<double>(steps) - 1e-9));
  if (step < rising) return learning_rate * static_cast<double>(step + 1) / static_cast<double>(rising);
  const auto rest = static_cast<double>(steps - rising);
  const double progress = rest > 0 ? static_cast<double>(step - rising) / rest : 0;
  switch (shape) {
    case Shape::constant:
      return learning_rate;
    case Shape::linear:
      return learning_rate * (1 - progress);
    case Shape::cosine:
      return learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * progress));
  }
  return learning_rate;
}

}  // namespace trl::runtime

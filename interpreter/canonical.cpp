#include "interpreter/canonical.hpp"

#include <cmath>

namespace trl::interpreter {

nlohmann::json normalised(nlohmann::json value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) < 0x1p53 && number == std::floor(number)) return static_cast<std::int64_t>(number);
  } else if (value.is_structured()) {
    for (auto& item : value) item = normalised(std::move(item));
  }
  return value;
}

std::string canonical(const nlohmann::json& value) { return normalised(value).dump(); }

}  // namespace trl::interpreter

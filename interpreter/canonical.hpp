// The canonical text of JSON values, from which keys are computed.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// The value that `canonical` prints: doubles that are integers below 2^53 become integers.
inline nlohmann::json normalised(nlohmann::json value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) < 0x1p53 && number == std::floor(number)) return static_cast<std::int64_t>(number);
  } else if (value.is_structured()) {
    for (auto& item : value) item = normalised(std::move(item));
  }
  return value;
}

/// The same text for equal values: keys sorted, no white space, integers without a fraction in any
/// type.
inline std::string canonical(const nlohmann::json& value) { return normalised(value).dump(); }

}  // namespace trl::interpreter

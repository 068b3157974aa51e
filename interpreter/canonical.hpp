// The canonical text of JSON values, from which keys are computed.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// The JSON value with each double that is a whole number below 2^53 replaced by an integer.
inline nlohmann::json normalised(nlohmann::json value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) < 0x1p53 && number == std::floor(number)) return static_cast<std::int64_t>(number);
  } else if (value.is_structured()) {
    for (auto& item : value) item = normalised(std::move(item));
  }
  return value;
}

/// The text of a JSON value with sorted keys and no white space. Equal values give equal text: 1 and 1.0 are
/// both printed as "1".
inline std::string canonical(const nlohmann::json& value) { return normalised(value).dump(); }

}  // namespace trl::interpreter

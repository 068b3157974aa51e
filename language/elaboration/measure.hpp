// The units that a number can have.
#pragma once
#include <string>
#include <vector>

#include "language/schema/schema.hpp"

namespace trl::language {

struct MeasureUnit {
  std::string name, doc;
  Type::Kind of;      ///< the type whose values are told in it
  double factor = 1;  ///< to what values are normalised to: seconds, bytes, usd, 1
};

/// Every unit, those of a kind from the smallest.
const std::vector<MeasureUnit>& measure_units();
const MeasureUnit* find_measure_unit(const std::string& name);

}  // namespace trl::language

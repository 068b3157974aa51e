// The units that a number can have.
#pragma once
#include <string>
#include <vector>

#include "language/schema/schema.hpp"

namespace trl::language {

struct MeasureUnit {
  std::string name, doc;
  Type::Kind of;      ///< the type of the values that can have this unit
  double factor = 1;  ///< multiplies a number to convert it to the unit in which values are stored: seconds,
                      ///< bytes, usd or 1
};

/// All units; the units of one type are sorted, the smallest first.
const std::vector<MeasureUnit>& measure_units();
const MeasureUnit* find_measure_unit(const std::string& name);

}  // namespace trl::language

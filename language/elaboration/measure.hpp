// The units that a number can have.
#pragma once
#include <string>
#include <vector>

#include "language/schema/schema.hpp"

namespace trl::language {

struct MeasureUnit {
  std::string name, doc;
  Type::Kind of;      ///< the type whose values have this unit
  double factor = 1;  ///< to the unit to which values are normalised: seconds, bytes, usd, 1
};

/// All units; the units of one type are sorted, the smallest first.
const std::vector<MeasureUnit>& measure_units();
const MeasureUnit* find_measure_unit(const std::string& name);

}  // namespace trl::language

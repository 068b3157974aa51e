#include "language/elaboration/measure.hpp"

namespace trl::language {

const std::vector<MeasureUnit>& measure_units() {
  using Kind = Type::Kind;
  static const std::vector<MeasureUnit> units = {
      {"%", "hundredths", Kind::fraction, 0.01},
      {"us", "microseconds", Kind::duration, 1e-6},
      {"ms", "milliseconds", Kind::duration, 1e-3},
      {"s", "seconds", Kind::duration, 1},
      {"min", "minutes", Kind::duration, 60},
      {"h", "hours", Kind::duration, 3600},
      {"KiB", "1024 bytes", Kind::bytes, 1024},
      {"MiB", "1024 KiB", Kind::bytes, 1024.0 * 1024},
      {"GiB", "1024 MiB", Kind::bytes, 1024.0 * 1024 * 1024},
      {"usd", "US dollars", Kind::money, 1},
      {"tokens", "tokens, a count", Kind::count, 1},
  };
  return units;
}

const MeasureUnit* find_measure_unit(const std::string& name) {
  for (const MeasureUnit& unit : measure_units())
    if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace trl::language

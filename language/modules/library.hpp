// stdlib/schema.trl, as it is embedded.
#pragma once
#include "language/modules/unit.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

struct Library {
  Unit unit;  ///< of the schema's file: defaults are evaluated there
  Schema schema;
};

/// The schema, read once; adds its text to the sources. Throws std::logic_error on a mistake in it.
const Library& read_library(Sources& sources);

}  // namespace trl::language

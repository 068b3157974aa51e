// The embedded stdlib/schema.trl, parsed.
#pragma once
#include "language/modules/unit.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

struct Library {
  Unit unit;  ///< the schema's file as a module; defaults are evaluated in it
  Schema schema;
};

/// The schema, read once; adds its text to the sources. Throws std::logic_error if the schema has a mistake.
const Library& read_library(Sources& sources);

}  // namespace trl::language

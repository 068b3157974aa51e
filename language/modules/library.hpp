// The library's schema: the embedded file stdlib/schema.trl, parsed.
#pragma once
#include "language/modules/module.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

struct Library {
  Module module;  ///< the schema's file as a module; defaults are evaluated in it
  Schema schema;
};

/// Returns the schema, which is read only once, and adds its text to `sources`. Throws std::logic_error if
/// the schema has a mistake.
const Library& read_library(Sources& sources);

/// The schema alone, for a caller that has no other sources.
const Schema& library_schema();

}  // namespace trl::language

// Reads the fields of a stage's spec, with errors that name the field.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/support/error.hpp"

namespace trl::runtime {

/// Returns spec[name] as T. Throws UserError when the field is missing or has another type.
template <typename T>
T field(const nlohmann::json& spec, const std::string& name) {
  const auto found = spec.find(name);
  if (found == spec.end()) {
    throw UserError(fmt::format("the stage's spec has no field `{}`", name),
                    "see docs/interfaces.md, section 3");
  }
  try {
    return found->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw UserError(fmt::format("the spec's field `{}` is {}, which has the wrong type", name, found->dump()),
                    "see docs/interfaces.md, section 3");
  }
}

/// Returns spec[name] as T, or `otherwise` when it is absent or null.
template <typename T>
T field_or(const nlohmann::json& spec, const std::string& name, T otherwise) {
  const auto found = spec.find(name);
  return found == spec.end() || found->is_null() ? otherwise : field<T>(spec, name);
}

}  // namespace trl::runtime

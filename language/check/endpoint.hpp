// What rules ask of a model that isn't here: a server has it, or its answers alone are known.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>

#include "language/check/inspection.hpp"

namespace trl::language {

/// The call `endpoint(…)` that the experiment's model has as its weights; null where it has others.
inline const Value* endpoint_of(const Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  const bool asked = weights != nullptr && weights->is(Value::Kind::call) && weights->name == "endpoint" &&
                     !weights->items.empty();
  return asked ? weights : nullptr;
}

/// The call `generations(…)` that the experiment's model has as its weights; null where it has others.
inline const Value* generations_of(const Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  const bool given = weights != nullptr && weights->is(Value::Kind::call) && weights->name == "generations" &&
                     !weights->items.empty() && !weights->items.front().items.empty();
  return given ? weights : nullptr;
}

/// Whether a text can be the name of an environment variable. One that can't may be a key.
inline bool is_variable(const Value& text) {
  const std::string name = text.string();
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace trl::language

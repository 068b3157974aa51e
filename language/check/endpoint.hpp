// Questions of rules about a model that isn't here: a server has it, or its answers alone are known.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "language/check/inspection.hpp"

namespace trl::language {

/// The call of this name that the experiment's model has as its weights, such as `endpoint(…)`; null where it
/// has others, or the call lacks its argument.
inline const Value* weights_called(const Inspection& inspection, std::string_view name) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  const bool called = weights != nullptr && weights->is(Value::Kind::call) && weights->name == name &&
                      !weights->items.empty();
  return called ? weights : nullptr;
}

/// Whether a text can be the name of an environment variable. One that can't may be a key.
inline bool is_variable(const Value& text) {
  const std::string name = text.string();
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace trl::language

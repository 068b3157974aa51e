// The values that an input may have, as a task declares them: `f32(0..1)[M]`, `f32(normal(0, 3))[M]`,
// `i64(C)[N]`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks/input_values.hpp"
#include "language/tasks/shape.hpp"

namespace trl::language::tasks {

/// The values that the parentheses after a dtype declare.
struct DeclaredValues {
  trl::tasks::InputValues values{};
  std::optional<Dimension> below{};       ///< the integers are at least 0 and below this
  std::optional<Dimension> offsets_of{};  ///< the integers ascend from 0 to this
};

/// Reads `param["values"]`, which may be missing. `size` converts the JSON of a size. Throws TaskError if the
/// values don't fit the input's dtype and shape.
DeclaredValues input_values(const nlohmann::json& param, const Type& type,
                            const std::function<Dimension(const nlohmann::json&)>& size);

/// A notation for an input's values.
struct ValueForm {
  std::string name;     ///< "range"
  std::string written;  ///< the notation after the dtype: "(0..1)"
  std::string meaning;  ///< an explanation in one sentence
  bool of_integers = false, of_reals = false;
};
const std::vector<ValueForm>& value_forms();

/// The notations that are allowed for a dtype, for messages: "i64(C), i64(0..9), i64(offsets(N))".
std::string input_forms(const std::string& dtype);

/// The dtypes that inputs can have, for messages: "f32, f16, …".
std::string input_dtypes();

}  // namespace trl::language::tasks

// What the values of an input are: `f32(0..1)[M]`, `f32(normal(0, 3))[M]`, `i64(C)[N]`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks/input_values.hpp"
#include "language/tasks/shape.hpp"

namespace trl::language::tasks {

/// What stands in the parentheses behind a dtype.
struct DeclaredValues {
  trl::tasks::InputValues values{};
  std::optional<Dimension> below{};       ///< integers are from 0 to below this
  std::optional<Dimension> offsets_of{};  ///< integers ascend from 0 to this
};

/// Reads `param["values"]`, which may be missing. `size` reads a size. Throws TaskError where the values
/// don't go with the input's dtype and shape.
DeclaredValues input_values(const nlohmann::json& param, const Type& type,
                            const std::function<Dimension(const nlohmann::json&)>& size);

/// A form that values are written in.
struct ValueForm {
  std::string name;     ///< "range"
  std::string written;  ///< behind the dtype: "(0..1)"
  std::string meaning;  ///< one sentence
  bool of_integers = false, of_reals = false;
};
const std::vector<ValueForm>& value_forms();

/// The forms of a dtype, for messages: "i64(C), i64(0..9), i64(offsets(N))".
std::string input_forms(const std::string& dtype);

/// The dtypes of inputs, for messages: "f32, f16, …".
std::string input_dtypes();

}  // namespace trl::language::tasks

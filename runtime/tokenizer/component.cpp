#include "runtime/tokenizer/component.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/support/error.hpp"
#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {

Component::Component(const nlohmann::json& value, std::string file, std::string place)
    : value_(value), file_(std::move(file)), place_(std::move(place)) {
  if (!value_.is_object()) refuse(fmt::format("an object is needed, not {}", value_.type_name()));
}

void Component::refuse(std::string_view message) const {
  throw UserError(fmt::format("{}: {}{}{}", file_, place_, place_.empty() ? "" : ": ", message),
                  "runtime/tokenizer/README.md lists what of tokenizer.json is carried out");
}

const nlohmann::json* Component::optional(const char* field) {
  ignore(field);
  const auto found = value_.find(field);
  return found == value_.end() || found->is_null() ? nullptr : &*found;
}

const nlohmann::json& Component::required(const char* field) {
  const nlohmann::json* found = optional(field);
  if (!found) refuse(fmt::format("the field {} is missing", field));
  return *found;
}

std::string Component::type() { return text("type"); }

std::string Component::text(const char* field) {
  const auto& value = required(field);
  if (!value.is_string()) refuse(fmt::format("{} is no text", field));
  return value.get<std::string>();
}

bool Component::boolean(const char* field) {
  const auto& value = required(field);
  if (!value.is_boolean()) refuse(fmt::format("{} is neither true nor false", field));
  return value.get<bool>();
}

bool Component::boolean(const char* field, bool otherwise) {
  return optional(field) ? boolean(field) : otherwise;
}

std::int32_t Component::integer(const char* field) {
  const auto& value = required(field);
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  const bool fits =
      value.is_number_unsigned()
          ? value.get<std::uint64_t>() <= most
          : value.is_number_integer() && value.get<std::int64_t>() >= 0 && value.get<std::int64_t>() <= most;
  if (!fits) refuse(fmt::format("{} is no whole number from 0 to {}", field, most));
  return value.get<std::int32_t>();
}

char32_t Component::character(const char* field) {
  const auto value = text(field);
  if (value.empty() || character_at(value, 0).length != value.size())
    refuse(fmt::format("{} is not one character: \"{}\"", field, value));
  return character_at(value, 0).code;
}

std::vector<Component> Component::list(const char* field) {
  const auto& value = required(field);
  if (!value.is_array()) refuse(fmt::format("{} is no list", field));
  std::vector<Component> parts;
  for (const auto& part : value)
    parts.emplace_back(part, file_,
                       fmt::format("{}{}{}[{}]", place_, place_.empty() ? "" : ".", field, parts.size()));
  return parts;
}

Component Component::object(const char* field) {
  return {required(field), file_, fmt::format("{}{}{}", place_, place_.empty() ? "" : ".", field)};
}

void Component::finish() const {
  for (const auto& [field, value] : value_.items())
    if (!known_.contains(field))
      refuse(fmt::format("the field {} isn't known, so that it can't be carried out", field));
}

}  // namespace trl::runtime

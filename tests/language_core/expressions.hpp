// Short ways of writing the expressions of tasks in tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::language {

using nlohmann::json;

inline json name(const std::string& text) { return {{"name", text}}; }

inline json op(const std::string& sign, json a, json b) {
  return {{"op", sign}, {"args", json::array({std::move(a), std::move(b)})}};
}

inline json op(const std::string& sign, json a) {
  return {{"op", sign}, {"args", json::array({std::move(a)})}};
}

template <typename... Arguments>
json call(const std::string& function, Arguments... arguments) {
  return {{"call", function}, {"args", json::array({json(arguments)...})}};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace trl::language

// Short ways of writing formulas in tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::language {

using nlohmann::json;

inline json name(const std::string& text) { return {{"name", text}}; }

/// c.speedup
inline json member(const std::string& of, const std::string& text) {
  return {{"member", name(of)}, {"name", text}};
}

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

inline json choose(json condition, json then, json otherwise) {
  return {{"if", json::array({std::move(condition), std::move(then), std::move(otherwise)})}};
}

/// The example's reward: if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit
inline json reward() {
  return choose(member("c", "correct"), op("+", 0.7, op("*", 0.3, call("min", member("c", "speedup"), 1))),
                member("c", "credit"));
}

/// The example's share: 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)
inline json share() {
  return op("+", 0.1, op("*", 0.4, call("min", op("/", call("accuracy", name("level1")), 0.4), 1)));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace trl::language

#include "interpreter/report/settings.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/formulas/expression.hpp"
#include "base/support/code_points.hpp"
#include "base/support/counted.hpp"
#include "interpreter/plan/why.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// The names of fields that aren't settings.
const std::set<std::string>& no_settings() {
  static const std::set<std::string> fields = {"kind",   "name",    "doc",      "implementation", "place",
                                               "design", "allowed", "estimate", "cells"};
  return fields;
}

/// The fields of declarations, by the declaration's name. Declarations within a field are replaced by their
/// names.
using Declarations = std::map<std::string, json>;

json with_names(const json& value, Declarations& into);

json fields_of(const json& declaration, Declarations& into) {
  json fields = json::object();
  for (const auto& [field, value] : declaration.items())
    if (!no_settings().contains(field)) fields[field] = with_names(value, into);
  return fields;
}

json with_names(const json& value, Declarations& into) {
  if (is_tasks(value)) return value;
  if (value.is_object() && value.value("kind", json()).is_string() &&
      value.value("name", json()).is_string()) {
    const auto name = value["name"].get<std::string>();
    auto fields = fields_of(value, into);
    into[name] = std::move(fields);
    // Declarations with different names are paired by their kinds.
    into[name]["kind"] = value["kind"];
    return value["name"];
  }
  if (!value.is_structured()) return value;
  auto out = value;
  for (auto& part : out) part = with_names(part, into);
  return out;
}

/// Returns the part of a long text that begins shortly before `at`, the place where it differs from another
/// text.
std::string around(const std::string& text, std::size_t at) {
  constexpr std::size_t longest = 120, before = 30;
  if (text.size() <= longest) return text;
  auto begin = at > before ? at - before : 0, end = std::min(begin + longest, text.size());
  const auto inside = [&](std::size_t i) { return i < text.size() && continues_code_point(text[i]); };
  while (begin > 0 && inside(begin)) --begin;
  while (inside(end)) ++end;
  return (begin > 0 ? "…" : "") + text.substr(begin, end - begin) + (end < text.size() ? "…" : "");
}

std::string change(const json& before, const json& now) {
  if (is_tasks(before) && is_tasks(now)) {
    const auto ids = now["tasks"].get<std::set<std::string>>();
    std::size_t common = 0;
    for (const auto& id : before["tasks"]) common += ids.contains(id.get<std::string>());
    return value_in_words(before) + " → " + value_in_words(now) + fmt::format(", {} in both", common);
  }
  const auto a = value_in_words(before), b = value_in_words(now);
  const auto differs =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return around(a, differs) + " → " + around(b, differs);
}

void compare(const std::string& path, const json& before, const json& now, std::vector<std::string>& found) {
  std::set<std::string> fields;
  for (const auto* one : {&before, &now})
    for (const auto& [field, value] : one->items()) fields.insert(field);
  for (const auto& field : fields) {
    const auto a = before.value(field, json()), b = now.value(field, json());
    if (a != b) found.push_back(path + field + " " + change(a, b));
  }
}

}  // namespace

bool is_tasks(const json& value) {
  return value.is_object() && value.contains("tasks") && value["tasks"].is_array();
}

std::string value_in_words(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return number_text(value.get<double>());
  if (value.is_null()) return "none";
  if (is_tasks(value)) return counted(value["tasks"].size(), "task");
  const auto joined = [](const auto& items) {
    std::string text;
    for (const auto& one : items) text += (text.empty() ? "" : ", ") + one;
    return text;
  };
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const auto& one : value) parts.push_back(value_in_words(one));
    return "[" + joined(parts) + "]";
  }
  if (value.contains("call")) {
    for (const auto& argument : value.value("args", json::array())) parts.push_back(value_in_words(argument));
    const auto named = value.value("named", json::object());
    for (const auto& [name, argument] : named.items())
      if (!argument.is_null()) parts.push_back(name + " = " + value_in_words(argument));
    return value["call"].get<std::string>() + (parts.empty() ? "" : "(" + joined(parts) + ")");
  }
  if (value.contains("formula"))
    return formulas::formula_text(formulas::Expression::read(value["formula"].at("body")));
  if (value.contains("name")) return value["name"].get<std::string>();
  for (const auto& [name, one] : value.items()) parts.push_back(name + " = " + value_in_words(one));
  return "{" + joined(parts) + "}";
}

std::vector<std::string> setting_differences(const json& before, const json& now) {
  Declarations of_before, of_now;
  std::vector<std::string> found;
  compare("", fields_of(before, of_before), fields_of(now, of_now), found);
  // If each of the two studies has only one declaration of a kind with a name that the other study lacks,
  // these two are compared.
  const auto only_one = [](const Declarations& of, const Declarations& other, const json& kind) {
    std::vector<const Declarations::value_type*> all;
    for (const auto& one : of)
      if (!other.contains(one.first) && one.second.at("kind") == kind) all.push_back(&one);
    return all.size() == 1 ? all.front() : nullptr;
  };
  for (const auto& [name, fields] : of_now) {
    const auto same = of_before.find(name);
    const auto* with = same != of_before.end() ? &*same
                       : only_one(of_now, of_before, fields.at("kind"))
                           ? only_one(of_before, of_now, fields.at("kind"))
                           : nullptr;
    if (with) compare(name + ".", with->second, fields, found);
  }
  return found;
}

}  // namespace trl::interpreter

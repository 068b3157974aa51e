#include "runtime/chat/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "runtime/chat/text.hpp"

namespace trl::runtime::chat {

const Value* Taken::optional(const char* name) {
  used_.emplace_back(name);
  const Value* found = nullptr;
  if (next_ < arguments_.positional.size()) found = &arguments_.positional[next_++];
  for (const auto& [given, value] : arguments_.named) {
    if (given != name) continue;
    if (found) throw ValueError(fmt::format("{}: the argument {} is given twice", of_, name));
    found = &value;
  }
  return found;
}

const Value& Taken::required(const char* name) {
  const Value* found = optional(name);
  if (!found) throw ValueError(fmt::format("{}: the argument {} is missing", of_, name));
  return *found;
}

std::string Taken::text(const char* name, const char* otherwise) {
  const Value* found = optional(name);
  if (!found) return otherwise;
  if (!found->is_text()) throw ValueError(fmt::format("{}: {} is a {}, not text", of_, name, found->type()));
  return *found->get<std::string>();
}

std::int64_t Taken::integer(const char* name, std::int64_t otherwise) {
  const Value* found = optional(name);
  if (!found) return otherwise;
  if (!found->integer())
    throw ValueError(fmt::format("{}: {} is a {}, not an integer", of_, name, found->type()));
  return *found->integer();
}

bool Taken::boolean(const char* name, bool otherwise) {
  const Value* found = optional(name);
  return found ? found->truth() : otherwise;
}

void Taken::finish() const {
  if (next_ < arguments_.positional.size())
    throw ValueError(fmt::format("{}: {} arguments are too many", of_, arguments_.positional.size()));
  for (const auto& [given, value] : arguments_.named)
    if (std::find(used_.begin(), used_.end(), given) == used_.end())
      throw ValueError(fmt::format("{}: there is no argument {}", of_, given));
}

namespace {

const std::string& text_argument(const Value& value, const char* of) {
  if (!value.is_text()) throw ValueError(fmt::format("{} needs text, not a {}", of, value.type()));
  return *value.get<std::string>();
}

Value list_of(std::vector<std::string> texts) {
  std::vector<Value> items;
  for (std::string& text : texts) items.emplace_back(std::move(text));
  return {std::move(items), List::Kind::list};
}

Value pair_of(const Value& key, const Value& value) {
  return {std::vector<Value>{key, value}, List::Kind::tuple};
}

std::vector<Value> pairs_of(const Dict& dict) {
  std::vector<Value> items;
  for (const auto& [key, value] : dict.items) items.push_back(pair_of(key, value));
  return items;
}

/// The member of members that `attribute` names: "a.b", or an index.
Value by_attribute(Value value, const Value& attribute, const Value* otherwise = nullptr) {
  const auto item = [&](const Value& of, const Value& index) {
    Value found = item_of(of, index);
    return found.is_undefined() && otherwise && !otherwise->is_none() ? *otherwise : found;
  };
  if (!attribute.is_text()) return item(value, attribute);
  std::string_view rest = *attribute.get<std::string>();
  while (true) {
    const auto dot = rest.find('.');
    const std::string part(rest.substr(0, dot));
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool number = error == std::errc() && end == part.data() + part.size() && index >= 0;
    value = item(value, number ? Value(index) : Value(part));
    if (dot == rest.npos) return value;
    rest.remove_prefix(dot + 1);
  }
}

/// The text without single _ between digits, which Python allows there.
std::string without_separators(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    if (text[i] != '_' || i == 0 || !digit(i - 1) || !digit(i + 1)) out += text[i];
  }
  return out;
}

/// A number in a text as Python reads it, without names such as inf.
std::optional<double> parsed_number(std::string_view given) {
  const std::string plain = without_separators(stripped(given, true, true));
  std::string_view text = plain;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != text.npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parsed_integer(std::string_view given) {
  const std::string plain = without_separators(stripped(given, true, true));
  std::string_view text = plain;
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What texts are compared by where their case is ignored.
Value folded(const Value& value, bool case_sensitive) {
  return value.is_text() && !case_sensitive ? Value(lower(*value.get<std::string>(), "sorting")) : value;
}

using Filter = Value (*)(const Value&, Arguments&);

Value filter_default(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "default");
  const Value* otherwise = taken.optional("default_value");
  const bool boolean = taken.boolean("boolean", false);
  taken.finish();
  return value.is_undefined() || (boolean && !value.truth()) ? (otherwise ? *otherwise : Value("")) : value;
}

Value filter_length(const Value& value, Arguments& arguments) {
  Taken(arguments, "length").finish();
  return value.length();
}

Value filter_trim(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "trim");
  const Value* set = taken.optional("chars");
  taken.finish();
  const std::string text = value.text();
  return std::string(set && !set->is_none() ? stripped(text, true, true, text_argument(*set, "trim"))
                                            : stripped(text, true, true));
}

Value filter_tojson(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "tojson");
  JsonStyle style;
  style.ascii = taken.boolean("ensure_ascii", false);
  if (const Value* indent = taken.optional("indent"); indent && !indent->is_none()) {
    if (!indent->integer() || *indent->integer() > 100)
      throw ValueError("tojson: indent is no small integer");
    style.indent = static_cast<int>(std::max<std::int64_t>(*indent->integer(), 0));
    style.between_items = ",";
  }
  if (const Value* separators = taken.optional("separators"); separators && !separators->is_none()) {
    const auto parts = separators->iterate();
    if (parts.size() != 2) throw ValueError("tojson: separators are two texts");
    style.between_items = text_argument(parts[0], "tojson");
    style.after_key = text_argument(parts[1], "tojson");
  }
  style.sort_keys = taken.boolean("sort_keys", false);
  taken.finish();
  return to_json(value, style);
}

Value filter_join(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "join");
  const Value* between = taken.optional("d");
  const Value* attribute = taken.optional("attribute");
  taken.finish();
  std::string out;
  bool first = true;
  for (const Value& item : value.iterate()) {
    if (!first && between) out += between->text();
    first = false;
    check_length(out.size());
    out += (attribute && !attribute->is_none() ? by_attribute(item, *attribute) : item).text();
  }
  return out;
}

Value filter_case(const Value& value, Arguments& arguments, const char* name) {
  Taken(arguments, name).finish();
  const std::string text = value.text(), of = name;
  if (of == "upper") return upper(text, name);
  if (of == "lower") return lower(text, name);
  std::string low = lower(text, name);
  if (of == "capitalize") {
    if (!low.empty()) low[0] = upper(low.substr(0, 1), name)[0];
    return low;
  }
  bool begins = true;  // words begin after blanks, hyphens and brackets
  for (char& c : low) {
    const bool between = std::string_view("-({[<").find(c) != std::string_view::npos ||
                         stripped(std::string(1, c), true, false).empty();
    if (begins && !between) c = upper(std::string(1, c), name)[0];
    begins = between;
  }
  return low;
}

Value filter_list(const Value& value, Arguments& arguments) {
  Taken(arguments, "list").finish();
  return {value.iterate(), List::Kind::list};
}

Value filter_items(const Value& value, Arguments& arguments) {
  Taken(arguments, "items").finish();
  if (value.is_undefined()) return {std::vector<Value>{}, List::Kind::generator};
  if (!value.dict()) throw ValueError(fmt::format("items needs a mapping, not a {}", value.type()));
  return {pairs_of(*value.dict()), List::Kind::generator};
}

Value filter_first(const Value& value, Arguments& arguments) {
  Taken(arguments, "first").finish();
  const auto items = value.iterate();
  return items.empty() ? Value::undefined("the first of nothing") : items.front();
}

Value filter_last(const Value& value, Arguments& arguments) {
  Taken(arguments, "last").finish();
  if (const auto* list = value.list(); list && list->kind == List::Kind::generator)
    throw ValueError("last needs a list, not a generator");
  const auto items = value.iterate();
  return items.empty() ? Value::undefined("the last of nothing") : items.back();
}

Value filter_string(const Value& value, Arguments& arguments) {
  Taken(arguments, "string").finish();
  return value.text();
}

Value filter_int(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "int");
  const std::int64_t otherwise = taken.integer("default", 0);
  if (taken.integer("base", 10) != 10) throw ValueError("int: only the base 10 is supported");
  taken.finish();
  if (value.is_undefined()) throw ValueError(fmt::format("'{}' is undefined", value.get<Undefined>()->name));
  if (const auto whole = value.integer()) return *whole;
  std::optional<double> number = value.number();
  if (value.is_text()) {
    if (const auto whole = parsed_integer(*value.get<std::string>())) return *whole;
    number = parsed_number(*value.get<std::string>());
  }
  if (!number || std::isnan(*number)) return otherwise;
  if (std::abs(*number) > 9e18) throw ValueError("int: the number is too large");
  return static_cast<std::int64_t>(*number);
}

Value filter_float(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "float");
  const Value* otherwise = taken.optional("default");
  taken.finish();
  if (value.is_undefined()) throw ValueError(fmt::format("'{}' is undefined", value.get<Undefined>()->name));
  if (const auto number = value.number()) return *number;
  if (value.is_text())
    if (const auto number = parsed_number(*value.get<std::string>())) return *number;
  return otherwise ? *otherwise : Value(0.0);
}

Value filter_replace(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "replace");
  const std::string from = taken.required("old").text(), to = taken.required("new").text();
  const Value* count = taken.optional("count");
  taken.finish();
  return replaced(value.text(), from, to, count && count->integer() ? *count->integer() : -1);
}

Value filter_reverse(const Value& value, Arguments& arguments) {
  Taken(arguments, "reverse").finish();
  auto items = value.iterate();
  std::reverse(items.begin(), items.end());
  if (!value.is_text()) return {std::move(items), List::Kind::generator};
  std::string out;
  for (const Value& item : items) out += item.text();
  return out;
}

Value filter_sort(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "sort");
  const bool reverse = taken.boolean("reverse", false), sensitive = taken.boolean("case_sensitive", false);
  const Value* attribute = taken.optional("attribute");
  taken.finish();
  auto items = value.iterate();
  const auto key = [&](const Value& item) {
    return folded(attribute && !attribute->is_none() ? by_attribute(item, *attribute) : item, sensitive);
  };
  std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
    return reverse ? less(key(b), key(a)) : less(key(a), key(b));
  });
  return {std::move(items), List::Kind::list};
}

Value filter_dictsort(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "dictsort");
  const bool sensitive = taken.boolean("case_sensitive", false);
  const std::string by = taken.text("by", "key");
  const bool reverse = taken.boolean("reverse", false);
  taken.finish();
  if (!value.dict()) throw ValueError(fmt::format("dictsort needs a mapping, not a {}", value.type()));
  if (by != "key" && by != "value") throw ValueError("dictsort: by is \"key\" or \"value\"");
  auto items = pairs_of(*value.dict());
  const auto key = [&](const Value& item) {
    return folded(item.list()->items[by == "key" ? 0 : 1], sensitive);
  };
  std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
    return reverse ? less(key(b), key(a)) : less(key(a), key(b));
  });
  return {std::move(items), List::Kind::list};
}

Value filter_unique(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "unique");
  const bool sensitive = taken.boolean("case_sensitive", false);
  const Value* attribute = taken.optional("attribute");
  taken.finish();
  std::vector<Value> seen, kept;
  for (const Value& item : value.iterate()) {
    const Value key =
        folded(attribute && !attribute->is_none() ? by_attribute(item, *attribute) : item, sensitive);
    if (key.dict() || (key.list() && key.list()->kind == List::Kind::list))
      throw ValueError(fmt::format("unique: a {} can't be looked up", key.type()));
    if (std::any_of(seen.begin(), seen.end(), [&](const Value& one) { return equal(one, key); })) continue;
    seen.push_back(key);
    kept.push_back(item);
  }
  return {std::move(kept), List::Kind::generator};
}

Value filter_indent(const Value& value, Arguments& arguments) {
  Taken taken(arguments, "indent");
  std::string by(4, ' ');
  if (const Value* width = taken.optional("width")) {
    if (width->is_text())
      by = *width->get<std::string>();
    else if (width->integer() && *width->integer() <= 1000)
      by = std::string(static_cast<std::size_t>(std::max<std::int64_t>(*width->integer(), 0)), ' ');
    else
      throw ValueError("indent: width is text or a small integer");
  }
  const bool first = taken.boolean("first", false), blank = taken.boolean("blank", false);
  taken.finish();
  std::string out;
  bool begun = false;
  for (const std::string& line : lines(value.text() + "\n")) {
    if (begun) out += "\n";
    check_length(out.size());
    if (begun ? blank || !line.empty() : first) out += by;
    out += line;
    begun = true;
  }
  return out;
}

/// map, and what keeps some items of a list.
Value filter_map(const Value& value, Arguments& arguments) {
  std::vector<Value> out;
  if (arguments.positional.empty()) {
    Taken taken(arguments, "map");
    const Value* attribute = nullptr;
    const Value* otherwise = nullptr;
    for (const auto& [name, given] : arguments.named) {
      if (name == "attribute")
        attribute = &given;
      else if (name == "default")
        otherwise = &given;
      else
        throw ValueError(fmt::format("map: there is no argument {}", name));
    }
    if (!attribute) throw ValueError("map needs a filter's name or attribute = …");
    for (const Value& item : value.iterate()) out.push_back(by_attribute(item, *attribute, otherwise));
  } else {
    const std::string name = text_argument(arguments.positional.front(), "map");
    if (!is_filter(name)) throw ValueError(fmt::format("there is no filter {} here", name));
    for (const Value& item : value.iterate()) {
      Arguments rest{{arguments.positional.begin() + 1, arguments.positional.end()}, arguments.named};
      out.push_back(apply_filter(name, item, rest));
    }
  }
  return {std::move(out), List::Kind::generator};
}

Value chosen(const Value& value, Arguments& arguments, const char* of, bool by_member, bool wanted) {
  if (!arguments.named.empty())
    throw ValueError(fmt::format("{}: arguments with names are not supported", of));
  std::size_t at = 0;
  const Value* attribute = nullptr;
  if (by_member) {
    if (arguments.positional.empty()) throw ValueError(fmt::format("{} needs a member's name", of));
    attribute = &arguments.positional[at++];
  }
  std::string test;
  if (at < arguments.positional.size()) {
    test = text_argument(arguments.positional[at++], of);
    if (!is_test(test)) throw ValueError(fmt::format("there is no test {} here", test));
  }
  std::vector<Value> kept;
  for (const Value& item : value.iterate()) {
    const Value judged = attribute ? by_attribute(item, *attribute) : item;
    Arguments rest{
        {arguments.positional.begin() + static_cast<std::ptrdiff_t>(at), arguments.positional.end()}, {}};
    const bool holds = test.empty() ? judged.truth() : apply_test(test, judged, rest);
    if (holds == wanted) kept.push_back(item);
  }
  return {std::move(kept), List::Kind::generator};
}

Value filter_abs(const Value& value, Arguments& arguments) {
  Taken(arguments, "abs").finish();
  if (const auto whole = value.integer()) {
    if (*whole == INT64_MIN) throw ValueError("an integer beyond 64 bits");
    return std::abs(*whole);
  }
  if (const auto number = value.number()) return std::abs(*number);
  throw ValueError(fmt::format("abs needs a number, not a {}", value.type()));
}

const std::map<std::string, Filter>& filters() {
  static const std::map<std::string, Filter> all = {
      {"abs", filter_abs},
      {"capitalize", [](const Value& v, Arguments& a) { return filter_case(v, a, "capitalize"); }},
      {"count", filter_length},
      {"d", filter_default},
      {"default", filter_default},
      {"dictsort", filter_dictsort},
      {"first", filter_first},
      {"float", filter_float},
      {"indent", filter_indent},
      {"int", filter_int},
      {"items", filter_items},
      {"join", filter_join},
      {"last", filter_last},
      {"length", filter_length},
      {"list", filter_list},
      {"lower", [](const Value& v, Arguments& a) { return filter_case(v, a, "lower"); }},
      {"map", filter_map},
      {"reject", [](const Value& v, Arguments& a) { return chosen(v, a, "reject", false, false); }},
      {"rejectattr", [](const Value& v, Arguments& a) { return chosen(v, a, "rejectattr", true, false); }},
      {"replace", filter_replace},
      {"reverse", filter_reverse},
      {"select", [](const Value& v, Arguments& a) { return chosen(v, a, "select", false, true); }},
      {"selectattr", [](const Value& v, Arguments& a) { return chosen(v, a, "selectattr", true, true); }},
      {"sort", filter_sort},
      {"string", filter_string},
      {"title", [](const Value& v, Arguments& a) { return filter_case(v, a, "title"); }},
      {"tojson", filter_tojson},
      {"trim", filter_trim},
      {"unique", filter_unique},
      {"upper", [](const Value& v, Arguments& a) { return filter_case(v, a, "upper"); }},
  };
  return all;
}

std::int64_t whole(const Value& value, const char* of) {
  if (!value.integer()) throw ValueError(fmt::format("{} needs an integer, not a {}", of, value.type()));
  return *value.integer();
}

/// Tests without an argument, and with one.
const std::map<std::string, bool (*)(const Value&)>& plain_tests() {
  static const std::map<std::string, bool (*)(const Value&)> all = {
      {"boolean", [](const Value& v) { return v.get<bool>() != nullptr; }},
      {"callable", [](const Value& v) { return v.object() && v.object()->call; }},
      {"defined", [](const Value& v) { return !v.is_undefined(); }},
      {"even", [](const Value& v) { return whole(v, "even") % 2 == 0; }},
      {"false", [](const Value& v) { return v.get<bool>() && !*v.get<bool>(); }},
      {"float", [](const Value& v) { return v.get<double>() != nullptr; }},
      {"integer", [](const Value& v) { return v.get<std::int64_t>() != nullptr; }},
      {"iterable", [](const Value& v) { return v.is_undefined() || v.is_text() || v.list() || v.dict(); }},
      {"mapping", [](const Value& v) { return v.dict() != nullptr; }},
      {"none", [](const Value& v) { return v.is_none(); }},
      {"number", [](const Value& v) { return v.number().has_value(); }},
      {"odd", [](const Value& v) { return whole(v, "odd") % 2 != 0; }},
      {"sequence",
       [](const Value& v) {
         return v.is_undefined() || v.is_text() || v.dict() ||
                (v.list() && v.list()->kind <= List::Kind::tuple);
       }},
      {"string", [](const Value& v) { return v.is_text(); }},
      {"true", [](const Value& v) { return v.get<bool>() && *v.get<bool>(); }},
      {"undefined", [](const Value& v) { return v.is_undefined(); }},
  };
  return all;
}

const std::map<std::string, bool (*)(const Value&, const Value&)>& tests_with_argument() {
  using Test = bool (*)(const Value&, const Value&);
  static const Test same = [](const Value& a, const Value& b) { return equal(a, b); };
  static const Test different = [](const Value& a, const Value& b) { return !equal(a, b); };
  static const Test below = [](const Value& a, const Value& b) { return less(a, b); };
  static const Test above = [](const Value& a, const Value& b) { return less(b, a); };
  static const Test at_most = [](const Value& a, const Value& b) { return !less(b, a); };
  static const Test at_least = [](const Value& a, const Value& b) { return !less(a, b); };
  static const std::map<std::string, Test> all = {
      {"==", same},
      {"eq", same},
      {"equalto", same},
      {"!=", different},
      {"ne", different},
      {"<", below},
      {"lt", below},
      {"lessthan", below},
      {">", above},
      {"gt", above},
      {"greaterthan", above},
      {"<=", at_most},
      {"le", at_most},
      {">=", at_least},
      {"ge", at_least},
      {"in", [](const Value& a, const Value& b) { return contains(b, a); }},
      {"divisibleby",
       [](const Value& a, const Value& b) {
         const std::int64_t by = whole(b, "divisibleby");
         if (by == 0 || by == -1) {
           if (by == 0) throw ValueError("divisibleby 0");
           return true;
         }
         return whole(a, "divisibleby") % by == 0;
       }},
      {"sameas",
       [](const Value& a, const Value& b) {
         if (a.is_none() || b.is_none()) return a.is_none() && b.is_none();
         if (a.get<bool>() || b.get<bool>()) return a.get<bool>() && b.get<bool>() && equal(a, b);
         throw ValueError("sameas is supported for true, false and none alone");
       }},
  };
  return all;
}

// --- methods ---

using Method = Value (*)(const Value& self, Arguments&);

bool affix(const Value& self, Arguments& arguments, const char* of, bool at_end) {
  Taken taken(arguments, of);
  const Value& wanted = taken.required("prefix");
  taken.finish();
  const std::string& text = *self.get<std::string>();
  const auto has = [&](const Value& one) {
    const std::string& part = text_argument(one, of);
    return at_end ? text.ends_with(part) : text.starts_with(part);
  };
  if (const auto* tuple = wanted.list(); tuple && tuple->kind == List::Kind::tuple)
    return std::any_of(tuple->items.begin(), tuple->items.end(), has);
  return has(wanted);
}

Value strip(const Value& self, Arguments& arguments, bool left, bool right) {
  Taken taken(arguments, "strip");
  const Value* set = taken.optional("chars");
  taken.finish();
  const std::string& text = *self.get<std::string>();
  return std::string(set && !set->is_none() ? stripped(text, left, right, text_argument(*set, "strip"))
                                            : stripped(text, left, right));
}

Value split_method(const Value& self, Arguments& arguments, bool from_right) {
  Taken taken(arguments, "split");
  const Value* separator = taken.optional("sep");
  const std::int64_t most = taken.integer("maxsplit", -1);
  taken.finish();
  std::optional<std::string> at;
  if (separator && !separator->is_none()) at = text_argument(*separator, "split");
  return list_of(split(*self.get<std::string>(), at, most, from_right));
}

const std::map<std::string, Method>& text_methods() {
  static const std::map<std::string, Method> all = {
      {"strip", [](const Value& s, Arguments& a) { return strip(s, a, true, true); }},
      {"lstrip", [](const Value& s, Arguments& a) { return strip(s, a, true, false); }},
      {"rstrip", [](const Value& s, Arguments& a) { return strip(s, a, false, true); }},
      {"split", [](const Value& s, Arguments& a) { return split_method(s, a, false); }},
      {"rsplit", [](const Value& s, Arguments& a) { return split_method(s, a, true); }},
      {"splitlines",
       [](const Value& s, Arguments& a) {
         Taken(a, "splitlines").finish();
         return list_of(lines(*s.get<std::string>()));
       }},
      {"startswith", [](const Value& s, Arguments& a) { return Value(affix(s, a, "startswith", false)); }},
      {"endswith", [](const Value& s, Arguments& a) { return Value(affix(s, a, "endswith", true)); }},
      {"removeprefix",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "removeprefix");
         const std::string part = text_argument(taken.required("prefix"), "removeprefix");
         taken.finish();
         const std::string& text = *s.get<std::string>();
         return Value(text.starts_with(part) ? text.substr(part.size()) : text);
       }},
      {"removesuffix",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "removesuffix");
         const std::string part = text_argument(taken.required("suffix"), "removesuffix");
         taken.finish();
         const std::string& text = *s.get<std::string>();
         return Value(text.ends_with(part) ? text.substr(0, text.size() - part.size()) : text);
       }},
      {"replace",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "replace");
         const std::string from = text_argument(taken.required("old"), "replace");
         const std::string to = text_argument(taken.required("new"), "replace");
         const std::int64_t count = taken.integer("count", -1);
         taken.finish();
         return Value(replaced(*s.get<std::string>(), from, to, count));
       }},
      {"upper", [](const Value& s, Arguments& a) { return filter_case(s, a, "upper"); }},
      {"lower", [](const Value& s, Arguments& a) { return filter_case(s, a, "lower"); }},
      {"abs", filter_abs},
      {"capitalize", [](const Value& s, Arguments& a) { return filter_case(s, a, "capitalize"); }},
      {"title",
       [](const Value& s, Arguments& a) {
         Taken(a, "title").finish();
         return Value(title(*s.get<std::string>()));
       }},
      {"find",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "find");
         const std::string part = text_argument(taken.required("sub"), "find");
         taken.finish();
         const std::string& text = *s.get<std::string>();
         const auto found = text.find(part);
         return Value(found == text.npos ? std::int64_t{-1} : Value(text.substr(0, found)).length());
       }},
      {"count",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "count");
         const std::string part = text_argument(taken.required("sub"), "count");
         taken.finish();
         const std::string& text = *s.get<std::string>();
         if (part.empty()) return Value(s.length() + 1);
         std::int64_t count = 0;
         for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
         return Value(count);
       }},
      {"join",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "join");
         const auto parts = taken.required("iterable").iterate();
         taken.finish();
         std::string out;
         for (std::size_t i = 0; i < parts.size(); ++i) {
           check_length(out.size());
           out += (i ? *s.get<std::string>() : "") + text_argument(parts[i], "join");
         }
         return Value(out);
       }},
  };
  return all;
}

const std::map<std::string, Method>& dict_methods() {
  static const std::map<std::string, Method> all = {
      {"items",
       [](const Value& s, Arguments& a) {
         Taken(a, "items").finish();
         return Value(pairs_of(*s.dict()), List::Kind::view);
       }},
      {"keys",
       [](const Value& s, Arguments& a) {
         Taken(a, "keys").finish();
         return Value(s.iterate(), List::Kind::view);
       }},
      {"values",
       [](const Value& s, Arguments& a) {
         Taken(a, "values").finish();
         std::vector<Value> out;
         for (const auto& [key, value] : s.dict()->items) out.push_back(value);
         return Value(std::move(out), List::Kind::view);
       }},
      {"get",
       [](const Value& s, Arguments& a) {
         Taken taken(a, "get");
         const Value key = taken.required("key");
         const Value* otherwise = taken.optional("default");
         taken.finish();
         const Value* found = s.dict()->find(key);
         return found ? *found : otherwise ? *otherwise : Value();
       }},
  };
  return all;
}

/// The other methods that Python's type has: with these names a template means the method.
const std::set<std::string>& other_methods(const Value& value) {
  static const std::set<std::string> text = {
      "casefold",     "center",     "encode",    "expandtabs",  "format",    "format_map",
      "index",        "isalnum",    "isalpha",   "isascii",     "isdecimal", "isdigit",
      "isidentifier", "islower",    "isnumeric", "isprintable", "isspace",   "istitle",
      "isupper",      "ljust",      "maketrans", "partition",   "rfind",     "rindex",
      "rjust",        "rpartition", "swapcase",  "translate",   "zfill"};
  static const std::set<std::string> dict = {"clear",   "copy",       "fromkeys", "pop",
                                             "popitem", "setdefault", "update"};
  static const std::set<std::string> list = {"append", "clear", "copy",   "count",   "extend", "index",
                                             "insert", "pop",   "remove", "reverse", "sort"};
  static const std::set<std::string> number = {
      "as_integer_ratio", "bit_count", "bit_length", "conjugate", "denominator",
      "from_bytes",       "fromhex",   "hex",        "imag",      "is_integer",
      "numerator",        "real",      "to_bytes"};
  static const std::set<std::string> none;
  return value.is_text() ? text : value.dict() ? dict : value.list() ? list : value.number() ? number : none;
}

/// The value's method; nothing when it has none of that name.
std::optional<Value> method_of(const Value& value, const std::string& name) {
  const std::map<std::string, Method>* methods = value.is_text() ? &text_methods()
                                                 : value.dict()  ? &dict_methods()
                                                                 : nullptr;
  if (methods)
    if (const auto found = methods->find(name); found != methods->end()) {
      const Method method = found->second;
      return Value(std::make_shared<Object>(
          Object{name, [value, method](Arguments& arguments) { return method(value, arguments); }, {}}));
    }
  if (other_methods(value).contains(name) || name.starts_with("__"))
    throw ValueError(fmt::format("the method {} of a {} is not supported", name, value.type()));
  return std::nullopt;
}

/// The entry; nothing when there is none.
std::optional<Value> entry_of(const Value& value, const Value& index) {
  if (const auto* dict = value.dict()) {
    if (const Value* found = index.list() || index.dict() ? nullptr : dict->find(index)) return *found;
    return std::nullopt;
  }
  const auto place = index.get<double>() ? std::nullopt : index.integer();
  if (!place) return std::nullopt;
  const auto pick = [&](std::int64_t size) { return *place < 0 ? *place + size : *place; };
  if (const auto* list = value.list(); list && list->kind <= List::Kind::tuple) {
    const auto size = static_cast<std::int64_t>(list->items.size());
    const auto at = pick(size);
    if (at >= 0 && at < size) return list->items[static_cast<std::size_t>(at)];
  } else if (const auto* text = value.get<std::string>()) {
    const auto all = characters(*text);
    const auto at = pick(static_cast<std::int64_t>(all.size()));
    if (at >= 0 && at < static_cast<std::int64_t>(all.size()))
      return Value(all[static_cast<std::size_t>(at)]);
  }
  return std::nullopt;
}

void need_defined(const Value& value) {
  if (value.is_undefined()) throw ValueError(fmt::format("'{}' is undefined", value.get<Undefined>()->name));
}

}  // namespace

bool is_filter(const std::string& name) { return filters().contains(name); }
bool is_test(const std::string& name) {
  return plain_tests().contains(name) || tests_with_argument().contains(name);
}

Value apply_filter(const std::string& name, const Value& value, Arguments& arguments) {
  return filters().at(name)(value, arguments);
}

bool apply_test(const std::string& name, const Value& value, Arguments& arguments) {
  const auto plain = plain_tests().find(name);
  if (arguments.positional.size() != (plain == plain_tests().end() ? 1U : 0U))
    throw ValueError(fmt::format("the test {} has another number of arguments", name));
  return plain != plain_tests().end() ? plain->second(value)
                                      : tests_with_argument().at(name)(value, arguments.positional.front());
}

Value member_of(const Value& value, const std::string& name) {
  need_defined(value);
  if (const auto* object = value.object()) {
    if (!object->member)
      throw ValueError(fmt::format("the member {} of {} is not supported", name, object->name));
    return object->member(name);
  }
  if (const auto* space = value.get<std::shared_ptr<Namespace>>()) {
    const Value* found = (*space)->members.find(name);
    return found ? *found : Value::undefined(name);
  }
  if (auto method = method_of(value, name)) return *method;
  if (auto entry = entry_of(value, name)) return *entry;
  return Value::undefined(name);
}

Value item_of(const Value& value, const Value& index) {
  need_defined(value);
  if (value.object() || value.get<std::shared_ptr<Namespace>>()) {
    if (!index.is_text()) return Value::undefined(index.type());
    return member_of(value, *index.get<std::string>());
  }
  if (auto entry = entry_of(value, index)) return *entry;
  if (index.is_text())
    if (auto method = method_of(value, *index.get<std::string>())) return *method;
  return Value::undefined(index.is_text() ? *index.get<std::string>() : "an index");
}

}  // namespace trl::runtime::chat

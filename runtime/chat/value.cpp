#include "runtime/chat/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trl::runtime::chat {

namespace {

/// Guards what goes through a value: it must end soon, also where one list holds another a hundred times
/// over.
class Visit {
 public:
  Visit() {
    if (depth_ == 0) visits_ = 0;
    if (++depth_ > 200 || ++visits_ > 2'000'000) {
      --depth_;
      throw ValueError("lists and mappings lie too deep in each other");
    }
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() { --depth_; }

 private:
  static thread_local int depth_, visits_;
};
thread_local int Visit::depth_ = 0;
thread_local int Visit::visits_ = 0;

std::size_t utf8_length(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80)
      throw ValueError(
          "a list or mapping that holds text beyond ASCII is written as Python shows it; use tojson");
    if (c == quote || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + quote;
}

std::string json_text(const std::string& text, bool ascii) {
  std::string out = "\"";
  for (const std::string& one : characters(text)) {
    const auto byte = static_cast<unsigned char>(one[0]);
    if (one == "\"" || one == "\\")
      out += "\\" + one;
    else if (one == "\n")
      out += "\\n";
    else if (one == "\r")
      out += "\\r";
    else if (one == "\t")
      out += "\\t";
    else if (one == "\b")
      out += "\\b";
    else if (one == "\f")
      out += "\\f";
    else if (byte < 0x20)
      out += fmt::format("\\u{:04x}", byte);
    else if (ascii && byte >= 0x80)
      throw ValueError("tojson(ensure_ascii = true) of text beyond ASCII is not supported");
    else
      out += one;
  }
  return out + "\"";
}

}  // namespace

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::min(utf8_length(static_cast<unsigned char>(text[at])), text.size() - at);
    out.emplace_back(text.substr(at, length));
    at += length;
  }
  return out;
}

const Value* Dict::find(const Value& key) const {
  for (const auto& [name, value] : items)
    if (equal(name, key)) return &value;
  return nullptr;
}

void Dict::set(const Value& key, Value value) {
  for (auto& [name, old] : items) {
    if (!equal(name, key)) continue;
    old = std::move(value);
    return;
  }
  items.emplace_back(key, std::move(value));
}

Value Value::from_json(const nlohmann::ordered_json& json) {
  switch (json.type()) {
    case nlohmann::ordered_json::value_t::boolean:
      return json.get<bool>();
    case nlohmann::ordered_json::value_t::number_unsigned:
      if (json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        throw ValueError(fmt::format("the number {} is too large", json.get<std::uint64_t>()));
      return json.get<std::int64_t>();
    case nlohmann::ordered_json::value_t::number_integer:
      return json.get<std::int64_t>();
    case nlohmann::ordered_json::value_t::number_float:
      return json.get<double>();
    case nlohmann::ordered_json::value_t::string:
      return json.get<std::string>();
    case nlohmann::ordered_json::value_t::array: {
      auto list = std::make_shared<List>();
      for (const auto& item : json) list->items.push_back(from_json(item));
      return list;
    }
    case nlohmann::ordered_json::value_t::object: {
      auto dict = std::make_shared<Dict>();
      for (const auto& [name, item] : json.items()) dict->items.emplace_back(name, from_json(item));
      return dict;
    }
    default:
      return None{};
  }
}

const List* Value::list() const {
  const auto* held = get<std::shared_ptr<List>>();
  return held ? held->get() : nullptr;
}
const Dict* Value::dict() const {
  const auto* held = get<std::shared_ptr<Dict>>();
  return held ? held->get() : nullptr;
}
const Object* Value::object() const {
  const auto* held = get<std::shared_ptr<Object>>();
  return held ? held->get() : nullptr;
}

std::optional<std::int64_t> Value::integer() const {
  if (const auto* boolean = get<bool>()) return *boolean ? 1 : 0;
  if (const auto* number = get<std::int64_t>()) return *number;
  return std::nullopt;
}

std::optional<double> Value::number() const {
  if (const auto* number = get<double>()) return *number;
  if (const auto whole = integer()) return static_cast<double>(*whole);
  return std::nullopt;
}

bool Value::truth() const {
  if (is_undefined() || is_none()) return false;
  if (const auto value = number()) return *value != 0;
  if (const auto* text = get<std::string>()) return !text->empty();
  if (const auto* items = list()) return items->kind == List::Kind::generator || !items->items.empty();
  if (const auto* items = dict()) return !items->items.empty();
  return true;
}

std::string Value::type() const {
  if (is_undefined()) return "undefined";
  if (is_none()) return "NoneType";
  if (get<bool>()) return "bool";
  if (get<std::int64_t>()) return "int";
  if (get<double>()) return "float";
  if (is_text()) return "str";
  if (dict()) return "dict";
  if (const auto* items = list()) {
    return items->kind == List::Kind::list    ? "list"
           : items->kind == List::Kind::tuple ? "tuple"
           : items->kind == List::Kind::view  ? "view of a dict"
                                              : "generator";
  }
  return get<std::shared_ptr<Namespace>>() ? "namespace" : "function";
}

std::string Value::text() const {
  if (is_undefined()) return "";
  if (const auto* text = get<std::string>()) return *text;
  return repr();
}

std::string Value::repr() const {
  const Visit visit;
  if (is_undefined()) return "Undefined";
  if (is_none()) return "None";
  if (const auto* boolean = get<bool>()) return *boolean ? "True" : "False";
  if (const auto* whole = get<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = get<double>()) return python_number(*number);
  if (const auto* text = get<std::string>()) return quoted(*text);
  if (const auto* items = list(); items && items->kind <= List::Kind::tuple) {
    std::string out;
    for (const Value& item : items->items) out += (out.empty() ? "" : ", ") + item.repr();
    if (items->kind == List::Kind::list) return "[" + out + "]";
    return "(" + out + (items->items.size() == 1 ? ",)" : ")");
  }
  if (const auto* items = dict()) {
    std::string out;
    for (const auto& [key, value] : items->items)
      out += (out.empty() ? "" : ", ") + key.repr() + ": " + value.repr();
    return "{" + out + "}";
  }
  throw ValueError(fmt::format("a {} can't be written as text", type()));
}

std::int64_t Value::length() const {
  if (is_undefined()) return 0;
  if (const auto* text = get<std::string>()) return static_cast<std::int64_t>(characters(*text).size());
  if (const auto* items = list(); items && items->kind != List::Kind::generator)
    return static_cast<std::int64_t>(items->items.size());
  if (const auto* items = dict()) return static_cast<std::int64_t>(items->items.size());
  throw ValueError(fmt::format("a {} has no length", type()));
}

std::vector<Value> Value::iterate() const {
  if (is_undefined()) return {};
  if (const auto* items = get<std::shared_ptr<List>>()) {
    if ((*items)->kind == List::Kind::generator) return std::exchange((*items)->items, {});
    return (*items)->items;
  }
  std::vector<Value> out;
  if (const auto* text = get<std::string>()) {
    for (std::string& one : characters(*text)) out.emplace_back(std::move(one));
    return out;
  }
  if (const auto* items = dict()) {
    for (const auto& [key, value] : items->items) out.push_back(key);
    return out;
  }
  throw ValueError(fmt::format("a {} is no list that can be gone through", type()));
}

void check_length(std::size_t text, std::size_t items) {
  if (text > kLongestText) throw ValueError("a text becomes longer than 8 MiB");
  if (items > kLongestList) throw ValueError("a list becomes longer than a million items");
}

bool equal(const Value& a, const Value& b) {
  const Visit visit;
  if (const auto x = a.integer(), y = b.integer(); x && y) return *x == *y;
  if (const auto x = a.number(), y = b.number(); x && y) return *x == *y;
  if (a.is_undefined() || b.is_undefined()) return a.is_undefined() && b.is_undefined();
  if (a.is_none() || b.is_none()) return a.is_none() && b.is_none();
  if (a.is_text() || b.is_text())
    return a.is_text() && b.is_text() && *a.get<std::string>() == *b.get<std::string>();
  if (const auto* x = a.list(), *y = b.list(); x && y) {
    if (x == y) return true;
    return x->kind == y->kind && x->kind <= List::Kind::tuple &&
           std::equal(x->items.begin(), x->items.end(), y->items.begin(), y->items.end(), equal);
  }
  if (const auto* x = a.dict(), *y = b.dict(); x && y) {
    if (x->items.size() != y->items.size()) return false;
    return std::all_of(x->items.begin(), x->items.end(), [&](const auto& item) {
      const Value* other = y->find(item.first);
      return other && equal(item.second, *other);
    });
  }
  if (a.object() || b.object()) return a.object() == b.object();
  const auto *x = a.get<std::shared_ptr<Namespace>>(), *y = b.get<std::shared_ptr<Namespace>>();
  return x && y && *x == *y;
}

bool less(const Value& a, const Value& b) {
  const Visit visit;
  if (const auto x = a.integer(), y = b.integer(); x && y) return *x < *y;
  if (const auto x = a.number(), y = b.number(); x && y) return *x < *y;
  if (a.is_text() && b.is_text()) return *a.get<std::string>() < *b.get<std::string>();
  if (const auto* x = a.list(), *y = b.list(); x && y && x->kind == y->kind && x->kind <= List::Kind::tuple) {
    for (std::size_t i = 0; i < x->items.size() && i < y->items.size(); ++i)
      if (!equal(x->items[i], y->items[i])) return less(x->items[i], y->items[i]);
    return x->items.size() < y->items.size();
  }
  if (a.is_undefined() || b.is_undefined())
    throw ValueError(fmt::format("'{}' is undefined", (a.is_undefined() ? a : b).get<Undefined>()->name));
  throw ValueError(fmt::format("a {} and a {} can't be put in order", a.type(), b.type()));
}

bool contains(const Value& container, const Value& item) {
  if (const auto* text = container.get<std::string>()) {
    if (!item.is_text())
      throw ValueError(fmt::format("`in` looks for text in text, not for a {}", item.type()));
    return text->find(*item.get<std::string>()) != std::string::npos;
  }
  if (const auto* dict = container.dict()) {
    if (item.list() || item.dict()) throw ValueError(fmt::format("a {} is no key of a mapping", item.type()));
    return dict->find(item) != nullptr;
  }
  const auto items = container.iterate();
  return std::any_of(items.begin(), items.end(), [&](const Value& one) { return equal(one, item); });
}

std::string python_number(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string to_json(const Value& value, const JsonStyle& style, int depth) {
  const Visit visit;
  if (value.is_none()) return "null";
  if (const auto* boolean = value.get<bool>()) return *boolean ? "true" : "false";
  if (const auto* whole = value.get<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = value.get<double>()) {
    if (std::isnan(*number)) return "NaN";
    if (std::isinf(*number)) return *number > 0 ? "Infinity" : "-Infinity";
    return python_number(*number);
  }
  if (const auto* text = value.get<std::string>()) return json_text(*text, style.ascii);
  const auto line = [&](int level) {
    return style.indent < 0 ? std::string()
                            : "\n" + std::string(static_cast<std::size_t>(level * style.indent), ' ');
  };
  std::string out;
  if (const auto* list = value.list(); list && list->kind <= List::Kind::tuple) {
    for (const Value& item : list->items)
      out += (out.empty() ? "" : style.between_items) + line(depth + 1) + to_json(item, style, depth + 1);
    return out.empty() ? "[]" : "[" + out + line(depth) + "]";
  }
  if (const auto* dict = value.dict()) {
    auto items = dict->items;
    if (style.sort_keys)
      std::stable_sort(items.begin(), items.end(),
                       [](const auto& a, const auto& b) { return less(a.first, b.first); });
    for (const auto& [key, item] : items) {
      std::string name;
      if (key.is_text())
        name = *key.get<std::string>();
      else if (key.is_none() || key.number())
        name = to_json(key, style);
      else
        throw ValueError(fmt::format("a {} is no key of JSON", key.type()));
      out += (out.empty() ? "" : style.between_items) + line(depth + 1) + json_text(name, style.ascii) +
             style.after_key + to_json(item, style, depth + 1);
    }
    return out.empty() ? "{}" : "{" + out + line(depth) + "}";
  }
  throw ValueError(fmt::format("a {} can't be written as JSON", value.type()));
}

}  // namespace trl::runtime::chat

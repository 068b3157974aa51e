// Values of templates: Python's, as far as Jinja's templates see them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trl::runtime::chat {

/// What went wrong in an expression; `render` adds the place.
struct ValueError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Value;

/// Longer texts and lists are refused, since a template comes from outside and could double them in a loop.
inline constexpr std::size_t kLongestText = std::size_t{8} << 20;
inline constexpr std::size_t kLongestList = 1'000'000;
/// Throws when a text or list has grown beyond that.
void check_length(std::size_t text, std::size_t items = 0);

/// A name or member that isn't there. It is empty as text and as a list, and its members are errors.
struct Undefined {
  std::string name;
};
struct None {};

struct List {
  /// A generator's items can be gone through once.
  enum class Kind { list, tuple, view, generator } kind = Kind::list;
  std::vector<Value> items;
};
struct Dict {
  std::vector<std::pair<Value, Value>> items;  // in the order of insertion
  const Value* find(const Value& key) const;
  void set(const Value& key, Value value);
};
/// `namespace(…)`: its members can be set from inner scopes.
struct Namespace {
  Dict members;
};
/// Arguments of a call.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
};
/// A macro, a function, a method, or an object with members that are made when asked for.
struct Object {
  std::string name;
  std::function<Value(Arguments&)> call;                   // may be empty
  std::function<Value(const std::string& member)> member;  // may be empty
};

class Value {
 public:
  using Data = std::variant<Undefined, None, bool, std::int64_t, double, std::string, std::shared_ptr<List>,
                            std::shared_ptr<Dict>, std::shared_ptr<Namespace>, std::shared_ptr<Object>>;
  Value() : data_(None{}) {}
  template <typename T>
  requires std::is_constructible_v<Data, T> &&(!std::is_same_v<std::remove_cvref_t<T>, Value>)Value(T&& data)
      : data_(std::forward<T>(data)) {}  // NOLINT(google-explicit-constructor)
  Value(const char* text) : data_(std::string(text)) {}
  Value(std::vector<Value> items, List::Kind kind)
      : data_(std::make_shared<List>(List{kind, std::move(items)})) {}

  static Value undefined(std::string name) { return Undefined{std::move(name)}; }
  static Value from_json(const nlohmann::ordered_json& json);

  template <typename T>
  const T* get() const {
    return std::get_if<T>(&data_);
  }
  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  bool is_text() const { return std::holds_alternative<std::string>(data_); }
  const List* list() const;
  const Dict* dict() const;
  const Object* object() const;
  /// An integer, also of a boolean; nothing otherwise.
  std::optional<std::int64_t> integer() const;
  /// A number as Python's float.
  std::optional<double> number() const;

  /// Python's `bool`.
  bool truth() const;
  /// Python's `str`, and "" of what is undefined. Throws where it would show what Python alone knows.
  std::string text() const;
  /// Python's `repr`.
  std::string repr() const;
  /// Python's `len`. Throws for what has none.
  std::int64_t length() const;
  /// Python's name of the type.
  std::string type() const;
  /// What `for` goes through. Throws for what is no iterable.
  std::vector<Value> iterate() const;

 private:
  Data data_;
};

bool equal(const Value& a, const Value& b);
/// Whether a < b, of numbers, texts and lists. Throws for others.
bool less(const Value& a, const Value& b);
/// Python's `in`.
bool contains(const Value& container, const Value& item);

/// A float as Python writes it: 1.0, 1e-05, inf.
std::string python_number(double number);
/// json.dumps(value, ensure_ascii = False, …). `indent` < 0 is None.
struct JsonStyle {
  int indent = -1;
  std::string between_items = ", ", after_key = ": ";
  bool sort_keys = false, ascii = false;
};
std::string to_json(const Value& value, const JsonStyle& style, int depth = 0);

/// Code points of a text as texts of one each. Bytes that are no UTF-8 are one each.
std::vector<std::string> characters(std::string_view text);

}  // namespace trl::runtime::chat

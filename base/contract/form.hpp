// Conversion between the contract's types and JSON. A type lists its fields once, in
//
//   template <class Form, class Self>
//   static void fields(Form& form, Self& self) { form.field("rank", self.rank); … }
//
// which `Reading` and `Writing` carry out. Fields that a reader doesn't know are passed over.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/contract/words.hpp"

namespace trl::contract {

template <class T>
concept Described = requires(const T& value, const nlohmann::json& input) {
  { T::read(input) } -> std::same_as<T>;
  { value.write() } -> std::same_as<nlohmann::json>;
};

template <class T>
struct Converter {
  static T read(const nlohmann::json& input) {
    if constexpr (std::is_same_v<T, nlohmann::json>) {
      return input;
    } else if constexpr (Described<T>) {
      return T::read(input);
    } else if constexpr (std::is_enum_v<T>) {
      return value_of_word<T>(input);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!input.is_boolean()) throw unexpected(input, "true or false");
      return input.get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
      return integer(input);
    } else if constexpr (std::is_floating_point_v<T>) {
      if (!input.is_number()) throw unexpected(input, "a number");
      return input.get<T>();
    } else {
      static_assert(std::is_same_v<T, std::string>);
      if (!input.is_string()) throw unexpected(input, "a text");
      return input.get<std::string>();
    }
  }
  static nlohmann::json write(const T& value) {
    if constexpr (Described<T>)
      return value.write();
    else if constexpr (std::is_enum_v<T>)
      return word(value);
    else
      return value;
  }

 private:
  static T integer(const nlohmann::json& input) {
    const auto fits = [&](auto number) {
      if (!std::in_range<T>(number)) throw unexpected(input, "an integer that fits");
      return static_cast<T>(number);
    };
    if (input.is_number_unsigned()) return fits(input.get<std::uint64_t>());
    if (input.is_number_integer()) return fits(input.get<std::int64_t>());
    if (input.is_number_float())
      if (const auto number = input.get<double>(); std::abs(number) < 0x1p53 && number == std::floor(number))
        return fits(static_cast<std::int64_t>(number));
    throw unexpected(input, "an integer");
  }
};

template <class T>
struct Converter<std::vector<T>> {
  static std::vector<T> read(const nlohmann::json& input) {
    if (!input.is_array()) throw unexpected(input, "a list");
    std::vector<T> values;
    for (const auto& one : input) {
      try {
        values.push_back(Converter<T>::read(one));
      } catch (const ContractError& error) {
        throw error.inside("[" + std::to_string(values.size()) + "]");
      }
    }
    return values;
  }
  static nlohmann::json write(const std::vector<T>& values) {
    auto list = nlohmann::json::array();
    for (const T& value : values) list.push_back(Converter<T>::write(value));
    return list;
  }
};

template <class T>
struct Converter<std::map<std::string, T>> {
  static std::map<std::string, T> read(const nlohmann::json& input) {
    if (!input.is_object()) throw unexpected(input, "an object");
    std::map<std::string, T> values;
    for (const auto& [name, one] : input.items()) {
      try {
        values.emplace(name, Converter<T>::read(one));
      } catch (const ContractError& error) {
        throw error.inside(name);
      }
    }
    return values;
  }
  static nlohmann::json write(const std::map<std::string, T>& values) {
    auto object = nlohmann::json::object();
    for (const auto& [name, value] : values) object[name] = Converter<T>::write(value);
    return object;
  }
};

template <class First, class Second>
struct Converter<std::pair<First, Second>> {
  static std::pair<First, Second> read(const nlohmann::json& input) {
    if (!input.is_array() || input.size() != 2) throw unexpected(input, "a pair");
    return {Converter<First>::read(input[0]), Converter<Second>::read(input[1])};
  }
  static nlohmann::json write(const std::pair<First, Second>& pair) {
    return nlohmann::json::array(
        {Converter<First>::write(pair.first), Converter<Second>::write(pair.second)});
  }
};

/// Reads the fields of a type from a JSON object.
class Reading {
 public:
  /// Throws ContractError if `object` is no JSON object.
  explicit Reading(const nlohmann::json& object) : object_(object) {
    if (!object.is_object()) throw unexpected(object, "an object");
  }

  /// Reads a field that must be present; throws ContractError otherwise.
  template <class T>
  void field(const char* name, T& value) {
    const auto found = object_.find(name);
    if (found == object_.end()) throw ContractError(name, "needed", "");
    take(name, *found, value);
  }

  /// Reads a field; if it is absent or null, `value` stays unchanged.
  template <class T>
  void field_or(const char* name, T& value) {
    if (const auto* input = there(name)) take(name, *input, value);
  }

  /// Like `field_or`, but null sets `value` to `none`.
  template <class T>
  void field_or_none(const char* name, T& value, const std::type_identity_t<T>& none) {
    if (const auto found = object_.find(name); found != object_.end() && found->is_null()) value = none;
    field_or(name, value);
  }

  /// Reads a field that `Writing` leaves out if it has its default value: if it is absent or null, `value`
  /// becomes `default_value`.
  template <class T>
  void unless(const char* name, T& value, const std::type_identity_t<T>& default_value) {
    value = default_value;
    field_or(name, value);
  }

  /// Reads a field that `Writing` leaves out if it has no value.
  template <class T>
  void if_any(const char* name, std::optional<T>& value) {
    value.reset();
    if (const auto* input = there(name)) take(name, *input, value.emplace());
  }

  /// Reads a field that `Writing` writes as null if it has no value.
  template <class T>
  void or_null(const char* name, std::optional<T>& value) {
    if_any(name, value);
  }
  /// Like the overload above, for a text or number where the empty text or 0 means that there is no value.
  template <class T>
  void or_null(const char* name, T& value) {
    unless(name, value, T{});
  }

  /// Reads a field that `Writing` writes as `{}` if it has no value.
  template <class T>
  void or_empty(const char* name, std::optional<T>& value) {
    value.reset();
    if (const auto* input = there(name); input && !(input->is_object() && input->empty()))
      take(name, *input, value.emplace());
  }

 private:
  const nlohmann::json* there(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  template <class T>
  static void take(const char* name, const nlohmann::json& input, T& value) {
    try {
      value = Converter<T>::read(input);
    } catch (const ContractError& error) {
      throw error.inside(name);
    }
  }
  const nlohmann::json& object_;
};

/// Writes the fields of a type to a JSON object, in the order of `fields` if `Json` keeps an order. Each
/// function is documented at the function of the same name in `Reading`.
template <class Json>
class Writing {
 public:
  template <class T>
  void field(const char* name, const T& value) {
    object[name] = Converter<T>::write(value);
  }
  template <class T>
  void field_or(const char* name, const T& value) {
    field(name, value);
  }
  template <class T>
  void field_or_none(const char* name, const T& value, const std::type_identity_t<T>&) {
    field(name, value);
  }
  template <class T>
  void unless(const char* name, const T& value, const std::type_identity_t<T>& default_value) {
    if (value != default_value) field(name, value);
  }
  template <class T>
  void if_any(const char* name, const std::optional<T>& value) {
    if (value) field(name, *value);
  }
  template <class T>
  void or_null(const char* name, const std::optional<T>& value) {
    object[name] = nullptr;
    if_any(name, value);
  }
  template <class T>
  void or_null(const char* name, const T& value) {
    object[name] = nullptr;
    unless(name, value, T{});
  }
  template <class T>
  void or_empty(const char* name, const std::optional<T>& value) {
    object[name] = Json::object();
    if_any(name, value);
  }

  Json object = Json::object();
};

/// Reads a value of a contract type, or of a list or dictionary of such values. Throws ContractError.
template <class T>
T read_as(const nlohmann::json& input) {
  return Converter<T>::read(input);
}
template <class T>
nlohmann::json written(const T& value) {
  return Converter<T>::write(value);
}

/// Returns one field of an object, which must be present. Throws ContractError.
template <class T>
T field_of(const nlohmann::json& object, const char* name) {
  T value;
  Reading(object).field(name, value);
  return value;
}

/// Returns a value of type T with the fields of a JSON object. Throws ContractError.
template <class T>
T read_fields(const nlohmann::json& object) {
  Reading form(object);
  T value;
  T::fields(form, value);
  return value;
}

template <class Json = nlohmann::json, class T>
Json written_fields(const T& value) {
  Writing<Json> form;
  T::fields(form, value);
  return std::move(form.object);
}

}  // namespace trl::contract

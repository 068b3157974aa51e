// Strict reading of a component of tokenizer.json: a field that is never read is an error.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trl::runtime {

/// One JSON object of a tokenizer.json, with its path in the file. Every method that reads a field throws
/// UserError naming the file, the path and the field.
class Component {
 public:
  /// `place` is the object's path, such as "pre_tokenizer.pretokenizers[1]". Throws UserError when `value` is
  /// no object.
  Component(const nlohmann::json& value, std::string file, std::string place);

  /// Returns the text of the field `type`.
  std::string type();
  std::string text(const char* field);
  bool boolean(const char* field);
  bool boolean(const char* field, bool otherwise);
  /// Returns a whole number from 0 to 2^31 - 1.
  std::int32_t integer(const char* field);
  /// Returns the only character of a text.
  char32_t character(const char* field);
  /// Returns the field's value; null when the field is absent or null.
  const nlohmann::json* optional(const char* field);
  const nlohmann::json& required(const char* field);
  /// Returns an array of objects.
  std::vector<Component> list(const char* field);
  Component object(const char* field);

  /// Marks a field as known without reading it: it changes nothing, or is read elsewhere.
  void ignore(const char* field) { known_.insert(field); }
  /// Throws UserError when the object has a field that was neither read nor ignored.
  void finish() const;

  /// Throws UserError with file, path and message, such as "t.json: pre_tokenizer: …". Its help lists the
  /// supported features.
  [[noreturn]] void refuse(std::string_view message) const;
  const std::string& file() const { return file_; }

 private:
  const nlohmann::json& value_;
  std::string file_, place_;
  std::set<std::string> known_;
};

}  // namespace trl::runtime

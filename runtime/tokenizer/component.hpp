// Strict reading of a component of tokenizer.json: a field that nobody asked for is an error.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trl::runtime {

/// One JSON object of a tokenizer.json, with the place where it stands. Every reader throws UserError naming
/// the file, the place and the field.
class Component {
 public:
  /// `place` is the object's path, such as "pre_tokenizer.pretokenizers[1]". Throws UserError when `value` is
  /// no object.
  Component(const nlohmann::json& value, std::string file, std::string place);

  /// The text of field `type`.
  std::string type();
  std::string text(const char* field);
  bool boolean(const char* field);
  bool boolean(const char* field, bool otherwise);
  /// A whole number from 0 to 2^31 - 1.
  std::int32_t integer(const char* field);
  /// The one character of a text.
  char32_t character(const char* field);
  /// Null when the field is absent or null.
  const nlohmann::json* optional(const char* field);
  const nlohmann::json& required(const char* field);
  /// An array of objects.
  std::vector<Component> list(const char* field);
  Component object(const char* field);

  /// A field that changes nothing here, or that is described elsewhere.
  void ignore(const char* field) { known_.insert(field); }
  /// Throws when the object has a field that was never read.
  void finish() const;

  /// "t.json: pre_tokenizer: " and then the message. The help lists the supported features.
  [[noreturn]] void refuse(std::string_view message) const;
  const std::string& file() const { return file_; }

 private:
  const nlohmann::json& value_;
  std::string file_, place_;
  std::set<std::string> known_;
};

}  // namespace trl::runtime

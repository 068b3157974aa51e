// Filters, tests and methods of templates.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/chat/value.hpp"

namespace trl::runtime::chat {

/// Gives the arguments of one call out by position or name. Throws ValueError for what isn't taken.
class Taken {
 public:
  Taken(Arguments& arguments, std::string of) : arguments_(arguments), of_(std::move(of)) {}
  /// The next argument, by position or as `name`; null when it isn't given.
  const Value* optional(const char* name);
  const Value& required(const char* name);
  std::string text(const char* name, const char* otherwise);
  std::int64_t integer(const char* name, std::int64_t otherwise);
  bool boolean(const char* name, bool otherwise);
  /// Throws when an argument is left.
  void finish() const;

 private:
  Arguments& arguments_;
  std::string of_;
  std::size_t next_ = 0;
  std::vector<std::string> used_;
};

/// Whether there is such a filter or test.
bool is_filter(const std::string& name);
bool is_test(const std::string& name);
Value apply_filter(const std::string& name, const Value& value, Arguments& arguments);
bool apply_test(const std::string& name, const Value& value, Arguments& arguments);

/// `value.name` and `value[index]` as Jinja finds them: methods before entries with a dot, after them in
/// brackets, and Undefined where there is neither.
Value member_of(const Value& value, const std::string& name);
Value item_of(const Value& value, const Value& index);

}  // namespace trl::runtime::chat

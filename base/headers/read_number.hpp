// Reads a double from text, also with C++ libraries whose std::from_chars doesn't support doubles (libc++
// before 20).
#pragma once

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace trl {

/// Does the same as std::from_chars(first, last, value), but by strtod in the locale "C". strtod would also
/// accept blanks, a plus sign and hexadecimal digits, so it gets only the characters that can belong to a
/// decimal number.
inline std::from_chars_result read_number_by_strtod(const char* first, const char* last, double& value) {
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const bool named =
      sign < text.size() && std::string_view("iInN").find(text[sign]) != std::string_view::npos;
  const std::string_view belong =
      named ? "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" : "0123456789.eE+-";
  const std::size_t end = text.find_first_not_of(belong, sign);
  const std::string copy(text.substr(0, end));
  char* after = nullptr;
  errno = 0;
  const double read = std::strtod(copy.c_str(), &after);
  const auto length = after - copy.c_str();
  if (length == 0 || text.substr(sign).starts_with('+') || text.substr(sign).starts_with('-') ||
      text.starts_with('+'))
    return {first, std::errc::invalid_argument};
  // strtod also sets ERANGE for denormal numbers, but returns them.
  if (errno == ERANGE && (read == 0 || read > 1 || read < -1))
    return {first + length, std::errc::result_out_of_range};
  value = read;
  return {first + length, std::errc()};
}

/// Reads the number at the beginning of a text, as std::from_chars does.
inline std::from_chars_result read_number(const char* first, const char* last, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value);
#else
  return read_number_by_strtod(first, last, value);
#endif
}

}  // namespace trl

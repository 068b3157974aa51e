#pragma once
// Why a program is refused, and where.
#include <cstddef>
#include <string>

namespace trl::executor {

/// Thrown where a text is read and where a program is checked; parse() turns it into a ParseError.
struct Failure {
  std::string message;
  std::size_t at = 0;  // byte offset in the text
};

/// Why a text is not a program for the executor. `line` and `column` count from 1 and refer to the TTIR text.
struct ParseError {
  std::string message;
  int line = 0;
  int column = 0;
};

}  // namespace trl::executor

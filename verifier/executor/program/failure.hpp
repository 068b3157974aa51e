#pragma once
// The reason for which a TTIR text is refused, and the position in the text.
#include <cstddef>
#include <string>

namespace trl::executor {

/// Thrown by the functions that read a text or check a program; parse() turns it into a ParseError.
struct Failure {
  std::string message;
  std::size_t at = 0;  // byte offset in the text
};

/// The reason for which a text is not a program for the executor. `line` and `column` count from 1 and refer
/// to the TTIR text.
struct ParseError {
  std::string message;
  int line = 0;
  int column = 0;
};

}  // namespace trl::executor

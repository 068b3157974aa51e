#pragma once
// Parses TTIR text that a test assumes to be correct.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "verifier/executor/executor.hpp"

namespace trl::executor {

/// Returns the module of the text. If the text doesn't parse, the test fails but continues with an empty
/// kernel.
inline Module compiled(const std::string& text) {
  auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->message << "\n" << text;
    parsed = parse("module { tt.func public @k() { tt.return } }");
  }
  return std::get<Module>(parsed);
}

}  // namespace trl::executor

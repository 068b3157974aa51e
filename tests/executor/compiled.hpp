#pragma once
// A module of TTIR text that a test takes to be right.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "verifier/executor/executor.hpp"

namespace trl::executor {

/// The module of the text. A text that doesn't parse fails the test, which goes on with an empty kernel.
inline Module compiled(const std::string& text) {
  auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->message << "\n" << text;
    parsed = parse("module { tt.func public @k() { tt.return } }");
  }
  return std::get<Module>(parsed);
}

}  // namespace trl::executor

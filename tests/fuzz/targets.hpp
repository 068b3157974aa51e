// Properties that must hold for every text. A target aborts where its property fails, as fuzzers require.
#pragma once
#include <string_view>

namespace trl::language::fuzz {

/// The syntax tree holds every byte; findings are few and inside the text; applying fixes preserves both.
void parser(std::string_view text);
/// A program can be checked, and its diagnostics can be rendered and also written as JSON; a program without
/// an error has a document.
void checker(std::string_view text);
/// Formatting changes only the layout, and formatting again changes nothing.
void formatter(std::string_view text);

}  // namespace trl::language::fuzz

// What must hold of every text. Each aborts where it doesn't, as fuzzers want it.
#pragma once
#include <string_view>

namespace trl::language::fuzz {

/// The tree holds every byte; findings are few and lie within the text; mending keeps both.
void parser(std::string_view text);
/// Checked, rendered and as JSON; there is a document where there is no error.
void checker(std::string_view text);
/// The layout alone changes, and a second time nothing.
void formatter(std::string_view text);

}  // namespace trl::language::fuzz

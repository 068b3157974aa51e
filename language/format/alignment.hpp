// Keeps the alignment of tokens that an author has aligned in neighbouring lines.
#pragma once
#include <vector>

#include "language/format/tokens.hpp"

namespace trl::language {

/// The number of blanks before each token that does not begin a line. Where the author has aligned the `=`,
/// `:` or `{` of neighbouring items of a block, these tokens stay aligned, as far left as the longest item
/// allows.
std::vector<std::size_t> blanks_before(const Tokens& tokens);

}  // namespace trl::language

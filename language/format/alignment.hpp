// Which tokens of neighbouring lines an author has put under one another.
#pragma once
#include <vector>

#include "language/format/tokens.hpp"

namespace trl::language {

/// The blanks before each token that does not begin a line. Where the author has aligned the `=`, `:` or `{`
/// of neighbouring items of a block, they stay aligned, as far to the left as the widest of them lets them.
std::vector<std::size_t> blanks_before(const Tokens& tokens);

}  // namespace trl::language

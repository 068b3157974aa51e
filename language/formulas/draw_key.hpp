// The key of a draw, as docs/seams.md defines it under "Randomness".
#pragma once
#include <cstdint>
#include <string_view>

namespace trl::language {

/// The first eight bytes, little endian, of SHA-256 of the text that names a draw. `runtime`, which links
/// nothing of the language, has its own; tests/interpreter compares them.
std::uint64_t draw_key(std::string_view text);

}  // namespace trl::language

// The key of a random draw, as docs/seams.md, "Randomness", defines it.
#pragma once
#include <cstdint>
#include <string_view>

namespace trl::language {

/// The first eight bytes, little endian, of the SHA-256 of the text that names a draw. `runtime` doesn't link
/// this library and has its own implementation; a test in tests/interpreter compares the two.
std::uint64_t draw_key(std::string_view text);

}  // namespace trl::language

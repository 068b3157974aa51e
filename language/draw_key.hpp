// The key of a draw, as docs/seams.md defines it under "Randomness".
#pragma once
#include <cstdint>
#include <string_view>

namespace trl::language {

/// The first eight bytes, little endian, of SHA-256 (FIPS 180-4) of the text that names a draw. A copy of
/// what `interpreter` and `runtime` have, since this library links neither; tests/interpreter compares them.
std::uint64_t draw_key(std::string_view text);

}  // namespace trl::language

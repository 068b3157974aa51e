// Random programs of GRAMMAR.md, for tests of properties that hold for every file.
#pragma once
#include <cstdint>
#include <string>

namespace trl::language::test {

/// A file that the grammar accepts, in a random layout. Its names and types have no meaning.
std::string random_program(std::uint64_t seed);

/// The text with a few bytes deleted, inserted or replaced; with lines duplicated, deleted or swapped; or
/// with its end cut off.
std::string mutated(std::string text, std::uint64_t seed);

}  // namespace trl::language::test

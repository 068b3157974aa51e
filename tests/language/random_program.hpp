// Programs drawn at random from GRAMMAR.md: for properties that hold of every file.
#pragma once
#include <cstdint>
#include <string>

namespace trl::language::test {

/// A file that the grammar accepts, in a layout drawn at random, too: names and types mean nothing.
std::string random_program(std::uint64_t seed);

/// The text with a few bytes deleted, inserted or replaced, lines doubled, dropped or swapped, or its end cut
/// off.
std::string mutated(std::string text, std::uint64_t seed);

}  // namespace trl::language::test

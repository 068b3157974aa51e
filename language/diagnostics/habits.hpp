// Words of other languages and tools, and their equivalents here. The table of habits.cpp holds them all;
// parser and elaborator look words up in it when a text has an error.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::language {

/// Where a word of another tool stands.
enum class Place { field, value, kind, variant, function };

/// A word that other tools have: `lr`, `None`, `range(…)`.
struct ForeignWord {
  Place place;
  const char* written;
  /// The word for it here; empty where one word doesn't say it.
  const char* meant;
  /// The two mean the same, so that nothing is lost if one is written for the other.
  bool same;
  /// Advice on the equivalent; empty where "write `meant`" says it all.
  const char* help;
};

/// The entries for a word; none if no tool is known to have it. Capitals don't matter.
std::vector<const ForeignWord*> foreign_words(Place place, std::string_view written);

/// All entries of a place.
std::vector<const ForeignWord*> foreign_words(Place place);

/// What to write instead of the word.
std::string help_for(const ForeignWord& word);

/// Notation of another language in a text with a syntax error.
struct ForeignNotation {
  std::string help;
  /// The edit that makes it this language's notation, if there is one: `length` bytes at `at` of the text are
  /// replaced by `text`.
  struct Edit {
    std::size_t at = 0, length = 0;
    std::string text;
  };
  std::optional<Edit> edit;
  bool same = false;  ///< nothing else can be meant by it
};

/// The notation of another language on the line of an error at `at`.
std::optional<ForeignNotation> foreign_notation(std::string_view text, std::size_t at);

}  // namespace trl::language

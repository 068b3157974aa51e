// Words of other languages and tools, with their equivalents in this language. habits.cpp has the table. The
// parser and the elaborator look words up in it when a program has an error.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trl::language {

/// The role of another tool's word in the program: the name of a field, a value, and so on.
enum class Place { field, value, kind, variant, function };

/// A word of another tool, such as `lr`, `None` or `range(…)`.
struct ForeignWord {
  Place place;
  const char* written;  ///< its spellings, separated by `|`
  /// The equivalent word of this language; empty if no single word is equivalent.
  const char* meant;
  /// Whether both words mean exactly the same, so that the word can be replaced without loss.
  bool same;
  /// Advice on the equivalent; empty if "write `meant`" is advice enough.
  const char* help;
};

/// The table's entries for a word in a role; empty if no tool is known to have the word. Upper and lower case
/// count as equal.
std::vector<const ForeignWord*> foreign_words(Place place, std::string_view written);

/// All of the table's entries for a role.
std::vector<const ForeignWord*> foreign_words(Place place);

/// A value of another tool's field that stands for one or more fields of this language: an algorithm by its
/// name.
struct ForeignSetting {
  const char* field;
  const char* value;
  std::vector<std::pair<const char*, const char*>> fields;  ///< names and values: standardised, "false"
  const char* help;                                         ///< an explanation of these fields
};

/// The table's entry for a field with a value; null if there is none. Upper and lower case count as equal,
/// and
/// `-` as `_`.
const ForeignSetting* foreign_setting(std::string_view field, std::string value);

/// Advice on the text to write instead of the word.
std::string help_for(const ForeignWord& word);

/// Notation of another language that was found in a program with a syntax error.
struct ForeignNotation {
  std::string help;
  /// The edit that turns the notation into this language's notation, if there is one. It replaces `length`
  /// bytes of the program, from the offset `at` on, by `text`.
  struct Edit {
    std::size_t at = 0, length = 0;
    std::string text;
  };
  std::optional<Edit> edit;
  bool same = false;  ///< the notation can have no other meaning
};

/// Finds notation of another language on the line of a syntax error at the offset `at`; nothing if the line
/// has none.
std::optional<ForeignNotation> foreign_notation(std::string_view text, std::size_t at);

}  // namespace trl::language

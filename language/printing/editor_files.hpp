// Updates the lists of words in the files under editors/ from the schema.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace trl::language {

/// Updates the lists of words in a text. A list stands between a line that ends with `<words NAMES as
/// FORMAT>` and a line with `</words>`. NAMES are names of lists in word_lists(), joined by `+`. FORMAT is a
/// line with one of `@words` (a b), `@quoted` ("a" "b"), `@list` ('a', 'b',), `@comma` (a, b,) and
/// `@alternatives` (a|b). A long list is broken into several lines, except with `@alternatives`. Throws
/// UserError with the line's number for an unknown name or format.
std::string with_words(const std::string& text);

/// Converts a TextMate grammar from YAML to JSON. Only mappings, sequences, plain and single-quoted texts and
/// comments of YAML are understood. `@(NAMES)` in the grammar stands for the words of lists as alternatives
/// (a|b). Throws UserError with the line's number for anything else.
std::string textmate_json(const std::string& yaml);

struct EditorFile {
  std::filesystem::path path;
  std::string text;
};
/// The files under the folder `editors` that don't agree with the schema, each with its correct text. They
/// are the files with lists of words, and the .json file of each .yaml file.
std::vector<EditorFile> outdated_editor_files(const std::filesystem::path& editors);

}  // namespace trl::language

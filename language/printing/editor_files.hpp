// The lists of words in editors/, which agree with the schema.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace trl::language {

/// Renews the lists of words in a text. A list stands between a line that ends with `<words NAMES as FORMAT>`
/// and one with
/// `</words>`. NAMES are lists of word_lists(), joined by `+`. FORMAT is a line with one of `@words` (a b),
/// `@quoted`
/// ("a" "b"), `@list` ('a', 'b',), `@comma` (a, b,) and `@alternatives` (a|b); long lists become several
/// lines, but for alternatives. Throws UserError with the line's number for names and formats that there
/// aren't.
std::string with_words(const std::string& text);

/// A TextMate grammar as JSON. It is written in YAML, of which this reads mappings, sequences, plain and
/// single-quoted texts and comments; `@(NAMES)` in it stands for the words as alternatives. Throws UserError
/// with the line's number for anything else.
std::string textmate_json(const std::string& yaml);

struct EditorFile {
  std::filesystem::path path;
  std::string text;
};
/// The files under the folder `editors` that don't agree with the schema, with the text that would: the
/// files with lists of words, and the .json beside each .yaml.
std::vector<EditorFile> outdated_editor_files(const std::filesystem::path& editors);

}  // namespace trl::language

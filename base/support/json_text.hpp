// Reads and writes JSON: files, files with one value on each line, and strings that aren't UTF-8.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace trl {

/// Returns a document as text: on one line, or indented by `indent` blanks per level. Bytes of a string that
/// aren't UTF-8 become U+FFFD (json::dump() throws).
std::string dumped(const nlohmann::json& document, int indent = -1);

/// Reads a whole file. Throws ReadError, and UserError naming the file when it isn't JSON.
nlohmann::json read_json(const std::filesystem::path& file);

/// Calls `row` with the value on each line of a file (JSON lines); empty lines are skipped. Throws ReadError,
/// and UserError naming file and line where a line isn't JSON or `row` throws a json::exception.
void for_each_row(const std::filesystem::path& file, const std::function<void(const nlohmann::json&)>& row);
/// Like `for_each_row` above, but for a text in memory; errors call it `file`.
void for_each_row(std::string_view text, const std::string& file,
                  const std::function<void(const nlohmann::json&)>& row);

}  // namespace trl

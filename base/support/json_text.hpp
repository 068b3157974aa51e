// JSON as text: files of it, lines of it, and texts that are no UTF-8.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace trl {

/// The document's text: one line, or with `indent` blanks a level. Bytes of a string that are no UTF-8 become
/// U+FFFD, where `dump()` throws.
std::string dumped(const nlohmann::json& document, int indent = -1);

/// A whole file. Throws ReadError, and UserError naming the file when it isn't JSON.
nlohmann::json read_json(const std::filesystem::path& file);

/// Calls `row` for each line of a file that holds a value a line; empty lines are skipped. Throws ReadError,
/// and UserError naming file and line where a line isn't JSON or `row` throws a json::exception.
void for_each_row(const std::filesystem::path& file, const std::function<void(const nlohmann::json&)>& row);
/// The same for a text in memory; `file` is its name in errors.
void for_each_row(std::string_view text, const std::string& file,
                  const std::function<void(const nlohmann::json&)>& row);

}  // namespace trl

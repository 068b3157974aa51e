// Small files: whole texts, JSON lines, and writes that survive a power cut.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace trl::interpreter {

/// A whole file. Throws UserError naming it.
std::string read_text(const std::filesystem::path& file);
/// Throws UserError naming the file when it isn't JSON.
nlohmann::json read_json(const std::filesystem::path& file);
/// One value a line; empty lines are skipped. Throws UserError naming file and line.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& file);

/// Writes a file and closes it. Throws UserError, of a full disk too.
void write_text(const std::filesystem::path& file, std::string_view text);
void write_json_lines(const std::filesystem::path& file, const std::vector<nlohmann::json>& rows);
/// Replaces a file as one act: written beside, then renamed.
void replace_text(const std::filesystem::path& file, std::string_view text);

/// fsync of a file or a folder.
void sync_path(const std::filesystem::path& path);
/// fsync of every file and folder under `folder`, itself last.
void sync_tree(const std::filesystem::path& folder);

}  // namespace trl::interpreter

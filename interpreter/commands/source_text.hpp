// Reads and writes the user's own files, and shows their changes.
#pragma once
#include <string>
#include <string_view>

namespace trl::interpreter {

/// Replaces a file of the user atomically and keeps its mode. If the path is a symbolic link, the link's
/// target is replaced. Throws UserError.
void write_source(const std::string& path, std::string_view text);

/// The first difference between two texts as a hunk of a unified diff, with three lines of context.
std::string first_hunk(const std::string& path, std::string_view before, std::string_view after);

}  // namespace trl::interpreter

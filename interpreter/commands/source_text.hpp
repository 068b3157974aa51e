// The user's own files: read, shown changed, written.
#pragma once
#include <string>
#include <string_view>

namespace trl::interpreter {

/// Writes a file of the user's as one act; a link's target, where it is one. It keeps its mode. Throws
/// UserError.
void write_source(const std::string& path, std::string_view text);

/// The first difference of two texts as a hunk of a unified diff, with three lines around it.
std::string first_hunk(const std::string& path, std::string_view before, std::string_view after);

}  // namespace trl::interpreter

// Hashes of values and files, by which results are named.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace trl::interpreter {

/// SHA-256 in lower-case hexadecimal, 64 characters.
std::string sha256_hex(std::string_view bytes);

/// SHA-256 of a file's bytes. Throws ReadError.
std::string sha256_of_file(const std::filesystem::path& file);

/// The same text for equal values: keys sorted, no white space, integers without a fraction whatever their
/// type.
std::string canonical(const nlohmann::json& value);

/// The value that `canonical` prints: doubles that are integers below 2^53 become integers.
nlohmann::json normalised(nlohmann::json value);

}  // namespace trl::interpreter

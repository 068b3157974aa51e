// Hashes that name things by their contents.
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

/// One text for equal values: keys sorted, no white space, whole numbers without a fraction whatever their
/// type.
std::string canonical(const nlohmann::json& value);

/// The value that `canonical` prints: doubles that are whole numbers below 2^53 become integers.
nlohmann::json normalised(nlohmann::json value);

}  // namespace trl::interpreter

// SHA-256, by which results are named after their contents.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace trl {

using Digest = std::array<unsigned char, 32>;

Digest sha256(std::string_view bytes);
/// RFC 2104 with SHA-256.
Digest hmac_sha256(std::string_view key, std::string_view bytes);

/// Two lower-case digits a byte.
std::string hexadecimal(std::span<const unsigned char> bytes);

/// SHA-256 in lower-case hexadecimal, 64 characters.
std::string sha256_hex(std::string_view bytes);
/// The same of a file's bytes, which are read block by block. Throws ReadError.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace trl

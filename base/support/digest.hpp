// SHA-256. Results have names that are digests of their contents.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace trl {

using Digest = std::array<unsigned char, 32>;

Digest sha256(std::string_view bytes);
/// HMAC (RFC 2104) with SHA-256.
Digest hmac_sha256(std::string_view key, std::string_view bytes);

/// Returns bytes in hexadecimal, with two lower-case digits for each byte.
std::string hexadecimal(std::span<const unsigned char> bytes);

/// Returns the SHA-256 of bytes in lower-case hexadecimal, 64 characters.
std::string sha256_hex(std::string_view bytes);
/// Returns the SHA-256 of a file like `sha256_hex`. Reads the file block by block. Throws ReadError.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace trl

#include "interpreter/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <memory>

#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }
  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
  std::string hex() {
    std::array<unsigned char, 32> digest{};
    EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
    std::string text;
    for (const unsigned char byte : digest) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  Sha256 hash;
  read_blocks(file, [&](std::string_view block) { hash.add(block); });
  return hash.hex();
}

nlohmann::json normalised(nlohmann::json value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) < 0x1p53 && number == std::floor(number)) return static_cast<std::int64_t>(number);
  } else if (value.is_structured()) {
    for (auto& item : value) item = normalised(std::move(item));
  }
  return value;
}

std::string canonical(const nlohmann::json& value) { return normalised(value).dump(); }

}  // namespace trl::interpreter

#include "interpreter/secret.hpp"

#include <sys/random.h>

#include <array>

#include "interpreter/error.hpp"

namespace trl::interpreter {

std::string random_secret() {
  static constexpr char hexadecimal[] = "0123456789abcdef";
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw UserError("the system gave no random bytes for a secret");
  std::string text;
  for (const unsigned char byte : bytes) {
    text += hexadecimal[byte >> 4];
    text += hexadecimal[byte & 15];
  }
  return text;
}

}  // namespace trl::interpreter

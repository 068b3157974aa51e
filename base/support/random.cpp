#include "base/support/random.hpp"

#include <sys/random.h>

#include <cmath>
#include <numbers>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"

namespace trl {
namespace {

RandomKey key_of(const Digest& digest) {
  RandomKey key;
  for (std::size_t byte = 8; byte-- > 0;) key.value = key.value << 8 | digest[byte];
  return key;
}

}  // namespace

RandomKey random_key(std::string_view text) { return key_of(sha256(text)); }

RandomKey secret_key(std::string_view secret, std::string_view text) {
  return key_of(hmac_sha256(secret, text));
}

std::string random_secret() {
  Digest bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw UserError("the system gave no random bytes for a secret");
  return hexadecimal(bytes);
}

std::array<std::uint32_t, 4> philox(RandomKey key, const std::array<std::uint32_t, 4>& counter) {
  std::uint32_t k0 = static_cast<std::uint32_t>(key.value), k1 = static_cast<std::uint32_t>(key.value >> 32);
  std::array<std::uint32_t, 4> c = counter;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0], p1 = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

std::array<std::uint32_t, 4> philox(RandomKey key, std::uint64_t counter) {
  return philox(key, {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0});
}

double uniform(RandomKey key, std::uint64_t counter) { return (philox(key, counter)[0] >> 8) * 0x1p-24; }

double RandomStream::uniform() { return trl::uniform(key_, counter_++); }

__extension__ using U128 = unsigned __int128;

std::uint64_t RandomStream::below(std::uint64_t n) {
  const auto words = philox(key_, counter_++);
  const std::uint64_t draw = std::uint64_t{words[0]} << 32 | words[1];
  return static_cast<std::uint64_t>(static_cast<U128>(draw) * n >> 64);
}

double RandomStream::normal() {
  const auto words = philox(key_, counter_++);
  const double u = (words[0] + 1.0) * 0x1p-32, v = words[1] * 0x1p-32;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

}  // namespace trl

#include "interpreter/random.hpp"

#include "language/formulas/draw_key.hpp"

namespace trl::interpreter {
namespace {

__extension__ using U128 = unsigned __int128;

}  // namespace

RandomStream::RandomStream(std::string_view text) : key_(language::draw_key(text)) {}

// Philox 4×32-10 (Salmon et al., 2011).
std::array<std::uint32_t, 4> RandomStream::next() {
  auto k0 = static_cast<std::uint32_t>(key_), k1 = static_cast<std::uint32_t>(key_ >> 32);
  std::array<std::uint32_t, 4> c = {static_cast<std::uint32_t>(counter_),
                                    static_cast<std::uint32_t>(counter_ >> 32), 0, 0};
  ++counter_;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0], p1 = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

double RandomStream::uniform() { return (next()[0] >> 8) * 0x1p-24; }

std::uint64_t RandomStream::below(std::uint64_t n) {
  const auto words = next();
  const std::uint64_t draw = std::uint64_t{words[0]} << 32 | words[1];
  return static_cast<std::uint64_t>(static_cast<U128>(draw) * n >> 64);
}

}  // namespace trl::interpreter

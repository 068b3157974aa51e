// A hash table whose keys are pairs of 32-bit numbers, with open addressing and linear probing.
#pragma once

#include <cstdint>
#include <vector>

namespace trl::runtime {

/// Most lookups touch one cache line. Entries can't be removed. The numbers of a key must not be negative.
template <typename Value>
class PairTable {
 public:
  static std::uint64_t key(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
  }

  /// Makes room for `count` entries, so that adding them doesn't rehash the table.
  void reserve(std::size_t count) {
    std::size_t size = 16;
    while (size < 2 * count) size *= 2;
    if (size > slots_.size()) rehash(size);
  }

  /// Sets the value of the pair, and replaces an existing value.
  void set(std::int32_t a, std::int32_t b, const Value& value) {
    if (2 * (count_ + 1) > slots_.size()) rehash(slots_.empty() ? 16 : 2 * slots_.size());
    Slot& slot = slots_[place(key(a, b))];
    if (slot.key == kFree) ++count_;
    slot = {key(a, b), value};
  }

  /// Returns the value of the pair; null if it has none.
  const Value* find(std::int32_t a, std::int32_t b) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(key(a, b))];
    return slot.key == kFree ? nullptr : &slot.value;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kFree;
    Value value{};
  };

  std::size_t place(std::uint64_t key) const {
    std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].key != kFree && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void rehash(std::size_t size) {
    std::vector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != kFree) slots_[place(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace trl::runtime

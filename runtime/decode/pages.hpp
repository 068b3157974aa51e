// The pages of the key-value cache: keeps the list of free pages, and the number of sequences that use each
// page.
#pragma once

#include <cstdint>
#include <vector>

namespace trl::runtime::decode {

/// Pages 0 … count - 1 with reference counts. Several sequences, such as the answers to one prompt, may hold
/// the same page; the page is free again when the last of them has released it.
class Pages {
 public:
  explicit Pages(std::int64_t count) : holders_(static_cast<std::size_t>(count), 0) {
    for (auto page = static_cast<std::int32_t>(count); page-- > 0;) free_.push_back(page);
  }

  std::int64_t free() const { return static_cast<std::int64_t>(free_.size()); }
  std::int64_t count() const { return static_cast<std::int64_t>(holders_.size()); }

  /// Returns a free page, which the caller then holds once. There must be a free page.
  std::int32_t take() {
    const auto page = free_.back();
    free_.pop_back();
    holders_[static_cast<std::size_t>(page)] = 1;
    return page;
  }
  void hold(std::int32_t page) { ++holders_[static_cast<std::size_t>(page)]; }
  void let_go(std::int32_t page) {
    if (--holders_[static_cast<std::size_t>(page)] == 0) free_.push_back(page);
  }

 private:
  std::vector<std::int32_t> free_, holders_;
};

}  // namespace trl::runtime::decode

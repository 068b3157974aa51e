// Which pages of memory a candidate's process writes to. A process is forked for each candidate and shares
// its parent's pages until it writes: some hundred are copied one by one while somebody waits. Most are the
// same ones for every candidate, so that a process that waits for its candidate has time to copy them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace trl::kernel_check {

class OwnPages {
 public:
  OwnPages();
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  /// In a process that was forked and has done its work: which pages it has for itself. Its parent knows them
  /// then. Where the system doesn't tell, none.
  void note();

  /// In a process that was just forked: makes the noted pages its own. What isn't there is left alone.
  void take() const;

 private:
  struct Range {
    std::uintptr_t begin;
    std::size_t bytes;
  };
  struct Noted;
  Noted* noted_ = nullptr;  // memory that is shared with what is forked
};

}  // namespace trl::kernel_check

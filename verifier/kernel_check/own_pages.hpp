// Learns which pages of memory a candidate's process writes to. A process is forked for each candidate and
// shares its parent's pages until it writes: some hundreds are then copied one by one while the verifier
// waits. Most are the same for every candidate, so a forked process can copy them while it waits for its
// candidate.
#pragma once
#include <cstddef>
#include <cstdint>

namespace trl::kernel_check {

class OwnPages {
 public:
  OwnPages();
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  /// Called in a forked process that has done its work: notes which pages it has copied, so that its parent
  /// knows them. Notes nothing where the system doesn't tell.
  void note();

  /// Called in a process that was just forked: copies the noted pages. Pages that aren't mapped are skipped.
  void take() const;

 private:
  struct Range {
    std::uintptr_t begin;
    std::size_t bytes;
  };
  struct Noted;
  Noted* noted_ = nullptr;  // memory that is shared with forked processes
};

}  // namespace trl::kernel_check

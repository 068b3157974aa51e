// Finds the pages of memory to which the process of a candidate writes. Each such process is forked and
// shares its parent's pages until it writes to them. Linux then copies some hundreds of pages one by one
// while the verifier waits. Most of these pages are the same for every candidate, so a forked process can
// copy them before its candidate arrives.
#pragma once
#include <cstddef>
#include <cstdint>

namespace trl::kernel_check {

class OwnPages {
 public:
  OwnPages();
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  /// Called in a forked process that has done its work: writes the list of pages that were copied for this
  /// process to memory that its parent shares. The list is empty when /proc/self/pagemap can't be read.
  void note();

  /// Called in a process that was just forked: makes the process's own copies of the pages in the list, all
  /// at once. Pages that aren't mapped are skipped.
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

#include "verifier/kernel_check/huge_text.hpp"

#include <sys/mman.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace trl::kernel_check {

namespace {

constexpr std::uintptr_t huge = std::uintptr_t{2} << 20;

/// Copies [begin, end) to huge pages and maps these in its place. Both addresses are multiples of the huge
/// page size.
void replace(std::uintptr_t begin, std::uintptr_t end) {
  const std::size_t bytes = end - begin;
  void* const room = mmap(nullptr, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  const auto first = reinterpret_cast<std::uintptr_t>(room);
  const std::uintptr_t copy = (first + huge - 1) / huge * huge;
  if (copy > first) munmap(room, copy - first);
  munmap(reinterpret_cast<void*>(copy + bytes), first + huge - copy);
  void* const to = reinterpret_cast<void*>(copy);
  if (madvise(to, bytes, MADV_HUGEPAGE) == 0) {
    std::memcpy(to, reinterpret_cast<const void*>(begin), bytes);
    if (mprotect(to, bytes, PROT_READ | PROT_EXEC) == 0 &&
        mremap(to, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(begin)) != MAP_FAILED)
      return;
  }
  munmap(to, bytes);
}

}  // namespace

void move_to_huge_pages(std::string_view library) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (!maps) return;
  char line[1024];
  std::uintptr_t begin = 0, end = 0, found_begin = 0, found_end = 0;
  while (std::fgets(line, sizeof line, maps)) {
    char rights[5] = "";
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights) == 3 &&
        std::strcmp(rights, "r-xp") == 0 && std::string_view(line).find(library) != std::string_view::npos) {
      found_begin = (begin + huge - 1) / huge * huge;
      found_end = end / huge * huge;
    }
  }
  std::fclose(maps);
  if (found_begin < found_end) replace(found_begin, found_end);
}

}  // namespace trl::kernel_check

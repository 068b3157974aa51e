#include "verifier/kernel_check/own_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace trl::kernel_check {

namespace {

constexpr std::uintptr_t page = 4096;
// Bits in an entry of /proc/self/pagemap.
constexpr std::uint64_t present = std::uint64_t{1} << 63, exclusive = std::uint64_t{1} << 56;

}  // namespace

struct OwnPages::Noted {
  std::size_t count = 0;
  std::array<Range, 2048> ranges;
};

OwnPages::OwnPages() {
  void* const room = mmap(nullptr, sizeof(Noted), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (room != MAP_FAILED) noted_ = new (room) Noted;
}

void OwnPages::note() {
#ifdef TRL_SANITIZED
  return;  // AddressSanitizer maps terabytes
#endif
  std::FILE* const maps = noted_ ? std::fopen("/proc/self/maps", "r") : nullptr;
  const int pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  char line[1024];
  std::size_t count = 0;
  while (maps && pages >= 0 && std::fgets(line, sizeof line, maps)) {
    std::uintptr_t begin = 0, end = 0;
    char rights[5] = "";
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights) != 3 ||
        std::strcmp(rights, "rw-p") != 0)
      continue;
    std::array<std::uint64_t, 512> entries;
    for (std::uintptr_t at = begin; at < end; at += page * entries.size()) {
      const ssize_t got = pread(pages, entries.data(), sizeof entries, static_cast<off_t>(at / page * 8));
      for (std::size_t i = 0; i < entries.size() && static_cast<ssize_t>(8 * i) < got && at + page * i < end;
           ++i) {
        if ((entries[i] & (present | exclusive)) != (present | exclusive)) continue;
        const std::uintptr_t place = at + page * i;
        Range* const last = count > 0 ? &noted_->ranges[count - 1] : nullptr;
        if (last && last->begin + last->bytes == place)
          last->bytes += page;
        else if (count < noted_->ranges.size())
          noted_->ranges[count++] = {place, page};
      }
    }
  }
  if (pages >= 0) close(pages);
  if (maps) std::fclose(maps);
  if (noted_) noted_->count = count;
}

void OwnPages::take() const {
  for (std::size_t i = 0; noted_ && i < noted_->count; ++i)
    madvise(reinterpret_cast<void*>(noted_->ranges[i].begin), noted_->ranges[i].bytes, MADV_POPULATE_WRITE);
}

}  // namespace trl::kernel_check

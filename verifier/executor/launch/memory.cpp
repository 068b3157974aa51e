#include "verifier/executor/launch/memory.hpp"

#include <algorithm>
#include <cstring>

namespace trl::executor {
namespace {

bool inside(const Buffer& buffer, std::int64_t offset, std::int64_t bytes) {
  const auto size = static_cast<std::int64_t>(buffer.bytes.size());
  return offset >= 0 && bytes >= 0 && offset <= size && bytes <= size - offset;
}

}  // namespace

int Memory::add_buffer(std::string name, std::span<const std::byte> contents, bool writable) {
  if (buffers_.size() >= max_buffers) return -1;
  Buffer& added = buffers_.emplace_back();
  added.name = std::move(name);
  added.writable = writable;
  added.bytes.assign(contents.begin(), contents.end());
  return size() - 1;
}

int Memory::add_unwritten(std::string name, std::size_t bytes, bool writable, std::uint8_t poison) {
  if (buffers_.size() >= max_buffers) return -1;
  Buffer& added = buffers_.emplace_back();
  added.name = std::move(name);
  added.writable = writable;
  added.bytes.assign(bytes, std::byte{poison});
  added.written.assign(bytes, 0);
  return size() - 1;
}

int Memory::add_paged(std::string name, std::shared_ptr<Pages> pages, bool writable) {
  if (buffers_.size() >= max_buffers) return -1;
  Buffer& added = buffers_.emplace_back();
  added.name = std::move(name);
  added.writable = writable;
  added.pages = std::move(pages);
  return size() - 1;
}

bool Memory::write(int index, std::int64_t offset, std::span<const std::byte> bytes) {
  if (index < 0 || index >= size()) return false;
  Buffer& to = buffer(index);
  const auto count = static_cast<std::int64_t>(bytes.size());
  if (!inside(to, offset, count)) return false;
  if (count == 0) return true;
  std::memcpy(to.bytes.data() + offset, bytes.data(), bytes.size());
  if (!to.written.empty()) std::fill_n(to.written.begin() + offset, count, std::uint8_t{1});
  return true;
}

bool Memory::copy(int to_index, std::int64_t to_offset, int from_index, std::int64_t from_offset,
                  std::int64_t bytes) {
  if (to_index < 0 || to_index >= size() || from_index < 0 || from_index >= size()) return false;
  Buffer& to = buffer(to_index);
  const Buffer& from = buffer(from_index);
  if (!inside(to, to_offset, bytes) || !inside(from, from_offset, bytes)) return false;
  if (bytes == 0) return true;
  const auto count = static_cast<std::size_t>(bytes);
  std::memmove(to.bytes.data() + to_offset, from.bytes.data() + from_offset, count);
  if (from.written.empty()) {
    if (!to.written.empty()) std::fill_n(to.written.begin() + to_offset, bytes, std::uint8_t{1});
    return true;
  }
  if (to.written.empty()) to.written.assign(to.bytes.size(), 1);
  std::memmove(to.written.data() + to_offset, from.written.data() + from_offset, count);
  return true;
}

bool Memory::all_written(int index, std::int64_t offset, std::int64_t bytes) const {
  if (index < 0 || index >= size() || !inside(buffer(index), offset, bytes)) return false;
  const Buffer& of = buffer(index);
  if (of.written.empty() || bytes == 0) return true;
  return std::memchr(of.written.data() + offset, 0, static_cast<std::size_t>(bytes)) == nullptr;
}

}  // namespace trl::executor

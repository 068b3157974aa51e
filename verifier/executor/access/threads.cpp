#include "verifier/executor/access/threads.hpp"

#include <algorithm>

namespace trl::executor {
namespace {

/// Whether the bytes that two pieces share belong to the same threads in both, as far as that can be known.
bool same_threads(const Piece& a, const Piece& b, bool a_is_read) {
  // If a block is read along one dimension and written along another, its layout changes in between, through
  // shared memory and with a barrier.
  if (a_is_read && !a.flat && !b.flat && a.runs != b.runs) return true;
  const std::int64_t from = std::max(a.begin, b.begin);
  if (a.first == Piece::several || b.first == Piece::several) return false;
  if (a.element(from) != b.element(from)) return false;
  return a.size == b.size || (a.first < 0 && b.first < 0) ||
         std::min(a.end(), b.end()) - from <= std::min(a.size, b.size);
}

/// The part of a piece between two offsets.
Piece part(Piece piece, std::int64_t begin, std::int64_t end) {
  piece.first = static_cast<std::int32_t>(piece.element(begin));
  piece.begin = begin;
  piece.bytes = static_cast<std::int32_t>(end - begin);
  return piece;
}

}  // namespace

/// The first piece that ends after an offset, or else the next one.
std::map<Threads::Log::Key, Piece>::iterator Threads::Log::first_at(std::int32_t buffer,
                                                                    std::int64_t offset) {
  auto at = sorted_.upper_bound({buffer, offset});
  if (at != sorted_.begin()) {
    const auto before = std::prev(at);
    if (before->first.first == buffer && before->second.end() > offset) return before;
  }
  return at;
}

/// The newest piece replaces the parts of older pieces that it covers. For two loads by elements of different
/// numbers, the common part becomes `several`.
void Threads::Log::insert(const Piece& piece, bool merges) {
  if (sorted_.size() >= most) sorted_.clear();
  const auto put = [this](const Piece& one) { sorted_.insert_or_assign(Key(one.buffer, one.begin), one); };
  std::int64_t from = piece.begin;
  auto at = first_at(piece.buffer, piece.begin);
  while (at != sorted_.end() && at->first.first == piece.buffer && at->first.second < piece.end()) {
    const Piece old = at->second;
    at = sorted_.erase(at);
    if (old.begin < piece.begin) put(part(old, old.begin, piece.begin));
    if (merges && !same_threads(old, piece, false)) {
      const std::int64_t begin = std::max(old.begin, piece.begin), end = std::min(old.end(), piece.end());
      if (from < begin) put(part(piece, from, begin));
      Piece shared = part(piece, begin, end);
      shared.first = Piece::several;
      put(shared);
      from = end;
    }
    if (old.end() > piece.end()) {
      put(part(old, piece.end(), old.end()));
      break;
    }
  }
  if (from < piece.end()) put(part(piece, from, piece.end()));
}

void Threads::Log::sort(bool merges) {
  for (const Piece& piece : new_) insert(piece, merges);
  new_.clear();
}

const Piece* Threads::Log::elsewhere(const Piece& mine, bool merges) {
  sort(merges);
  for (auto at = first_at(mine.buffer, mine.begin);
       at != sorted_.end() && at->first.first == mine.buffer && at->first.second < mine.end(); ++at) {
    if (!same_threads(at->second, mine, merges)) return &at->second;
  }
  return nullptr;
}

}  // namespace trl::executor

#pragma once
// The accesses of one program's threads to memory since the last barrier. TTIR has no threads, so the index
// of an element in its block stands for a thread: elements with the same index belong to the same thread, in
// blocks of any shape.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace trl::executor {

/// Consecutive elements that one operation loaded or stored.
struct Piece {
  /// The value of `first` for an element that every thread loads, or that the leader stores.
  static constexpr std::int32_t by_all = -1;
  /// The value of `first` for bytes that several threads loaded (as elements with different indices).
  static constexpr std::int32_t several = -2;

  std::int64_t begin = 0;  ///< byte offset in the buffer
  std::int32_t bytes = 0, buffer = 0;
  std::int32_t first = 0;  ///< index of the first element in its block, or by_all or several
  std::int32_t location = -1;
  std::uint32_t access = 0;  ///< the number of the access in the launch
  std::uint8_t size = 1;     ///< bytes per element
  bool flat = true;          ///< whether the block has at most one dimension
  bool runs = false;         ///< whether the operation's piece has more than one element

  std::int64_t end() const { return begin + bytes; }
  /// The index, in the block, of the element that has the byte at `offset` of the buffer.
  std::int64_t element(std::int64_t offset) const {
    return first < 0 ? first : first + (offset - begin) / size;
  }
};

class Threads {
 public:
  void barrier() {
    stores_.clear();
    loads_.clear();
  }
  void stored(const Piece& piece) { stores_.add(piece); }
  void loaded(const Piece& piece) { loads_.add(piece); }
  /// Returns a piece that another thread has stored since the last barrier and that shares bytes with `mine`;
  /// null if no such piece is known.
  const Piece* stored_elsewhere(const Piece& mine) { return stores_.elsewhere(mine, false); }
  /// Like stored_elsewhere, for a piece that another thread has loaded.
  const Piece* loaded_elsewhere(const Piece& mine) { return loads_.elsewhere(mine, true); }

 private:
  /// A list of pieces. They are sorted by address only before a search, since most kernels need no search.
  class Log {
   public:
    void add(const Piece& piece) {
      if (new_.size() >= most) new_.clear();
      new_.push_back(piece);
    }
    void clear() {
      new_.clear();
      if (!sorted_.empty()) sorted_.clear();
    }
    const Piece* elsewhere(const Piece& mine, bool merges);

   private:
    static constexpr std::size_t most = std::size_t{1} << 18;
    using Key = std::pair<std::int32_t, std::int64_t>;
    void sort(bool merges);
    void insert(const Piece& piece, bool merges);
    std::map<Key, Piece>::iterator first_at(std::int32_t buffer, std::int64_t offset);

    std::vector<Piece> new_;
    std::map<Key, Piece> sorted_;  // by buffer and first byte; the pieces don't overlap
  };

  Log stores_, loads_;
};

}  // namespace trl::executor

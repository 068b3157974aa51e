#pragma once
// The accesses of one program's threads to memory since their last barrier. TTIR has no threads, so the
// number of an element in its block stands for one: elements with the same number belong to the same thread,
// in blocks of any shape.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace trl::executor {

/// Consecutive elements that one operation loaded or stored.
struct Piece {
  /// Value of `first` where every thread loads the same element, or the leader stores it.
  static constexpr std::int32_t by_all = -1;
  /// Value of `first` for bytes that were loaded as elements of different numbers.
  static constexpr std::int32_t several = -2;

  std::int64_t begin = 0;  ///< byte offset in the buffer
  std::int32_t bytes = 0, buffer = 0;
  std::int32_t first = 0;  ///< number of the first element in its block
  std::int32_t location = -1;
  std::uint32_t access = 0;  ///< the number of the access in the launch
  std::uint8_t size = 1;     ///< of an element
  bool flat = true;          ///< the block has at most one dimension
  bool runs = false;         ///< more than one element

  std::int64_t end() const { return begin + bytes; }
  /// The number of the element that a byte belongs to.
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
  /// The piece in which another thread has stored, or loaded, some of these bytes since the last barrier;
  /// null when none is known.
  const Piece* stored_elsewhere(const Piece& mine) { return stores_.elsewhere(mine, false); }
  const Piece* loaded_elsewhere(const Piece& mine) { return loads_.elsewhere(mine, true); }

 private:
  /// Pieces are appended to a list, and sorted by address only when they are searched, which most kernels
  /// never need.
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

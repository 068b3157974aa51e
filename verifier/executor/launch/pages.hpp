#pragma once
// The contents of a buffer that is too large for memory. Only pages that a kernel has touched are held in
// memory.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>

namespace trl::executor {

class Pages {
 public:
  static constexpr std::int64_t page = 512;  ///< bytes: few, since columns of a matrix touch a page each row

  /// A function that writes, to `to`, the initial contents of the buffer from byte `offset` on. It returns
  /// the mark that these bytes get in Buffer::written.
  using Contents = std::function<std::uint8_t(std::int64_t offset, std::span<std::byte> to)>;

  /// `bytes`: the buffer's size. `most`: the bytes that its pages may take together. Throws std::bad_alloc.
  Pages(std::int64_t bytes, std::int64_t most, Contents contents);

  std::int64_t bytes() const { return bytes_; }
  /// Whether more pages were touched than fit into the constructor's `most` bytes. The pages that don't fit
  /// share one page, whose contents are meaningless.
  bool full() const { return full_; }
  /// The number of bytes of the pages that have been touched.
  std::int64_t touched() const { return static_cast<std::int64_t>(frames_.size()) * page; }

  /// The memory that holds the touched pages; the marks of its bytes, as in Buffer::written; and its size.
  std::byte* held() { return held_.get(); }
  std::uint8_t* written() { return written_.get(); }
  std::int64_t held_bytes() const { return (most_ + 1) * page; }
  /// Returns the offset in `held` of a byte of the buffer. Bytes of one page are consecutive there. The first
  /// call for a page draws its contents.
  std::int64_t at(std::int64_t offset);
  /// Returns the number of bytes from `offset` to the end of its page.
  static std::int64_t rest_of_page(std::int64_t offset) { return page - (offset & (page - 1)); }
  /// Drops all pages: they hold their earlier contents again, or the contents that `contents` gives.
  void forget();
  void forget(Contents contents);

 private:
  struct Free {
    void operator()(void* data) const { std::free(data); }
  };
  std::int64_t bytes_, most_;
  Contents contents_;
  bool full_ = false;
  std::unordered_map<std::int64_t, std::int64_t> frames_;  // from a page's number to its place in `held`
  std::int64_t last_page_ = -1, last_frame_ = 0;
  std::unique_ptr<std::byte[], Free> held_;
  std::unique_ptr<std::uint8_t[], Free> written_;
};

}  // namespace trl::executor

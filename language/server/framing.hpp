// The frames of the base protocol: `Content-Length: N`, an empty line, N bytes of JSON.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace trl::language_server {

/// Splits a stream of bytes into frames and returns their bodies.
class Frames {
 public:
  /// The largest number of bytes in a frame. Longer frames are refused, so that a wrong header can't use up
  /// all memory.
  static constexpr std::size_t longest = 256u << 20;

  struct Frame {
    std::string body;
    std::string error;  ///< the reason why there is no body: the headers are wrong or the frame is too long;
                        ///< otherwise empty
  };

  void add(std::string_view bytes) { pending_ += bytes; }
  /// Returns the next frame, or nothing if more bytes must arrive first. After wrong headers, reading
  /// continues at the next line that begins a header.
  std::optional<Frame> next();

 private:
  std::string pending_;
  std::size_t skip_ = 0;  ///< the number of bytes of a refused frame that are still to come
};

/// Puts a body into a frame.
std::string framed(std::string_view body);

}  // namespace trl::language_server

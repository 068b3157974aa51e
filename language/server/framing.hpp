// The frames of the base protocol: `Content-Length: N`, an empty line, N bytes of JSON.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace trl::language_server {

/// Takes bytes as they arrive and gives the bodies of whole frames.
class Frames {
 public:
  /// Longer frames are refused, so that a wrong header can't take all memory.
  static constexpr std::size_t longest = 256u << 20;

  struct Frame {
    std::string body;
    std::string error;  ///< why there is no body: the headers are wrong
  };

  void add(std::string_view bytes) { pending_ += bytes; }
  /// The next frame; nothing until more bytes arrive. After wrong headers, reading goes on at the next line
  /// that begins a header.
  std::optional<Frame> next();

 private:
  std::string pending_;
  std::size_t skip_ = 0;  ///< bytes of a refused frame that are still to come
};

/// The frame of a body.
std::string framed(std::string_view body);

}  // namespace trl::language_server

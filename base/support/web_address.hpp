// The address of a server, as a user writes it: `http://localhost:8000/v1`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trl {

struct WebAddress {
  bool secure = false;      ///< https
  std::string host;         ///< a name, or an address of IPv4 or IPv6, the latter without brackets
  std::uint16_t port = 80;  ///< 443 for https, unless the address says another
  std::string path;         ///< "/v1"; empty where there is none, and without a `/` at its end

  /// Host and, unless it is the scheme's own, port, as HTTP's `Host` has them: "[::1]:8000".
  std::string authority() const;
  /// Whether the host is this machine, so that nobody else sees the requests: localhost, 127.x.x.x, ::1.
  bool local() const;
};

/// A text read as an address. Where it isn't one, `problem` has the reason, as the rest of a sentence that
/// begins with the address: "has no scheme".
struct ReadAddress {
  std::optional<WebAddress> address;
  std::string problem;
};

/// Reads http://HOST[:PORT][/PATH] or https://…; an address of IPv6 stands in brackets. Keys, queries and
/// fragments belong to no address here.
ReadAddress read_address(std::string_view text);

}  // namespace trl

// The address of a server, as a user writes it: `http://localhost:8000/v1`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trl {

struct WebAddress {
  bool secure = false;      ///< https
  std::string host;         ///< a name, an IPv4 address, or an IPv6 address without brackets
  std::uint16_t port = 80;  ///< the port in the address; by default 80, or 443 for https
  std::string path;         ///< the path, such as "/v1", without a `/` at its end; may be empty
  std::string query = {};   ///< the query with its `?`, such as "?api-version=2024-10-21"; may be empty

  /// Returns the value of the HTTP header `Host`: the host, and the port unless it is the scheme's default,
  /// such as "[::1]:8000".
  std::string authority() const;
  /// Whether the host is this machine, so that nobody else sees the requests: localhost, 127.x.x.x, ::1.
  bool local() const;
};

/// The result of reading a text as an address. If the text isn't an address, `problem` has the reason, which
/// continues a sentence that begins with the text: "has no scheme".
struct ReadAddress {
  std::optional<WebAddress> address;
  std::string problem;
};

/// Reads http://HOST[:PORT][/PATH][?QUERY] or https://…; an IPv6 address must be in brackets. User names and
/// fragments are refused.
ReadAddress read_address(std::string_view text);

}  // namespace trl

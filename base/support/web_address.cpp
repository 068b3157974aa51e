#include "base/support/web_address.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace trl {
namespace {

bool is_name(std::string_view host) {
  return !host.empty() && host.size() <= 253 && std::all_of(host.begin(), host.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

/// Whether a host has the characters of an IPv6 address and of its suffix: `fe80::1%eth0`. The system says
/// whether it is one when it connects.
bool is_ipv6(std::string_view host) {
  const auto zone = host.substr(0, host.find('%'));
  return zone.size() >= 2 && std::count(zone.begin(), zone.end(), ':') >= 2 &&
         std::all_of(zone.begin(), zone.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0 || c == ':' || c == '.'; });
}

ReadAddress refused(std::string problem) { return {std::nullopt, std::move(problem)}; }

}  // namespace

std::string WebAddress::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (secure ? 443 : 80) ? name : name + ":" + std::to_string(port);
}

bool WebAddress::local() const {
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "::1";
}

ReadAddress read_address(std::string_view text) {
  WebAddress address;
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c >= 127; }))
    return refused("has blanks or letters that no address has");
  const auto scheme = text.find("://");
  if (scheme == std::string_view::npos) return refused("doesn't begin with `http://` or `https://`");
  std::string name(text.substr(0, scheme));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name != "http" && name != "https") return refused("doesn't begin with `http://` or `https://`");
  address.secure = name == "https";
  address.port = address.secure ? 443 : 80;
  auto rest = text.substr(scheme + 3);
  if (rest.find('#') != std::string_view::npos)
    return refused("has a `#`, and what follows it can't be sent");
  if (const auto query = rest.find('?'); query != std::string_view::npos) {
    address.query = rest.substr(query);
    rest = rest.substr(0, query);
  }
  const auto slash = rest.find('/');
  auto authority = rest.substr(0, slash);
  if (slash != std::string_view::npos) address.path = rest.substr(slash);
  while (address.path.ends_with('/')) address.path.pop_back();
  if (authority.find('@') != std::string_view::npos)
    return refused("holds a name or key before `@`, which doesn't belong in a file");

  std::string_view port;
  bool has_port = false;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return refused("has a `[` without its `]`");
    address.host = authority.substr(1, end - 1);
    if (!is_ipv6(address.host)) return refused("has no address of IPv6 between its brackets");
    const auto after = authority.substr(end + 1);
    has_port = !after.empty();
    if (has_port && after.front() != ':') return refused("has something other than a port behind its `]`");
    if (has_port) port = after.substr(1);
  } else {
    const auto colon = authority.find(':');
    if (colon != std::string_view::npos && authority.find(':', colon + 1) != std::string_view::npos)
      return refused("has several colons: an address of IPv6 stands in brackets, `http://[::1]:8000/v1`");
    address.host = authority.substr(0, colon);
    has_port = colon != std::string_view::npos;
    if (has_port) port = authority.substr(colon + 1);
    if (address.host.empty()) return refused("names no host");
    if (!is_name(address.host)) return refused("has a host with letters that no host's name has");
  }
  if (has_port) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
      return refused("has a port that isn't a number from 1 to 65535");
    address.port = static_cast<std::uint16_t>(number);
  }
  return {std::move(address), {}};
}

}  // namespace trl

#include "verifier/sandbox/options.hpp"

#include <charconv>

namespace trl::runtime::sandbox {
namespace {

bool parse_bytes(const std::string& text, std::uint64_t& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

bool parse_options(const std::vector<std::string>& arguments, SandboxOptions& options, std::string& error) {
  std::size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--") {
      ++i;
      break;
    }
    if (name == "--no-sandbox") {
      options.isolate = false;
      continue;
    }
    if (name == "--nesting") {
      options.nesting = true;
      continue;
    }
    if (i + 1 >= arguments.size() || arguments[i + 1] == "--") {
      error = "unknown option, or one without its value: " + name;
      return false;
    }
    const std::string& value = arguments[++i];
    bool good = true;
    if (name == "--memory") {
      good = parse_bytes(value, options.memory);
    } else if (name == "--write-tmp") {
      good = parse_bytes(value, options.tmp_bytes);
    } else if (name == "--processes") {
      good = parse_bytes(value, options.processes);
    } else if (name == "--read") {
      good = !value.empty() && value[0] == '/';
      options.read.push_back(value);
    } else if (name == "--env") {
      good = value.find('=') != std::string::npos;
      options.environment.push_back(value);
    } else {
      error = "unknown option " + name;
      return false;
    }
    if (!good) {
      error = name + " does not take `" + value + "`";
      return false;
    }
  }
  options.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  if (options.command.empty()) {
    error = "no command after --";
    return false;
  }
  return true;
}

std::string SandboxOptions::writable() const {
  for (const std::string& path : read)
    if (path == "/tmp" || path.starts_with("/tmp/")) return "/scratch";
  return "/tmp";
}

std::string usage() {
  return "usage: trl-sandbox [--no-sandbox] [--nesting] [--memory BYTES] [--write-tmp BYTES] [--processes "
         "N]\n"
         "                   [--read /PATH]… [--env NAME=VALUE]… -- COMMAND…\n";
}

}  // namespace trl::runtime::sandbox

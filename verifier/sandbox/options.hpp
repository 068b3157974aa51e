#pragma once
// The command line of trl-sandbox.
#include <cstdint>
#include <string>
#include <vector>

namespace trl::runtime::sandbox {

/// The exit status of trl-sandbox if the machine refuses the isolation.
constexpr int status_refused = 125;

struct SandboxOptions {
  bool isolate = true;           ///< whether to isolate the command; false: --no-sandbox
  bool nesting = false;          ///< whether the command makes namespaces for the candidates that it forks
  std::uint64_t memory = 0;      ///< bytes of address space; 0: no limit
  std::uint64_t processes = 64;  ///< maximum number of processes, by RLIMIT_NPROC (without effect for root)
  std::uint64_t tmp_bytes = 256u << 20;
  std::vector<std::string> read;  ///< paths of folders and files that the command may read
  std::vector<std::string>
      environment;  ///< environment variables as NAME=VALUE, in addition to a few fixed variables
  std::vector<std::string> command;

  /// The only folder in which the command may write: /tmp, or /scratch if a path of `read` is in /tmp.
  std::string writable() const;
};

/// Reads the arguments after the program's name. On a mistake returns false and sets `error` to a message of
/// one line.
bool parse_options(const std::vector<std::string>& arguments, SandboxOptions& options, std::string& error);

/// The usage message of trl-sandbox.
std::string usage();

}  // namespace trl::runtime::sandbox

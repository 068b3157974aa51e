// The facts about a machine that `trl doctor` reads. Tests replace this interface to imitate other machines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/filter.hpp"

namespace trl::interpreter {

class Machine {
 public:
  virtual ~Machine() = default;

  /// Runs a command for a minute at most. Its first entry is a program's path, or a name that is found in
  /// PATH.
  virtual Filtered run(const std::vector<std::string>& command) const = 0;
  /// The first 64 KiB of a file; nothing if the file can't be read.
  virtual std::optional<std::string> read(const std::filesystem::path& file) const = 0;
  /// Whether this user may execute a file.
  virtual bool executable(const std::filesystem::path& file) const = 0;
  /// The path of a file with symbolic links resolved.
  virtual std::filesystem::path real(const std::filesystem::path& file) const = 0;
  /// The number of free bytes that this user may write in a folder; if the folder doesn't exist, in its
  /// nearest existing parent.
  virtual std::optional<std::uintmax_t> free_bytes(const std::filesystem::path& folder) const = 0;
  /// The value of an environment variable; empty if the variable isn't set.
  virtual std::string variable(const std::string& name) const = 0;
  /// The path of the running trl program.
  virtual std::filesystem::path program() const = 0;
  /// The folder that holds stdlib/.
  virtual std::filesystem::path home() const = 0;
};

class ThisMachine : public Machine {
 public:
  explicit ThisMachine(std::filesystem::path home) : home_(std::move(home)) {}
  Filtered run(const std::vector<std::string>& command) const override;
  std::optional<std::string> read(const std::filesystem::path& file) const override;
  bool executable(const std::filesystem::path& file) const override;
  std::filesystem::path real(const std::filesystem::path& file) const override;
  std::optional<std::uintmax_t> free_bytes(const std::filesystem::path& folder) const override;
  std::string variable(const std::string& name) const override;
  std::filesystem::path program() const override;
  std::filesystem::path home() const override { return home_; }

 private:
  std::filesystem::path home_;
};

/// The path of the Python that the verifier runs: $TRL_PYTHON, or else .venv/bin/python in the home folder.
std::filesystem::path python_of(const Machine& machine);

}  // namespace trl::interpreter

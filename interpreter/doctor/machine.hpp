// The questions of `trl doctor` to the machine. Tests answer for machines that they don't have.
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

  /// Runs a program of PATH, or the one at a path, for a minute at most.
  virtual Filtered run(const std::vector<std::string>& command) const = 0;
  /// The first 64 KiB of a file; nothing where it can't be read.
  virtual std::optional<std::string> read(const std::filesystem::path& file) const = 0;
  /// Whether this user may execute a file.
  virtual bool executable(const std::filesystem::path& file) const = 0;
  /// A file's own path, without links.
  virtual std::filesystem::path real(const std::filesystem::path& file) const = 0;
  /// The bytes that this user may write in a folder, or, where it doesn't exist, in the one above.
  virtual std::optional<std::uintmax_t> free_bytes(const std::filesystem::path& folder) const = 0;
  /// An environment variable; empty where it isn't set.
  virtual std::string variable(const std::string& name) const = 0;
  /// The file of the trl that runs.
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

/// The Python that the verifier runs: $TRL_PYTHON, else .venv/bin/python of the home.
std::filesystem::path python_of(const Machine& machine);

}  // namespace trl::interpreter

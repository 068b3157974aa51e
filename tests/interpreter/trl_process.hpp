// The real trl with the fake worker, in a temporary folder.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/interpreter/fixture.hpp"

namespace trl::interpreter::testing {

struct Ended {
  int status = 0;  ///< the exit status; -1 if it was killed
  int signal = 0;
  std::string out, err;
};

/// The text without line breaks from wrapping.
inline std::string unwrapped(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  for (std::string word; in >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// A folder with a model and study.trl, in which trl runs with its own environment.
class TrlFolder {
 public:
  using Environment = std::map<std::string, std::string>;

  /// Copies the .trl file to study.trl in the folder.
  TrlFolder(const std::filesystem::path& trl, const std::filesystem::path& worker,
            const std::filesystem::path& study);
  /// Runs a command of trl: "run study.trl --store s".
  Ended trl(const std::string& arguments, const Environment& environment = {}) const;
  /// Runs a shell command, which may use $trl.
  Ended shell(const std::string& command, const Environment& environment = {}) const;
  /// Starts a shell command without waiting for it. Its output goes to NAME.out and NAME.err.
  pid_t start(const std::string& command, const std::string& name, const Environment& environment = {}) const;
  Ended wait(pid_t child, const std::string& name) const;

  /// Makes an empty store in `name` that has the secret of the store `like`.
  void make_store(const std::string& name, const std::string& like) const;
  /// The contents of every file under a folder, by its path; `seconds` in JSON files are blanked.
  std::map<std::string, std::string> files(const std::string& folder) const;
  std::filesystem::path path() const { return scratch_.path; }

 private:
  Scratch scratch_;
  std::filesystem::path trl_, worker_;
};

}  // namespace trl::interpreter::testing

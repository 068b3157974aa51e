// The real trl with the fake worker, in a folder of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/interpreter/fixture.hpp"

namespace trl::interpreter::testing {

struct Ended {
  int status = 0;  ///< of the exit; -1 when it was killed
  int signal = 0;
  std::string out, err;
};

/// A folder with a model and study.trl, in which trl is run with an environment of its own.
class TrlFolder {
 public:
  using Environment = std::map<std::string, std::string>;

  /// Copies the .trl file there as study.trl.
  TrlFolder(const std::filesystem::path& trl, const std::filesystem::path& worker,
            const std::filesystem::path& study);
  /// A command of trl: "run study.trl --store s".
  Ended trl(const std::string& arguments, const Environment& environment = {}) const;
  /// Any command of a shell, with $trl.
  Ended shell(const std::string& command, const Environment& environment = {}) const;
  /// Starts one without waiting for it; its output goes to NAME.out and NAME.err.
  pid_t start(const std::string& command, const std::string& name, const Environment& environment = {}) const;
  Ended wait(pid_t child, const std::string& name) const;

  /// An empty store in `name` that has the secret of another.
  void make_store(const std::string& name, const std::string& like) const;
  /// Every file under a folder by its path within; `seconds` of JSON files are blanked.
  std::map<std::string, std::string> files(const std::string& folder) const;
  std::filesystem::path path() const { return scratch_.path; }

 private:
  Scratch scratch_;
  std::filesystem::path trl_, worker_;
};

}  // namespace trl::interpreter::testing

// The state of a file's studies and of the runs that carry them out.
#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/live/study.hpp"
#include "interpreter/store/access.hpp"

namespace trl::interpreter {

/// The processes that use a store, and what each is doing: [{"pid", "host", "started", "command", "file",
/// "name", "tags", "progress"}]; "progress" is as `read_progress` gives it, or null.
nlohmann::json running_json(const std::filesystem::path& store, const std::vector<StoreUser>& users);

class LiveState {
 public:
  /// The document and the plans must outlive the state. `file` names the .trl file to those who look.
  LiveState(const nlohmann::json& document, const std::vector<const Plan*>& plans,
            const std::filesystem::path& store, std::string file);

  /// Reads what is new, and returns the state by parts: "run", and the parts of `LiveStudy::parts` behind the
  /// study's number, as in "0 progress".
  std::map<std::string, nlohmann::json> look();
  /// The studies as they were at the last look.
  const std::list<LiveStudy>& studies() const { return studies_; }
  /// The stages that ran then.
  const RunningStages& running() const { return running_; }
  /// Sets how the run that is watched has ended: "all stages are done".
  void end(std::string how) { ended_ = std::move(how); }
  bool ended() const { return ended_.has_value(); }

 private:
  Store store_;
  std::string file_;
  std::list<LiveStudy> studies_;
  RunningStages running_;
  std::optional<std::string> ended_;
};

}  // namespace trl::interpreter

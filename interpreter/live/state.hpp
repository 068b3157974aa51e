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

/// Returns the processes that use a store, with their work: [{"pid", "host", "started", "command", "file",
/// "name", "tags", "progress"}]. "progress" is the result of `read_progress`, or null.
nlohmann::json running_json(const std::filesystem::path& store, const std::vector<StoreUser>& users);

class LiveState {
 public:
  /// The document and the plans must outlive the state. `file` is the .trl file's name, which the page shows.
  LiveState(const nlohmann::json& document, const std::vector<const Plan*>& plans,
            const std::filesystem::path& store, std::string file);

  /// Reads new results and returns the state in parts: "run", and for each study the parts of
  /// `LiveStudy::parts`, each behind the study's number: "0 progress".
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

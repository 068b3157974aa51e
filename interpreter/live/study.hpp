// The state of a study that is being carried out: progress, curves, verdicts and the last refused answers. It
// is read from the store alone, each result once, and takes memory that doesn't depend on the number of
// answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/measures.hpp"
#include "interpreter/curve.hpp"
#include "interpreter/live/answers.hpp"
#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/report/evidence.hpp"
#include "interpreter/report/series.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The values of one measure by rows: in one place of training ("reinforce/finetune"), or in several places,
/// of which each row has only one.
struct LiveSeries {
  std::string name;                 ///< as exports name the first: "reinforce/finetune/loss"
  std::vector<std::string> places;  ///< "reinforce/finetune"
  const contract::Measure* measure = nullptr;
  bool by_round = false;  ///< whether the curve has one number for each round; else one for each step
  struct Line {
    std::vector<std::string> rows;  ///< several if their stages are the same
    bool control = false;
    Curve::Band band;  ///< over seeds
  };
  std::vector<Line> lines;
};

/// The stages that run now: by stage key, the object that describes the stage in the result of
/// `read_progress`.
using RunningStages = std::map<std::string, nlohmann::json>;

class LiveStudy {
 public:
  /// The arguments must outlive the study.
  LiveStudy(const nlohmann::json& document, const Plan& plan, const Store& store);

  /// Reads the results that are new, and returns whether there were any. A result that can't be read counts
  /// as done and adds nothing; no error is raised.
  bool look();

  const Plan& plan() const { return plan_; }
  std::size_t done() const { return done_; }
  bool finished() const { return done_ == plan_.stages.size(); }
  /// Returns the series in the order of `Measure::curve_place`. For stages in `running` they contain the
  /// steps that were reported so far.
  std::vector<LiveSeries> series(const RunningStages& running = {}) const;
  /// Returns the state in parts: "plan", which never changes, "progress", "answers", "refused", and "curve
  /// NAME" for each series. The result depends only on the store and on `running`.
  std::map<std::string, nlohmann::json> parts(const RunningStages& running) const;

 private:
  /// A row's stages under one seed.
  struct Chain {
    std::size_t row = 0;
    std::uint64_t seed = 0;
    std::vector<std::size_t> stages;            ///< indices in the plan, ascending
    std::vector<std::string> slots;             ///< their slots
    std::map<std::string, Curve> curves;        ///< by series
    std::map<std::string, std::string> of;      ///< the keys of the stages of each series, joined
    std::map<std::string, std::int64_t> steps;  ///< the steps so far, by TrainingPlace::name
  };
  struct Use {
    std::size_t chain = 0, slot = 0;
  };
  /// The facts about a series that all its chains share.
  struct Kind {
    const contract::Measure* measure = nullptr;
    bool by_round = false;
  };
  void read(std::size_t stage);
  void add_numbers(std::size_t stage, const std::vector<StageNumber>& numbers);
  nlohmann::json plan_part() const;
  nlohmann::json progress_part(const RunningStages& running) const;
  nlohmann::json modelled() const;

  const nlohmann::json& document_;
  const Plan& plan_;
  const Store& store_;
  std::vector<Chain> chains_;
  std::vector<std::vector<Use>> uses_;            ///< [stage]
  std::vector<std::vector<std::size_t>> inputs_;  ///< [stage]: the stages whose results it needs
  std::map<std::string, std::size_t> by_key_;
  std::vector<char> seen_;       ///< [stage]: whether its result was found
  std::vector<double> seconds_;  ///< [stage]
  std::size_t done_ = 0;
  bool looked_ = false;
  std::map<std::string, Kind> kinds_;  ///< of series
  LiveAnswers answers_;
  Forecast forecast_{plan_};
  Experience experience_;
  /// The number of finished stages at the last call of `modelled`, and the result of that call.
  mutable std::optional<std::pair<std::size_t, nlohmann::json>> modelled_;
};

}  // namespace trl::interpreter

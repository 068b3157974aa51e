// Shows the progress of a run. On a terminal this is one line for each running stage, which is rewritten;
// otherwise a line is printed for each stage, and every half minute within a stage.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "interpreter/curve.hpp"

namespace trl::interpreter {

struct ProgressStyle {
  bool terminal = false;  ///< whether progress is lines that are rewritten
  bool colour = false;
  int width = 80;
  bool quiet = false;  ///< whether nothing is shown except the sentences of `say`
};

/// The state of a run, or of one of its running stages, as other programs can read it.
struct ProgressSnapshot {
  int number = 0, total = 0;  ///< the number of the stage in the plan, from 1, and the number of all stages
  std::string stage, key;     ///< the stage's slot and its key, which is empty if the run didn't tell it
  /// The units of work done in the stage, and all its units; `all` is 0 if unknown.
  std::int64_t done = 0, all = 0;
  std::string unit;            ///< the name of the units: "candidates"
  double seconds = 0;          ///< the seconds since the stage began
  std::optional<double> left;  ///< the forecast of the seconds until the stage ends, by its rate so far
  /// The forecast of the seconds until the run ends: the argument `run_left` of `begin`, less the seconds
  /// since then.
  std::optional<double> run_left;
  /// The last metrics that training reported: "loss", and "reward", which is the mean reward of the last
  /// round.
  std::map<std::string, double> metrics;
  /// The course over the stage's steps of the metrics that are shown as curves (`Measure::curve`).
  std::map<std::string, Curve> curves;
  std::string waiting;  ///< the process for which the run waits: "process 12 (trl run a.trl)"; empty if it
                        ///< doesn't wait
  std::string where;    ///< where the stage runs: "GPU 1"; empty if the run has one seat
  /// All stages that run at the same time, in the order in which they began; empty if there is only one.
  std::vector<ProgressSnapshot> running;
  std::vector<std::string> seats;  ///< the names of the run's seats, if it has several
};

/// Several threads may use it at once, each for the stage that it carries out. In functions with a stage's
/// number, 0 means the running stage that began last.
class Progress {
  /// A function that returns the time in seconds.
 public:
  using Clock = std::function<double()>;
  Progress(std::ostream& out, ProgressStyle style, Clock clock);

  /// Calls `observe` when a stage begins, and about once a second while it goes on.
  void observe(std::function<void(const ProgressSnapshot&)> observe) { observe_ = std::move(observe); }

  /// Sets the names of the run's seats, for `observe`.
  void seats(std::vector<std::string> names) { seats_ = std::move(names); }

  /// Begins stage `number`, counted from 1, of the plan's `total` stages. `run_left` is the expected number
  /// of seconds until the run ends, including this stage; nothing if unknown. `where` names the seats on
  /// which the stage runs while others may run ("GPU 1"; it may be empty); nothing in a run with one seat.
  /// `key` is the stage's key.
  void begin(int number, int total, const std::string& title, std::optional<double> run_left = {},
             const std::optional<std::string>& where = {}, const std::string& key = {});
  /// Shows that the stage continues where an earlier run was interrupted. The units `done`, which the earlier
  /// run did, don't count in the stage's rate.
  void resume(std::int64_t done, std::int64_t all, const std::string& unit, int stage = 0);
  /// Says on which machine a stage runs.
  void place(const std::string& where, int stage = 0);
  void update(std::int64_t done, std::int64_t all, const std::string& unit, int stage = 0);
  /// Records a metric of a stage; with `step`, also as a point of its curve if it is shown as a curve. "loss"
  /// and "reward" are shown beside the forecast; other metrics are only passed to `observe`.
  void metric(const std::string& name, double value, int stage = 0, std::optional<std::int64_t> step = {});
  /// Forgets the metrics of a stage and their curves, since its worker reports them anew.
  void forget_metrics(int stage = 0);
  void finish(const std::string& remark, int stage = 0);
  /// Ends the lines of a stage that isn't finished.
  void leave(int stage);
  /// Shows that this run waits for another run, which makes the stage. `for_whom` describes the other run's
  /// process.
  void wait(int number, int total, const std::string& title, const std::string& for_whom);
  /// Shows that another run has made this stage.
  void pass(int number, int total, const std::string& title);
  void say(const std::string& line);
  /// Removes the live lines.
  void clear();

 private:
  /// A running stage.
  struct Line {
    int number = 0, total = 0;
    std::string title, key, unit, waiting, where;
    bool beside = false;  ///< whether others may run at the same time
    std::map<std::string, double> metrics;
    std::map<std::string, Curve> curves;
    /// `before`: the units that were already done when the stage began.
    std::int64_t done = 0, all = 0, before = 0;
    double begun = 0, drawn = -1;
    std::optional<double> run_left;

    std::string named() const { return where.empty() ? title : title + " on " + where; }
  };
  Line& line(int stage);
  /// Makes the line of a stage that begins now. Removes lines that aren't shown together with lines of other
  /// stages.
  Line& fresh(int number, int total, const std::string& title);
  void draw(Line& line, bool now);
  void tell(const Line& line, double time, bool now);
  ProgressSnapshot snapshot(const Line& line, double time) const;
  std::string place(const Line& line, double time, bool with_left) const;
  std::string text(const Line& line, double time, bool with_left) const;
  /// Shows the lines on the terminal in place of the lines that are there.
  void show(const std::vector<std::string>& lines);
  void wipe();
  void print(const std::string& line);

  std::ostream& out_;
  ProgressStyle style_;
  Clock clock_;
  std::mutex mutex_;
  std::map<int, Line> lines_;  ///< by the stage's number
  int last_ = 0;               ///< the number of the stage that began last
  double told_ = 0, shown_ = -1;
  std::function<void(const ProgressSnapshot&)> observe_;
  std::vector<std::string> seats_;
  std::size_t live_ = 0;  ///< the number of lines on the terminal that will be rewritten
};

/// Metrics as text: "loss 0.532, mean reward 0.412". Metrics that are absent are left out.
std::string metrics_text(const std::map<std::string, double>& metrics);

/// A duration as text: "3 s", "2 min 05 s", "1 h 07 min".
std::string duration_text(double seconds);

/// The style for standard error. `terminal` is set if it is a terminal and TERM isn't "dumb"; colour is used
/// unless NO_COLOR is set.
ProgressStyle style_of_stderr();
Progress::Clock steady_seconds();

}  // namespace trl::interpreter

// Shows the progress of a run: one live line on a terminal; elsewhere a line for each stage, and one every
// half minute within a stage.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>

namespace trl::interpreter {

struct ProgressStyle {
  bool terminal = false;  ///< rewrites one live line
  bool colour = false;
  int width = 80;
  bool quiet = false;  ///< shows nothing but the sentences of `say`
};

/// The state of a run, for other programs.
struct ProgressSnapshot {
  int number = 0, total = 0;  ///< of the stage in the plan, from 1
  std::string stage;
  std::int64_t done = 0, all = 0;  ///< of its parts; all is 0 where they aren't known
  std::string unit;                ///< of its parts: "candidates"
  double seconds = 0;              ///< since the stage began
  std::optional<double> left;      ///< seconds until the stage ends, by its rate so far
  std::optional<double>
      run_left;  ///< seconds until the run ends: the forecast given to `begin`, less the seconds since
  /// The numbers that training told last: its "loss", and as "reward" the mean of the last round.
  std::map<std::string, double> metrics;
  std::string waiting;  ///< for whom the run waits: "process 12 (trl run a.trl)"; else empty
};

class Progress {
 public:
  using Clock = std::function<double()>;  ///< returns seconds
  Progress(std::ostream& out, ProgressStyle style, Clock clock);

  /// Calls `observe` when a stage begins, and about once a second while it goes on.
  void observe(std::function<void(const ProgressSnapshot&)> observe) { observe_ = std::move(observe); }

  /// Begins stage `number` of the plan's `total`, counted from 1. `run_left`: the expected seconds until the
  /// run ends, this stage's own among them, if they are known.
  void begin(int number, int total, const std::string& title, std::optional<double> run_left = {});
  /// Shows that the stage goes on where an earlier run was interrupted; the units done then don't count for
  /// its rate.
  void resume(std::int64_t done, std::int64_t all, const std::string& unit);
  void update(std::int64_t done, std::int64_t all, const std::string& unit);
  /// Shows a loss or a reward beside the forecast; other metrics are only passed on.
  void metric(const std::string& name, double value);
  void finish(const std::string& remark);
  /// Shows that the run waits for another one, which makes this stage.
  void wait(int number, int total, const std::string& title, const std::string& for_whom);
  /// Shows a stage that another run has made.
  void pass(int number, int total, const std::string& title);
  void say(const std::string& line);
  /// Removes the live line.
  void clear();

 private:
  void draw(bool now);
  void tell(double time);
  ProgressSnapshot snapshot(double time) const;
  std::string place(double time) const;
  void show(std::string line);

  std::ostream& out_;
  ProgressStyle style_;
  Clock clock_;
  int number_ = 0, total_ = 0;
  std::string title_, unit_, waiting_;
  std::map<std::string, double> metrics_;
  std::int64_t done_ = 0, all_ = 0, before_ = 0;  ///< before_: the units done when the stage began
  double begun_ = 0, drawn_ = -1, told_ = 0;
  std::optional<double> run_left_;
  std::function<void(const ProgressSnapshot&)> observe_;
  bool live_ = false;
};

/// "loss 0.532, mean reward 0.412", with the metrics that there are.
std::string metrics_text(const std::map<std::string, double>& metrics);

/// "3 s", "2 min 05 s", "1 h 07 min".
std::string duration_text(double seconds);

/// The style of standard error: a terminal unless TERM is dumb; colour unless NO_COLOR is set.
ProgressStyle style_of_stderr();
Progress::Clock steady_seconds();

}  // namespace trl::interpreter

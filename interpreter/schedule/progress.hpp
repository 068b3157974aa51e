// Shows the progress of a run: one live line on a terminal; elsewhere a line for each stage, and one every
// half minute within a stage.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace trl::interpreter {

struct ProgressStyle {
  bool terminal = false;  ///< rewrites one live line
  bool colour = false;
  int width = 80;
};

class Progress {
 public:
  using Clock = std::function<double()>;  ///< returns seconds
  Progress(std::ostream& out, ProgressStyle style, Clock clock);

  /// Begins stage `number` of the plan's `total`, counted from 1.
  void begin(int number, int total, const std::string& title);
  void update(std::int64_t done, std::int64_t all, const std::string& unit);
  void metric(const std::string& name, double value);
  void finish(const std::string& remark);
  void say(const std::string& line);
  /// Removes the live line.
  void clear();

 private:
  void draw(bool now);

  std::ostream& out_;
  ProgressStyle style_;
  Clock clock_;
  int number_ = 0, total_ = 0;
  std::string title_, unit_, metric_;
  std::int64_t done_ = 0, all_ = 0;
  double begun_ = 0, drawn_ = -1;
  bool live_ = false;
};

/// "3 s", "2 min 05 s", "1 h 07 min".
std::string duration_text(double seconds);

/// The style of standard error: a terminal unless TERM is dumb; colour unless NO_COLOR is set.
ProgressStyle style_of_stderr();
Progress::Clock steady_seconds();

}  // namespace trl::interpreter

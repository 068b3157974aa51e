#include "interpreter/schedule/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace trl::interpreter {

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string metrics_text(const std::map<std::string, double>& metrics) {
  std::string text;
  for (const auto& [name, words] : {std::pair{"loss", "loss"}, {"reward", "mean reward"}})
    if (const auto found = metrics.find(name); found != metrics.end())
      text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", words, found->second);
  return text;
}

ProgressStyle style_of_stderr() {
  ProgressStyle style;
  const char* term = std::getenv("TERM");
  style.terminal = ::isatty(2) && term && std::strcmp(term, "dumb") != 0;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colour = style.terminal && !(no_colour && *no_colour);
  winsize size{};
  if (::ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) style.width = size.ws_col;
  return style;
}

Progress::Clock steady_seconds() {
  return [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
}

Progress::Progress(std::ostream& out, ProgressStyle style, Clock clock)
    : out_(out), style_(style), clock_(std::move(clock)), told_(clock_()) {}

ProgressSnapshot Progress::snapshot(double time) const {
  ProgressSnapshot out{number_,       total_, title_, done_,    all_,    unit_,
                       time - begun_, {},     {},     metrics_, waiting_};
  if (done_ > before_ && out.seconds > 0.5 && done_ <= all_)
    out.left = out.seconds / static_cast<double>(done_ - before_) * static_cast<double>(all_ - done_);
  if (run_left_) out.run_left = std::max(0.0, *run_left_ - out.seconds);
  return out;
}

void Progress::tell(double time) {
  if (!observe_ || time - told_ < 1) return;
  told_ = time;
  observe_(snapshot(time));
}

void Progress::begin(int number, int total, const std::string& title, std::optional<double> run_left) {
  number_ = number, total_ = total, title_ = title, run_left_ = run_left;
  done_ = all_ = before_ = 0, unit_.clear(), metrics_.clear(), waiting_.clear();
  begun_ = told_ = clock_();
  if (observe_) observe_(snapshot(begun_));
  drawn_ = -1;
  if (style_.terminal)
    draw(true);
  else
    drawn_ = begun_;
}

void Progress::resume(std::int64_t done, std::int64_t all, const std::string& unit) {
  done_ = before_ = done, all_ = all, unit_ = unit;
  if (style_.quiet) return;
  say(fmt::format("[{}/{}] {}  goes on after {} of {} {}", number_, total_, title_, done, all, unit));
}

void Progress::update(std::int64_t done, std::int64_t all, const std::string& unit) {
  done_ = done, all_ = all, unit_ = unit;
  draw(style_.terminal && done == all);
}

void Progress::metric(const std::string& name, double value) { metrics_[name] = value; }

/// "[3/91, 6 min 10 s left]".
std::string Progress::place(double time) const {
  const auto left = snapshot(time).run_left;
  return fmt::format("[{}/{}{}]", number_, total_, left ? ", " + duration_text(*left) + " left" : "");
}

void Progress::draw(bool now) {
  const double time = clock_();
  tell(time);
  if (style_.quiet) return;
  if (!now && drawn_ >= 0 && time - drawn_ < (style_.terminal ? 0.1 : 30)) return;
  drawn_ = time;
  std::string line = place(time);
  if (all_ > 0) {
    constexpr int cells = 12;
    const double share = std::clamp(double(done_) / double(all_), 0.0, 1.0);
    const int full = static_cast<int>(share * cells);
    std::string bar;
    for (int i = 0; i < cells; ++i) bar += i < full ? '#' : '.';
    line += fmt::format(" {}{}/{} {}", style_.terminal ? bar + " " : "", done_, all_, unit_);
    if (const auto now = snapshot(time); now.left) {
      line += fmt::format(", {:.1f}/s", static_cast<double>(done_ - before_) / now.seconds);
      if (done_ < all_) line += ", " + duration_text(*now.left) + " left";
    }
  }
  if (const auto text = metrics_text(metrics_); !text.empty()) line += (all_ > 0 ? ", " : " ") + text;
  // The least important parts come last, where a narrow terminal cuts them off.
  show(line + "  " + title_);
}

void Progress::show(std::string line) {
  if (!style_.terminal) {
    out_ << line << '\n' << std::flush;
    return;
  }
  if (static_cast<int>(line.size()) >= style_.width) line.resize(style_.width - 1);
  out_ << '\r' << (style_.colour ? "\x1b[36m" : "") << line << (style_.colour ? "\x1b[0m" : "") << "\x1b[K"
       << std::flush;
  live_ = true;
}

void Progress::clear() {
  if (live_) out_ << "\r\x1b[K" << std::flush;
  live_ = false;
}

void Progress::finish(const std::string& remark) {
  clear();
  if (style_.quiet) return;
  out_ << fmt::format("[{}/{}] {}  {}{}\n", number_, total_, title_, duration_text(clock_() - begun_),
                      remark.empty() ? "" : "  " + remark)
       << std::flush;
}

void Progress::wait(int number, int total, const std::string& title, const std::string& for_whom) {
  const bool known = waiting_ == for_whom && title_ == title;
  if (!known) {
    number_ = number, total_ = total, title_ = title, waiting_ = for_whom, run_left_.reset();
    done_ = all_ = before_ = 0, unit_.clear(), metrics_.clear();
    begun_ = told_ = clock_();
    if (observe_) observe_(snapshot(begun_));
    if (!style_.quiet)
      show(fmt::format("[{}/{}] waiting for {}, which makes {}", number, total, for_whom, title));
  }
  tell(clock_());
}

void Progress::pass(int number, int total, const std::string& title) {
  clear();
  waiting_.clear();
  if (!style_.quiet)
    out_ << fmt::format("[{}/{}] {}  made by another run\n", number, total, title) << std::flush;
}

void Progress::say(const std::string& line) {
  clear();
  out_ << line << '\n' << std::flush;
}

}  // namespace trl::interpreter

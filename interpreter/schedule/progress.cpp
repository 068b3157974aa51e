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
    : out_(out), style_(style), clock_(std::move(clock)) {}

void Progress::begin(int number, int total, const std::string& title) {
  number_ = number, total_ = total, title_ = title;
  done_ = all_ = 0, unit_.clear(), metric_.clear();
  begun_ = clock_();
  drawn_ = -1;
  if (style_.terminal)
    draw(true);
  else
    drawn_ = begun_;
}

void Progress::update(std::int64_t done, std::int64_t all, const std::string& unit) {
  done_ = done, all_ = all, unit_ = unit;
  draw(style_.terminal && done == all);
}

void Progress::metric(const std::string& name, double value) {
  metric_ = fmt::format("{} {:.3f}", name, value);
}

void Progress::draw(bool now) {
  const double time = clock_();
  if (!now && drawn_ >= 0 && time - drawn_ < (style_.terminal ? 0.1 : 30)) return;
  drawn_ = time;
  std::string line = fmt::format("[{}/{}]", number_, total_);
  if (all_ > 0) {
    constexpr int cells = 12;
    const double share = std::clamp(double(done_) / double(all_), 0.0, 1.0);
    const int full = static_cast<int>(share * cells);
    std::string bar;
    for (int i = 0; i < cells; ++i) bar += i < full ? '#' : '.';
    line += fmt::format(" {} {}/{} {}", style_.terminal ? bar : "", done_, all_, unit_);
    const double seconds = time - begun_;
    if (done_ > 0 && seconds > 0.5) {
      line += fmt::format(", {:.1f}/s", done_ / seconds);
      if (done_ < all_) line += ", " + duration_text(seconds / done_ * (all_ - done_)) + " left";
    }
  }
  if (!metric_.empty()) line += ", " + metric_;
  // The least important parts come last, where a narrow terminal cuts them off.
  line += "  " + title_;
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
  out_ << fmt::format("[{}/{}] {}  {}{}\n", number_, total_, title_, duration_text(clock_() - begun_),
                      remark.empty() ? "" : "  " + remark)
       << std::flush;
}

void Progress::say(const std::string& line) {
  clear();
  out_ << line << '\n' << std::flush;
}

}  // namespace trl::interpreter

#include "interpreter/schedule/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/contract/measures.hpp"

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

Progress::Line& Progress::line(int stage) { return lines_[stage == 0 ? last_ : stage]; }

Progress::Line& Progress::fresh(int number, int total, const std::string& title) {
  std::erase_if(lines_, [](const auto& line) { return !line.second.beside; });
  last_ = number;
  auto& line = lines_[number] = {};
  line.number = number, line.total = total, line.title = title;
  return line;
}

ProgressSnapshot Progress::snapshot(const Line& line, double time) const {
  ProgressSnapshot out;
  out.number = line.number, out.total = line.total, out.stage = line.title, out.key = line.key,
  out.where = line.where;
  out.done = line.done, out.all = line.all, out.unit = line.unit, out.seconds = time - line.begun;
  out.metrics = line.metrics, out.curves = line.curves, out.waiting = line.waiting;
  if (line.done > line.before && out.seconds > 0.5 && line.done <= line.all)
    out.left = out.seconds / static_cast<double>(line.done - line.before) *
               static_cast<double>(line.all - line.done);
  if (line.run_left) out.run_left = std::max(0.0, *line.run_left - out.seconds);
  return out;
}

void Progress::tell(const Line& line, double time, bool now) {
  if (!now && time - told_ < 1) return;
  if (!observe_) return;
  told_ = time;
  auto told = snapshot(line, time);
  told.seats = seats_;
  if (lines_.size() > 1)
    for (const auto& [number, one] : lines_) told.running.push_back(snapshot(one, time));
  observe_(told);
}

void Progress::begin(int number, int total, const std::string& title, std::optional<double> run_left,
                     const std::optional<std::string>& where, const std::string& key) {
  const std::lock_guard lock(mutex_);
  auto& line = fresh(number, total, title);
  line.key = key;
  line.beside = where.has_value(), line.where = where.value_or("");
  line.run_left = run_left;
  line.begun = told_ = clock_();
  tell(line, line.begun, true);
  if (style_.terminal)
    draw(line, true);
  else
    line.drawn = line.begun;
}

void Progress::resume(std::int64_t done, std::int64_t all, const std::string& unit, int stage) {
  const std::lock_guard lock(mutex_);
  auto& line = this->line(stage);
  line.done = line.before = done, line.all = all, line.unit = unit;
  if (style_.quiet) return;
  print(fmt::format("[{}/{}] {}  goes on after {} of {} {}", line.number, line.total, line.named(), done, all,
                    unit));
}

void Progress::place(const std::string& where, int stage) {
  const std::lock_guard lock(mutex_);
  auto& line = this->line(stage);
  line.where = where;
  tell(line, clock_(), true);
}

void Progress::update(std::int64_t done, std::int64_t all, const std::string& unit, int stage) {
  const std::lock_guard lock(mutex_);
  auto& line = this->line(stage);
  line.done = done, line.all = all, line.unit = unit;
  draw(line, style_.terminal && done == all);
}

void Progress::metric(const std::string& name, double value, int stage, std::optional<std::int64_t> step) {
  const std::lock_guard lock(mutex_);
  auto& line = this->line(stage);
  line.metrics[name] = value;
  if (step && contract::has_curve(name)) line.curves[name].add(*step, value);
}

void Progress::forget_metrics(int stage) {
  const std::lock_guard lock(mutex_);
  auto& line = this->line(stage);
  line.metrics.clear(), line.curves.clear();
}

/// "[3/91, 6 min 10 s left]".
std::string Progress::place(const Line& line, double time, bool with_left) const {
  const auto left = with_left ? snapshot(line, time).run_left : std::nullopt;
  return fmt::format("[{}/{}{}]", line.number, line.total, left ? ", " + duration_text(*left) + " left" : "");
}

std::string Progress::text(const Line& line, double time, bool with_left) const {
  std::string text = place(line, time, with_left);
  if (line.all > 0) {
    constexpr int cells = 12;
    const double share = std::clamp(double(line.done) / double(line.all), 0.0, 1.0);
    const int full = static_cast<int>(share * cells);
    std::string bar;
    for (int i = 0; i < cells; ++i) bar += i < full ? '#' : '.';
    text += fmt::format(" {}{}/{} {}", style_.terminal ? bar + " " : "", line.done, line.all, line.unit);
    if (const auto now = snapshot(line, time); now.left) {
      text += fmt::format(", {:.1f}/s", static_cast<double>(line.done - line.before) / now.seconds);
      if (line.done < line.all) text += ", " + duration_text(*now.left) + " left";
    }
  }
  if (const auto metrics = metrics_text(line.metrics); !metrics.empty())
    text += (line.all > 0 ? ", " : " ") + metrics;
  // The least important parts come last, where a narrow terminal cuts them off.
  return text + "  " + (style_.terminal ? line.title : line.named());
}

void Progress::draw(Line& line, bool now) {
  const double time = clock_();
  tell(line, time, false);
  if (style_.quiet) return;
  if (!style_.terminal) {
    if (!now && line.drawn >= 0 && time - line.drawn < 30) return;
    line.drawn = time;
    out_ << text(line, time, true) << '\n' << std::flush;
    return;
  }
  if (!now && shown_ >= 0 && time - shown_ < 0.1) return;
  shown_ = time;
  std::vector<std::string> texts;
  for (const auto& [number, one] : lines_)
    texts.push_back((one.where.empty() ? "" : one.where + " ") + text(one, time, number == last_));
  show(texts);
}

void Progress::show(const std::vector<std::string>& lines) {
  std::string text = live_ > 1 ? fmt::format("\x1b[{}A", live_ - 1) : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto line = lines[i];
    if (static_cast<int>(line.size()) >= style_.width)
      line.resize(static_cast<std::size_t>(style_.width) - 1);
    text += fmt::format("{}\r{}{}{}\x1b[K", i == 0 ? "" : "\n", style_.colour ? "\x1b[36m" : "", line,
                        style_.colour ? "\x1b[0m" : "");
  }
  if (live_ > lines.size()) text += "\x1b[J";
  out_ << text << std::flush;
  live_ = lines.size();
}

void Progress::wipe() {
  if (live_ > 1) out_ << fmt::format("\x1b[{}A\r\x1b[J", live_ - 1) << std::flush;
  if (live_ == 1) out_ << "\r\x1b[K" << std::flush;
  live_ = 0;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  wipe();
}

void Progress::finish(const std::string& remark, int stage) {
  const std::lock_guard lock(mutex_);
  wipe();
  const auto& line = this->line(stage);
  const double seconds = clock_() - line.begun;
  if (!style_.quiet)
    out_ << fmt::format("[{}/{}] {}  {}{}\n", line.number, line.total, line.named(), duration_text(seconds),
                        remark.empty() ? "" : "  " + remark)
         << std::flush;
  if (line.beside) lines_.erase(line.number);
}

void Progress::leave(int stage) {
  const std::lock_guard lock(mutex_);
  wipe();
  lines_.erase(stage);
}

void Progress::wait(int number, int total, const std::string& title, const std::string& for_whom) {
  const std::lock_guard lock(mutex_);
  const auto last = lines_.find(last_);
  const bool known = last != lines_.end() && last->second.waiting == for_whom && last->second.title == title;
  if (!known) {
    auto& line = fresh(number, total, title);
    line.waiting = for_whom;
    line.begun = told_ = clock_();
    tell(line, line.begun, true);
    const auto text = fmt::format("[{}/{}] waiting for {}, which makes {}", number, total, for_whom, title);
    if (!style_.quiet && style_.terminal) show({text});
    if (!style_.quiet && !style_.terminal) out_ << text << '\n' << std::flush;
  }
  tell(line(0), clock_(), false);
}

void Progress::pass(int number, int total, const std::string& title) {
  const std::lock_guard lock(mutex_);
  wipe();
  if (const auto last = lines_.find(last_); last != lines_.end()) last->second.waiting.clear();
  if (!style_.quiet)
    out_ << fmt::format("[{}/{}] {}  made by another run\n", number, total, title) << std::flush;
}

void Progress::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  print(line);
}

void Progress::print(const std::string& line) {
  wipe();
  out_ << line << '\n' << std::flush;
}

}  // namespace trl::interpreter

#include "runtime/endpoint/retry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

namespace trl::runtime {
namespace {

constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

/// Splits a date into its words at blanks, commas and hyphens.
std::array<std::string_view, 6> words_of(std::string_view text) {
  std::array<std::string_view, 6> words;
  std::size_t count = 0;
  while (!text.empty()) {
    const auto begin = text.find_first_not_of(" ,-\t");
    if (begin == std::string_view::npos) break;
    const auto end = std::min(text.find_first_of(" ,-\t", begin), text.size());
    if (count == words.size()) return {};  // no date has so many
    words[count++] = text.substr(begin, end - begin);
    text.remove_prefix(end);
  }
  return words;
}

/// Parses a date in one of the three forms of RFC 9110, 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT",
/// "Sunday, 06-Nov-94 08:49:37 GMT" or "Sun Nov  6 08:49:37 1994". Returns seconds since 1970; nothing if the
/// text is no date.
std::optional<std::int64_t> http_date(std::string_view text, std::int64_t now) {
  const auto words = words_of(text);
  const bool old = !words[1].empty() && !number(words[1]);  // the month comes before the day
  const auto day_text = words[old ? 2 : 1], month_text = words[old ? 1 : 2], year_text = words[old ? 4 : 3],
             time = words[old ? 3 : 4];
  const auto day = number(day_text);
  auto year = number(year_text);
  const auto month = std::find(months.begin(), months.end(), month_text);
  if (!day || !year || month == months.end() || time.size() != 8 || time[2] != ':' || time[5] != ':')
    return std::nullopt;
  const auto hour = number(time.substr(0, 2)), minute = number(time.substr(3, 2)),
             second = number(time.substr(6, 2));
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  using namespace std::chrono;
  if (year_text.size() == 2) {
    // A year of two digits that would be more than 50 years in the future belongs to the previous century.
    const auto this_year = static_cast<int>(year_month_day(floor<days>(sys_seconds(seconds(now)))).year());
    *year += this_year / 100 * 100;
    if (*year > this_year + 50) *year -= 100;
  }
  const year_month_day date(std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(month - months.begin()) + 1),
                            std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  const auto at = sys_days(date) + hours(*hour) + minutes(*minute) + seconds(*second);
  return duration_cast<seconds>(at.time_since_epoch()).count();
}

}  // namespace

bool is_transient(int status) {
  // Status 425 answers a request that came too early. Two of the statuses for the server's own troubles don't
  // pass: 501 (what was asked isn't implemented) and 505 (the version of HTTP isn't known).
  const bool passes = status >= 500 && status != 501 && status != 505;
  return status == 408 || status == 409 || status == 425 || status == 429 || passes;
}

double backoff(std::int64_t attempts, double draw) {
  const double whole =
      std::min(std::ldexp(1.0, static_cast<int>(std::clamp<std::int64_t>(attempts, 1, 10)) - 1), 60.0);
  return whole * (0.5 + draw / 2);
}

std::optional<double> retry_after(std::string_view text, std::int64_t now) {
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, end - begin + 1);
  if (text.find_first_not_of("0123456789.") == std::string_view::npos) {
    double seconds = 0;
    const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || last != text.data() + text.size()) return std::nullopt;
    return seconds;
  }
  const auto date = http_date(text, now);
  if (!date) return std::nullopt;
  return std::max(0.0, static_cast<double>(*date - now));
}

}  // namespace trl::runtime

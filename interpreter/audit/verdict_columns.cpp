#include "interpreter/audit/verdict_columns.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

using enum Compared;
constexpr std::array<AuditedColumn, 27> columns = {{
    {"task", exactly, ""},
    {"sample", never, "a number that only tells answers apart"},
    {"valid", exactly, ""},
    {"compiled", exactly, ""},
    {"tiny", exactly, ""},
    {"correct", exactly, ""},
    {"values", exactly, ""},
    {"failed", exactly, ""},
    {"reason", exactly, ""},
    {"message", never, "its words may change between versions"},
    {"line", exactly, ""},
    {"claimed", exactly, ""},
    {"variation", exactly, ""},
    {"speedup", as_time, ""},
    {"time_us", as_time, ""},
    {"reference_us", as_time, ""},
    {"modelled", as_time, ""},
    {"launches", exactly, ""},
    {"launched_us", as_time, ""},
    {"compiled_us", as_time, ""},
    {"paths", exactly, ""},
    {"no_evidence", exactly, ""},
    {"left_alone", exactly, ""},
    {"masked_without_other", exactly, ""},
    {"kernel_share", exactly, ""},
    {"own_sizes", exactly, ""},
    {"kernelbench", if_possible, ""},
}};

std::string words_of(const contract::Verdict& verdict) {
  if (verdict.correct) return "correct";
  if (verdict.failed.empty()) return "not correct";
  return "fails " + verdict.failed + (verdict.reason.empty() ? "" : ", " + verdict.reason);
}

/// A verdict's columns as they are compared: KernelBench's without its message.
json comparable(const contract::Verdict& verdict) {
  json row = verdict.write();
  if (const auto other = row.find("kernelbench"); other != row.end()) other->erase("message");
  return row;
}

/// Whether this machine couldn't carry out KernelBench's protocol. Then a column that differs counts as
/// unchecked.
bool lacks_kernelbench(const contract::Verdict& verdict) {
  return verdict.kernelbench && verdict.kernelbench->reason == "no_reference";
}

/// Whether two measured speed-ups differ by more than a factor of 2. Smaller differences are normal, since
/// times depend on the machine.
bool far_apart(double ratio) { return ratio < 0.5 || ratio > 2; }

/// Returns the speed-up over the reference compiled by torch.compile; 0 if it wasn't measured.
double compiled_speedup(const contract::Verdict& verdict) {
  return verdict.compiled_us && verdict.time_us.value_or(0) > 0 ? *verdict.compiled_us / *verdict.time_us : 0;
}

std::string measured_difference(const contract::Verdict& published, const contract::Verdict& found) {
  if (const auto again = speed_again(published, found); again && far_apart(*again))
    return fmt::format("published as {:.2f} times as fast, measured again {:.2f} times", published.speedup,
                       found.speedup);
  const double before = compiled_speedup(published), now = compiled_speedup(found);
  if (before > 0 && now > 0 && far_apart(now / before))
    return fmt::format(
        "published as {:.2f} times as fast as torch.compile's code, measured again {:.2f} times", before,
        now);
  return "";
}

}  // namespace

std::span<const AuditedColumn> audited_columns() { return columns; }

std::optional<double> speed_again(const contract::Verdict& published, const contract::Verdict& found) {
  if (published.modelled || found.modelled) return std::nullopt;
  return published.speedup > 0 && found.speedup > 0 ? std::optional(found.speedup / published.speedup)
                                                    : std::nullopt;
}

ComparedVerdict compare_verdict(const json& published_row, const contract::Verdict& found, Times times) {
  const auto published = contract::Verdict::read(published_row);
  ComparedVerdict compared;
  for (const auto& [name, value] : published_row.items())
    if (std::none_of(columns.begin(), columns.end(), [&](const auto& one) { return one.name == name; }))
      compared.unchecked.push_back(name);
  if (published.correct != found.correct || published.failed != found.failed ||
      published.reason != found.reason) {
    compared.difference = fmt::format("published as {}, but the plan {}{}", words_of(published),
                                      found.correct ? "is " : "", words_of(found));
    return compared;
  }
  const json before = comparable(published), now = comparable(found);
  std::string names;
  for (const auto& [column, how, why] : columns) {
    const std::string name(column);
    if (how == Compared::never || name == "task" || before.value(name, json()) == now.value(name, json()))
      continue;
    const bool by_gpu = how == Compared::as_time && times != Times::modelled;
    if (by_gpu && times == Times::measured) continue;
    if (by_gpu || (how == Compared::if_possible && lacks_kernelbench(found)))
      compared.unchecked.push_back(name);
    else
      names += (names.empty() ? "" : ", ") + name;
  }
  if (!names.empty()) compared.difference = "its " + names + " differs from the plan's";
  if (times == Times::measured && compared.difference.empty())
    compared.difference = measured_difference(published, found);
  return compared;
}

}  // namespace trl::interpreter

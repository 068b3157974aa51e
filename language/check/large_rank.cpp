#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(large_rank)
namespace {

void check_large_rank(Inspection& inspection) {
  const Resolved* adapter = inspection.adapter();
  const Value* rank = adapter == nullptr ? nullptr : adapter->field("rank");
  const auto& architecture = inspection.architecture();
  if (rank == nullptr || !rank->given || !architecture || architecture->hidden <= 0 ||
      !(rank->number() > architecture->hidden))
    return;
  auto d = found(rules::large_rank, rank->range,
                 fmt::format("the rank of `{}` is {:.6g}, and the matrices of `{}` are {:.6g} wide: a larger "
                             "rank than that changes nothing more",
                             adapter->name, rank->number(), inspection.model()->name, architecture->hidden));
  d.note("by " + architecture->source, inspection.model()->field("weights")->range);
  d.helped("a rank of 8 to 64 is usual, and `alpha` one to two times as large");
  constexpr double usual = 16, usual_alpha = 2 * usual, largest_scale = 8;
  const Value* alpha = adapter->field("alpha");
  // The alpha for the written rank would scale the update with the usual rank far too much, so both fields
  // have to change.
  if (alpha != nullptr && alpha->given && alpha->number() > largest_scale * usual) {
    d.note("`alpha`, which goes with the rank", alpha->range);
    d.helped(
        fmt::format("a rank of 8 to 64 is usual, and `alpha` one to two times as large: write `rank = "
                    "{:.6g}` and `alpha = {:.6g}`",
                    usual, usual_alpha));
  } else {
    d.suggest(fmt::format("write `{:.6g}`", usual), rank->range, count_text(usual));
  }
  inspection.report(std::move(d), {adapter, inspection.model()});
}

}  // namespace

const Rule rules::large_rank{
    "large_rank",
    Severity::warning,
    true,
    "A matrix has no more ranks than its smaller side: a low-rank update beyond that "
    "is larger than the matrix that it changes.",
    R"(import example
lora a { rank = 64, alpha = 128 }
experiment e : example.study { adapter = a }
)",
    R"(import example
lora a { rank = 512, alpha = 512 }
experiment e : example.study { adapter = a }
)",
    check_large_rank};

}  // namespace trl::language

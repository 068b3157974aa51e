#include <map>

#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(column_title)
namespace {

/// A longer title is a sentence, which belongs in the caption. No title of columns.def is longer.
constexpr std::size_t longest_title = 40;

/// The text that `titled` gives a column; null for other columns.
const Value* own_title(const Value& column) {
  return called(column) == "titled" && column.items.size() > 1 ? &column.items[1] : nullptr;
}

/// Returns the title that a table prints above a column.
std::string shown_title(const Value& column) {
  if (const Value* own = own_title(column)) return own->string();
  const auto* facts = column_of(column);
  if (facts == nullptr) return "";
  return column.items.empty() ? std::string(facts->title)
                              : fmt::format(fmt::runtime(facts->title), column.items.front().number());
}

void check_column_title(Inspection& inspection) {
  for (const Resolved* table : inspection.tables) {
    const Value* columns = table->field("columns");
    if (columns == nullptr) continue;
    std::map<std::string, const Value*> seen;
    for (const Value& column : columns->items) {
      const auto title = shown_title(column);
      const Value* own = own_title(column);
      if (own != nullptr && title.find_first_not_of(" \t\n") == std::string::npos) {
        inspection.report(
            found(rules::column_title, own->range, "this column of `" + table->name + "` has no title")
                .helped("write the title, or the column without `titled`"),
            {table});
        continue;
      }
      if (own != nullptr && (title.size() > longest_title || title.find('\n') != std::string::npos))
        inspection.report(
            found(rules::column_title, own->range,
                  fmt::format("a title of {} characters is wider than any column", title.size()))
                .helped(
                    fmt::format("shorten it to {} characters on one line; `caption` has room for a sentence",
                                longest_title)),
            {table});
      const auto [other, added] = seen.try_emplace(title, &column);
      // A column that is repeated without a title of its own shows the same figures twice, which misleads
      // nobody.
      if (added || title.empty() || (own == nullptr && own_title(*other->second) == nullptr)) continue;
      auto d = found(rules::column_title, own != nullptr ? own->range : column.range,
                     "two columns of `" + table->name + "` have the title `" + title + "`");
      d.note("the other one", other->second->range);
      d.helped("give each column a title of its own");
      inspection.report(std::move(d), {table});
    }
  }
}

}  // namespace

const Rule rules::column_title{"column_title",
                               Severity::error,
                               false,
                               "A column without a title, or under the title of another one, can't be read.",
                               R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [valid, titled(correct, "solved"), titled(fast(1.0), "faster than PyTorch")] }
)",
                               R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [valid, titled(correct, "solved"), titled(fast(1.0), "solved")] }
)",
                               check_column_title};

}  // namespace trl::language

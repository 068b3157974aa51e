#include "language/elaboration/designs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/support/code_points.hpp"
#include "language/diagnostics/pass_rules.hpp"

namespace trl::language {
namespace {

constexpr std::size_t most_cells = 4096;

/// Returns a short name for a level: the written text, if possible.
std::string text_of(const Value& value, const Sources& sources) {
  if (value.is(Value::Kind::declaration) && value.declaration) return value.declaration->name;
  // A repository or folder is shortened to its last part; a server's model is known by its name, not its
  // address.
  if (value.is(Value::Kind::call) && value.items.size() == 1 && value.items[0].plain.is_string()) {
    const Value* name = value.entry("name");
    const std::string of = (name != nullptr ? *name : value.items[0]).string();
    return of.substr(of.rfind('/') + 1);
  }
  constexpr std::size_t longest = 32;
  const std::string& text = sources[value.range.file].text();
  std::string written = text.substr(value.range.begin, value.range.end - value.range.begin);
  const bool plain_number = value.is(Value::Kind::plain) && value.plain.is_number();
  // A number of `1..4` has the text of the whole range, so the number itself is printed.
  if (plain_number && written.find("..") != std::string::npos) return value.plain.dump();
  std::string out;
  for (const char c : written)
    if (c != '\n' && c != '\t') out += c;
  return cut_to(out, longest);
}

/// Builds designs: each function of `vary` gives one, and a product crosses them.
class Builder {
 public:
  Builder(const Sources& sources, std::vector<Diagnostic>& diagnostics)
      : sources_(sources), diagnostics_(diagnostics) {}

  std::optional<Design> build(const Value& vary) {
    if (vary.name == "product") return product(vary);
    if (vary.name == "subsets") return subsets(vary);
    if (vary.name == "fractional") return fraction(vary);
    if (vary.name == "grid") return grid(vary);
    if (vary.name == "zip") return zip(vary);
    return std::nullopt;
  }

 private:
  std::nullopt_t refuse(const Rule& rule, Range range, std::string message, std::string help) {
    diagnostics_.push_back(found(rule, range, std::move(message)).helped(std::move(help)));
    return std::nullopt;
  }

  std::optional<std::vector<Factor>> extensions(const Value& vary) {
    std::vector<Factor> out;
    for (const Value& item : vary.items) {
      if (!item.declaration) return std::nullopt;
      const auto same = [&](const Factor& f) { return f.extension->range == item.declaration->range; };
      if (std::any_of(out.begin(), out.end(), same))
        return refuse(rules::duplicate_name, item.range, "`" + item.declaration->name + "` is varied twice",
                      "name it only once");
      out.push_back({item.declaration->name, {}, item.declaration.get(), {{"off", {}, {}}, {"on", {}, {}}}});
    }
    return out;
  }

  std::optional<Design> subsets(const Value& vary) {
    auto factors = extensions(vary);
    if (!factors) return std::nullopt;
    Design out;
    out.factors = std::move(*factors);
    if (out.factors.size() > 12)
      return refuse(rules::design, vary.range,
                    fmt::format("subsets of {} extensions are {} cells", out.factors.size(),
                                1ull << std::min<std::size_t>(out.factors.size(), 63)),
                    "at most 12; `fractional(…, resolution = 4)` takes a fraction of them");
    std::vector<unsigned> masks;
    for (unsigned mask = 0; mask < 1u << out.factors.size(); ++mask) masks.push_back(mask);
    std::stable_sort(masks.begin(), masks.end(),
                     [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });
    for (const unsigned mask : masks) {
      std::vector<std::size_t> cell;
      for (std::size_t i = 0; i < out.factors.size(); ++i) cell.push_back(mask >> i & 1);
      out.cells.push_back(std::move(cell));
    }
    return out;
  }

  std::optional<Design> fraction(const Value& vary) {
    auto factors = extensions(vary);
    if (!factors) return std::nullopt;
    const Value* asked = vary.entry("resolution");
    const int resolution = asked == nullptr ? 4 : static_cast<int>(asked->number(4));
    const auto found =
        factors->size() > 12 ? std::nullopt : fractional_factorial(factors->size(), resolution);
    if (!found)
      return refuse(
          rules::design, vary.range,
          fmt::format("there is no fraction of resolution {} of {} extensions", resolution, factors->size()),
          factors->size() > 12 ? "at most 12 extensions"
                               : "it takes at least as many extensions as the resolution says: `subsets(…)`");
    Design out;
    out.factors = std::move(*factors);
    out.cells = found->rows;
    out.resolution = found->resolution;
    // A factor is aliased with the product of the other factors of each defining word that contains it. Only
    // the shortest words are shown.
    for (std::size_t i = 0; i < out.factors.size(); ++i) {
      std::string text;
      int shortest = 99;
      for (const unsigned word : found->words)
        if (word >> i & 1) shortest = std::min(shortest, std::popcount(word));
      for (const unsigned word : found->words) {
        if (!(word >> i & 1) || std::popcount(word) != shortest) continue;
        std::string product;
        for (std::size_t j = 0; j < out.factors.size(); ++j)
          if (j != i && word >> j & 1) product += (product.empty() ? "" : " x ") + out.factors[j].name;
        text += (text.empty() ? "" : ", ") + product;
      }
      if (!text.empty()) out.aliases.push_back(out.factors[i].name + " = " + text);
    }
    return out;
  }

  /// Returns the text by which a level is told apart from other levels. For a `let`, which has no value
  /// before it is used, this is its written text.
  std::string identity(const Value& item) const {
    return item.plain.is_null() && item.is(Value::Kind::plain) ? text_of(item, sources_)
                                                               : to_json(item).dump();
  }

  /// Returns the values of one `path = [ … ]`. In a zip, a value may occur several times beside different
  /// values of the other paths.
  std::optional<std::vector<Level>> levels(const std::pair<std::string, Value>& axis, bool zipped = false) {
    if (axis.first.ends_with(".seeds"))
      return refuse(rules::design, axis.second.range,
                    "`" + axis.first + "` can't be varied: every cell runs with all seeds",
                    "write `seeds = …` in the experiment itself");
    std::vector<Level> out;
    std::set<std::string> seen;
    for (const Value& item : axis.second.items) {
      if (!item.setting) return std::nullopt;  // the error was reported where the setting stands
      Level level{text_of(item, sources_), {}, {item.setting}};
      if (!seen.insert(identity(item)).second && !zipped)
        return refuse(rules::duplicate_name, item.range, "`" + axis.first + "` has " + level.text + " twice",
                      "remove one of them; for more measurements of one cell, use more `seeds`");
      // Texts that were cut may have become equal.
      const auto alike = [&](const Level& other) { return other.text == level.text; };
      if (!zipped && std::any_of(out.begin(), out.end(), alike))
        level.text += fmt::format(" ({})", out.size() + 1);
      level.parts = {level.text};
      out.push_back(std::move(level));
    }
    if (out.empty())
      return refuse(rules::design, axis.second.range, "`" + axis.first + "` has no values to vary over",
                    "write `" + axis.first + " = [ … ]`");
    return out;
  }

  std::optional<Design> grid(const Value& vary) {
    Design out;
    out.cells = {{}};
    for (const auto& axis : vary.entries) {
      auto of = levels(axis);
      if (!of) return std::nullopt;
      Design one;
      one.factors.push_back({axis.first, {axis.first}, nullptr, std::move(*of)});
      for (std::size_t i = 0; i < one.factors[0].levels.size(); ++i) one.cells.push_back({i});
      auto crossed = cross(std::move(out), one, vary.range);
      if (!crossed) return std::nullopt;
      out = std::move(*crossed);
    }
    if (out.factors.empty())
      return refuse(rules::design, vary.range, "a grid needs at least one list of values",
                    "write `grid(writer.rank = [8, 16])`");
    return out;
  }

  std::optional<Design> zip(const Value& vary) {
    Design out;
    out.factors.push_back({});
    Factor& factor = out.factors[0];
    const std::pair<std::string, Value>* first = nullptr;
    for (const auto& axis : vary.entries) {
      auto of = levels(axis, true);
      if (!of) return std::nullopt;
      factor.name += (factor.name.empty() ? "" : ", ") + axis.first;
      factor.paths.push_back(axis.first);
      if (first == nullptr) {
        first = &axis;
        factor.levels = std::move(*of);
        continue;
      }
      if (of->size() != factor.levels.size()) {
        diagnostics_.push_back(
            found(rules::design, axis.second.range,
                  fmt::format("`{}` has {} values and `{}` {}", axis.first, of->size(), first->first,
                              factor.levels.size()))
                .note("the other is here", first->second.range)
                .helped(
                    "`zip` takes the first of each, then the second, …: give them the same number, or use "
                    "`grid` for every combination"));
        return std::nullopt;
      }
      for (std::size_t i = 0; i < of->size(); ++i) {
        factor.levels[i].text += ", " + (*of)[i].text;
        factor.levels[i].parts.push_back((*of)[i].text);
        factor.levels[i].settings.insert(factor.levels[i].settings.end(), (*of)[i].settings.begin(),
                                         (*of)[i].settings.end());
      }
    }
    if (first == nullptr)
      return refuse(rules::design, vary.range, "a zip needs at least one list of values",
                    "write `zip(reinforce.candidates = [4, 8], reinforce.keep = [1, 2])`");
    std::map<std::string, std::size_t> cells;  // the values of a cell, and its number
    for (std::size_t i = 0; i < factor.levels.size(); ++i) {
      std::string values;
      for (const auto& [path, axis] : vary.entries) values += identity(axis.items[i]) + '\n';
      const auto [same, fresh] = cells.try_emplace(values, i);
      if (!fresh)
        return refuse(rules::duplicate_name, first->second.items[i].range,
                      fmt::format("cells {} and {} of the zip have the same values: {}", same->second + 1,
                                  i + 1, factor.levels[i].text),
                      "remove one of them; for more measurements of one cell, use more `seeds`");
      out.cells.push_back({i});
    }
    return out;
  }

  std::optional<Design> product(const Value& vary) {
    Design out;
    out.cells = {{}};
    for (const Value& part : vary.items) {
      const auto of = build(part);
      if (!of) return std::nullopt;
      auto crossed = cross(std::move(out), *of, part.range);
      if (!crossed) return std::nullopt;
      out = std::move(*crossed);
    }
    return out;
  }

  std::optional<Design> cross(Design left, const Design& right, Range range) {
    for (const Factor& f : right.factors)
      for (const Factor& other : left.factors)
        if (f.name == other.name)
          return refuse(rules::duplicate_name, range, "`" + f.name + "` is varied twice",
                        "name it only once");
    if (left.cells.size() * right.cells.size() > most_cells)
      return refuse(rules::design, range, fmt::format("the design has more than {} cells", most_cells),
                    "vary less at once");
    Design out;
    out.factors = std::move(left.factors);
    out.factors.insert(out.factors.end(), right.factors.begin(), right.factors.end());
    out.aliases = std::move(left.aliases);
    out.aliases.insert(out.aliases.end(), right.aliases.begin(), right.aliases.end());
    out.resolution = std::max(left.resolution, right.resolution);
    for (const auto& a : left.cells)
      for (const auto& b : right.cells) {
        out.cells.push_back(a);
        out.cells.back().insert(out.cells.back().end(), b.begin(), b.end());
      }
    return out;
  }

  const Sources& sources_;
  std::vector<Diagnostic>& diagnostics_;
};

/// The design's resolution: the length of the shortest word that the generators make. It is 99 without
/// generators.
int resolution_of(const std::vector<unsigned>& generators, std::vector<unsigned>* words = nullptr) {
  int shortest = 99;
  for (unsigned pick = 1; pick < 1u << generators.size(); ++pick) {
    unsigned word = 0;
    for (std::size_t i = 0; i < generators.size(); ++i)
      if (pick >> i & 1) word ^= generators[i];
    shortest = std::min(shortest, std::popcount(word));
    if (words != nullptr) words->push_back(word);
  }
  return shortest;
}

/// Chooses a word for each added factor, longest first, so that every product of words has at least the
/// length `resolution`.
bool choose(std::vector<unsigned>& generators, std::size_t base, std::size_t factors, int resolution) {
  if (base + generators.size() == factors) return true;
  const unsigned added = 1u << (base + generators.size());
  std::vector<unsigned> candidates;
  for (unsigned mask = 1; mask < 1u << base; ++mask)
    if (std::popcount(mask) + 1 >= resolution) candidates.push_back(mask);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](unsigned a, unsigned b) { return std::popcount(a) > std::popcount(b); });
  for (const unsigned mask : candidates) {
    generators.push_back(mask | added);
    if (resolution_of(generators) >= resolution && choose(generators, base, factors, resolution)) return true;
    generators.pop_back();
  }
  return false;
}

}  // namespace

std::optional<Fraction> fractional_factorial(std::size_t factors, int resolution) {
  if (factors < 1 || factors > 12 || static_cast<int>(factors) < resolution) return std::nullopt;
  for (std::size_t base = 1; base < factors; ++base) {
    std::vector<unsigned> generators;
    if (!choose(generators, base, factors, resolution)) continue;
    Fraction out;
    out.resolution = resolution_of(generators, &out.words);
    for (unsigned run = 0; run < 1u << base; ++run) {
      std::vector<std::size_t> row;
      for (std::size_t i = 0; i < base; ++i) row.push_back(run >> i & 1);
      for (const unsigned word : generators) {
        // The added factor's level is the product of its word's base factors, counted as -1 and +1. With
        // levels 0 and 1 that is a parity, so that the run with all base factors off has every factor off.
        const unsigned of = word & ((1u << base) - 1);
        row.push_back(static_cast<std::size_t>(std::popcount(of & run) & 1));
      }
      out.rows.push_back(std::move(row));
    }
    std::stable_sort(out.rows.begin(), out.rows.end(), [](const auto& a, const auto& b) {
      return std::count(a.begin(), a.end(), 1u) < std::count(b.begin(), b.end(), 1u);
    });
    return out;
  }
  return std::nullopt;
}

std::string Design::label(const std::vector<std::size_t>& cell,
                          const std::vector<std::string>& always) const {
  std::string on, set;
  bool any = false;
  const bool extensions =
      std::any_of(factors.begin(), factors.end(), [](const Factor& f) { return f.extension != nullptr; });
  if (extensions)
    for (const auto& name : always) on += (on.empty() ? "" : " + ") + name;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Factor& f = factors[i];
    if (f.extension != nullptr) {
      any = true;
      if (cell[i] == 1) on += (on.empty() ? "" : " + ") + f.name;
      continue;
    }
    // The last part of a path is enough, unless another path has the same last part.
    const auto last = [](const std::string& path) { return path.substr(path.rfind('.') + 1); };
    for (std::size_t p = 0; p < f.paths.size(); ++p) {
      std::size_t alike = 0;
      for (const Factor& other : factors)
        for (const std::string& path : other.paths) alike += last(path) == last(f.paths[p]);
      set += (set.empty() ? "" : ", ") + (alike == 1 ? last(f.paths[p]) : f.paths[p]) + " = " +
             f.levels[cell[i]].parts[p];
    }
  }
  if (any && on.empty()) on = "none";
  return on.empty() ? set : set.empty() ? on : on + ", " + set;
}

Design design_of(const Value* vary, const Sources& sources, std::vector<Diagnostic>& diagnostics) {
  Design none;
  if (vary == nullptr || vary->absent()) {
    none.cells = {{}};
    return none;
  }
  auto built = Builder(sources, diagnostics).build(*vary);
  return built ? std::move(*built) : none;
}

}  // namespace trl::language

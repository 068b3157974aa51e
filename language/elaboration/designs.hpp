// Designs of experiments: from `vary` to factors, levels and cells.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "language/diagnostics/rule.hpp"
#include "language/diagnostics/source.hpp"
#include "language/elaboration/value.hpp"

namespace trl::language {

/// A level of a factor: an extension on or off, or values of fields.
struct Level {
  std::string text;                ///< "on", "off", "16"; of a zip "8, 3e-4"
  std::vector<std::string> parts;  ///< for a zip: the value of each path
  std::vector<std::shared_ptr<const Setting>> settings;
};

/// Something that a design varies.
struct Factor {
  std::string name;                ///< the extension's name, or the paths that are set: "writer.rank"
  std::vector<std::string> paths;  ///< the paths that are set; empty for an extension
  const Resolved* extension = nullptr;
  std::vector<Level> levels;
};

/// A design: its factors, and each cell's level of each.
struct Design {
  std::vector<Factor> factors;
  std::vector<std::vector<std::size_t>> cells;
  /// For a fraction, which effects cannot be told apart ("inputs = stages x pace x clock"); else empty.
  std::vector<std::string> aliases;
  int resolution = 0;  ///< for a fraction, else 0

  /// A cell's name: "inputs + stages", "writer.rank = 16", "none".
  std::string label(const std::vector<std::size_t>& cell, const std::vector<std::string>& always = {}) const;
};

/// The design of a `vary`, or one cell without factors when it is absent. A mistake in it (lists of different
/// lengths, a fraction that does not exist, too many cells) is reported as a diagnostic, and the design then
/// has no cells.
Design design_of(const Value* vary, const Sources& sources, std::vector<Diagnostic>& diagnostics);

/// A two-level fractional factorial design of `factors` factors with the fewest runs that have at least
/// the wanted resolution (3 to 6), as rows of 0 and 1 (Box, Hunter and Hunter 2005, ch. 6). `words` are the
/// defining words as sets of factors. Nothing when there are fewer factors than the resolution.
struct Fraction {
  std::vector<std::vector<std::size_t>> rows;
  std::vector<unsigned> words;  ///< bit i: factor i is in the word
  int resolution = 0;           ///< length of the shortest word
};
std::optional<Fraction> fractional_factorial(std::size_t factors, int resolution);

}  // namespace trl::language

// Builds the designs of experiments: turns the field `vary` into factors, levels and cells.
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
  std::string text;                ///< for display: "on", "16"; for a zip of two fields "8, 3e-4"
  std::vector<std::string> parts;  ///< the value of each of the factor's paths
  std::vector<std::shared_ptr<const Setting>> settings;
};

/// A factor of a design: an extension that is on or off, or fields that get several values.
struct Factor {
  std::string name;  ///< the extension's name, or the paths of the fields that are set: "writer.rank"
  std::vector<std::string> paths;  ///< the paths of the fields that are set; empty for an extension
  const Resolved* extension = nullptr;
  std::vector<Level> levels;
};

/// An experimental design: its factors and its cells. A cell has, for each factor, the index of a level.
struct Design {
  std::vector<Factor> factors;
  std::vector<std::vector<std::size_t>> cells;
  /// For a fractional factorial design, the effects that can't be told apart ("inputs = stages x pace x
  /// clock"); empty for other designs.
  std::vector<std::string> aliases;
  int resolution = 0;  ///< the resolution of a fractional factorial design; 0 for other designs

  /// A cell's name: "inputs + stages", "writer.rank = 16", "none". `always` are extensions that are on in
  /// every cell; if the design varies extensions, the name lists them, too.
  std::string label(const std::vector<std::size_t>& cell, const std::vector<std::string>& always = {}) const;
};

/// The design that the value of the field `vary` describes; a design of one cell without factors if `vary` is
/// absent. A mistake in `vary` (lists of different lengths, a fraction that doesn't exist, too many cells) is
/// reported as a diagnostic, and the design then has no cells.
Design design_of(const Value* vary, const Sources& sources, std::vector<Diagnostic>& diagnostics);

/// A two-level fractional factorial design (Box, Hunter and Hunter 2005, ch. 6). Each row is a run, with the
/// level (0 or 1) of each factor. `words` are the defining words of the design, as sets of factors.
struct Fraction {
  std::vector<std::vector<std::size_t>> rows;
  std::vector<unsigned> words;  ///< bit i of a word is set if factor i is in it
  int resolution = 0;           ///< the number of factors in the shortest word
};
/// The design of `factors` factors with the fewest runs that has at least the wanted resolution (3 to 6).
/// Nothing if there are fewer factors than the resolution.
std::optional<Fraction> fractional_factorial(std::size_t factors, int resolution);

}  // namespace trl::language

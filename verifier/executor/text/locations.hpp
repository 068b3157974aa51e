#pragma once
// Reduces each `loc(…)` of MLIR, which may nest files, names, call sites and fusions, to one position in the
// candidate's source.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "verifier/executor/program/ir.hpp"
#include "verifier/executor/text/lexer.hpp"

namespace trl::executor {

class Locations {
 public:
  /// Reads `loc(…)`; `loc` must be the next token. Returns the location's number.
  int parse(Lexer& lexer);
  /// Reads the `loc(…)` of a definition `#alias = loc(…)`, from the token after `=` on.
  void define(std::string_view alias, Lexer& lexer);
  /// Returns the positions; a number that parse() returned is an index into them. The position of a call site
  /// is its innermost position outside Triton's own library, if there is one.
  std::vector<ir::Location> resolve() const;
  /// The list of file names in which ir::Location::file is an index.
  const std::vector<std::string>& files() const { return files_; }

 private:
  enum class Kind { unknown, file, alias, wrap, call };
  struct Node {
    Kind kind = Kind::unknown;
    int file = -1;
    int line = 0, column = 0;
    std::string_view alias;
    std::vector<int> children;
  };
  int expression(Lexer& lexer, int depth);
  int add(Node node);
  int file_number(std::string_view name);
  ir::Location resolve(int node, int depth, std::vector<char>& state, std::vector<ir::Location>& found) const;

  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, int> aliases_;
  std::vector<std::string> files_;
  std::unordered_map<std::string_view, int> file_numbers_;  // the keys point into the parsed text
};

}  // namespace trl::executor

#pragma once
// MLIR's `loc(…)`: files, names, call sites and fusions, boiled down to one place in the candidate's source.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/verify/executor/program/ir.hpp"
#include "runtime/verify/executor/text/lexer.hpp"

namespace trl::executor {

class Locations {
 public:
  /// Reads `loc(…)`, whose word `loc` is next. Returns the place's number.
  int parse(Lexer& lexer);
  /// Reads `loc(…)` after `#name =`.
  void define(std::string_view alias, Lexer& lexer);
  /// One place for each number. Of a call site it is the innermost place outside Triton's own library.
  std::vector<ir::Location> resolve() const;
  /// Names that ir::Location::file counts in.
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
  std::unordered_map<std::string_view, int> file_numbers_;  // views into the text
};

}  // namespace trl::executor

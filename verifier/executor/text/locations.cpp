#include "verifier/executor/text/locations.hpp"

namespace trl::executor {
namespace {

constexpr int deepest_text = 64;     // nesting inside one loc(…)
constexpr int deepest_chain = 1000;  // number of aliases and call sites that are followed
constexpr std::size_t most_nodes = 500'000;

bool in_library(const std::string& file) { return file.find("/triton/") != std::string::npos; }

int coordinate(const Token& token) {
  return token.integer < 0 || token.integer > 1'000'000'000 ? 0 : static_cast<int>(token.integer);
}

}  // namespace

int Locations::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Locations::file_number(std::string_view name) {
  const auto [entry, added] = file_numbers_.try_emplace(name, static_cast<int>(files_.size()));
  if (added) files_.emplace_back(name);
  return entry->second;
}

int Locations::parse(Lexer& lexer) {
  lexer.expect("loc");
  lexer.expect("(");
  const int node = expression(lexer, 0);
  lexer.expect(")");
  return node;
}

void Locations::define(std::string_view alias, Lexer& lexer) {
  // insert_or_assign would keep the first key; a second definition is simply ignored.
  const int node = parse(lexer);
  aliases_.try_emplace(alias, node);
}

int Locations::expression(Lexer& lexer, int depth) {
  if (depth > deepest_text) lexer.fail("locations are nested too deeply");
  if (nodes_.size() > most_nodes) lexer.fail("too many locations");
  Node node;
  const Token token = lexer.next();
  switch (token.kind) {
    case TokenKind::alias:
      node.kind = Kind::alias;
      node.alias = token.text;
      return add(std::move(node));
    case TokenKind::text:
      if (lexer.accept(":")) {
        node.kind = Kind::file;
        node.file = file_number(token.text);
        node.line = coordinate(lexer.next());
        lexer.expect(":");
        node.column = coordinate(lexer.next());
        if (lexer.accept("to")) {  // the end of a range isn't kept
          if (!lexer.at(":")) lexer.next();
          lexer.expect(":");
          lexer.next();
        }
        return add(std::move(node));
      }
      if (lexer.accept("(")) {
        node.kind = Kind::wrap;
        node.children.push_back(expression(lexer, depth + 1));
        lexer.expect(")");
      }
      return add(std::move(node));
    case TokenKind::name:
      if (token.text == "unknown") return add(std::move(node));
      if (token.text == "callsite") {
        node.kind = Kind::call;
        lexer.expect("(");
        node.children.push_back(expression(lexer, depth + 1));
        lexer.expect("at");
        node.children.push_back(expression(lexer, depth + 1));
        lexer.expect(")");
        return add(std::move(node));
      }
      if (token.text == "fused") {
        node.kind = Kind::wrap;
        if (lexer.accept("<")) {
          while (!lexer.at(">")) {
            if (lexer.peek().kind == TokenKind::end) lexer.fail("a fused location is not closed");
            lexer.next();
          }
          lexer.expect(">");
        }
        lexer.expect("[");
        while (!lexer.accept("]")) {
          node.children.push_back(expression(lexer, depth + 1));
          if (!lexer.at("]")) lexer.expect(",");
        }
        return add(std::move(node));
      }
      [[fallthrough]];
    default:
      lexer.fail("expected a location", token.at);
  }
}

std::vector<ir::Location> Locations::resolve() const {
  std::vector<ir::Location> found(nodes_.size());
  std::vector<char> state(nodes_.size(), 0);
  for (std::size_t node = 0; node < nodes_.size(); ++node) resolve(static_cast<int>(node), 0, state, found);
  return found;
}

ir::Location Locations::resolve(int index, int depth, std::vector<char>& state,
                                std::vector<ir::Location>& found) const {
  const auto at = static_cast<std::size_t>(index);
  if (state[at] == 2) return found[at];
  if (state[at] == 1 || depth > deepest_chain) return {};
  state[at] = 1;
  const Node& node = nodes_[at];
  ir::Location place;
  switch (node.kind) {
    case Kind::unknown:
      break;
    case Kind::file:
      place = {node.file, node.line, node.column + 1};  // Triton counts columns from 0, as Python does
      break;
    case Kind::alias:
      if (const auto found_alias = aliases_.find(node.alias); found_alias != aliases_.end()) {
        place = resolve(found_alias->second, depth + 1, state, found);
      }
      break;
    case Kind::wrap:
      for (const int child : node.children) {
        place = resolve(child, depth + 1, state, found);
        if (place.line > 0) break;
      }
      break;
    case Kind::call:
      place = resolve(node.children[0], depth + 1, state, found);
      if (place.line == 0 || in_library(files_[static_cast<std::size_t>(place.file)])) {
        const ir::Location caller = resolve(node.children[1], depth + 1, state, found);
        if (caller.line > 0) place = caller;
      }
      break;
  }
  state[at] = 2;
  found[at] = place;
  return found[at];
}

}  // namespace trl::executor

// Which names belong to a scope from its beginning.
#include <set>

#include "runtime/chat/syntax.hpp"

namespace trl::runtime::chat {
namespace {

/// Goes through a scope's statements in order, but not into scopes inside of it.
class ScopeReader {
 public:
  explicit ScopeReader(std::set<std::string> known) : known_(std::move(known)) {}

  void read(const Body& body, bool conditional) {
    for (const auto& statement : body) read(*statement, conditional);
  }
  std::vector<std::string> fresh;
  const std::set<std::string>& known() const { return known_; }

 private:
  void read(const Statement& statement, bool conditional) {
    switch (statement.kind) {
      case Statement::Kind::output:
      case Statement::Kind::loop:
        loads(statement.expression.get());
        return;
      case Statement::Kind::condition:
        for (const auto& [test, body] : statement.branches) {
          loads(test.get());
          // What a branch alone sets keeps the outer value where the branch isn't taken.
          read(body, true);
        }
        return;
      case Statement::Kind::set:
        loads(statement.expression.get());
        stores(statement.target, conditional);
        return;
      case Statement::Kind::set_block:
        stores(statement.target, conditional);
        return;
      case Statement::Kind::macro:
        store(statement.text, conditional);
        return;
      default:
        return;
    }
  }

  void loads(const Node* node) {
    if (!node) return;
    if (node->kind == Node::Kind::name) known_.insert(node->text);
    for (const auto& part : node->parts) loads(part.get());
    for (const auto& [name, value] : node->named) loads(value.get());
  }

  void stores(const Target& target, bool conditional) {
    for (const Target& one : target.several) stores(one, conditional);
    if (!target.several.empty()) return;
    if (target.member.empty())
      store(target.name, conditional);
    else
      known_.insert(target.name);
  }

  void store(const std::string& name, bool conditional) {
    if (known_.insert(name).second && !conditional) fresh.push_back(name);
  }

  std::set<std::string> known_;
};

void names_of(const Target& target, std::set<std::string>& into) {
  for (const Target& one : target.several) names_of(one, into);
  if (target.several.empty()) into.insert(target.name);
}

using Names = std::set<std::string>;

void find_scopes(const Body& body, const Names& outer);

/// Reads a scope that begins with the names `known`, and those inside of it. `outer` are the names that the
/// scopes around read or set anywhere; where such a scope has the name, its value is seen from the beginning.
std::vector<std::string> read_scope(const Body& body, Names known, Names outer) {
  ScopeReader reader(std::move(known));
  reader.read(body, false);
  std::erase_if(reader.fresh, [&](const std::string& name) { return outer.contains(name); });
  outer.insert(reader.known().begin(), reader.known().end());
  find_scopes(body, outer);
  return std::move(reader.fresh);
}

void find_scopes(const Body& body, const Names& outer) {
  for (const auto& statement : body) {
    Names known;
    switch (statement->kind) {
      case Statement::Kind::loop:
        names_of(statement->target, known);
        known.insert("loop");
        statement->fresh = read_scope(statement->body, known, outer);
        statement->fresh_otherwise = read_scope(statement->otherwise, {}, outer);
        break;
      case Statement::Kind::macro:
        for (const auto& [name, otherwise] : statement->parameters) known.insert(name);
        statement->fresh = read_scope(statement->body, known, outer);
        break;
      case Statement::Kind::set_block:
      case Statement::Kind::generation:
        statement->fresh = read_scope(statement->body, {}, outer);
        break;
      case Statement::Kind::condition:
        for (const auto& [test, branch] : statement->branches) find_scopes(branch, outer);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void find_scopes(Template& parsed) { parsed.fresh = read_scope(parsed.body, {}, {}); }

}  // namespace trl::runtime::chat

#include "language/library.hpp"

#include <stdexcept>

#include "language/embedded.hpp"
#include "language/parse.hpp"

namespace trl::language {

Library read_library(Sources& sources) {
  Library library;
  library.unit.file = sources.add("stdlib:schema.trl", embedded().at("schema.trl"));
  const std::string text = sources[library.unit.file].text();
  const Parsed parsed = parse(text, library.unit.file);
  if (!parsed.diagnostics.empty())
    throw std::logic_error("stdlib/schema.trl: " + parsed.diagnostics.front().message + " at " +
                           sources.where(parsed.diagnostics.front().range));
  library.unit.ast = ast::build(parsed.tree, text, library.unit.file);
  library.schema = read_schema(library.unit.ast);
  for (const std::string& module : library.schema.modules) library.unit.imports[module] = {nullptr, module};
  return library;
}

}  // namespace trl::language

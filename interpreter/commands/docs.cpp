#include <memory>

#include "interpreter/commands/commands.hpp"
#include "interpreter/files.hpp"
#include "language/printing/reference.hpp"

namespace trl::interpreter {

void add_docs(Command trl, Console& console, int& status) {
  auto file = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("markdown");
  auto command = trl.add_command("docs", "Write the reference: kinds, fields, functions, rules");
  command.add_option("--format", *format, "only markdown").one_of({"markdown"});
  command.add_option("--out", *file, "The file to write; by default standard output").type_name("FILE");
  add_examples(command, "  trl docs --out docs/reference.md");
  command.callback([file, format, &console, &status] {
    if (file->empty())
      console.out << language::reference_markdown();
    else
      replace_text(*file, language::reference_markdown());
    status = fine;
  });
}

}  // namespace trl::interpreter

#include <memory>

#include "interpreter/commands/commands.hpp"
#include "interpreter/files.hpp"
#include "language/printing/reference.hpp"

namespace trl::interpreter {

void add_docs(Command trl, Console& console, int& status) {
  auto file = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("markdown");
  auto command = trl.add_command("docs", "Write the language's reference, or a manual page");
  command
      .add_option("--format", *format,
                  "The language's reference as markdown (the default), or the manual page of trl's commands")
      .one_of({"markdown", "man"});
  command.add_option("--out", *file, "The file to write; by default standard output").type_name("FILE");
  add_examples(command,
               "  trl docs --out docs/reference.md\n  trl docs --format man --out trl.1 && man ./trl.1");
  command.callback([file, format, trl, &console, &status]() mutable {
    const auto text = *format == "man" ? manual_page(trl) : language::reference_markdown();
    if (file->empty())
      console.out << text;
    else
      replace_text(*file, text);
    status = fine;
  });
}

}  // namespace trl::interpreter

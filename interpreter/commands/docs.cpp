#include <memory>

#include "interpreter/commands/explain.hpp"
#include "interpreter/commands/trl_main.hpp"
#include "interpreter/files.hpp"
#include "language/printing/editor_files.hpp"
#include "language/printing/reference.hpp"
#include "language/printing/vocabulary.hpp"

namespace trl::interpreter {

void add_docs(Command trl, Console& console, int& status) {
  auto file = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("markdown");
  auto editors = std::make_shared<std::string>();
  auto name = std::make_shared<std::string>();
  auto command = trl.add_command("docs", "Write the language's reference, a manual page, or its words");
  command
      .add_option("NAME", *name, "One name of the reference instead of all, as `trl explain NAME` prints it")
      .type_name("");
  command
      .add_option("--format", *format,
                  "The language's reference as markdown (the default), the manual page of trl's commands, or "
                  "every name of the language with its documentation as JSON")
      .one_of({"markdown", "man", "json"});
  command.add_option("--out", *file, "The file to write; by default standard output").type_name("FILE");
  command
      .add_option("--editors", *editors,
                  "Instead, renew the lists of words in the files of a folder; says which files it wrote")
      .type_name("FOLDER");
  add_examples(command,
               "  trl docs --out docs/reference.md\n  trl docs --format man --out trl.1 && man ./trl.1\n"
               "  trl docs --format json\n  trl docs grpo\n  trl docs --editors editors");
  command.callback([name, file, format, editors, trl, &console, &status]() mutable {
    status = fine;
    if (!name->empty()) {
      status = explain(*name, console);
      return;
    }
    if (!editors->empty()) {
      for (const auto& made : language::outdated_editor_files(*editors)) {
        replace_text(made.path, made.text);
        console.out << made.path.string() << '\n';
      }
      return;
    }
    const auto text = *format == "man"    ? manual_page(trl)
                      : *format == "json" ? language::vocabulary().dump(2) + "\n"
                                          : language::reference_markdown();
    if (file->empty())
      console.out << text;
    else
      replace_text(*file, text);
  });
}

}  // namespace trl::interpreter

#include <iostream>
#include <memory>

#include "base/support/reading.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/source_text.hpp"
#include "language/format/format.hpp"

namespace trl::interpreter {
namespace {

struct FmtCommand {
  std::vector<std::string> files;
  bool check = false;
};

bool standard_input(const std::string& file) { return file == "-"; }

int format_file(const std::string& file, bool check, Console& console) {
  if (!standard_input(file) && !file.ends_with(".trl"))
    throw WrongUsage(file + " is no .trl file", "`trl fmt` formats .trl files, and `-` is standard input.");
  const std::string text = read_text(file, {.argument = true});
  const auto formatted = language::format(text);
  const std::string name = standard_input(file) ? "standard input" : file;
  if (formatted.broken)
    console.err << name << (formatted.left ? ": left unchanged" : ": parts of it are left unchanged")
                << ", since it has syntax errors; `trl check` shows where\n";
  if (check) {
    if (formatted.text == text) return fine;
    console.out << first_hunk(name, text, formatted.text);
    return failed;
  }
  if (standard_input(file)) {
    std::cout << formatted.text;  // exactly these bytes
  } else if (formatted.text != text) {
    write_source(file, formatted.text);
    console.out << file << '\n';
  }
  return fine;
}

int format_files(const FmtCommand& options, Console& console) {
  int status = fine;
  for (const auto& file : options.files) status = std::max(status, format_file(file, options.check, console));
  return status;
}

}  // namespace

void add_fmt(Command trl, Console& console, int& status) {
  auto options = std::make_shared<FmtCommand>();
  auto command = trl.add_command("fmt", "Format files: change blanks and newlines, and nothing else");
  command.add_option("FILE", options->files, "The .trl files; `-` formats standard input to standard output")
      .required()
      .type_name("");
  command.add_flag("--check", options->check, "Change nothing; show each file's first difference");
  add_examples(command,
               "  trl fmt experiments/ablation.trl\n"
               "  trl fmt --check experiments/*.trl",
               "0 formatted, 1 errors or a file that isn't formatted, 2 wrong\nusage");
  command.callback([options, &console, &status] { status = format_files(*options, console); });
}

}  // namespace trl::interpreter

// Commands and their options, on CLI11. Every file that includes CLI11 takes three seconds more to compile,
// so the others include this.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trl {

/// An option or a positional argument, which lives as long as its command.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}

  CommandOption& required();
  /// The word for the value in a help text; an empty text for a positional argument, which has a name.
  CommandOption& type_name(const std::string& name);
  /// Shows the variable's value of now as the default.
  CommandOption& show_default();
  /// Takes one value each time that it is given, and any number of times.
  CommandOption& repeatable();
  /// Takes these values alone, and shows them as "text|json".
  CommandOption& one_of(const std::vector<std::string>& values);
  /// Takes integers of a range, both ends included, and shows them as "N".
  CommandOption& within(int first, int last);
  /// Isn't shown in the help.
  CommandOption& hidden();
  CommandOption& excludes(const CommandOption& other);

 private:
  CLI::Option* option_;
};

/// A command of a program, or the program itself. Copies are the same command; it lives as long as the
/// program.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_command(const std::string& name, const std::string& description);
  /// An option ("--out") or a positional argument ("FILE"). The variable is written when the program parses
  /// its arguments, and must live until then.
  CommandOption add_option(const std::string& name, std::string& value, const std::string& description);
  CommandOption add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& description);
  CommandOption add_option(const std::string& name, int& value, const std::string& description);
  CommandOption add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                           const std::string& description);
  CommandOption add_flag(const std::string& name, bool& value, const std::string& description);
  /// Prints the text and ends the program.
  void add_version(const std::string& text);
  /// The text below the help.
  void footer(const std::string& text);
  /// It is called once the arguments are parsed, if they name this command.
  void callback(std::function<void()> call);
  /// One of its commands must be named.
  void require_command();
  /// Whether the arguments name one of its commands, once they are parsed.
  bool has_named_command() const;

  CLI::App& app() { return *app_; }

 private:
  CLI::App* app_;
};

/// A program of its own with options and no commands.
class CommandLine : public Command {
 public:
  explicit CommandLine(const std::string& description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Reads the arguments of `main`. The exit status when there is nothing left to do: after `--help`, and
  /// after wrong usage, which is printed.
  std::optional<int> parse(int count, char** words);

 private:
  explicit CommandLine(std::unique_ptr<CLI::App> app);
  std::unique_ptr<CLI::App> owned_;
};

/// A line of a settings file (TOML): "store" or "section.name", and its values.
struct FileSetting {
  std::string name;
  std::vector<std::string> values;
};
/// Reads a text of TOML as far as CLI11 does: sections, and names with a value or a list. Throws
/// std::runtime_error for a text that it can't read.
std::vector<FileSetting> read_settings(const std::string& text);

}  // namespace trl

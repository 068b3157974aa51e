// Commands and their options, by means of CLI11. Including CLI11 makes the compilation of a file three
// seconds longer, so other files include this header instead.
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

/// An option or a positional argument, which exists as long as its command.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}

  CommandOption& required();
  /// Sets the word that a help text shows for the value. It should be empty for a positional argument, since
  /// its name is shown.
  CommandOption& type_name(const std::string& name);
  /// Shows the variable's current value as the default in the help.
  CommandOption& show_default();
  /// Lets the option occur any number of times, with one value each time.
  CommandOption& repeatable();
  /// Lets the option stand without its value; the value is then the empty text. For the word behind the
  /// option, `looks_like_one(word)` says whether the word is the option's value. If it isn't, it is an
  /// argument of the command.
  CommandOption& optional_value(std::function<bool(const std::string&)> looks_like_one);
  /// Accepts only these values; the help shows them as "text|json".
  CommandOption& one_of(const std::vector<std::string>& values);
  /// Accepts integers from `first` to `last`; the help shows them as "N".
  CommandOption& within(int first, int last);
  /// Leaves the option out of the help.
  CommandOption& hidden();
  CommandOption& excludes(const CommandOption& other);

 private:
  CLI::Option* option_;
};

/// A command of a program, or the whole program's command line. Copies refer to the same command, which
/// exists as long as the program.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_command(const std::string& name, const std::string& description);
  /// Adds an option ("--out") or a positional argument ("FILE"). The variable `value` is set when the program
  /// parses its arguments, and must exist until then.
  CommandOption add_option(const std::string& name, std::string& value, const std::string& description);
  CommandOption add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& description);
  CommandOption add_option(const std::string& name, int& value, const std::string& description);
  CommandOption add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                           const std::string& description);
  CommandOption add_flag(const std::string& name, bool& value, const std::string& description);
  /// Adds the option --version, which prints the text and ends the program.
  void add_version(const std::string& text);
  /// Sets the text below the help.
  void footer(const std::string& text);
  /// Sets a function that is called after the arguments are parsed, if they name this command.
  void callback(std::function<void()> call);
  /// Requires that the arguments name a command of this command.
  void require_command();
  /// Returns, after parsing, whether the arguments name a command of this command.
  bool has_named_command() const;

  CLI::App& app() { return *app_; }

 private:
  CLI::App* app_;
};

/// For options that can stand without a value: joins such an option and the value behind it to one word,
/// `--live=80`. Otherwise the parser would take an argument of the command for the option's value.
void join_optional_values(CLI::App& command, std::vector<std::string>& words);

/// The command line of a program that has options but no commands.
class CommandLine : public Command {
 public:
  explicit CommandLine(const std::string& description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Parses the arguments of `main`. Returns an exit status if the program should end: after `--help`, and
  /// after wrong usage, which is printed. Otherwise returns nothing.
  std::optional<int> parse(int count, char** words);

 private:
  explicit CommandLine(std::unique_ptr<CLI::App> app);
  std::unique_ptr<CLI::App> owned_;
};

/// A setting in a settings file (TOML): its name, such as "store" or "section.name", and its values.
struct FileSetting {
  std::string name;
  std::vector<std::string> values;
};
/// Reads a TOML text, of which CLI11 supports sections, and names with a value or a list. Throws
/// std::runtime_error for a text that CLI11 can't read.
std::vector<FileSetting> read_settings(const std::string& text);

}  // namespace trl

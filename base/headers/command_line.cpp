#include "base/headers/command_line.hpp"

#include <CLI/CLI.hpp>
#include <sstream>
#include <utility>

namespace trl {
namespace {

/// The name of the CLI11 check that decides whether a word is an option's optional value.
constexpr const char* optional_value_check = "optional value";

}  // namespace

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

CommandOption& CommandOption::show_default() {
  option_->capture_default_str();
  return *this;
}

CommandOption& CommandOption::repeatable() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

CommandOption& CommandOption::optional_value(std::function<bool(const std::string&)> looks_like_one) {
  const auto check = [looks_like_one = std::move(looks_like_one)](const std::string& word) {
    return word.empty() || looks_like_one(word) ? std::string() : "its value can't be `" + word + "`";
  };
  option_->expected(0, 0)->check(check, "", optional_value_check);
  return *this;
}

CommandOption& CommandOption::one_of(const std::vector<std::string>& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : "|") + value;
  option_->check(CLI::IsMember(values))->option_text(text);
  return *this;
}

CommandOption& CommandOption::within(int first, int last) {
  option_->check(CLI::Range(first, last))->option_text("N");
  return *this;
}

CommandOption& CommandOption::hidden() {
  option_->group("");
  return *this;
}

CommandOption& CommandOption::excludes(const CommandOption& other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description));
}

CommandOption Command::add_option(const std::string& name, std::string& value,
                                  const std::string& description) {
  return CommandOption(*app_->add_option(name, value, description));
}

CommandOption Command::add_option(const std::string& name, std::vector<std::string>& values,
                                  const std::string& description) {
  return CommandOption(*app_->add_option(name, values, description));
}

CommandOption Command::add_option(const std::string& name, int& value, const std::string& description) {
  return CommandOption(*app_->add_option(name, value, description));
}

CommandOption Command::add_option(const std::string& name,
                                  const std::function<void(const std::string&)>& take,
                                  const std::string& description) {
  return CommandOption(*app_->add_option_function<std::string>(name, take, description));
}

CommandOption Command::add_flag(const std::string& name, bool& value, const std::string& description) {
  return CommandOption(*app_->add_flag(name, value, description));
}

void Command::add_version(const std::string& text) { app_->set_version_flag("--version", text); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::callback(std::function<void()> call) { app_->callback(std::move(call)); }

void Command::require_command() { app_->require_subcommand(1); }
bool Command::has_named_command() const { return !app_->get_subcommands().empty(); }

void join_optional_values(CLI::App& command, std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
    auto* option = words[i].starts_with("--") ? command.get_option_no_throw(words[i]) : nullptr;
    if (!option) continue;
    try {
      auto value = words[i + 1];
      if (value.empty() || !(*option->get_validator(optional_value_check))(value).empty()) continue;
    } catch (const CLI::OptionNotFound&) {
      continue;  // this option has no optional value
    }
    words[i] += "=" + words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app) : Command(*app), owned_(std::move(app)) {}

CommandLine::CommandLine(const std::string& description)
    : CommandLine(std::make_unique<CLI::App>(description)) {}

CommandLine::~CommandLine() = default;

std::optional<int> CommandLine::parse(int count, char** words) {
  try {
    owned_->parse(count, words);
    return std::nullopt;
  } catch (const CLI::ParseError& ended) {
    return owned_->exit(ended);
  }
}

std::vector<FileSetting> read_settings(const std::string& text) {
  std::istringstream in(text);
  std::vector<FileSetting> settings;
  for (const auto& item : CLI::ConfigTOML().from_config(in)) {
    if (item.name == "++" || item.name == "--") continue;  // the begin and the end of a section
    settings.push_back({item.fullname(), item.inputs});
  }
  return settings;
}

}  // namespace trl

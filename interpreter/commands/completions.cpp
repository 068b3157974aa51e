#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/support/shell_word.hpp"
#include "interpreter/commands/console.hpp"

namespace trl::interpreter {
namespace {

/// A word that a shell can complete, as the command line's definition has it.
struct Word {
  std::string text, description;
};
struct Completed {
  Word command;
  std::vector<Word> options;  ///< options, which begin with `-`
  std::vector<std::pair<std::string, std::string>>
      values;                          ///< an option and its values, separated by blanks: "text json"
  std::vector<std::string> arguments;  ///< the words that may be the first argument, if they are known
  bool file = false;                   ///< the arguments are .trl files
  bool any_file = false;               ///< the arguments are any files and folders
};

/// "text|json" as "text json"; empty for an option whose values are not a list.
std::string listed(const CLI::Option& option) {
  std::string text = option.get_option_text();
  if (text.find('|') == std::string::npos) return "";
  std::replace(text.begin(), text.end(), '|', ' ');
  return text;
}

Completed completed(const CLI::App& command) {
  Completed out{{command.get_name(), command.get_description()}, {}, {}, {}, false, false};
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional()) {
      for (const auto& name : option->get_lnames()) {
        out.options.push_back({"--" + name, option->get_description()});
        if (const auto values = listed(*option); !values.empty())
          out.values.emplace_back("--" + name, values);
      }
    } else if (option->get_name() == "FILE") {
      out.file = true;
    } else if (option->get_name() == "CANDIDATE" || option->get_name() == "STORE") {
      out.any_file = true;
    } else if (const auto words = listed(*option); !words.empty()) {
      out.arguments.push_back(words);
    }
  }
  return out;
}

std::vector<Completed> commands_of(const CLI::App& trl) {
  std::vector<Completed> out;
  for (const auto command : trl.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(completed(*command));
  return out;
}

std::string joined(const std::vector<Word>& words) {
  std::string out;
  for (const Word& word : words) out += (out.empty() ? "" : " ") + word.text;
  return out;
}

std::vector<Word> names_of(const std::vector<Completed>& commands) {
  std::vector<Word> out;
  for (const Completed& c : commands) out.push_back(c.command);
  return out;
}

void bash(const std::vector<Completed>& commands, std::ostream& out) {
  out << "# bash: source <(trl completions bash)\n"
         "_trl() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= values= files=\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W "
      << shell_quoted(joined(names_of(commands)))
      << " -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n";
  for (const Completed& c : commands) {
    out << "    " << c.command.text << ")\n      options=" << shell_quoted(joined(c.options)) << '\n';
    if (c.file) out << "      files=trl\n";
    if (c.any_file) out << "      files=any\n";
    for (const auto& words : c.arguments) out << "      values=" << shell_quoted(words) << '\n';
    if (!c.values.empty()) {
      out << "      case $before in\n";
      for (const auto& [option, values] : c.values)
        out << "        " << option << ") COMPREPLY=($(compgen -W " << shell_quoted(values)
            << " -- \"$word\")); return ;;\n";
      out << "      esac\n";
    }
    out << "      ;;\n";
  }
  out << "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  elif [[ $files == any ]]; then\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "    [[ -d ${COMPREPLY[0]-} ]] && compopt -o filenames 2>/dev/null\n"
         "  elif [[ -n $files ]]; then\n"
         "    COMPREPLY=($(compgen -f -X '!*.trl' -- \"$word\") $(compgen -d -S / -- \"$word\"))\n"
         "    [[ ${COMPREPLY[0]-} == */ ]] && compopt -o nospace 2>/dev/null\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -F _trl trl\n";
}

/// A description for the brackets of zsh's _arguments.
std::string for_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void zsh(const std::vector<Completed>& commands, std::ostream& out) {
  out << "#compdef trl\n# zsh: source <(trl completions zsh)\n_trl() {\n  local -a commands\n  commands=(\n";
  for (const Completed& c : commands)
    out << "    " << shell_quoted(c.command.text + ":" + c.command.description) << '\n';
  out << "  )\n  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
         "  local command=$words[2]\n  shift words; ((CURRENT--))\n  case $command in\n";
  for (const Completed& c : commands) {
    out << "    " << c.command.text << ") _arguments";
    for (const Word& option : c.options) {
      const auto values = std::find_if(c.values.begin(), c.values.end(),
                                       [&](const auto& v) { return v.first == option.text; });
      out << " \\\n      "
          << shell_quoted(option.text + "[" + for_zsh(option.description) + "]" +
                          (values == c.values.end() ? "" : ":value:(" + values->second + ")"));
    }
    if (c.file) out << " \\\n      '*:file:_files -g \"*.trl\"'";
    if (c.any_file) out << " \\\n      '*:file:_files'";
    for (const auto& words : c.arguments) out << " \\\n      " << shell_quoted("1:word:(" + words + ")");
    out << " ;;\n";
  }
  out << "  esac\n}\ncompdef _trl trl\n";
}

void fish(const std::vector<Completed>& commands, std::ostream& out) {
  out << "# fish: trl completions fish | source\ncomplete -c trl -f\n";
  for (const Completed& c : commands) {
    out << "complete -c trl -n __fish_use_subcommand -a " << c.command.text << " -d "
        << shell_quoted(c.command.description) << '\n';
    const std::string here =
        "complete -c trl -n " + shell_quoted("__fish_seen_subcommand_from " + c.command.text);
    for (const Word& option : c.options) {
      const auto values = std::find_if(c.values.begin(), c.values.end(),
                                       [&](const auto& v) { return v.first == option.text; });
      out << here << " -l " << option.text.substr(2) << " -d " << shell_quoted(option.description);
      if (values != c.values.end()) out << " -x -a " << shell_quoted(values->second);
      out << '\n';
    }
    if (c.file) out << here << " -k -a '(__fish_complete_suffix .trl)'\n";
    if (c.any_file) out << here << " -F\n";
    for (const auto& words : c.arguments) out << here << " -a " << shell_quoted(words) << '\n';
  }
}

}  // namespace

void add_completions(Command trl, Console& console, int& status) {
  auto shell = std::make_shared<std::string>();
  auto command =
      trl.add_command("completions", "Print a script that completes commands and options in a shell");
  command.add_option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  add_examples(command,
               "  trl completions bash >~/.local/share/bash-completion/completions/trl\n"
               "  source <(trl completions bash)\n"
               "  trl completions fish | source");
  command.callback([shell, &app = trl.app(), &console, &status] {
    const auto commands = commands_of(app);
    if (*shell == "bash") bash(commands, console.out);
    if (*shell == "zsh") zsh(commands, console.out);
    if (*shell == "fish") fish(commands, console.out);
    status = fine;
  });
}

}  // namespace trl::interpreter

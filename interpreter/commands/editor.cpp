// Puts what an editor needs for .trl files into the user's folders, and takes it away again.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/support/child_process.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {
using nlohmann::json;

struct Installed {
  fs::path path;
  std::string text;
};
/// What an editor gets: files, and what the user has to know besides.
struct Equipment {
  std::vector<Installed> files;
  std::vector<std::string> remarks;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path home_folder() {
  const std::string home = variable("HOME");
  if (home.empty()) throw UserError("HOME isn't set, so there is no folder to install to");
  return home;
}

/// The folder that an XDG variable names, or what it stands for without being set. A relative one doesn't
/// count.
fs::path xdg(const char* name, const char* otherwise) {
  const fs::path set = variable(name);
  return set.is_absolute() ? set : home_folder() / otherwise;
}
fs::path config_folder() { return xdg("XDG_CONFIG_HOME", ".config"); }

/// editors/ beside the standard library.
fs::path sources() {
  const fs::path home = find_home(), editors = home / "editors";
  if (home.empty() || !fs::is_directory(editors))
    throw UserError("there is no folder editors/ beside this trl's standard library",
                    "Run the trl of a clone of the repository, or set TRL_HOME to one.");
  return editors;
}

/// Adds a file, or every file of a folder by its place in it.
void add(Equipment& out, const fs::path& from, const fs::path& to) {
  if (!fs::is_directory(from)) {
    out.files.push_back({to, read_text(from)});
    return;
  }
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(from))
    if (entry.is_regular_file()) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  for (const fs::path& file : found)
    out.files.push_back({to / file.lexically_relative(from), read_text(file)});
}

/// Adds the parser for tree-sitter as a shared library, compiled here.
void add_parser(Equipment& out, const fs::path& to, const std::string& without) {
  const fs::path grammar = sources() / "tree-sitter-trl/src";
  std::string scratch = (fs::temp_directory_path() / "trl-parser-XXXXXX").string();
  if (::mkdtemp(scratch.data()) == nullptr)
    throw UserError("no folder could be made for the compiler's output");
  const fs::path library = fs::path(scratch) / "trl.so";
  const std::string compiler = variable("CC").empty() ? "cc" : variable("CC");
  bool made = false;
  try {
    ChildProcess child({compiler, "-O2", "-shared", "-fPIC", "-I", grammar.string(), "-o", library.string(),
                        (grammar / "parser.c").string()});
    child.end_input();
    made = child.wait() == 0;
  } catch (const StartError&) {
    // There is no compiler, which is said below.
  }
  if (made)
    out.files.push_back({to, read_text(library)});
  else
    out.remarks.push_back("No C compiler made the parser for tree-sitter (`" + compiler + "`): " + without);
  fs::remove_all(scratch);
}

void add_vim(Equipment& out, const fs::path& package) {
  for (const char* folder : {"syntax", "ftdetect", "ftplugin", "indent"})
    add(out, sources() / "vim" / folder, package / folder);
}

Equipment for_vim() {
  Equipment out;
  const fs::path usual = home_folder() / ".vim", other = config_folder() / "vim";
  add_vim(out, (fs::is_directory(other) && !fs::is_directory(usual) ? other : usual) / "pack/trl/start/trl");
  return out;
}

Equipment for_neovim() {
  Equipment out;
  const fs::path package = xdg("XDG_DATA_HOME", ".local/share") / "nvim/site/pack/trl/start/trl";
  add_vim(out, package);
  add(out, sources() / "neovim/plugin", package / "plugin");
  add(out, sources() / "tree-sitter-trl/queries", package / "queries/trl");
  add_parser(out, package / "parser/trl.so", "Neovim highlights by syntax/trl.vim.");
  return out;
}

Equipment for_emacs() {
  Equipment out;
  const fs::path usual = home_folder() / ".emacs.d", other = config_folder() / "emacs";
  const fs::path folder = (fs::is_directory(other) && !fs::is_directory(usual) ? other : usual) / "trl";
  add(out, sources() / "emacs/trl-mode.el", folder / "trl-mode.el");
  out.remarks.push_back("Add to your init file:\n  (add-to-list 'load-path \"" + folder.string() +
                        "\")\n  (require 'trl-mode)");
  return out;
}

Equipment for_helix() {
  Equipment out;
  const fs::path folder = config_folder() / "helix";
  const fs::path languages = sources() / "helix/languages.toml";
  const std::string text = read_text(languages);
  if (!fs::exists(folder / "languages.toml") || read_text(folder / "languages.toml") == text)
    out.files.push_back({folder / "languages.toml", text});
  else
    out.remarks.push_back("You have a " + (folder / "languages.toml").string() + ": add the lines of " +
                          languages.string() + " to it.");
  add(out, sources() / "helix/queries/trl", folder / "runtime/queries/trl");
  for (const char* same : {"folds.scm", "injections.scm"})
    add(out, sources() / "tree-sitter-trl/queries" / same, folder / "runtime/queries/trl" / same);
  add_parser(out, folder / "runtime/grammars/trl.so", "Helix won't highlight .trl files.");
  return out;
}

Equipment for_vscode() {
  Equipment out;
  const fs::path from = sources() / "vscode";
  const json package = json::parse(read_text(from / "package.json"));
  const fs::path extensions = variable("VSCODE_EXTENSIONS").empty() ? home_folder() / ".vscode/extensions"
                                                                    : fs::path(variable("VSCODE_EXTENSIONS"));
  const fs::path folder =
      extensions / (package.at("publisher").get<std::string>() + "." + package.at("name").get<std::string>() +
                    "-" + package.at("version").get<std::string>());
  for (const char* name : {"package.json", "extension.js", "language-configuration.json", "README.md",
                           "icon.png", "snippets/trl.json", "syntaxes/fences.tmLanguage.json"})
    add(out, from / name, folder / name);
  add(out, sources() / "textmate/trl.tmLanguage.json", folder / "syntaxes/trl.tmLanguage.json");
  if (!fs::is_directory(folder / "node_modules/vscode-languageclient"))
    out.remarks.push_back(
        "For the language server run once, with npm and a network:\n  npm install --omit=dev --prefix " +
        folder.string() + "\nWithout it there are highlighting, snippets, tasks and problems.");
  out.remarks.push_back("Start VS Code anew.");
  return out;
}

struct Editor {
  const char* name;
  Equipment (*equipment)();
};
constexpr Editor editors[] = {{"vscode", for_vscode},
                              {"neovim", for_neovim},
                              {"vim", for_vim},
                              {"emacs", for_emacs},
                              {"helix", for_helix}};

/// What was installed for an editor: each file with its digest, and the folders that were made for them.
class Record {
 public:
  explicit Record(const std::string& editor)
      : file_(xdg("XDG_STATE_HOME", ".local/state") / "trl/editors" / (editor + ".json")) {
    if (fs::exists(file_)) content_ = json::parse(read_text(file_));
  }
  bool exists() const { return fs::exists(file_); }
  /// Whether the file is as it was written; one that the user changed since then is the user's.
  bool wrote(const fs::path& file) const {
    const auto found = content_.at("files").find(file.string());
    return found != content_.at("files").end() && *found == sha256_of_file(file);
  }
  void add_file(const fs::path& file, const std::string& text) {
    content_["files"][file.string()] = sha256_hex(text);
  }
  void add_folder(const fs::path& folder) {
    for (const json& one : content_["folders"])
      if (one == folder.string()) return;
    content_["folders"].push_back(folder.string());
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> out;
    for (const auto& [name, digest] : content_.at("files").items()) out.emplace_back(name);
    return out;
  }
  /// The folders, the innermost first.
  std::vector<fs::path> folders() const {
    auto out = content_.at("folders").get<std::vector<std::string>>();
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return {out.begin(), out.end()};
  }
  void save() const {
    fs::create_directories(file_.parent_path());
    replace_text(file_, content_.dump(2) + "\n");
  }
  void forget() const { fs::remove(file_); }

 private:
  fs::path file_;
  json content_{{"files", json::object()}, {"folders", json::array()}};
};

/// Makes a folder and those above it, and records which it made.
void make_folders(const fs::path& folder, Record& record) {
  if (fs::is_directory(folder)) return;
  make_folders(folder.parent_path(), record);
  make_folder(folder);
  record.add_folder(folder);
}

void install(const Editor& editor, Console& console) {
  const Equipment equipment = editor.equipment();
  Record record(editor.name);
  std::string others;
  for (const auto& [file, text] : equipment.files)
    if (fs::exists(fs::symlink_status(file)) && !record.wrote(file) && read_text(file) != text)
      others += "\n  " + file.string();
  if (!others.empty())
    throw UserError(
        "these files are there, and trl didn't write them or they were changed since then:" + others,
        "Move them away, then start again. Nothing was written.");
  for (const auto& [file, text] : equipment.files) {
    // An equal file that somebody else wrote stays theirs.
    if (fs::exists(file) && !record.wrote(file)) continue;
    make_folders(file.parent_path(), record);
    record.add_file(file, text);
    record.save();
    replace_text(file, text);
    console.out << "wrote " << file.string() << '\n';
  }
  for (const std::string& remark : equipment.remarks) console.out << remark << '\n';
  console.out << "`trl editor uninstall " << editor.name << "` takes it away again.\n";
}

void uninstall(const Editor& editor, Console& console) {
  const Record record(editor.name);
  if (!record.exists())
    throw UserError(std::string("trl has installed nothing for ") + editor.name,
                    std::string("`trl editor install ") + editor.name + "` does.");
  for (const fs::path& file : record.files()) {
    if (!fs::exists(file)) continue;
    if (record.wrote(file)) {
      fs::remove(file);
      console.out << "removed " << file.string() << '\n';
    } else {
      console.out << "left " << file.string() << ", which was changed since then\n";
    }
  }
  std::error_code not_empty;
  for (const fs::path& folder : record.folders()) fs::remove(folder, not_empty);
  record.forget();
}

}  // namespace

void add_editor(Command trl, Console& console, int& status) {
  auto name = std::make_shared<std::string>();
  auto command = trl.add_command("editor", "Set an editor up for .trl files");
  command.require_command();
  add_examples(command, "  trl editor install neovim\n  trl editor uninstall neovim");
  std::vector<std::string> names;
  std::string listed;
  for (const Editor& editor : editors) {
    if (!names.empty()) listed += &editor == std::end(editors) - 1 ? " or " : ", ";
    listed += names.emplace_back(editor.name);
  }
  const auto add = [&](const char* verb, const std::string& description,
                       void (*act)(const Editor&, Console&)) {
    auto one = command.add_command(verb, description);
    one.add_option("EDITOR", *name, listed).required().one_of(names);
    add_examples(one, std::string("  trl editor ") + verb + " neovim");
    one.callback([name, act, &console, &status] {
      for (const Editor& editor : editors)
        if (*name == editor.name) act(editor, console);
      status = fine;
    });
  };
  add("install", "Write what an editor needs into its folders; other files stay as they are", install);
  add("uninstall", "Remove what `install` wrote, unless it was changed since then", uninstall);
}

}  // namespace trl::interpreter

// Installs the files that an editor needs for .trl files in the user's folders, and removes them again.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/support/child_process.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/home.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"
#include "interpreter/scratch.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {
using nlohmann::json;

struct Installed {
  fs::path path;
  std::string text;
};
/// The files that an editor gets, and remarks for the user.
struct Equipment {
  std::vector<Installed> files;
  std::vector<std::string> remarks;
  fs::path package{};       ///< a .vsix among the files, which the editor's own programs install; empty: none
  std::string extension{};  ///< the extension's name for these programs
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

/// Returns the folder that an XDG variable names; if the variable isn't set or is a relative path, the
/// default folder below the home folder.
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

/// Adds a file, or all files of a folder with their relative paths.
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

/// Whether a command ended with status 0 within five minutes; nothing if there is no such program.
std::optional<bool> ran(const std::vector<std::string>& command) {
  try {
    ChildProcess child(command, {.input = ""});
    return child.wait(std::chrono::minutes(5)) == 0;
  } catch (const StartError&) {
    return std::nullopt;
  }
}
bool runs(const std::vector<std::string>& command) { return ran(command).value_or(false); }

/// Compiles the parser for tree-sitter to a shared library, and adds it.
void add_parser(Equipment& out, const fs::path& to, const std::string& without) {
  const fs::path grammar = sources() / "tree-sitter-trl/src";
  const Scratch scratch;
  const fs::path library = scratch.path() / "trl.so";
  const std::string compiler = variable("CC").empty() ? "cc" : variable("CC");
  if (runs({compiler, "-O2", "-shared", "-fPIC", "-I", grammar.string(), "-o", library.string(),
            (grammar / "parser.c").string()}))
    out.files.push_back({to, read_text(library)});
  else
    out.remarks.push_back("No C compiler made the parser for tree-sitter (`" + compiler + "`): " + without);
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

/// The two files that stand beside extension/ in a .vsix, which is a zip file of the Open Packaging
/// Conventions.
constexpr const char* content_types =
    R"(<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">)"
    R"(<Default Extension=".json" ContentType="application/json"/>)"
    R"(<Default Extension=".js" ContentType="application/javascript"/>)"
    R"(<Default Extension=".md" ContentType="text/markdown"/>)"
    R"(<Default Extension=".png" ContentType="image/png"/>)"
    R"(<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
)";
std::string vsix_manifest(const json& package) {
  const auto field = [&](const char* name) { return package.at(name).get<std::string>(); };
  return R"(<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"><Metadata>)"
         R"(<Identity Language="en-US" Id=")" +
         field("name") + "\" Version=\"" + field("version") + "\" Publisher=\"" + field("publisher") +
         "\"/><DisplayName>" + field("displayName") + "</DisplayName><Description>" + field("description") +
         R"(</Description></Metadata><Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/>)"
         R"(</Installation><Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" )"
         R"(Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>
)";
}

/// VS Code loads only extensions that its own program installed: if extensions.json exists, it ignores other
/// folders. So the extension is installed as a package (.vsix).
Equipment for_vscode() {
  Equipment out;
  const fs::path from = sources() / "vscode";
  const json package = json::parse(read_text(from / "package.json"));
  const auto field = [&](const char* name) { return package.at(name).get<std::string>(); };
  const Scratch scratch;
  const fs::path folder = scratch.path() / "extension";
  Equipment inner;
  for (const char* name : {"package.json", "extension.js", "language-configuration.json", "README.md",
                           "icon.png", "snippets/trl.json", "syntaxes/fences.tmLanguage.json"})
    add(inner, from / name, folder / name);
  add(inner, sources() / "textmate/trl.tmLanguage.json", folder / "syntaxes/trl.tmLanguage.json");
  for (const auto& [file, text] : inner.files) {
    fs::create_directories(file.parent_path());
    replace_text(file, text);
  }
  replace_text(scratch.path() / "extension.vsixmanifest", vsix_manifest(package));
  replace_text(scratch.path() / "[Content_Types].xml", content_types);
  if (!runs({"npm", "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--silent",
             "--prefix", folder.string()}))
    out.remarks.push_back(
        "npm couldn't download the client of the language server, which needs npm and a network. Without it "
        "there are highlighting, snippets, tasks and problems; start `trl editor install vscode` again when "
        "they are there.");
  const fs::path packed = scratch.path() / "trl.vsix";
  const std::string python = find_python(find_home()).string();
  if (!runs({python, "-m", "zipfile", "-c", packed.string(),
             (scratch.path() / "[Content_Types].xml").string(),
             (scratch.path() / "extension.vsixmanifest").string(), folder.string()}))
    throw UserError("`" + python + " -m zipfile` couldn't pack the extension",
                    "Set TRL_PYTHON to a Python from 3.9.");
  out.extension = field("publisher") + "." + field("name");
  out.package = xdg("XDG_DATA_HOME", ".local/share") / "trl/editors" /
                (field("name") + "-" + field("version") + ".vsix");
  out.files.push_back({out.package, read_text(packed)});
  return out;
}

/// The names of the command-line programs of VS Code and of editors derived from it.
constexpr const char* programs_of_vscode[] = {"code", "code-insiders", "codium", "cursor", "code-server"};

struct Editor {
  const char* name;
  Equipment (*equipment)();
};
constexpr Editor editors[] = {{"vscode", for_vscode},
                              {"neovim", for_neovim},
                              {"vim", for_vim},
                              {"emacs", for_emacs},
                              {"helix", for_helix}};

/// The record of the files that were installed for an editor, with their digests, and of the folders that
/// were made for them.
class Record {
 public:
  explicit Record(const std::string& editor)
      : file_(xdg("XDG_STATE_HOME", ".local/state") / "trl/editors" / (editor + ".json")) {
    if (fs::exists(file_)) content_ = json::parse(read_text(file_));
  }
  bool exists() const { return fs::exists(file_); }
  /// Whether the file is still as it was installed. If the user has changed it, it belongs to the user.
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
  /// Removes a file from the record and from the disk.
  void remove_file(const fs::path& file) {
    fs::remove(file);
    content_["files"].erase(file.string());
  }
  /// Records that `program` installed the extension of this name.
  void add_program(const std::string& program, const std::string& extension) {
    content_["programs"][program] = extension;
  }
  /// The programs that installed an extension, each with its name.
  std::map<std::string, std::string> programs() const {
    return content_.value("programs", std::map<std::string, std::string>());
  }
  const fs::path& file() const { return file_; }
  void save() const { replace_text(file_, content_.dump(2) + "\n"); }
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

/// Lets the user's programs install a package.
void install_package(const Equipment& equipment, Record& record, Console& console) {
  bool installed = false;
  for (const char* program : programs_of_vscode) {
    const auto done = ran({program, "--install-extension", equipment.package.string(), "--force"});
    if (!done) continue;
    console.out << (*done ? "installed in " : "couldn't be installed by ") << '`' << program << "`\n";
    if (!*done) continue;
    record.add_program(program, equipment.extension);
    record.save();
    installed = true;
  }
  console.out << (installed ? "Start VS Code anew, or choose \"Developer: Reload Window\" in it.\n"
                            : "Choose \"Extensions: Install from VSIX...\" in VS Code and that file, or run "
                              "`code --install-extension FILE` where `code` is.\n");
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
  make_folders(record.file().parent_path(), record);
  for (const auto& [file, text] : equipment.files) {
    // A file with equal contents that somebody else wrote isn't recorded, so it won't be removed.
    if (fs::exists(file) && !record.wrote(file)) continue;
    make_folders(file.parent_path(), record);
    record.add_file(file, text);
    record.save();
    replace_text(file, text);
    console.out << "wrote " << file.string() << '\n';
  }
  for (const fs::path& old : record.files())
    if (fs::exists(old) && record.wrote(old) &&
        std::ranges::find(equipment.files, old, &Installed::path) == equipment.files.end())
      record.remove_file(old);
  record.save();
  if (!equipment.package.empty()) install_package(equipment, record, console);
  for (const std::string& remark : equipment.remarks) console.out << remark << '\n';
  console.out << "`trl editor uninstall " << editor.name << "` takes it away again.\n";
}

void uninstall(const Editor& editor, Console& console) {
  const Record record(editor.name);
  if (!record.exists())
    throw UserError(std::string("trl has installed nothing for ") + editor.name,
                    std::string("`trl editor install ") + editor.name + "` does.");
  for (const auto& [program, extension] : record.programs())
    console.out << (runs({program, "--uninstall-extension", extension}) ? "uninstalled in "
                                                                        : "couldn't be uninstalled by ")
                << '`' << program << "`\n";
  for (const fs::path& file : record.files()) {
    if (!fs::exists(file)) continue;
    if (record.wrote(file)) {
      fs::remove(file);
      console.out << "removed " << file.string() << '\n';
    } else {
      console.out << "left " << file.string() << ", which was changed since then\n";
    }
  }
  record.forget();
  std::error_code not_empty;
  for (const fs::path& folder : record.folders()) fs::remove(folder, not_empty);
  // These folders may have been made when another editor's files were installed.
  for (const fs::path& ours : {record.file().parent_path(), record.file().parent_path().parent_path()})
    fs::remove(ours, not_empty);
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

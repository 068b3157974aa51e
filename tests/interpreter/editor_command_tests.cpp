// `trl editor`, by the real binary in a home folder of its own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/support/files.hpp"
#include "base/support/home.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

using trl::has;

namespace {

class EditorCommand : public ::testing::Test {
 protected:
  EditorCommand() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {
    fs::create_directory(home());
    fs::create_directory(programs());
    program("npm", "exit 1");  // no test waits for a network
    environment_ = {{"TRL_HOME", TRL_SOURCE}, {"HOME", home().string()},
                    {"XDG_CONFIG_HOME", ""},  {"XDG_DATA_HOME", ""},
                    {"XDG_STATE_HOME", ""},   {"PATH", programs().string() + ":" + std::getenv("PATH")}};
  }
  fs::path home() const { return folder_.path() / "home"; }
  fs::path programs() const { return folder_.path() / "programs"; }
  /// Puts a shell script of this name into PATH.
  void program(const std::string& name, const std::string& script) const {
    write_text(programs() / name, "#!/bin/sh\n" + script + "\n");
    fs::permissions(programs() / name, fs::perms::owner_all);
  }
  Ended editor(const std::string& words) const { return folder_.trl("editor " + words, environment_); }
  /// What is under the home folder, folders too.
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::recursive_directory_iterator(home()), fs::recursive_directory_iterator()));
  }

  TrlFolder folder_;
  TrlFolder::Environment environment_;
};

const std::map<std::string, std::vector<std::string>> expected = {
    {"vim", {".vim/pack/trl/start/trl/syntax/trl.vim", ".vim/pack/trl/start/trl/ftdetect/trl.vim"}},
    {"neovim",
     {".local/share/nvim/site/pack/trl/start/trl/plugin/trl.lua",
      ".local/share/nvim/site/pack/trl/start/trl/syntax/trl.vim",
      ".local/share/nvim/site/pack/trl/start/trl/queries/trl/highlights.scm",
      ".local/share/nvim/site/pack/trl/start/trl/parser/trl.so"}},
    {"emacs", {".emacs.d/trl/trl-mode.el"}},
    {"helix",
     {".config/helix/languages.toml", ".config/helix/runtime/queries/trl/highlights.scm",
      ".config/helix/runtime/grammars/trl.so"}},
    {"vscode", {".local/share/trl/editors/trl-0.1.0.vsix"}},
};

TEST_F(EditorCommand, InstallSaysWhatItWroteAndUninstallTakesAllOfItAway) {
  for (const auto& [name, files] : expected) {
    SCOPED_TRACE(name);
    const auto before = entries();
    const auto installed = editor("install " + name);
    ASSERT_EQ(installed.status, 0) << installed.err;
    for (const auto& file : files) {
      EXPECT_GT(fs::file_size(home() / file), 0u) << file;
      EXPECT_TRUE(has(installed.out, "wrote " + (home() / file).string() + "\n")) << installed.out;
    }
    EXPECT_TRUE(has(installed.out, "`trl editor uninstall " + name + "` takes it away again."));
    EXPECT_EQ(editor("install " + name).status, 0) << "a second time it renews its own files";
    const auto removed = editor("uninstall " + name);
    EXPECT_EQ(removed.status, 0) << removed.err;
    EXPECT_TRUE(has(removed.out, "removed " + (home() / files.front()).string()));
    EXPECT_EQ(entries(), before) << folder_.shell("find home").out;
  }
}

TEST_F(EditorCommand, VisualStudioCodesOwnProgramInstallsAndUninstallsThePackage) {
  program("code", "echo \"$@\" >> code.log");
  program("codium", "exit 1");
  program("npm",
          "for folder; do :; done; mkdir -p $folder/node_modules/client; echo > "
          "$folder/node_modules/client/x.js");
  const auto installed = editor("install vscode");
  ASSERT_EQ(installed.status, 0) << installed.err;
  const std::string package = (home() / ".local/share/trl/editors/trl-0.1.0.vsix").string();
  EXPECT_TRUE(
      has(installed.out, "installed in `code`\ncouldn't be installed by `codium`\nStart VS Code anew"))
      << installed.out;
  EXPECT_FALSE(has(installed.out, "npm")) << installed.out;
  const std::string names =
      folder_.shell("'" + find_python(TRL_SOURCE).string() + "' -m zipfile -l '" + package + "'").out;
  for (const char* file :
       {"[Content_Types].xml", "extension.vsixmanifest", "extension/package.json", "extension/extension.js",
        "extension/syntaxes/trl.tmLanguage.json", "extension/node_modules/client/x.js"})
    EXPECT_TRUE(has(names, std::string("\n") + file + " ")) << names;
  EXPECT_EQ(editor("uninstall vscode").status, 0);
  EXPECT_EQ(folder_.shell("cat code.log").out,
            "--install-extension " + package + " --force\n--uninstall-extension trl.trl\n");
  EXPECT_EQ(entries(), 0U);
}

TEST_F(EditorCommand, WithoutVisualStudioCodesProgramTheUserIsToldWhatToDo) {
  const auto installed = editor("install vscode");
  ASSERT_EQ(installed.status, 0) << installed.err;
  EXPECT_TRUE(has(installed.out, "\"Extensions: Install from VSIX...\"")) << installed.out;
  EXPECT_TRUE(has(installed.out, "npm couldn't download the client")) << installed.out;
}

TEST_F(EditorCommand, InstallOverwritesNoFileThatItDidNotWrite) {
  const fs::path file = home() / ".vim/pack/trl/start/trl/indent/trl.vim";
  fs::create_directories(file.parent_path());
  write_text(file, "\" mine\n");
  const auto refused = editor("install vim");
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.err, file.string())) << refused.err;
  EXPECT_TRUE(has(refused.err, "Nothing was written."));
  EXPECT_EQ(read_text(file), "\" mine\n");
  EXPECT_FALSE(fs::exists(home() / ".vim/pack/trl/start/trl/syntax"));

  fs::remove(file);
  ASSERT_EQ(editor("install vim").status, 0);
  write_text(file, "\" changed\n");
  EXPECT_EQ(editor("install vim").status, 1) << "what the user changed is the user's";
  const auto removed = editor("uninstall vim");
  EXPECT_EQ(removed.status, 0);
  EXPECT_TRUE(has(removed.out, "left " + file.string() + ", which was changed since then\n")) << removed.out;
  EXPECT_EQ(read_text(file), "\" changed\n");
  EXPECT_FALSE(fs::exists(home() / ".vim/pack/trl/start/trl/syntax"));
}

TEST_F(EditorCommand, FoldersAreThoseOfTheEnvironment) {
  environment_["XDG_DATA_HOME"] = (folder_.path() / "data").string();
  environment_["XDG_CONFIG_HOME"] = (folder_.path() / "config").string();
  for (const char* name : {"neovim", "helix", "vscode"})
    EXPECT_EQ(editor(std::string("install ") + name).status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "data/nvim/site/pack/trl/start/trl/syntax/trl.vim"));
  EXPECT_TRUE(fs::exists(folder_.path() / "config/helix/languages.toml"));
  EXPECT_TRUE(fs::exists(folder_.path() / "data/trl/editors/trl-0.1.0.vsix"));
}

TEST_F(EditorCommand, HelixKeepsItsLanguages) {
  const fs::path languages = home() / ".config/helix/languages.toml";
  fs::create_directories(languages.parent_path());
  write_text(languages, "[[language]]\nname = \"other\"\n");
  const auto installed = editor("install helix");
  EXPECT_EQ(installed.status, 0) << installed.err;
  EXPECT_TRUE(has(installed.out, "You have a " + languages.string() + ": add the lines of "))
      << installed.out;
  EXPECT_EQ(editor("uninstall helix").status, 0);
  EXPECT_EQ(read_text(languages), "[[language]]\nname = \"other\"\n");
}

TEST_F(EditorCommand, WithoutACompilerTheRestIsInstalled) {
  environment_["CC"] = "no-such-compiler";
  const auto installed = editor("install neovim");
  EXPECT_EQ(installed.status, 0) << installed.err;
  EXPECT_TRUE(has(installed.out, "No C compiler made the parser for tree-sitter (`no-such-compiler`)"));
  EXPECT_FALSE(fs::exists(home() / ".local/share/nvim/site/pack/trl/start/trl/parser"));
  EXPECT_TRUE(fs::exists(home() / ".local/share/nvim/site/pack/trl/start/trl/syntax/trl.vim"));
}

TEST_F(EditorCommand, DocsRenewTheWordsOfAFolderAndSayWhichFilesTheyWrote) {
  const fs::path old = home() / "a.vim";
  write_text(old, "\" <words constants as syntax keyword trlConstant @words>\n\" </words>\n");
  write_text(home() / "g.yaml", "match: '@(constants)'\n");
  const auto renewed = folder_.trl("docs --editors home", environment_);
  EXPECT_EQ(renewed.status, 0) << renewed.err;
  EXPECT_EQ(renewed.out, "home/a.vim\nhome/g.json\n");
  EXPECT_TRUE(has(read_text(old), "\nsyntax keyword trlConstant false none rest true\n"));
  EXPECT_EQ(read_text(home() / "g.json"), "{\n  \"match\": \"true|rest|none|false\"\n}\n");
  EXPECT_EQ(folder_.trl("docs --editors home", environment_).out, "");

  write_text(old, "\" <words nonsense as @words>\n\" </words>\n");
  const auto wrong = folder_.trl("docs --editors home", environment_);
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(has(wrong.err, "home/a.vim, line 1: there are no words called `nonsense`")) << wrong.err;

  const auto words = nlohmann::json::parse(folder_.trl("docs --format json", environment_).out);
  EXPECT_EQ(words.at("units").at(0).at("name"), "%");
}

TEST_F(EditorCommand, MistakesAreSaid) {
  EXPECT_EQ(editor("install ed").status, 2);
  const auto nothing = editor("uninstall emacs");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_TRUE(has(nothing.err, "trl has installed nothing for emacs")) << nothing.err;
  environment_["TRL_HOME"] = home().string();
  const auto alone = editor("install emacs");
  EXPECT_EQ(alone.status, 1);
  EXPECT_TRUE(has(alone.err, "there is no folder editors/")) << alone.err;
}

}  // namespace

// A client of the language server in the test's own process.
#pragma once
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "language/server/server.hpp"
#include "tests/language/stub.hpp"

namespace trl::language_server::test {

using nlohmann::json;

/// Removes the `|` from a text and returns its offset.
inline std::size_t take_mark(std::string& text) {
  const std::size_t at = text.find('|');
  if (at == std::string::npos) throw std::logic_error("the text has no `|`");
  text.erase(at, 1);
  return at;
}

using Files = std::map<std::string, std::string>;

class Client {
 public:
  /// With `library`, imports are those of the embedded library instead of tests' stand-ins for it.
  explicit Client(Files files = {}, json capabilities = json::object(), bool library = false)
      : server_(world(std::move(files), library), "test",
                [this](const json& message) { sent.push_back(message); }) {
    request("initialize",
            {{"capabilities", std::move(capabilities)},
             {"workspaceFolders", json::array({{{"uri", "file:///memory"}, {"name", "memory"}}})}});
    notify("initialized", json::object());
  }

  /// Returns the result of a request. Throws the error's message if the answer is an error.
  json request(const std::string& method, json params) {
    const json answer = ask(method, std::move(params));
    if (answer.contains("error")) throw std::runtime_error(answer["error"]["message"].get<std::string>());
    return answer["result"];
  }
  /// The whole answer to a request.
  json ask(const std::string& method, json params) {
    const int id = ++last_id_;
    server_.receive({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    for (auto message = sent.rbegin(); message != sent.rend(); ++message)
      if (message->contains("id") && (*message)["id"] == id && !message->contains("method")) return *message;
    throw std::logic_error("there was no answer to " + method);
  }
  void notify(const std::string& method, json params) {
    server_.receive({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }

  /// Opens a file, or opens it again with another text. A `|` in the text is the place of the requests that
  /// follow.
  void open(std::string text, const std::string& name = "test.trl") {
    name_ = name;
    at_ = text.find('|') == std::string::npos ? 0 : take_mark(text);
    text_ = text;
    notify("textDocument/didOpen",
           {{"textDocument",
             {{"uri", uri(name)}, {"languageId", "trl"}, {"version", ++version_}, {"text", text}}}});
  }
  static std::string uri(const std::string& name) { return "file:///memory/" + name; }

  json document() const { return {{"textDocument", {{"uri", uri(name_)}}}}; }
  json place() const {
    json params = document();
    params["position"] = position(at_);
    return params;
  }
  /// A position in a text of ASCII.
  json position(std::size_t offset) const {
    const std::string before = text_.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t newline = before.rfind('\n');
    return {{"line", line}, {"character", newline == std::string::npos ? offset : offset - newline - 1}};
  }
  std::size_t offset(const json& position) const {
    std::size_t at = 0;
    for (std::size_t line = 0; line < position["line"].get<std::size_t>(); ++line)
      at = text_.find('\n', at) + 1;
    return at + position["character"].get<std::size_t>();
  }
  /// The text of a range of the file that was opened last.
  std::string at(const json& range) const {
    const std::size_t begin = offset(range["start"]);
    return text_.substr(begin, offset(range["end"]) - begin);
  }
  /// The text after edits.
  std::string edited(json edits) const {
    std::string out = text_;
    std::sort(edits.begin(), edits.end(), [&](const json& a, const json& b) {
      return offset(a["range"]["start"]) > offset(b["range"]["start"]);
    });
    for (const json& edit : edits) {
      const std::size_t begin = offset(edit["range"]["start"]), end = offset(edit["range"]["end"]);
      out.replace(begin, end - begin, edit["newText"].get<std::string>());
    }
    return out;
  }

  /// Returns the diagnostics that the server published last for a file.
  json diagnostics(const std::string& name = "test.trl") {
    while (server_.wants_to_settle()) server_.settle();
    for (auto message = sent.rbegin(); message != sent.rend(); ++message)
      if (message->value("method", "") == "textDocument/publishDiagnostics" &&
          (*message)["params"]["uri"] == uri(name))
        return (*message)["params"]["diagnostics"];
    return nullptr;
  }

  std::vector<json> sent;
  Server& server() { return server_; }
  const std::string& text() const { return text_; }
  std::map<std::string, std::string>& files() { return *files_; }

 private:
  World world(std::map<std::string, std::string> files, bool library) {
    std::map<std::string, std::string> named;
    for (auto& [name, text] : files) named["/memory/" + name] = text;
    *files_ = std::move(named);
    World out;
    out.options = language::test::in_memory({});
    out.options.search =
        library ? std::vector<std::string>{"/memory"} : std::vector<std::string>{"memory", "/memory"};
    const auto below = out.options.read;
    out.options.read = [files = files_, below](const std::string& path) -> std::optional<std::string> {
      const auto at = files->find(path);
      return at == files->end() ? below(path) : std::optional(at->second);
    };
    out.files_below = [files = files_](const std::string&) {
      std::vector<std::string> all;
      for (const auto& [path, text] : *files) all.push_back(path);
      return all;
    };
    return out;
  }

  std::shared_ptr<std::map<std::string, std::string>> files_ =
      std::make_shared<std::map<std::string, std::string>>();
  Server server_;
  int last_id_ = 0, version_ = 0;
  std::string name_ = "test.trl", text_;
  std::size_t at_ = 0;
};

}  // namespace trl::language_server::test

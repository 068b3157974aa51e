// Random edits and requests: no crash, and nothing that a fresh server would answer otherwise.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "language/server/feature.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language_server/client.hpp"
#include "tests/long_tests.hpp"

namespace trl::language_server::test {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized = true;  // each step takes some thirty times as long
#define TRL_SANITIZED
#endif
#endif
#ifndef TRL_SANITIZED
constexpr bool sanitized = false;
#endif

/// An answer without what is counted by versions.
json comparable(json answer) {
  answer.erase("id");
  if (answer.contains("result") && answer["result"].is_object()) answer["result"].erase("resultId");
  return answer;
}

/// How many edits and requests the test of random edits sends in each encoding: TRL_RANDOM_MESSAGES, or some
/// seconds' worth.
std::size_t messages() {
  if (const char* wanted = std::getenv("TRL_RANDOM_MESSAGES")) return std::strtoul(wanted, nullptr, 10);
  return trl::long_tests() ? 30000 : sanitized ? 150 : 1500;
}

/// Whether a character begins at an offset. No position lies between the two of a line's end `\r\n`.
bool begins_character(const std::string& text, std::size_t at) {
  if (at > 0 && at < text.size() && text[at] == '\n' && text[at - 1] == '\r') return false;
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

/// An editor's buffer that counts positions by itself, one character after the other.
struct Buffer {
  std::string name, encoding, text;
  std::int64_t version = 0;
  struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text;
  };
  std::vector<Edit> undo = {};  ///< what takes the edits back, the last one last

  std::size_t units(std::size_t begin, std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (encoding == "utf-8")
        ++count;
      else if (begins_character(text, i))
        count += encoding == "utf-16" && byte >= 0xF0 ? 2 : 1;
    }
    return count;
  }
  json position(std::size_t offset) const {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    return {{"line", line}, {"character", units(begin, offset)}};
  }
  json range(std::size_t begin, std::size_t end) const {
    return {{"start", position(begin)}, {"end", position(end)}};
  }
  /// Whether a position lies in the text.
  bool has(const json& at) const {
    const std::size_t line = at.at("line"), character = at.at("character");
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line; ++i) {
      const std::size_t newline = text.find('\n', begin);
      if (newline == std::string::npos) return false;
      begin = newline + 1;
    }
    return character <= units(begin, std::min(text.find('\n', begin), text.size()));
  }
  std::string uri() const { return Client::uri(name); }
};

/// What is wrong with the ranges in an answer that are of a buffer's text; empty if nothing is.
std::string wrong_range(const json& answer, const Buffer& buffer) {
  if (answer.is_array()) {
    for (const json& one : answer)
      if (std::string wrong = wrong_range(one, buffer); !wrong.empty()) return wrong;
    return {};
  }
  if (!answer.is_object()) return {};
  for (const char* key : {"uri", "targetUri"})
    if (answer.contains(key) && answer[key] != buffer.uri()) return {};
  if (answer.contains("start") && answer.contains("end") && answer["start"].is_object()) {
    const auto place = [](const json& at) {
      return std::pair(at.at("line").get<int>(), at.at("character").get<int>());
    };
    const bool right = buffer.has(answer["start"]) && buffer.has(answer["end"]) &&
                       place(answer["start"]) <= place(answer["end"]);
    return right ? "" : answer.dump();
  }
  for (const auto& [key, value] : answer.items()) {
    if (key.find("://") != std::string::npos && key != buffer.uri()) continue;
    if (key == "originSelectionRange" || key == "documentChanges") continue;
    if (std::string wrong = wrong_range(value, buffer); !wrong.empty()) return wrong;
  }
  return {};
}

/// The parameters of a request about a place and a range of a buffer.
json parameters(const Buffer& buffer, std::size_t a, std::size_t b) {
  json params = {{"textDocument", {{"uri", buffer.uri()}}}};
  params["position"] = buffer.position(a);
  params["positions"] = json::array({buffer.position(a), buffer.position(b)});
  params["range"] = buffer.range(std::min(a, b), std::max(a, b));
  params["context"] = {{"diagnostics", json::array()}, {"includeDeclaration", true}};
  params["options"] = json::object();
  params["newName"] = "renamed";
  params["query"] = "a";
  params["uri"] = "trl:/windtunnel.trl";
  params["previousResultId"] = "0";
  return params;
}

/// The diagnostics that an editor shows, by address.
using Shown = std::map<std::string, json>;
void note(Shown& shown, const json& message) {
  if (message.value("method", "") == "textDocument/publishDiagnostics")
    shown[message["params"]["uri"]] = message["params"]["diagnostics"];
}

class RandomEdits : public testing::TestWithParam<const char*> {
 protected:
  json capabilities() const { return {{"general", {{"positionEncodings", json::array({GetParam()})}}}}; }
  std::size_t below(std::size_t count) { return random_() % count; }
  std::size_t place(const std::string& text) {
    std::size_t at = below(text.size() + 1);
    while (!begins_character(text, at)) --at;
    return at;
  }
  void open(Client& client, const Buffer& buffer) const {
    client.notify("textDocument/didOpen", {{"textDocument",
                                            {{"uri", buffer.uri()},
                                             {"languageId", "trl"},
                                             {"version", buffer.version},
                                             {"text", buffer.text}}}});
  }
  /// Replaces some characters, or takes back the last edit, so that texts stay nearly right as those of
  /// people do: of a text full of errors most takes long to understand, and little of it is reached.
  void edit(Client& client, Buffer& buffer) {
    std::size_t begin = place(buffer.text);
    std::size_t end = std::min(begin + (below(8) == 0 ? below(40) : below(3)), buffer.text.size());
    while (!begins_character(buffer.text, end)) ++end;
    std::string with = below(3) == 0 ? "" : words_[below(words_.size())];
    const bool back = !buffer.undo.empty() && below(buffer.undo.size() + 2) > 1;
    if (back) {
      begin = buffer.undo.back().begin, end = buffer.undo.back().end, with = buffer.undo.back().text;
      buffer.undo.pop_back();
    } else {
      buffer.undo.push_back({begin, begin + with.size(), buffer.text.substr(begin, end - begin)});
    }
    json change = {{"range", buffer.range(begin, end)}, {"text", with}};
    buffer.text.replace(begin, end - begin, with);
    if (below(50) == 0) change = {{"text", buffer.text}};
    client.notify("textDocument/didChange",
                  {{"textDocument", {{"uri", buffer.uri()}, {"version", ++buffer.version}}},
                   {"contentChanges", json::array({std::move(change)})}});
  }

  std::mt19937 random_{11};
  Shown shown_;
  const std::vector<std::string> words_ = {"{",
                                           "}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "=",
                                           ",",
                                           "\n",
                                           "#",
                                           "\"",
                                           " ",
                                           ".",
                                           "->",
                                           ":",
                                           "5%",
                                           "rank",
                                           "c.",
                                           "windtunnel",
                                           "let ",
                                           "experiment e ",
                                           "vary",
                                           "grid(",
                                           "é",
                                           "😀",
                                           "\r\n",
                                           "import helper\n",
                                           "helper.",
                                           "import windtunnel\n"};
};

TEST_P(RandomEdits, LeaveNothingBehind) {
  std::vector<std::string> programs = {language::test::ablation()};
  for (const auto& mistake : language::test::mistakes()) programs.push_back(mistake.program);
  Client client({}, capabilities(), true);
  std::vector<Buffer> buffers = {{"test.trl", GetParam(), programs[0]},
                                 {"helper.trl", GetParam(), "lora small { rank = 4 }\n"}};
  for (const Buffer& buffer : buffers) open(client, buffer);
  const std::size_t all = messages();
  for (std::size_t sent = 0, burst = 0; sent < all; ++burst) {
    Buffer& buffer = buffers[below(10) == 0];
    if (burst % 30 == 29) {
      client.notify("textDocument/didClose", {{"textDocument", {{"uri", buffer.uri()}}}});
      buffer.text = programs[below(programs.size())];
      buffer.undo.clear();
      ++buffer.version;
      open(client, buffer);
      sent += 2;
    }
    for (std::size_t edits = 1 + below(16); edits > 0; --edits, ++sent) edit(client, buffer);
    const bool compare = burst % (all > 100000 ? 100 : 20) == 0;
    std::optional<Client> fresh;
    if (compare) {
      fresh.emplace(Files(), capabilities(), true);
      for (const Buffer& one : buffers) open(*fresh, one);
    }
    for (const Feature* feature : all_features()) {
      if (!compare && below(5) > 1) continue;
      const json params = parameters(buffer, place(buffer.text), place(buffer.text));
      const json answer = client.ask(std::string(feature->method), params);
      for (const json& message : client.sent) note(shown_, message);
      client.sent.clear();
      ++sent;
      // Every answer is a result or an error that was foreseen, and ranges lie in the text.
      ASSERT_NE(answer.value("error", json::object()).value("code", 0), -32603) << feature->method << "\n"
                                                                                << answer << buffer.text;
      ASSERT_EQ(wrong_range(answer.value("result", json()), buffer), "") << feature->method << "\n"
                                                                         << buffer.text;
      if (!compare) continue;
      ASSERT_EQ(comparable(answer), comparable(fresh->ask(std::string(feature->method), params)))
          << feature->method << " after " << sent << " messages\n"
          << buffer.text;
    }
    const auto settle = [](Server& server) {
      while (server.wants_to_settle()) server.settle();
    };
    settle(client.server());
    if (compare) {
      // Those that didn't change are not published again: the editor shows what was published last.
      settle(fresh->server());
      for (const json& message : client.sent) note(shown_, message);
      Shown anew;
      for (const json& message : fresh->sent) note(anew, message);
      for (const Buffer& one : buffers) ASSERT_EQ(shown_[one.uri()], anew[one.uri()]) << one.text;
    }
    for (const json& message : client.sent) note(shown_, message);
    client.sent.clear();
    if (all > 100000 && burst % 500 == 0) std::printf("%zu messages\n", sent), std::fflush(stdout);
  }
}

INSTANTIATE_TEST_SUITE_P(Encoding, RandomEdits, testing::Values("utf-16", "utf-8", "utf-32"),
                         [](const auto& one) { return "utf" + std::string(one.param).substr(4); });

TEST(Random, MessagesAreAnsweredOrIgnored) {
  std::mt19937 random(12);
  Client client;
  const Buffer buffer{"test.trl", "utf-16", language::test::ablation()};
  client.open(buffer.text);
  const std::vector<json> values = {nullptr,
                                    1,
                                    -1,
                                    1e300,
                                    "x",
                                    "",
                                    json::array(),
                                    json::object(),
                                    true,
                                    json::array({1, "a"}),
                                    {{"line", 1}},
                                    {{"uri", "file:///memory/test.trl"}}};
  std::vector<std::string> methods = {"initialize",
                                      "textDocument/didOpen",
                                      "textDocument/didChange",
                                      "textDocument/didClose",
                                      "workspace/didChangeWatchedFiles",
                                      "workspace/didChangeWorkspaceFolders",
                                      "initialized"};
  for (const Feature* feature : all_features()) methods.emplace_back(feature->method);
  const std::vector<std::string> keys = {"textDocument", "position",         "positions", "range", "context",
                                         "newName",      "contentChanges",   "changes",   "event", "query",
                                         "uri",          "previousResultId", "options"};
  for (int step = 0; step < 4000; ++step) {
    json params = random() % 10 == 0 ? values[random() % values.size()] : parameters(buffer, 5, 9);
    if (params.is_object())
      for (std::size_t i = random() % 4; i > 0; --i)
        params[keys[random() % keys.size()]] = values[random() % values.size()];
    json message = {{"jsonrpc", "2.0"}, {"method", methods[random() % methods.size()]}, {"params", params}};
    const bool request = random() % 2 == 0;
    if (request) message["id"] = 1000 + step;
    const std::size_t before = client.sent.size();
    client.server().receive(message);
    if (request) {
      const bool answered =
          std::any_of(client.sent.begin() + static_cast<std::ptrdiff_t>(before), client.sent.end(),
                      [&](const json& one) { return one.contains("id") && one["id"] == 1000 + step; });
      ASSERT_TRUE(answered) << message;
    }
  }
  client.open("lora a { rank = 16 }\n");
  EXPECT_TRUE(client.diagnostics().empty());
}

}  // namespace
}  // namespace trl::language_server::test

// Random edits and requests: no crash, and nothing that a fresh server would answer otherwise.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "language_server/feature.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language_server/client.hpp"

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

/// The parameters of a request about a place and a range of the open document.
json parameters(const Client& client, std::size_t a, std::size_t b) {
  json params = client.document();
  params["position"] = client.position(a);
  params["positions"] = json::array({client.position(a), client.position(b)});
  params["range"] = {{"start", client.position(std::min(a, b))}, {"end", client.position(std::max(a, b))}};
  params["context"] = {{"diagnostics", json::array()}, {"includeDeclaration", true}};
  params["options"] = json::object();
  params["newName"] = "renamed";
  params["query"] = "a";
  params["uri"] = "trl:/windtunnel.trl";
  params["previousResultId"] = "0";
  return params;
}

/// An answer without what is counted by versions.
json comparable(json answer) {
  answer.erase("id");
  if (answer.contains("result") && answer["result"].is_object()) answer["result"].erase("resultId");
  return answer;
}

TEST(Random, EditsLeaveNothingBehind) {
  const bool long_run = std::getenv("TRL_LONG_TESTS") != nullptr;
  std::mt19937 random(11);
  const std::vector<std::string> words = {
      "{",    "}",     "(",  ")", "[",  "]",    "=",  ",",       "\n",         "#",    "\"",
      " ",    ".",     "->", ":", "5%", "rank", "c.", "import ", "windtunnel", "let ", "experiment e ",
      "vary", "grid(", "é"};
  std::vector<std::string> programs = {language::test::ablation()};
  for (const auto& mistake : language::test::mistakes()) programs.push_back(mistake.program);
  Client client;
  std::string text = programs[0];
  client.open(text);
  const int steps = long_run ? 100000 : sanitized ? 60 : 400;
  for (int step = 0; step < steps; ++step) {
    if (step % 100 == 99) {
      text = programs[random() % programs.size()];
    } else {
      std::size_t at = random() % (text.size() + 1);
      std::size_t count = random() % 8 == 0 ? random() % 40 : random() % 3;
      while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
      count = std::min(count, text.size() - at);
      while (at + count < text.size() && (static_cast<unsigned char>(text[at + count]) & 0xC0) == 0x80)
        ++count;
      text.replace(at, count, random() % 3 == 0 ? "" : words[random() % words.size()]);
    }
    client.open(text);
    const bool compare = step % 40 == 0;
    Client fresh;
    if (compare) fresh.open(text);
    for (const Feature* feature : all_features()) {
      if (!compare && random() % 6 != 0) continue;
      const json params = parameters(client, random() % (text.size() + 1), random() % (text.size() + 1));
      const json answer = client.ask(std::string(feature->method), params);
      // Every answer is a result or an error that was foreseen.
      EXPECT_NE(answer.value("error", json::object()).value("code", 0), -32603) << feature->method << "\n"
                                                                                << answer << text;
      if (!compare) continue;
      ASSERT_EQ(comparable(answer), comparable(fresh.ask(std::string(feature->method), params)))
          << feature->method << "\n"
          << text;
    }
    if (!compare) continue;
    ASSERT_EQ(client.diagnostics(), fresh.diagnostics()) << text;
  }
}

TEST(Random, MessagesAreAnsweredOrIgnored) {
  std::mt19937 random(12);
  Client client;
  client.open(language::test::ablation());
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
    json params = random() % 10 == 0 ? values[random() % values.size()] : parameters(client, 5, 9);
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

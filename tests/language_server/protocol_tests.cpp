// The protocol itself: frames, positions, changes, errors, and what the client may do out of order.
#include <gtest/gtest.h>

#include <random>

#include "language/server/framing.hpp"
#include "language/server/protocol.hpp"
#include "tests/language_server/client.hpp"

namespace trl::language_server::test {
namespace {

int code(ErrorCode error) { return static_cast<int>(error); }

TEST(Frames, ComeOutWholeHoweverTheyAreCut) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> bodies;
    std::string stream;
    for (int i = 0; i < 5; ++i) {
      bodies.push_back(std::string(random() % 40, static_cast<char>('a' + i)));
      stream += framed(bodies.back());
    }
    Frames frames;
    std::vector<std::string> read;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t count = 1 + random() % 17;
      frames.add(std::string_view(stream).substr(at, count));
      at += count;
      while (auto frame = frames.next()) {
        EXPECT_EQ(frame->error, "");
        read.push_back(frame->body);
      }
    }
    EXPECT_EQ(read, bodies);
  }
}

TEST(Frames, GoOnAfterWrongHeaders) {
  for (const std::string& wrong : {std::string("Content-Length: many\r\n\r\n"),
                                   std::string("Content-Length: 3\r\nContent-Length: 3\r\n\r\n"),
                                   std::string("nonsense\r\n\r\n"), std::string(5000, 'x'),
                                   "Content-Length: " + std::to_string(Frames::longest + 1) + "\r\n\r\n" +
                                       std::string(Frames::longest + 1, 'y')}) {
    Frames frames;
    frames.add(wrong + framed("{}"));
    std::vector<std::string> bodies;
    bool complained = false;
    while (auto frame = frames.next()) {
      complained = complained || !frame->error.empty();
      if (frame->error.empty()) bodies.push_back(frame->body);
    }
    EXPECT_TRUE(complained);
    EXPECT_EQ(bodies, std::vector<std::string>{"{}"});
  }
}

TEST(Frames, KnowOtherHeaders) {
  Frames frames;
  frames.add("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2 \r\n\r\n[]");
  EXPECT_EQ(frames.next()->body, "[]");
}

/// A text of ASCII, of characters of two, three and four bytes, and of every line ending.
std::string mixed(std::mt19937& random) {
  static const std::vector<std::string> parts = {"a", "=", "é", "→", "𝔽", "\n", "\r\n", "\r", " ", "{"};
  std::string text;
  for (std::size_t i = random() % 30; i > 0; --i) text += parts[random() % parts.size()];
  return text;
}

TEST(Positions, GoThereAndBack) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const std::string text = mixed(random);
    const Lines lines(text);
    for (const Encoding encoding : {Encoding::utf8, Encoding::utf16, Encoding::utf32})
      for (std::size_t offset = 0; offset <= text.size(); ++offset) {
        const bool within = offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80;
        const bool ending =
            offset > 0 && offset < text.size() && text[offset - 1] == '\r' && text[offset] == '\n';
        if (within || ending) continue;
        EXPECT_EQ(lines.offset(text, lines.position(text, offset, encoding), encoding), offset)
            << text << offset;
      }
  }
}

TEST(Positions, CountTheUnitsOfTheEncoding) {
  const std::string text = "x\n𝔽é=→ y";
  const Lines lines(text);
  const std::size_t y = text.find('y');
  EXPECT_EQ(lines.position(text, y, Encoding::utf8)["character"], 11);
  EXPECT_EQ(lines.position(text, y, Encoding::utf16)["character"], 6);
  EXPECT_EQ(lines.position(text, y, Encoding::utf32)["character"], 5);
  // Behind the end of a line means its end, behind the last line the end of the text.
  EXPECT_EQ(lines.offset(text, {{"line", 0}, {"character", 99}}, Encoding::utf16), 1U);
  EXPECT_EQ(lines.offset(text, {{"line", 9}, {"character", 0}}, Encoding::utf16), text.size());
  // Within a character of two units means its beginning.
  EXPECT_EQ(lines.offset(text, {{"line", 1}, {"character", 1}}, Encoding::utf16), 2U);
  EXPECT_THROW((void)lines.offset(text, {{"line", -1}, {"character", 0}}, Encoding::utf16), InvalidParams);
  EXPECT_THROW((void)lines.offset(text, {{"line", "1"}, {"character", 0}}, Encoding::utf16), InvalidParams);
}

TEST(Documents, FollowTheirChanges) {
  std::mt19937 random(3);
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf16, Encoding::utf32}) {
    std::string text = mixed(random);
    Document document("file:///a.trl", "/a.trl", 0, text);
    for (int step = 1; step <= 300; ++step) {
      const Lines lines(text);
      std::size_t a = random() % (text.size() + 1), b = random() % (text.size() + 1);
      if (a > b) std::swap(a, b);
      const json range = lines.range(text, a, b, encoding);
      a = lines.offset(text, range["start"], encoding), b = lines.offset(text, range["end"], encoding);
      const std::string replacement = mixed(random);
      document.change(step, json::array({{{"range", range}, {"text", replacement}}}), encoding);
      text.replace(a, b - a, replacement);
      ASSERT_EQ(document.text(), text);
    }
  }
}

TEST(Documents, ArePathsAndAddresses) {
  for (const std::string& path :
       std::vector<std::string>{"/a b/ü.trl", "/x/%41.trl", "stdlib:windtunnel.trl", "/c#?.trl"})
    EXPECT_EQ(path_of(uri_of(path)), path);
  EXPECT_EQ(path_of("file:///home/a%20b.trl"), "/home/a b.trl");
  EXPECT_EQ(path_of("file://host/home/a.trl"), "/home/a.trl");
  EXPECT_EQ(path_of("untitled:Untitled-1"), std::nullopt);
}

TEST(Protocol, AnswersMistakesByTheirErrors) {
  Client client;
  client.open("lora a {}\n");
  const auto last = [&](std::string_view text) {
    client.server().receive_text(text);
    return client.sent.back();
  };
  const auto error = [&](std::string_view text) { return last(text)["error"]["code"].get<int>(); };
  EXPECT_EQ(error("{"), code(ErrorCode::parse_error));
  EXPECT_EQ(client.sent.back()["id"], nullptr);
  EXPECT_EQ(error("[]"), code(ErrorCode::invalid_request));
  EXPECT_EQ(error("7"), code(ErrorCode::invalid_request));
  EXPECT_EQ(error(R"({"id": 1, "method": "shutdown"})"), code(ErrorCode::invalid_request));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": 1})"), code(ErrorCode::invalid_request));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": [1], "method": "shutdown"})"),
            code(ErrorCode::invalid_request));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": 1, "method": 3})"), code(ErrorCode::invalid_request));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": 1, "method": "textDocument/dance"})"),
            code(ErrorCode::method_not_found));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"})"),
            code(ErrorCode::invalid_params));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": 3})"),
            code(ErrorCode::invalid_request));
  EXPECT_EQ(error(R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})"),
            code(ErrorCode::invalid_request));
  // Each request that needs a document refuses one that isn't open.
  for (const char* method :
       {"hover", "completion", "definition", "references", "rename", "formatting", "codeAction", "inlayHint",
        "semanticTokens/full", "foldingRange", "selectionRange", "signatureHelp"}) {
    const json answer = client.ask(
        "textDocument/" + std::string(method),
        {{"textDocument", {{"uri", "file:///other.trl"}}},
         {"position", {{"line", 0}, {"character", 0}}},
         {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}}},
         {"positions", json::array()},
         {"newName", "b"}});
    EXPECT_EQ(answer["error"]["code"], code(ErrorCode::invalid_params)) << method;
  }
  // Notifications are never answered, even wrong ones.
  const std::size_t before = client.sent.size();
  client.notify("textDocument/didChange", {{"textDocument", {{"uri", "file:///other.trl"}}}});
  client.notify("textDocument/didDance", json::object());
  client.notify("$/setTrace", {{"value", "off"}});
  client.server().receive({{"jsonrpc", "2.0"}, {"id", "watch"}, {"result", nullptr}});
  EXPECT_EQ(client.sent.size(), before);
}

TEST(Protocol, BeginsAndEndsInOrder) {
  std::vector<json> sent;
  Server server({}, "test", [&](const json& message) { sent.push_back(message); });
  server.receive(
      {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "textDocument/hover"}, {"params", json::object()}});
  EXPECT_EQ(sent.back()["error"]["code"], code(ErrorCode::server_not_initialized));
  server.receive({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "initialize"}, {"params", json::object()}});
  EXPECT_EQ(sent.back()["result"]["capabilities"]["positionEncoding"], "utf-16");
  server.receive({{"jsonrpc", "2.0"}, {"id", 3}, {"method", "shutdown"}});
  EXPECT_EQ(sent.back()["result"], nullptr);
  server.receive(
      {{"jsonrpc", "2.0"}, {"id", 4}, {"method", "textDocument/hover"}, {"params", json::object()}});
  EXPECT_EQ(sent.back()["error"]["code"], code(ErrorCode::invalid_request));
  EXPECT_FALSE(server.exited());
  server.receive({{"jsonrpc", "2.0"}, {"method", "exit"}});
  EXPECT_TRUE(server.exited());
  EXPECT_EQ(server.status(), 0);
}

TEST(Protocol, TakesTheClientsEncoding) {
  const json wanted = {{"general", {{"positionEncodings", {"utf-7", "utf-8", "utf-16"}}}}};
  Client client({}, wanted);
  EXPECT_EQ(client.sent.front()["result"]["capabilities"]["positionEncoding"], "utf-8");
}

/// A study whose hypotheses need more seeds than it has.
std::string underpowered(const std::string& effect, const std::string& more = "") {
  return "import windtunnel\nimport example\n"
         "evaluation x : example.exam { split = windtunnel.level2[1..20] }\n"
         "experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..3 }\n"
         "hypothesis h { of = e, contrast = example.pace, smallest_effect = " +
         effect + " }\n" + more;
}

std::size_t count_of(const json& diagnostics, const std::string& rule) {
  return static_cast<std::size_t>(std::count_if(diagnostics.begin(), diagnostics.end(),
                                                [&](const json& one) { return one.at("code") == rule; }));
}

TEST(Protocol, PublishesQuickFindingsBeforeSlowOnesAndNoneOfAnOldText) {
  Client client({}, json::object(), true);
  const auto published = [&] {
    std::vector<json> all;
    for (const json& message : client.sent)
      if (message.value("method", "") == "textDocument/publishDiagnostics") all.push_back(message["params"]);
    client.sent.clear();
    return all;
  };
  const std::string wrong = "lora w { rank = 0 }\n";
  client.open(underpowered("1%", wrong));
  client.server().settle();
  const auto quick = published();
  ASSERT_EQ(quick.size(), 1);
  EXPECT_GT(quick[0]["diagnostics"].size(), 0);
  EXPECT_EQ(count_of(quick[0]["diagnostics"], "underpowered"), 0);
  EXPECT_TRUE(client.server().wants_to_settle());

  // The text changes before the answer is there: what waited is dropped.
  client.open(underpowered("90%"));
  while (client.server().wants_to_settle()) client.server().settle();
  for (const json& one : published()) EXPECT_EQ(count_of(one["diagnostics"], "underpowered"), 0) << one;

  client.open(underpowered("1%"));
  while (client.server().wants_to_settle()) client.server().settle();
  EXPECT_EQ(count_of(published().back()["diagnostics"], "underpowered"), 1);

  // An edit elsewhere asks the same: the finding is there at once.
  client.open("# more\n" + underpowered("1%"));
  client.server().settle();
  EXPECT_FALSE(client.server().wants_to_settle());
  EXPECT_EQ(count_of(published().back()["diagnostics"], "underpowered"), 1);
}

TEST(Protocol, KnowsThatAnAllowIsUsedBeforeTheSlowAnswerIsThere) {
  Client client({}, json::object(), true);
  std::string text = underpowered("1%");
  text.replace(text.find("{ of = e"), 1, "{ allow(underpowered, \"a pilot\")\n  ");
  client.open(text);
  client.server().settle();
  EXPECT_EQ(client.sent.back()["params"]["diagnostics"], json::array());
  EXPECT_EQ(client.diagnostics(), json::array());
}

TEST(Protocol, TakesABatch) {
  Client client;
  client.open("lora a {}\n");
  const std::size_t before = client.sent.size();
  const json one = {
      {"jsonrpc", "2.0"}, {"id", 70}, {"method", "textDocument/foldingRange"}, {"params", client.document()}};
  client.server().receive(json::array({one, one}));
  EXPECT_EQ(client.sent.size(), before + 2);
}

}  // namespace
}  // namespace trl::language_server::test

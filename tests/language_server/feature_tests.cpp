// Each request by examples: `|` is the cursor.
#include <gtest/gtest.h>

#include <sstream>

#include "base/contract/columns.hpp"
#include "language/format/format.hpp"
#include "language/schema/embedded.hpp"
#include "language/server/feature.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language_server/client.hpp"

namespace trl::language_server::test {
namespace {

/// A whole experiment, to which a test adds what it is about.
const std::string study = R"(import example

train rl : example.reinforce { rounds = 3 }
experiment small : example.study { train = rl }
)";

std::string hover(const std::string& text) {
  Client client;
  client.open(text);
  const json answer = client.request("textDocument/hover", client.place());
  return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
}

std::vector<std::string> completions(const std::string& text, std::map<std::string, std::string> files = {}) {
  Client client(std::move(files));
  client.open(text);
  json items = client.request("textDocument/completion", client.place())["items"];
  std::sort(items.begin(), items.end(),
            [](const json& a, const json& b) { return a["sortText"] < b["sortText"]; });
  std::vector<std::string> out;
  for (const json& item : items) out.push_back(item["label"]);
  return out;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(Features, AreAllAnnouncedOnce) {
  Client client;
  const json& capabilities = client.sent.front()["result"]["capabilities"];
  std::set<std::string_view> methods;
  for (const Feature* feature : all_features()) {
    EXPECT_TRUE(methods.insert(feature->method).second) << feature->method;
    if (feature->capability.empty()) continue;
    EXPECT_TRUE(capabilities.contains(std::string(feature->capability))) << feature->method;
  }
}

TEST(Diagnostics, AreThoseOfTheCheck) {
  Client client;
  client.open("lora a { rnk = 16 }\nlora a {}\n");
  const json found = client.diagnostics();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["code"], "unknown_field");
  EXPECT_EQ(client.at(found[0]["range"]), "rnk");
  EXPECT_EQ(found[0]["message"], "`lora` has no field `rnk`\nhelp: did you mean `rank`?");
  EXPECT_EQ(found[1]["code"], "duplicate_name");
  EXPECT_EQ(client.at(found[1]["relatedInformation"][0]["location"]["range"]), "a");
  client.open("lora a { rank = 16 }\n");
  EXPECT_TRUE(client.diagnostics().empty());
}

TEST(Diagnostics, FollowFilesThatAreImported) {
  Client client(Files{{"parts.trl", "lora a { rank = 16 }\n"}});
  const std::string program = "import parts\nlora b : parts.a { rank = 8 }\n";
  client.open(program);
  EXPECT_TRUE(client.diagnostics().empty());
  // It changes on the disk.
  client.files()["/memory/parts.trl"] = "lora c {}\n";
  client.notify("workspace/didChangeWatchedFiles",
                {{"changes", json::array({{{"uri", Client::uri("parts.trl")}, {"type", 2}}})}});
  ASSERT_EQ(client.diagnostics().size(), 1U);
  EXPECT_EQ(client.diagnostics()[0]["code"], "unknown_name");
  // It is opened, and what the editor has counts.
  client.open("lora a {}\n", "parts.trl");
  EXPECT_TRUE(client.diagnostics().empty());
  // A mistake in it is shown there.
  client.open("lora a { rnk = 1 }\n", "parts.trl");
  EXPECT_EQ(client.diagnostics("parts.trl")[0]["code"], "unknown_field");
  // It is closed again.
  client.notify("textDocument/didClose", {{"textDocument", {{"uri", Client::uri("parts.trl")}}}});
  EXPECT_EQ(client.diagnostics()[0]["code"], "unknown_name");
}

TEST(Diagnostics, AreShownInAFileThatIsNotOpen) {
  Client client(Files{{"parts.trl", "lora a { rnk = 16 }\n"}});
  client.open("import parts\nlora b : parts.a {}\n");
  ASSERT_TRUE(client.diagnostics("parts.trl").is_array());
  EXPECT_EQ(client.diagnostics("parts.trl")[0]["code"], "unknown_field");
  client.open("lora b {}\n");
  EXPECT_TRUE(client.diagnostics("parts.trl").empty());
}

TEST(CodeAction, MendsWhatIsAtThePlace) {
  Client client;
  client.open("lora a { rnk = 16 }\nlora b { dropout = 5 }\n");
  json params = client.document();
  params["context"] = {{"diagnostics", json::array()}};
  params["range"] = {{"start", client.position(10)}, {"end", client.position(10)}};
  const json actions = client.request("textDocument/codeAction", params);
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions[0]["kind"], "quickfix");
  EXPECT_EQ(actions[0]["isPreferred"], true);
  EXPECT_EQ(client.edited(actions[0]["edit"]["changes"][Client::uri("test.trl")]).substr(0, 19),
            "lora a { rank = 16 ");
  EXPECT_EQ(actions[1]["kind"], "source.fixAll.trl");
  // The suggestion `5%` isn't certain, so that it isn't among all corrections.
  EXPECT_EQ(client.edited(actions[1]["edit"]["changes"][Client::uri("test.trl")]),
            "lora a { rank = 16 }\nlora b { dropout = 5 }\n");
  params["context"]["only"] = {"source"};
  EXPECT_EQ(client.request("textDocument/codeAction", params).size(), 1U);
  params["context"]["only"] = {"refactor"};
  EXPECT_TRUE(client.request("textDocument/codeAction", params).empty());
}

TEST(CodeAction, LeadsFromMistakesToProgramsThatCheck) {
  // Each fix that is offered for a seeded mistake, applied alone.
  std::size_t offered = 0, mended = 0;
  std::string failed;
  for (const auto& mistake : language::test::mistakes()) {
    Client client;
    client.open(mistake.program);
    json params = client.document();
    params["context"] = {{"diagnostics", json::array()}, {"only", {"quickfix"}}};
    params["range"] = {{"start", client.position(mistake.at)}, {"end", client.position(mistake.at)}};
    for (const json& action : client.request("textDocument/codeAction", params)) {
      if (action["diagnostics"][0]["code"] != mistake.rule) continue;
      ++offered;
      Client after;
      after.open(client.edited(action["edit"]["changes"][Client::uri("test.trl")]));
      const json left = after.diagnostics();
      const bool fine = std::none_of(left.begin(), left.end(), [&](const json& d) {
        return d["severity"] == 1 || d["code"] == mistake.rule;
      });
      mended += fine;
      if (!fine)
        failed += mistake.kind + ", " + action["title"].get<std::string>() + ": " + left.dump() + "\n";
    }
  }
  EXPECT_GT(offered, 100U);
  EXPECT_GE(static_cast<double>(mended), 0.95 * static_cast<double>(offered))
      << mended << " of " << offered << "\n"
      << failed;
}

TEST(Hover, SaysWhatAFieldIsAndHasHere) {
  const std::string text = hover("import example\ntrain rl : example.reinforce { rou|nds = 3 }\n");
  EXPECT_NE(text.find("rounds: count in 1..1000"), std::string::npos) << text;
  EXPECT_NE(text.find("Here `3`."), std::string::npos) << text;
}

TEST(Hover, SaysWhereAValueComesFrom) {
  const std::string text = hover(
      "import example\ntrain a : example.reinforce { rounds = 3 }\ntrain b : a { candidates = 8 }\n"
      "experiment e : example.study { train = |b }\n");
  EXPECT_NE(text.find("rounds = 3  # from a, test.trl:2"), std::string::npos) << text;
}

TEST(Hover, ShowsAFormulasRangeAndValues) {
  const std::string text = hover(
      "import example\ntrain rl : example.reinforce { rew|ard(c) = if c.correct then min(c.speedup, 1) else "
      "0 }\n");
  EXPECT_NE(text.find("Proven to lie within 0 and 1."), std::string::npos) << text;
  EXPECT_NE(text.find("| true | 0.5 | 0.5 |"), std::string::npos) << text;
  // A kernel that isn't correct has no speed-up.
  EXPECT_EQ(text.find("| false | 0.5 |"), std::string::npos) << text;
}

TEST(Hover, CountsASplit) {
  EXPECT_NE(hover("import windtunnel\nsplit few| = windtunnel.level1[3..5]\n").find("3 tasks: `level1/3`"),
            std::string::npos);
}

TEST(Hover, ListsTheCellsOfADesign) {
  const std::string text = hover(
      "import example\nexperiment e| : example.study { vary = grid(rl.rounds = [2, 4]) }\n"
      "train rl : example.reinforce {}\n");
  EXPECT_NE(text.find("2 cells, varying `rl.rounds`"), std::string::npos) << text;
}

TEST(Hover, ShowsATasksShapes) {
  EXPECT_NE(hover("suite s { task f|[M = 4, N = 8](x: f32[M, N]) = sum(x, axis = 1) }\n")
                .find("(x: f32[M, N]) -> f32[M]"),
            std::string::npos);
}

TEST(Hover, KnowsWordsOfTheSchema) {
  EXPECT_NE(hover("lo|ra a {}\n").find("low-rank adapter"), std::string::npos);
  EXPECT_NE(hover("train t : s|ft {}\n").find("Supervised fine-tuning"), std::string::npos);
  EXPECT_NE(hover("suite s { task f[N = 8](x: f32[N]) = ge|lu(x) }\n").find("gelu"), std::string::npos);
  EXPECT_NE(hover("import windtunnel\nmodel m { weights = windtunnel.ba|se }\n").find("windtunnel.base"),
            std::string::npos);
  EXPECT_NE(hover("allow(low|er_rank, \"why\")\nlora a {}\n"), "x");
  EXPECT_NE(hover("import windt|unnel\n"), "");
  EXPECT_EQ(hover("# a comment |here\nlora a {}\n"), "");
}

TEST(Definition, LeadsToVariantsFunctionsArgumentsAndParameters) {
  Client client;
  const std::string schema =
      client.request("workspace/textDocumentContent", {{"uri", "trl:/schema.trl"}})["text"];
  /// The line of the library to which a name leads.
  const auto line = [&](const std::string& text) {
    client.open(text);
    const json at = client.request("textDocument/definition", client.place());
    if (!at.is_object() || at["uri"] != "trl:/schema.trl") return at.dump();
    std::istringstream lines(schema);
    std::string one;
    for (int i = at["range"]["start"]["line"]; i >= 0 && std::getline(lines, one); --i) {
    }
    return one;
  };
  EXPECT_EQ(line("train t : gr|po {}\n"), "variant grpo : train {");
  EXPECT_EQ(line("mo|del m { weights = random() }\n"), "kind model {");
  EXPECT_EQ(line("model m { weights = hugging|face(\"a/b\") }\n"),
            "function huggingface(repository) : weights {");
  EXPECT_EQ(line("model m { weights = random(hid|den = 8) }\n"), "  hidden: count in 8..65536 = 256");
  EXPECT_EQ(line("import windtunnel\ntrain t : sft { data = windtunnel.cor|pus(level1 = 9) }\n"),
            "  function corpus : corpus {");
  EXPECT_EQ(line("import example\ntrain t : example.reinforce { reward(c) = c.cre|dit }\n"),
            "  credit: fraction");
  for (const char* text : {"import example\ntrain t : example.reinforce { reward(c) = |c.credit }\n",
                           "let paid(c: verdict) = min(|c.speedup, 1)\n"}) {
    client.open(text);
    EXPECT_EQ(client.at(client.request("textDocument/definition", client.place())["range"]), "c") << text;
  }
}

TEST(Definition, LeadsToDeclarationsFieldsAndTheLibrary) {
  Client client;
  client.open("import example\nlet r = 4\nlora a { rank = |r }\n");
  EXPECT_EQ(client.at(client.request("textDocument/definition", client.place())["range"]), "r");
  client.open("import example\nexperiment e : example.stu|dy {}\n");
  EXPECT_EQ(client.request("textDocument/definition", client.place())["uri"], "trl:/example.trl");
  client.open("import exa|mple\n");
  EXPECT_EQ(client.request("textDocument/definition", client.place())["uri"], "trl:/example.trl");
  client.open("lora a { ra|nk = 8 }\n");
  EXPECT_EQ(client.request("textDocument/definition", client.place())["uri"], "trl:/schema.trl");
  client.open("lora a { rank = 8 }\nlora b { rank = a.ra|nk }\n");
  EXPECT_EQ(client.at(client.request("textDocument/definition", client.place())["range"]), "rank");
  const json content = client.request("workspace/textDocumentContent", {{"uri", "trl:/example.trl"}});
  EXPECT_NE(content["text"].get<std::string>().find("experiment study"), std::string::npos);
}

TEST(References, AreFoundInAllFiles) {
  Client client(Files{{"parts.trl", "lora a { rank = 16 }\nlora b : a {}\n"},
                      {"other.trl", "import parts\nlora c : parts.a {}\n"}});
  client.open("import parts as p\nlora d : p.|a { rank = 4 }\nlora e { rank = p.a.rank }\n");
  json params = client.place();
  params["context"] = {{"includeDeclaration", true}};
  EXPECT_EQ(client.request("textDocument/references", params).size(), 5U);
  params["context"]["includeDeclaration"] = false;
  EXPECT_EQ(client.request("textDocument/references", params).size(), 4U);
}

TEST(References, IncludeSuitesInFormulasAndExtensionsInClaims) {
  Client client;
  client.open(
      "suite |own { task f[N = 8](x: f32[N]) = relu(x) }\nimport example\n"
      "extension pace : adaptive_curriculum { share { own = 0.5 * accuracy(own), easy = rest } }\n");
  json params = client.place();
  params["context"] = {{"includeDeclaration", false}};
  client.open(
      "import example\nsuite |own { task f[N = 8](x: f32[N]) = relu(x) }\n"
      "train rl : example.reinforce { tasks = own }\n"
      "extension pace : adaptive_curriculum { share { own = 0.2 + 0.5 * accuracy(own) } }\n");
  params = client.place();
  params["context"] = {{"includeDeclaration", false}};
  EXPECT_EQ(client.request("textDocument/references", params).size(), 3U);
}

TEST(Rename, ChangesEveryFileAndNothingElse) {
  Client client(Files{{"parts.trl", "lora a { rank = 16 }\nlora ab : a {}\n"}});
  client.open("import parts\nlora d : parts.|a { rank = 4 }  # a stays\n");
  EXPECT_EQ(client.request("textDocument/prepareRename", client.place())["placeholder"], "a");
  json params = client.place();
  params["newName"] = "writer";
  const json changes = client.request("textDocument/rename", params)["changes"];
  EXPECT_EQ(client.edited(changes[Client::uri("test.trl")]),
            "import parts\nlora d : parts.writer { rank = 4 }  # a stays\n");
  EXPECT_EQ(changes[Client::uri("parts.trl")].size(), 2U);
  for (const char* wrong : {"ab", "1x", "if", "", "a b"}) {
    params["newName"] = wrong;
    EXPECT_THROW(client.request("textDocument/rename", params), std::runtime_error) << wrong;
  }
  client.open("import example\nexperiment e : example.stu|dy {}\n");
  EXPECT_THROW(client.request("textDocument/prepareRename", client.place()), std::runtime_error);
}

TEST(Rename, ReachesOverridesAndDesigns) {
  Client client;
  client.open(study +
              "experiment e : small { override { |rl.rounds = 2 }, vary = grid(rl.candidates = [4, 8]) }\n");
  json params = client.place();
  params["newName"] = "teach";
  const std::string after =
      client.edited(client.request("textDocument/rename", params)["changes"][Client::uri("test.trl")]);
  EXPECT_EQ(after.find("rl"), std::string::npos) << after;
}

TEST(Completion, OffersWhatFits) {
  EXPECT_TRUE(has(completions("|"), "experiment"));
  EXPECT_TRUE(has(completions("import |"), "windtunnel"));
  EXPECT_TRUE(has(completions("import |", {{"parts.trl", ""}}), "parts"));
  EXPECT_TRUE(has(completions("train t : |"), "best_of_n"));
  EXPECT_TRUE(has(completions("train a : sft {}\ntrain t : |"), "a"));
  const auto fields = completions("lora a { rank = 4, | }\n");
  EXPECT_TRUE(has(fields, "alpha"));
  EXPECT_FALSE(has(fields, "rank"));
  EXPECT_FALSE(has(completions("lora a { |, rank = 4 }\n"), "rank"));
  EXPECT_TRUE(has(completions("train t : sft {\n  schedule = |\n}\n"), "cosine"));
  EXPECT_TRUE(has(completions("train t : sft { warmup = 10 |}\n"), "%"));
  EXPECT_TRUE(has(completions("lora a {}\nexperiment e { adapter = | }\n"), "a"));
  EXPECT_FALSE(has(completions("model m {}\nexperiment e { adapter = | }\n"), "m"));
  EXPECT_TRUE(has(completions("import windtunnel\nmodel m { weights = | }\n"), "windtunnel.base"));
  EXPECT_TRUE(has(completions("import windtunnel as w\nsplit s = |\n"), "w.level1"));
  EXPECT_TRUE(
      has(completions("import windtunnel\ntrain t : sft { data = windtunnel.corpus(|) }\n"), "flawed"));
  EXPECT_TRUE(has(completions("train t : best_of_n { reward(c) = c.| }\n"), "c.correct"));
  EXPECT_TRUE(has(completions("train t : best_of_n { reward(k) = min(k.|, 1) }\n"), "k.speedup"));
  EXPECT_TRUE(has(completions("train t : best_of_n { reward(c) = | }\n"), "clamp"));
  EXPECT_TRUE(has(completions("suite s { task f[N = 8](x: f32[N]) = | }\n"), "softmax"));
  EXPECT_TRUE(has(completions("suite s { task f[N = 8](x: f32[N]) = relu(|) }\n"), "x"));
  EXPECT_TRUE(has(completions("allow(|\n"), "keeps_incorrect"));
  EXPECT_TRUE(has(completions(study + "experiment e : small { override { | } }\n"), "rl"));
  EXPECT_TRUE(has(completions(study + "experiment e : small { override { rl.| } }\n"), "rl.rounds"));
  EXPECT_TRUE(has(completions("extension s : staged_evaluation { failing { | } }\n"), "compile"));
  EXPECT_TRUE(completions("# a comment |\n").empty());
  EXPECT_TRUE(completions("model m { weights = path(\"|\") }\n").empty());
}

TEST(Completion, WritesPlacesToFillInWhereTheClientCan) {
  Client client({}, {{"textDocument", {{"completion", {{"completionItem", {{"snippetSupport", true}}}}}}}});
  client.open("lora a { ra| }\n");
  const json answer = client.request("textDocument/completion", client.place());
  for (const json& item : answer["items"])
    if (item["label"] == "rank") {
      EXPECT_EQ(item["textEdit"]["newText"], "rank = ${1:16}");
      EXPECT_EQ(client.at(item["textEdit"]["range"]), "ra");
      return;
    }
  FAIL() << "`rank` isn't offered";
}

TEST(SignatureHelp, FollowsTheArguments) {
  Client client;
  client.open("import windtunnel\ntrain t : sft { data = windtunnel.corpus(level1 = 3, flawed = |) }\n");
  const json help = client.request("textDocument/signatureHelp", client.place());
  EXPECT_EQ(help["signatures"][0]["parameters"][help["activeParameter"].get<std::size_t>()]["label"],
            "flawed");
  client.open("suite s { task f[N = 8](x: f32[N]) = leaky_relu(x, |) }\n");
  EXPECT_EQ(client.request("textDocument/signatureHelp", client.place())["activeParameter"], 1);
  client.open("lora a { | }\n");
  EXPECT_EQ(client.request("textDocument/signatureHelp", client.place()), nullptr);
}

TEST(Symbols, AreNestedInTheirDocument) {
  Client client(Files{{"parts.trl", "lora writer {}\n"}});
  client.open("suite s { task f[N = 8](x: f32[N]) = relu(x) }\nlora wide {}\n");
  const json symbols = client.request("textDocument/documentSymbol", client.document());
  ASSERT_EQ(symbols.size(), 2U);
  EXPECT_EQ(symbols[0]["children"][0]["name"], "f");
  EXPECT_EQ(client.request("workspace/symbol", {{"query", "w"}}).size(), 2U);
  EXPECT_EQ(client.request("workspace/symbol", {{"query", "WTR"}}).size(), 1U);
}

TEST(Structure, FoldsAndSelects) {
  Client client;
  client.open("# one\n# two\nlora a {\n  rank = |16\n}\n");
  json folds = client.request("textDocument/foldingRange", client.document());
  EXPECT_EQ(folds.size(), 2U);
  json params = client.document();
  params["positions"] = json::array({client.place()["position"]});
  json range = client.request("textDocument/selectionRange", params)[0];
  std::vector<std::string> grown;
  for (;; range = range["parent"]) {
    grown.push_back(client.at(range["range"]));
    if (!range.contains("parent")) break;
  }
  EXPECT_EQ(grown.front(), "16");
  EXPECT_EQ(grown.back(), client.text());
  for (std::size_t i = 1; i < grown.size(); ++i) EXPECT_NE(grown[i].find(grown[i - 1]), std::string::npos);
}

TEST(Structure, FormatsAsTheCommand) {
  Client client;
  const std::string text = "lora  a{rank=16}\n\n\n\nlora b {\n rank   = 4 # x\n\n\n  alpha=3\n}\nlora c{ }";
  client.open(text);
  json params = client.document();
  params["options"] = {{"tabSize", 2}, {"insertSpaces", true}};
  EXPECT_EQ(client.edited(client.request("textDocument/formatting", params)), language::format(text).text);
  // A range leaves the lines around it as they are.
  params["range"] = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 3}}}};
  EXPECT_EQ(client.edited(client.request("textDocument/rangeFormatting", params)),
            "lora a { rank = 16 }" + text.substr(text.find('\n')));
}

/// Semantic tokens as `text:type`.
std::vector<std::string> tokens_of(const Client& client, const json& data, const json& legend) {
  std::vector<std::string> out;
  std::size_t line = 0, character = 0;
  for (std::size_t i = 0; i + 4 < data.size(); i += 5) {
    if (data[i] != 0) character = 0;
    line += data[i].get<std::size_t>();
    character += data[i + 1].get<std::size_t>();
    const json start = {{"line", line}, {"character", character}};
    const json end = {{"line", line}, {"character", character + data[i + 2].get<std::size_t>()}};
    out.push_back(client.at({{"start", start}, {"end", end}}) + ":" +
                  legend[data[i + 3].get<std::size_t>()].get<std::string>());
  }
  return out;
}

TEST(SemanticTokens, NameEveryWord) {
  Client client;
  const json legend =
      client.sent.front()["result"]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
  client.open(
      "import windtunnel\n## Doc.\ntrain t : sft { epochs = 2, data = windtunnel.corpus(level1 = 10) }  # "
      "c\n");
  const json full = client.request("textDocument/semanticTokens/full", client.document());
  const auto words = tokens_of(client, full["data"], legend);
  for (const char* wanted :
       {"import:keyword", "windtunnel:namespace", "## Doc.:comment", "train:keyword", "t:variable",
        "sft:class", "epochs:property", "2:number", "corpus:function", "level1:parameter", "# c:comment"})
    EXPECT_TRUE(has(words, wanted)) << wanted << " is not among " << json(words).dump();
  // What changed, applied to what was sent, is what there is now.
  json old = full["data"];
  client.open(
      "import windtunnel\ntrain t : sft { epochs = 2, warmup = 5%, data = windtunnel.corpus(level1 = 10) }  "
      "# c\n");
  json params = client.document();
  params["previousResultId"] = full["resultId"];
  const json delta = client.request("textDocument/semanticTokens/full/delta", params);
  for (const json& edit : delta["edits"]) {
    const auto at = old.begin() + edit["start"].get<std::ptrdiff_t>();
    const auto after = old.erase(at, at + edit["deleteCount"].get<std::ptrdiff_t>());
    old.insert(after, edit["data"].begin(), edit["data"].end());
  }
  EXPECT_EQ(old, client.request("textDocument/semanticTokens/full", client.document())["data"]);
  params["range"] = {{"start", {{"line", 1}, {"character", 0}}}, {"end", {{"line", 1}, {"character", 7}}}};
  EXPECT_EQ(tokens_of(client, client.request("textDocument/semanticTokens/range", params)["data"], legend),
            (std::vector<std::string>{"train:keyword", "t:variable"}));
}

/// Places of a file that is being written, each with the text that is wanted there.
struct Wanted {
  const char *text, *first;
};

const Wanted wanted_there[] = {
    {"im|", "import"},
    {"import exam|", "example"},
    {"import example\ntr|", "train"},
    {"import example\nlo|", "lora"},
    {"import example\nex|", "experiment"},
    {"import example\nhy|", "hypothesis"},
    {"import example\ntab|", "table"},
    {"model m { |", "weights"},
    {"model m { weights = |", "random"},
    {"model m { weights = hug|", "huggingface"},
    {"model m { weights = random(), quantize = |", "none"},
    {"model m { weights = random(), precision = |", "bf16"},
    {"lora w { |", "rank"},
    {"lora w { rank = 8, |", "alpha"},
    {"lora w { rank = 8, targets = |", "all_linear"},
    {"lora w { targets = [q_proj, |", "k_proj"},
    {"train t : |", "best_of_n"},
    {"import example\ntrain t : example.|", "example.reinforce"},
    {"train t : best_of_n { |", "tasks"},
    {"import example\ntrain t : best_of_n { tasks = |", "example.easy"},
    {"import example\nsplit mine = example.easy[1..2]\ntrain t : best_of_n { tasks = |", "mine"},
    {"train t : best_of_n { schedule = |", "cosine"},
    {"train t : best_of_n { keep_by = |", "reward"},
    {"train t : best_of_n { reward(c) = |", "c"},
    {"train t : best_of_n { reward(c) = if c.|", "c.valid"},
    {"train t : best_of_n { reward(c) = if c.cor|", "c.correct"},
    {"train t : best_of_n { reward(c) = if c.correct then m|", "min"},
    {"train t : sft { |", "data"},
    {"train t : grpo { baseline = |", "mean"},
    {"evaluation x { |", "split"},
    {"import example\nevaluation x : |", "example.exam"},
    {"import example\nexperiment e { |", "model"},
    {"import example\nmodel mine { weights = random() }\nexperiment e { model = |", "mine"},
    {"import example\nexperiment e { adapter = |", "example.writer"},
    {"import example\nexperiment e { train = |", "example.reinforce"},
    {"import example\nexperiment e { evaluate = |", "example.exam"},
    {"import example\nexperiment e { vary = |", "subsets"},
    {"import example\nexperiment e : example.study {}\ntable t { of = |", "e"},
    {"import example\nexperiment e : example.study {}\ntable t { of = e, columns = [valid, |", "compiled"},
    {"import example\nexperiment e : example.study {}\nhypothesis h { of = e, metric = |", "correct"},
};

TEST(Completion, ProposesTheWantedTextFirst) {
  static_assert(std::size(wanted_there) == 40);
  std::size_t first = 0;
  std::string others;
  for (const Wanted& wanted : wanted_there) {
    Client client;
    client.open(wanted.text);
    const std::string before = client.text();
    json items = client.request("textDocument/completion", client.place())["items"];
    // As editors do, those that begin with what is there, by their sort text.
    const std::size_t at = before.find_last_of(" \n={[(,");
    const std::string word = at == before.npos ? before : before.substr(at + 1);
    std::string best, best_by;
    for (const json& item : items) {
      const std::string label = item["label"], by = item["sortText"];
      if (label.starts_with(word) && (best.empty() || by < best_by)) best = label, best_by = by;
    }
    first += best == wanted.first;
    if (best != wanted.first)
      others += std::string(wanted.text) + "  wanted " + wanted.first + ", first is " + best + "\n";
  }
  std::printf("the wanted text is first at %zu of %zu places\n%s", first, std::size(wanted_there),
              others.c_str());
  EXPECT_GE(first, 32) << others;
}

TEST(Hover, ExplainsAWordByWhereItStands) {
  std::size_t columns = 0;
  for (const auto& facts : contract::columns) {
    if (facts.takes_argument()) continue;
    const std::string text =
        hover(study + "table t { of = small, columns = [valid, |" + std::string(facts.name) + "] }\n");
    EXPECT_NE(text.find(facts.meaning), text.npos) << facts.name << ": " << text;
    EXPECT_EQ(text.find("hypothesis"), text.npos) << facts.name << ": " << text;
    ++columns;
  }
  EXPECT_GE(columns, 14);
  const auto by_reward = [](const std::string& formula) {
    return hover("import example\ntrain t : best_of_n { tasks = example.easy, reward(c) = " + formula +
                 " }\n");
  };
  EXPECT_NE(by_reward("if c.|correct then 1 else 0").find("The values are right in every variation"),
            std::string::npos);
  EXPECT_NE(by_reward("if c.correct then c.|tokens else 0").find("Tokens of the answer"), std::string::npos);
  // The parameter's name is the file's.
  EXPECT_NE(hover("import example\ntrain t : best_of_n { tasks = example.easy, reward(v) = if v.|valid then "
                  "1 else 0 }\n")
                .find("launch plan"),
            std::string::npos);
  // The same word elsewhere: `none` and `random` of other fields.
  EXPECT_NE(hover("train t : best_of_n { keep_by = |random }\n").find("keep_by"), std::string::npos);
  EXPECT_NE(hover("model m { quantize = |none }\n").find("quantize"), std::string::npos);
  EXPECT_NE(hover(study + "plot p { of = small, y = |entropy }\n").find("A value of `y`"), std::string::npos);
}

TEST(SemanticTokens, OfWordsOfTheLanguageAreKeywords) {
  Client client;
  const json legend =
      client.sent.front()["result"]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
  client.open(
      "import windtunnel\ntrain t : best_of_n {\n  allow(keeps_incorrect, \"why\")\n"
      "  reward(c) = if not c.correct then 0 else 1\n}\n");
  const auto words = tokens_of(
      client, client.request("textDocument/semanticTokens/full", client.document())["data"], legend);
  for (const char* wanted : {"import:keyword", "allow:keyword", "if:keyword", "not:keyword", "then:keyword",
                             "else:keyword", "keeps_incorrect:decorator"})
    EXPECT_TRUE(has(words, wanted)) << wanted << " is not among " << json(words).dump();
}

TEST(Hints, CountAndDerive) {
  Client client;
  client.open("import windtunnel\nlet n = 4\nsplit s = windtunnel.level1[1..5]\nlora a { rank = 2 * n }\n");
  json params = client.document();
  params["range"] = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}};
  std::vector<std::string> labels;
  for (const json& hint : client.request("textDocument/inlayHint", params)) labels.push_back(hint["label"]);
  EXPECT_TRUE(has(labels, "5 tasks"));
  EXPECT_TRUE(has(labels, "= 8"));
}

TEST(Lenses, RunAndPlanExperiments) {
  Client client;
  client.open(study + "table main { of = small, columns = [correct] }\n");
  std::vector<std::string> titles;
  for (const json& lens : client.request("textDocument/codeLens", client.document()))
    titles.push_back(lens["command"]["title"]);
  EXPECT_EQ(titles, (std::vector<std::string>{"Run", "Plan", "No result yet"}));
  EXPECT_EQ(client.request("textDocument/documentLink", client.document())[0]["target"], "trl:/example.trl");
}

TEST(Library, AFileWithAnotherTextIsReadAsItStands) {
  Client client({}, json::object(), true);
  std::string text = language::embedded().at("example.trl");
  const std::string task = "(x: f32[M, N]) = relu(x)";
  const std::size_t name = text.find("relu_rows");
  ASSERT_EQ(text.find(task), text.find("(x:", name));
  text.replace(text.find(task), task.size(), "(x: f32[M, N]) = sum(x, axis = 1)");
  client.notify("textDocument/didOpen",
                {{"textDocument",
                  {{"uri", "trl:/example.trl"}, {"languageId", "trl"}, {"version", 1}, {"text", text}}}});
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(name), '\n');
  const json hover = client.request("textDocument/hover", {{"textDocument", {{"uri", "trl:/example.trl"}}},
                                                           {"position", {{"line", line}, {"character", 8}}}});
  EXPECT_NE(hover.dump().find("relu_rows(x: f32[M, N]) -> f32[M]"), std::string::npos) << hover;
}

}  // namespace
}  // namespace trl::language_server::test

// What a candidate can send over its pipe and find in its process: each attempt affects its own verdict and
// nothing else.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "verifier/hostile_json.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json record(const std::string& source) {
  const bool sandbox = std::getenv("TRL_NO_SANDBOX") == nullptr;
  static Recorder recorder(find_installation(), sandbox);
  const json shape = {{"label", "original"},
                      {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {64, 256}}}}}};
  return recorder.record({source}, json::array({shape}), {2, 512 << 20, 4 << 20});
}

std::string relu_by(const std::string& name = "kernel") {
  return "@triton.jit\ndef " + name + R"((x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        )" +
         name + R"([(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
)";
}

std::string reason(const json& answer) { return answer.value("ok", false) ? "" : answer.value("reason", ""); }

TEST(Recorder, ThatIsKilledAsItStartsIsStartedAgain) {
  const auto folder = std::filesystem::temp_directory_path() / ("killed-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  Installation installation = find_installation();
  const auto killed = folder / "trl-sandbox";
  std::ofstream(killed) << "#!/bin/sh\nif mkdir " << (folder / "once").string()
                        << " 2>&-; then kill -9 $$; fi\nexec " << installation.sandbox.string()
                        << " \"$@\"\n";
  std::filesystem::permissions(killed, std::filesystem::perms::owner_all);
  installation.sandbox = killed;
  const json shape = {{"label", "original"},
                      {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {64, 256}}}}}};
  Recorder recorder(installation, std::getenv("TRL_NO_SANDBOX") == nullptr);
  EXPECT_EQ(reason(recorder.record({relu_by()}, json::array({shape}), {2, 512 << 20, 4 << 20})), "");
  EXPECT_TRUE(std::filesystem::exists(folder / "once")) << "it was killed";
  std::filesystem::remove_all(folder);
}

struct Said {
  const char* name;
  const char* code;
  const char* reason;
};

class Saying : public testing::TestWithParam<Said> {};

TEST_P(Saying, EndsWithItsReasonAndCostsNobodyElse) {
  const json before = record(relu_by());
  ASSERT_EQ(reason(before), "") << before;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const json answer = record(std::string("import os, time\n") + GetParam().code + "\n" + relu_by());
  EXPECT_EQ(reason(answer), GetParam().reason) << answer.dump().substr(0, 500);
  EXPECT_EQ(answer["id"], before["id"].get<int>() + 1) << "the recorder had to be started anew";
  const json after = record(relu_by());
  EXPECT_EQ(reason(after), "") << after;
  EXPECT_EQ(after["id"], before["id"].get<int>() + 2) << "the recorder had to be started anew";
  rusage now{};
  getrusage(RUSAGE_SELF, &now);
  EXPECT_LT(now.ru_maxrss - used.ru_maxrss, 256 << 10) << "KiB of memory for what it said";
}

#define SAY(bytes) "os.write(3, " bytes "); os._exit(0)"
// Writes until the pipe has accepted everything.
#define SAY_ALL(bytes)                   \
  "data = " bytes                        \
  "\n"                                   \
  "while data: data = data[os.write(3, " \
  "data):]\n"                            \
  "os._exit(0)"

INSTANTIATE_TEST_SUITE_P(
    , Saying,
    testing::Values(
        Said{"an_infinite_number", SAY("b'{\"ok\": true, \"plans\": [1e999], \"kernels\": []}'"), "crashed"},
        Said{"Infinity", SAY("b'{\"ok\": true, \"plans\": [Infinity, NaN], \"kernels\": []}'"), "crashed"},
        Said{"a_huge_number", SAY_ALL("b'{\"ok\": true, \"plans\": [' + b'9' * 1000000 + b'.5]}'"),
             "crashed"},
        Said{"half_a_character", SAY("b'{\"ok\": false, \"reason\": \"\\\\ud800\"}'"), "crashed"},
        Said{"half_a_character_in_a_message", "raise ValueError('\\ud800')", "exception"},
        Said{"bytes_that_are_no_text", SAY("b'{\"ok\": false, \"reason\": \"\\xff\\xfe\"}'"), "crashed"},
        Said{"deep_nesting",
             SAY_ALL("b'{\"ok\": true, \"plans\": ' + b'[' * 5000000 + b']' * 5000000 + b'}'"), "crashed"},
        Said{"many_numbers", SAY_ALL("b'{\"ok\": true, \"plans\": [0' + b',0' * 12000000 + b']}'"),
             "crashed"},
        Said{"many_objects", SAY_ALL("b'{\"ok\": true, \"plans\": [{}' + b',{}' * 9000000 + b']}'"),
             "crashed"},
        Said{"many_members", SAY_ALL("b'{' + b','.join(b'\"%d\":{}' % i for i in range(600000)) + b'}'"),
             "crashed"},
        Said{"one_name_again_and_again", SAY_ALL("b'{\"ok\":false' + b',\"a\":[]' * 2000000 + b'}'"),
             "crashed"},
        Said{"no_object", SAY("b'[true]'"), "crashed"},
        Said{"no_truth", SAY("b'{\"ok\": \"true\"}'"), "crashed"},
        Said{"a_long_note", SAY("b'@' + b'1' * 5000 + b'\\n'"), "too_large"},
        Said{"a_note_that_is_no_number", SAY("b'@-1\\n'"), "too_large"},
        Said{"endless_notes", "while True: os.write(3, b'@1\\n' * 1000)", "too_large"},
        Said{"a_note_that_never_ends", "os.write(3, b'@12')\ntime.sleep(1000)", "timeout"},
        Said{"half_a_line", "os.write(3, b'{\"ok\": tr')\nos._exit(0)", "crashed"},
        Said{"nothing", "time.sleep(1000)", "timeout"},
        Said{"naps", "while True: time.sleep(0.01)", "timeout"},
        Said{"nothing_by_a_closed_pipe", "os.close(3)\nwhile True: pass", "crashed"},
        Said{"endless_bytes", "while True: os.write(3, b'x' * 65536)", "too_large"},
        Said{"questions_without_end", "while True: os.write(3, b'?{}\\n')", "too_large"},
        Said{"a_large_question", SAY_ALL("b'?{\"source\": \"' + b'x' * 8000000 + b'\"}\\n'"), "too_large"},
        Said{"a_question_that_is_a_bomb", SAY_ALL("b'?' + b'[' * 500000 + b'\\n'"), "crashed"},
        Said{"a_question_for_nothing", SAY("b'?{\"source\": 1, \"functions\": [[]]}\\n'"), "crashed"}),
    [](const auto& info) { return std::string(info.param.name); });

/// The candidate of hostile/scan_memory.py, which fails where it finds the word.
std::string scan_for(const std::string& word) {
  std::ifstream in(TRL_HOSTILE "/scan_memory.py");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::string hidden = "bytes((";
  for (const char letter : word) hidden += std::to_string(letter ^ 1) + ",";
  const std::string name = "in HIDDEN";
  text.replace(text.find(name), name.size(), "in " + hidden + "))");
  return text + relu_by();
}

TEST(Neighbour, IsNowhereInTheMemoryOfTheNext) {
  for (int turn = 0; turn < 2; ++turn) {
    // The word is in its source, in its plan and in what it leaves in its process.
    const std::string word = "quartz_" + std::to_string(turn) + "_zebra";
    const json theirs = record("kept = '" + word + "' * 1000\n" + relu_by("kernel_" + word));
    ASSERT_EQ(reason(theirs), "") << theirs;
    const json answer = record(scan_for(word));
    EXPECT_EQ(reason(answer), "") << answer.dump().substr(0, 500);
  }
}

TEST(Neighbour, IsFoundWhereThereIsOne) {
  const std::string word = "here_it_is_indeed";
  const json answer = record("kept = '" + word + "'\n" + scan_for(word));
  EXPECT_EQ(reason(answer), "exception") << answer.dump().substr(0, 500);
  EXPECT_NE(answer["message"].get<std::string>().find("memory"), std::string::npos) << answer["message"];
}

TEST(HostileJson, HasBoundsThatAreLookedAtFirst) {
  EXPECT_EQ(read_hostile(R"({"a": [1, 2.5, "x"]})"), json::parse(R"({"a": [1, 2.5, "x"]})"));
  EXPECT_EQ(read_hostile("[[[]]]", {100, 100, 3}), json::parse("[[[]]]"));
  EXPECT_FALSE(read_hostile("[[[[]]]]", {100, 100, 3}));
  EXPECT_TRUE(read_hostile("[1,2,3,4]", {100, 5, 3}));
  EXPECT_FALSE(read_hostile("[1,2,3,4,5]", {100, 5, 3}));
  EXPECT_FALSE(read_hostile(R"({"a":1,"b":2})", {100, 4, 3}));
  EXPECT_TRUE(read_hostile(R"("[[[[,,,,:::\"[[[,,,")", {100, 2, 1})) << "what is quoted counts as one";
  EXPECT_FALSE(read_hostile("\"aaaa\"", {5, 5, 3}));
  for (const char* text : {"", "1e999", "NaN", "Infinity", "\"\\ud800\"", "[1,]", "{\"a\":1", "\"\xff\""})
    EXPECT_FALSE(read_hostile(text)) << text;
}

TEST(HostileJson, GivesMembersOfTheRightKindAlone) {
  const json object = {{"text", "grüße"}, {"whole", 7}, {"huge", UINT64_MAX}, {"real", 1.5}, {"flag", true}};
  EXPECT_EQ(text_of(object, "text", 3), "gr");
  EXPECT_EQ(text_of(object, "text", 4), "grü");
  EXPECT_EQ(text_of(object, "whole"), "");
  EXPECT_EQ(text_of(json::array(), "text"), "");
  EXPECT_EQ(integer_of(object, "whole", 0, 10), 7);
  EXPECT_EQ(integer_of(object, "whole", 0, 6, -1), -1);
  for (const char* name : {"huge", "real", "text", "nothing"})
    EXPECT_EQ(integer_of(object, name, 0, INT64_MAX, -1), -1) << name;
  EXPECT_TRUE(is_true(object, "flag"));
  EXPECT_FALSE(is_true(object, "whole"));
}

}  // namespace
}  // namespace trl::runtime

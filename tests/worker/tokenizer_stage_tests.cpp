#include <gtest/gtest.h>

#include "base/support/files.hpp"
#include "runtime/tokenizer/tokenizer.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {

namespace {

TEST(TokenizerStageTest, WritesATokenizer) {
  const testing::TemporaryFolder folder;
  write_text(folder.folder("corpus") / "samples.jsonl", R"({"prompt": "a b a b", "answer": "a b"})"
                                                        "\n");
  testing::FakeStage stage;
  stage.spec = {{"vocabulary", 260}};
  stage.inputs["corpus"] = folder / "corpus";
  stage.output = folder.folder("out");
  EXPECT_EQ(run_tokenizer(stage)["size"], 259);  // only " b" occurs twice
  EXPECT_EQ(Tokenizer::load(folder / "out/tokenizer.json").decode({258}), " b");
}

}  // namespace
}  // namespace trl::runtime

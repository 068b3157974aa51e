// The stage `tokenizer`: learns a vocabulary from a corpus.
#include <fstream>

#include "base/contract/rows.hpp"
#include "base/contract/stages/tokenizer.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/spec.hpp"
#include "base/stage/stage.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/tokenizer/trainer.hpp"

namespace trl::runtime {

nlohmann::json run_tokenizer(Stage& stage) {
  const auto spec = spec_as<contract::TokenizerSpec>(stage.spec);
  TokenizerTrainer trainer;
  std::int64_t rows = 0;
  for_each_row(stage.input("corpus") / "samples.jsonl", [&](const nlohmann::json& row) {
    trainer.add(row.at("prompt").get<std::string>());
    trainer.add(row.at("answer").get<std::string>());
    if (++rows % 1000 == 0) stage.check_cancelled();
  });
  const auto document = trainer.train(spec.vocabulary);
  write_text(stage.output / "tokenizer.json", document.dump(1));
  stage.progress(rows, rows, "documents");
  return {{"size", document["model"]["vocab"].size()}};
}

}  // namespace trl::runtime

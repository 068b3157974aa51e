// Prints answers of the generator as JSON lines {"task", "prompt", "answer", "flaw"}, for checks that run
// them.
//   answer-samples suites STYLES          honest answers to every task of the suites
//   answer-samples flaws STYLES           every flaw that applies, on every task of the suites
//   answer-samples slow STYLES            honest answers and those that are only slow, to the same
//   answer-samples chains COUNT           honest answers to random chains
// With `cuda` at the end the answers are in CUDA, else in Triton.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/chain.hpp"
#include "verifier/corpus/suites.hpp"
#include "verifier/tasks/prompt.hpp"

using namespace trl;
using namespace trl::runtime;

namespace {

KernelLanguage language = KernelLanguage::triton;

void print(const Task& task, int style, Flaw flaw) {
  RandomStream random(fmt::format("samples/{}/{}", task.key, style));
  const nlohmann::json row = {{"task", task.to_json()},
                              {"prompt", prompt(task, language)},
                              {"answer", answer(task, Style::draw(random), flaw, language)},
                              {"flaw", flaw_name(flaw, language)}};
  fmt::print("{}\n", row.dump());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "usage: answer-samples suites|flaws|slow|chains COUNT [triton|cuda]\n");
    return 2;
  }
  if (argc == 4) language = kernel_language(argv[3]);
  const std::string what = argv[1];
  const int count = std::atoi(argv[2]);
  if (what == "chains") {
    RandomStream random("answer samples");
    for (int i = 0; i < count; ++i) {
      Task task = random_chain(random, {2, 8});
      task.suite = "chains";
      print(task, i, Flaw::None);
    }
    return 0;
  }
  for (const Task& task : every_suite())
    for (int style = 0; style < count; ++style) {
      if (what != "flaws") print(task, style, Flaw::None);
      if (what == "suites") continue;
      for (const FlawKind& kind : flaw_kinds(language))
        if (applies(task, kind.flaw) && (what == "flaws" || kind.only_slow)) print(task, style, kind.flaw);
    }
  return 0;
}

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(language_unseen)
namespace {

/// The corpus that a supervised stage of training learns from; null for other stages.
const Value* corpus_of(const Resolved& train) {
  const Value* data = train.field("data");
  return data != nullptr && data->is(Value::Kind::call) ? data : nullptr;
}

bool is_written_in_triton(const Value& corpus) { return corpus.name == "kernelbook"; }

void check_language_unseen(Inspection& inspection) {
  const Value* language = inspection.experiment.field("language");
  if (language == nullptr || language->string() != "cuda") return;
  bool shown = !inspection.experiment.sound("train");
  for (const auto& stage : inspection.stages()) {
    const Value* corpus = corpus_of(*stage.train);
    shown = shown || (!stage.control && !stage.train->sound("data"));
    if (corpus == nullptr) continue;
    if (!is_written_in_triton(*corpus)) {
      shown = shown || !stage.control;
      continue;
    }
    inspection.report(
        found(rules::language_unseen, corpus->range,
              "`" + corpus->name + "` holds answers in Triton, and `" + inspection.experiment.name +
                  "` asks for CUDA: answers as learnt here will be refused")
            .note("CUDA is asked for here", language->range)
            .helped("learn from windtunnel.corpus(…) or windtunnel.chains(…), which answer in the "
                    "experiment's language"),
        {stage.train});
    shown = true;
  }
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (shown || weights == nullptr || !weights->is(Value::Kind::call) || weights->name != "windtunnel.base")
    return;
  inspection.report(
      found(rules::language_unseen, language->range,
            "the weights of `" + model->name + "` have seen only Triton, and no stage of `" +
                inspection.experiment.name +
                "` shows them CUDA: no answer will be valid, and no reward above 0")
          .note("the weights", weights->range)
          .helped("train first on written answers: `train imitate : sft { data = "
                  "windtunnel.chains(samples = 20000) }`, or pretrain a model from random weights"),
      {model});
}

}  // namespace

const Rule rules::language_unseen{"language_unseen",
                                  Severity::warning,
                                  true,
                                  "A model that has seen only one language writes nothing valid in another, "
                                  "so that no reward is ever earned.",
                                  R"(import windtunnel
import example
model tunnel { weights = windtunnel.base }
train imitate : sft { data = windtunnel.chains(samples = 2000, exclude = example.hard) }
experiment e : example.study { model = tunnel, language = cuda, train = imitate -> example.reinforce }
)",
                                  R"(import windtunnel
import example
model tunnel { weights = windtunnel.base }
experiment e : example.study { model = tunnel, language = cuda }
)",
                                  check_language_unseen};

}  // namespace trl::language

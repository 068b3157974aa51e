// The request `generate` for a model on a server: answers to prompts, shown as they arrive.
#include <fmt/format.h>
#include <chrono>

#include "base/contract/stages/ask.hpp"
#include "base/contract/stages/generate.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "runtime/endpoint/asker.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/options.hpp"

namespace trl::runtime {

nlohmann::json run_asked_generate(Stage& stage) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spec = spec_as<contract::GenerateSpec>(stage.spec);
  if (spec.samples < 1 || spec.sampling.max_tokens < 1)
    throw UserError("samples and max_tokens must be 1 or more");
  if (!spec.model) throw UserError("the request names no model of the server");
  contract::AskSpec asked;
  asked.model = *spec.model, asked.sampling = spec.sampling;
  std::vector<Question> questions;
  for (const auto& prompt : spec.prompts)
    for (std::int64_t sample = 0; sample < spec.samples; ++sample) {
      const auto key = random_key(fmt::format("{}/generate/{}/{}/{}", spec.seed, prompt, spec.round, sample));
      questions.push_back(
          {dumped(chat_request(asked, prompt, static_cast<std::uint32_t>(key.value & 0x7fffffff)))});
    }
  std::int64_t tokens = 0;
  AskEvents events;
  events.stop = stop_of(stage);
  events.answered = [&](std::size_t question, const contract::Asked& answer) {
    tokens += answer.answer_tokens.value_or(0);
    const auto place = static_cast<std::int64_t>(question);
    // An answer without a text is shown, too: its reasoning, refusal or trouble, with a note that it has no
    // text.
    if (answer.no_text) stage.note("an answer has no text: " + contract::said(*answer.no_text));
    const auto& text = !answer.no_text             ? answer.answer
                       : !answer.reasoning.empty() ? answer.reasoning
                       : !answer.refusal.empty()   ? answer.refusal
                                                   : answer.trouble;
    stage.answer(place / spec.samples, place % spec.samples, text,
                 is_cut_off(answer.finish) ? "length" : "stop");
  };
  events.tick = [&](const std::vector<std::string>& notes) {
    for (const auto& sentence : notes) stage.note(sentence);
    stage.check_cancelled();
  };
  ask(questions, ask_options(stage), events);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {{"tokens", tokens}, {"seconds", elapsed.count()}};
}

}  // namespace trl::runtime

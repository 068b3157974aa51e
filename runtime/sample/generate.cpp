#include "runtime/sample/generate.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/support/error.hpp"
#include "runtime/model/threads.hpp"
#include "runtime/model/vocabulary.hpp"
#include "runtime/sample/decoder.hpp"
#include "runtime/sample/draw.hpp"

namespace trl::runtime {
namespace {

// A part of one prompt's samples, which one thread decodes.
struct Share {
  std::size_t prompt, first_sample, end_sample;
};

std::vector<Share> split(const std::vector<Prompt>& prompts, int threads) {
  // If there are few prompts, the samples of each prompt are spread over all threads, and then every thread
  // computes the prompt's tokens.
  const std::size_t pieces = prompts.size() >= 4 * static_cast<std::size_t>(threads) ? 1 : threads;
  std::vector<Share> shares;
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    const auto samples = prompts[p].samples.size();
    for (std::size_t i = 0; i < pieces; ++i) {
      const Share share{p, samples * i / pieces, samples * (i + 1) / pieces};
      if (share.first_sample < share.end_sample) shares.push_back(share);
    }
  }
  return shares;
}

struct PromptState {
  Cache cache;
  std::vector<float> logits;  // after the last token
};

struct Live {
  std::size_t prompt, sample;
  std::shared_ptr<const PromptState> state;
  Cache own;
  std::int64_t limit;  // tokens
  Token last = 0;
};

class Generation {
 public:
  Generation(std::shared_ptr<const DecoderModel> model, const std::vector<Prompt>& prompts,
             const GenerateSettings& settings, const GenerateProgress& progress)
      : config_(model->config),
        prompts_(prompts),
        settings_(settings),
        progress_(progress),
        model_(std::move(model)),
        shares_(split(prompts, settings.threads)) {
    for (const auto& prompt : prompts) answers_.emplace_back(prompt.samples.size());
  }

  std::vector<std::vector<Answer>> run() {
    parallel(static_cast<std::size_t>(settings_.threads), settings_.threads, [&](std::size_t) { decode(); });
    return std::move(answers_);
  }

 private:
  // Takes the next share. Which thread takes which share has no influence on the answers.
  const Share* take() {
    const std::lock_guard lock(mutex_);
    return next_ < shares_.size() ? &shares_[next_++] : nullptr;
  }

  void decode() {
    Decoder decoder(model_);
    std::vector<std::unique_ptr<Live>> live;
    std::vector<Cache> spare;  // caches of finished rows
    DrawRoom room;
    const Share* share = nullptr;
    std::size_t sample = 0;
    std::shared_ptr<const PromptState> state;
    std::vector<Row> rows;
    for (std::int64_t step = 0;; ++step) {
      while (static_cast<std::int64_t>(live.size()) < settings_.rows) {
        if (!share || sample == share->end_sample) {
          share = take();
          if (!share) break;
          sample = share->first_sample;
          state = read_prompt(decoder, prompts_[share->prompt].tokens);
        }
        const auto length = static_cast<std::int64_t>(prompts_[share->prompt].tokens.size());
        const auto limit = std::min(settings_.max_tokens, config_.context - length);
        auto cache = spare.empty() ? Cache(config_, settings_.max_tokens) : std::move(spare.back());
        if (!spare.empty()) spare.pop_back();
        live.push_back(std::make_unique<Live>(Live{share->prompt, sample, state, std::move(cache), limit}));
        ++sample;
        if (!drew(*live.back(), append(*live.back(), state->logits.data(), room)))
          finish(live, live.size() - 1, spare);
      }
      if (step % 16 == 0 || live.empty()) report();
      if (live.empty()) return;
      rows.clear();
      for (const auto& row : live) {
        rows.push_back({row->last, &row->state->cache,
                        static_cast<std::int64_t>(prompts_[row->prompt].tokens.size()), &row->own,
                        static_cast<std::int64_t>(answer(*row).tokens.size()) - 1, true});
      }
      const auto logits = decoder.forward(rows);
      for (std::size_t i = live.size(); i-- > 0;) {
        const float* values =
            logits.const_data_ptr<float>() + static_cast<std::int64_t>(i) * config_.vocabulary;
        if (!drew(*live[i], append(*live[i], values, room))) finish(live, i, spare);
      }
    }
  }

  std::shared_ptr<const PromptState> read_prompt(Decoder& decoder, const std::vector<Token>& tokens) {
    auto state = std::make_shared<PromptState>(
        PromptState{Cache(config_, static_cast<std::int64_t>(tokens.size())), {}});
    std::vector<Row> rows;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      rows.push_back(
          {tokens[i], nullptr, 0, &state->cache, static_cast<std::int64_t>(i), i + 1 == tokens.size()});
    }
    const auto logits = decoder.forward(rows);
    state->logits.assign(logits.const_data_ptr<float>(), logits.const_data_ptr<float>() + config_.vocabulary);
    return state;
  }

  Answer& answer(const Live& row) { return answers_[row.prompt][row.sample]; }

  // Draws a row's next token. Returns false if the answer is finished.
  bool append(Live& row, const float* logits, DrawRoom& room) {
    auto& tokens = answer(row).tokens;
    if (static_cast<std::int64_t>(tokens.size()) >= row.limit) return false;
    const auto key = prompts_[row.prompt].samples[row.sample];
    const auto choices = static_cast<std::size_t>(std::min(settings_.choices, config_.vocabulary));
    row.last = draw({logits, choices}, {settings_.temperature, settings_.top_k, settings_.top_p},
                    uniform(key, tokens.size()), room);
    if (settings_.scores)
      answer(row).scores.push_back(
          score({logits, static_cast<std::size_t>(config_.vocabulary)}, row.last, room));
    if (runtime::append(settings_, row.last, answer(row))) return false;
    return static_cast<std::int64_t>(tokens.size()) < row.limit;
  }

  // Passes the answer on to settings_.stream, if there is one. Returns `goes_on`.
  bool drew(const Live& row, bool goes_on) {
    if (!settings_.stream) return goes_on;
    const std::lock_guard lock(mutex_);
    settings_.stream(row.prompt, row.sample, answer(row), !goes_on);
    return goes_on;
  }

  void finish(std::vector<std::unique_ptr<Live>>& live, std::size_t i, std::vector<Cache>& spare) {
    const std::lock_guard lock(mutex_);
    ++finished_answers_;
    finished_tokens_ += static_cast<std::int64_t>(answer(*live[i]).tokens.size());
    spare.push_back(std::move(live[i]->own));
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void report() {
    const std::lock_guard lock(mutex_);
    if (progress_) progress_(finished_answers_, finished_tokens_);
  }

  const ModelConfig& config_;
  const std::vector<Prompt>& prompts_;
  const GenerateSettings settings_;
  const GenerateProgress& progress_;
  const std::shared_ptr<const DecoderModel> model_;  // holds config_
  const std::vector<Share> shares_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::int64_t finished_answers_ = 0, finished_tokens_ = 0;
  std::vector<std::vector<Answer>> answers_;
};

std::vector<std::vector<Answer>> generate(const std::shared_ptr<const DecoderModel>& model,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings,
                                          const GenerateProgress& progress) {
  for (const auto& prompt : prompts) {
    require_tokens(prompt.tokens, model->config);
    if (static_cast<std::int64_t>(prompt.tokens.size()) >= model->config.context) {
      throw UserError(fmt::format("a prompt has {} tokens; the model's context is {}", prompt.tokens.size(),
                                  model->config.context),
                      "use shorter tasks or a model with a longer context");
    }
  }
  return Generation(model, prompts, settings, progress).run();
}

}  // namespace

std::string text_of(const Tokenizer& tokenizer, const Answer& answer) {
  auto text = tokenizer.decode(answer.tokens);
  if (answer.text_size) text.resize(std::min(text.size(), *answer.text_size));
  return text;
}

bool append(const GenerateSettings& settings, Token token, Answer& answer) {
  if (is_end(settings, token)) {
    answer.end = token;
    return answer.stopped = true;
  }
  answer.tokens.push_back(token);
  if (settings.stop) answer.text_size = settings.stop->find(answer.tokens);
  return answer.stopped = answer.text_size.has_value();
}

std::vector<std::vector<Answer>> generate(const ModelConfig& config, const Weights& weights,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings,
                                          const GenerateProgress& progress) {
  return generate(std::make_shared<const DecoderModel>(config, weights), prompts, settings, progress);
}

std::vector<std::vector<Answer>> generate(const LanguageModel& model, const Lora* adapter,
                                          const std::vector<Prompt>& prompts,
                                          const GenerateSettings& settings,
                                          const GenerateProgress& progress) {
  if (!model.quantised() && !adapter)
    return generate(model.config(), model.weights(), prompts, settings, progress);
  return generate(std::make_shared<const DecoderModel>(model, adapter), prompts, settings, progress);
}

}  // namespace trl::runtime

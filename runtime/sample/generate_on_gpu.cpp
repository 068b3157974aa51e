#include "runtime/sample/generate_on_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/support/error.hpp"
#include "runtime/decode/pages.hpp"
#include "runtime/decode/prompts.hpp"
#include "runtime/model/vocabulary.hpp"

namespace trl::runtime {
namespace {

using decode::kPage;

std::int64_t pages_for(std::int64_t positions) { return (positions + kPage - 1) / kPage; }

// Returns how many columns are decoded at once. Up to 64 columns share one reading of the weights. A small
// model's time is the time of launching its kernels, so many more columns cost little.
std::int64_t columns_for(const ModelConfig& config, std::int64_t wanted) {
  const std::int64_t most = config.hidden >= 1024 ? 64 : kMostColumns;
  return std::max<std::int64_t>(1, std::min(most, wanted));
}

// Returns how many blocks compute the attention of one column and key head. Few columns need several
// multiprocessors each to be read at full speed; with many columns, clusters only cost time. The number may
// depend on settings, but not on how many sequences there are, since it decides rounding.
int attention_blocks_for(std::int64_t columns) { return columns <= 16 ? 4 : 1; }

// One prompt while its samples are decoded. The prompt's last token isn't read with the others: the first
// step of each sample computes it.
struct Reading {
  std::vector<std::int32_t> pages;  // of the positions before the last
  std::size_t next_sample = 0;
  bool read = false;
};

struct Sequence {
  std::size_t prompt = 0, sample = 0;
  decode::ColumnState state;
  bool busy = false;
};

class GpuGeneration {
 public:
  GpuGeneration(const LanguageModel& model, const std::vector<Prompt>& prompts,
                const GenerateSettings& settings, decode::Storage storage, const Lora* adapter)
      : config_(model.config()),
        prompts_(prompts),
        settings_(settings),
        weights_(std::make_shared<decode::DecodeWeights>(model, storage, adapter)) {
    std::int64_t jobs = 0, most = 1, need = 0;
    for (const auto& prompt : prompts_) {
      answers_.emplace_back(prompt.samples.size());
      const auto count = static_cast<std::int64_t>(prompt.samples.size());
      jobs += count;
      const auto pages = pages_of(prompt);
      most = std::max(most, pages);
      need += count * pages + pages;
      require_tokens(prompt.tokens, config_);
      if (length(prompt) > config_.context)
        throw UserError(fmt::format("a prompt has {} tokens; the model's context has {}",
                                    prompt.tokens.size(), config_.context));
    }
    readings_.resize(prompts_.size());
    for (std::size_t p = 0; p < prompts_.size(); ++p) {
      if (!prompts_[p].samples.empty()) waiting_.push_back(p);
    }
    const auto most_columns = columns_for(config_, settings_.rows);
    const auto columns = std::min(most_columns, jobs);
    // There are pages for all columns and for the prompts that they read, as far as memory allows.
    const auto device = model.embedding().device();
    const auto page_bytes = config_.layers * 2 * config_.kv_heads * kPage * config_.head_size * 2;
    std::size_t free = 0, total = 0;
    gpu::check(gpu::driver().cuMemGetInfo(&free, &total), "the GPU's free memory");
    const auto room = static_cast<std::int64_t>(static_cast<double>(free) * 0.8) / page_bytes;
    const auto wanted = std::min(need, (columns + std::min<std::int64_t>(columns, 16)) * most + most);
    const auto count = std::min(wanted, room);
    if (count < 2 * most) {
      throw UserError(
          fmt::format("the GPU has {:.1f} GB free; one sequence of this experiment needs {:.1f} GB for keys "
                      "and values",
                      static_cast<double>(free) / 1e9, static_cast<double>(2 * most * page_bytes) / 1e9),
          "use shorter answers (max_tokens), a smaller model, or a GPU with more memory");
    }
    pages_.emplace(count);
    pool_ = at::empty({count, config_.layers, 2, config_.kv_heads, kPage, config_.head_size},
                      at::TensorOptions().dtype(at::kBFloat16).device(device));
    decode::Drawing drawing;
    drawing.temperature = settings_.temperature;
    drawing.top_k = settings_.top_k;
    drawing.top_p = settings_.top_p;
    drawing.choices = std::min(settings_.choices, config_.vocabulary);
    drawing.ends = settings_.ends;
    stepper_.emplace(weights_, pool_, columns, most, attention_blocks_for(most_columns), drawing);
    sequences_.resize(static_cast<std::size_t>(columns));
  }

  std::vector<std::vector<Answer>> run(const GenerateProgress& progress) {
    for (;;) {
      fill();
      // Busy columns come first, so that few columns are launched when few are left.
      std::stable_sort(sequences_.begin(), sequences_.end(),
                       [](const Sequence& a, const Sequence& b) { return a.busy > b.busy; });
      std::vector<decode::ColumnState> columns;
      for (const auto& sequence : sequences_) {
        if (sequence.busy) columns.push_back(sequence.state);
      }
      if (columns.empty()) break;
      std::int64_t steps = 0;
      for (const auto& column : columns) steps = std::max<std::int64_t>(steps, column.limit - column.made);
      // A column that has ended stays idle until the tokens are read. They are read rarely enough to cost
      // little and often enough to waste little.
      steps = std::min<std::int64_t>(steps, 16);
      const auto results = stepper_->run(columns, steps);
      for (std::size_t i = 0; i < results.size(); ++i) take(sequences_[i], results[i]);
      if (progress) progress(finished_, tokens_);
    }
    return std::move(answers_);
  }

 private:
  static std::int64_t length(const Prompt& prompt) { return static_cast<std::int64_t>(prompt.tokens.size()); }
  std::int64_t limit(const Prompt& prompt) const {
    return std::min(settings_.max_tokens, config_.context - length(prompt));
  }
  // Returns the number of pages of one sample. The position of the last drawn token itself is never computed.
  std::int64_t pages_of(const Prompt& prompt) const {
    return pages_for(length(prompt) - 1 + std::max<std::int64_t>(1, limit(prompt)));
  }

  // Gives free columns to waiting samples, in the order of the prompts.
  void fill() {
    for (auto& sequence : sequences_) {
      if (sequence.busy) continue;
      drop_finished_prompts();
      if (waiting_.empty()) break;
      const auto p = waiting_.front();
      const auto& prompt = prompts_[p];
      auto& reading = readings_[p];
      if (limit(prompt) < 1) {  // the prompt fills the context, so its answers are empty
        finished_ += static_cast<std::int64_t>(prompt.samples.size());
        reading.next_sample = prompt.samples.size();
        continue;
      }
      if (!reading.read && !read_from(0)) break;
      const auto stored = length(prompt) - 1, full = stored / kPage;
      if (pages_->free() < pages_of(prompt) - full) break;  // until others are finished
      sequence.prompt = p;
      sequence.sample = reading.next_sample++;
      sequence.busy = true;
      auto& state = sequence.state;
      state = {};
      state.token = prompt.tokens.back();
      state.position = static_cast<std::int32_t>(stored);
      state.limit = static_cast<std::int32_t>(limit(prompt));
      state.stream = prompt.samples[sequence.sample].value;
      for (std::int64_t i = 0; i < full; ++i) {
        state.pages.push_back(reading.pages[static_cast<std::size_t>(i)]);
        pages_->hold(state.pages.back());
      }
      while (static_cast<std::int64_t>(state.pages.size()) < pages_of(prompt))
        state.pages.push_back(pages_->take());
      if (stored % kPage != 0) {
        copied_from_.push_back(reading.pages.back());
        copied_to_.push_back(state.pages[static_cast<std::size_t>(full)]);
      }
    }
    copy_pages();
    drop_finished_prompts();
  }

  // Releases the pages of the first prompts: once every sample of a prompt has or had a column, its pages
  // aren't needed any more.
  void drop_finished_prompts() {
    while (!waiting_.empty() && done(waiting_.front())) {
      copy_pages();  // before another prompt gets the pages
      release(readings_[waiting_.front()]);
      waiting_.pop_front();
    }
  }

  void copy_pages() {
    stepper_->copy_pages(copied_from_, copied_to_);
    copied_from_.clear();
    copied_to_.clear();
  }

  bool done(std::size_t p) const { return readings_[p].next_sample >= prompts_[p].samples.size(); }

  void release(Reading& reading) {
    for (const auto page : reading.pages) pages_->let_go(page);
    reading.pages.clear();
  }

  // Reads the waiting prompt number `first` and the prompts after it that fit into its block. Returns false
  // if there are too few pages for it now; there will be enough later.
  bool read_from(std::size_t first) {
    const auto stored = length(prompts_[waiting_[first]]) - 1;
    if (stored == 0) return readings_[waiting_[first]].read = true;
    const auto rows = decode::rows_of_block(stored);
    std::int64_t used = 0;
    // The pages that columns may still need are reserved for them.
    std::int64_t reserve = pages_of(prompts_[waiting_[first]]);
    std::vector<decode::PromptPages> block;
    for (std::size_t w = first; w < waiting_.size() && block.size() < sequences_.size(); ++w) {
      const auto& prompt = prompts_[waiting_[w]];
      auto& reading = readings_[waiting_[w]];
      const auto count = length(prompt) - 1;
      if (reading.read || count == 0 || decode::rows_of_block(count) != rows) continue;
      if (used + count > rows || pages_->free() < pages_for(count) + reserve) break;
      used += count;
      for (std::int64_t i = 0; i < pages_for(count); ++i) reading.pages.push_back(pages_->take());
      reading.read = true;
      block.push_back({{prompt.tokens.begin(), prompt.tokens.end() - 1}, reading.pages});
    }
    if (block.empty()) {
      if (std::none_of(sequences_.begin(), sequences_.end(), [](const Sequence& s) { return s.busy; }))
        throw std::logic_error("too few pages for one sequence");
      return false;
    }
    decode::read_prompts(*weights_, pool_, block);
    return true;
  }

  void take(Sequence& sequence, const decode::ColumnResult& result) {
    auto& answer = answers_[sequence.prompt][sequence.sample];
    auto& state = sequence.state;
    // The device doesn't know about stop texts, so tokens that it drew after one are left out.
    for (std::size_t i = 0; i < result.tokens.size() && !answer.stopped; ++i) {
      const auto token = result.tokens[i];
      answer.scores.push_back(result.scores[i]);
      append(settings_, token, answer);
      state.token = token;
      ++state.position;
      ++state.made;
    }
    const bool finished = result.idle || answer.stopped;
    if (settings_.stream) settings_.stream(sequence.prompt, sequence.sample, answer, finished);
    if (!finished) return;
    ++finished_;
    tokens_ += static_cast<std::int64_t>(answer.tokens.size());
    for (const auto page : state.pages) pages_->let_go(page);
    sequence.busy = false;
    state = {};
  }

  const ModelConfig& config_;
  const std::vector<Prompt>& prompts_;
  const GenerateSettings& settings_;
  std::shared_ptr<const decode::DecodeWeights> weights_;
  std::optional<decode::Pages> pages_;
  at::Tensor pool_;
  std::optional<decode::Stepper> stepper_;
  std::vector<Reading> readings_;
  std::deque<std::size_t> waiting_;
  std::vector<std::int32_t> copied_from_,
      copied_to_;  // pages of prompts, for samples that go on in the middle of one
  std::vector<Sequence> sequences_;
  std::vector<std::vector<Answer>> answers_;
  std::int64_t finished_ = 0, tokens_ = 0;
};

}  // namespace

decode::Storage decode_storage(const LanguageModel& model) {
  switch (model.storage()) {
    case MatrixStorage::Id::int8:
      return decode::Storage::int8;
    case MatrixStorage::Id::nf4:
      return decode::Storage::nf4;
    default:
      return decode::Storage::bf16;
  }
}

std::string reason_against_gpu_decoding(const LanguageModel& model, decode::Storage storage) {
  // With llm_int8, activations are rounded, too.
  if (model.storage() == MatrixStorage::Id::llm_int8)
    return fmt::format("its matrices are stored as {}", name_of(model.storage()));
  if (!model.embedding().device().is_cuda()) return "it is not on a GPU";
  if (model.compute() != at::kBFloat16) return "its precision is not bf16";
  try {
    if (Gpu::here().capability < 90) return "the GPU's compute capability is below 9.0";
  } catch (const std::exception& error) {
    return error.what();
  }
  return decode::reason_against(model.config(), storage);
}

std::vector<std::vector<Answer>> generate_on_gpu(const LanguageModel& model,
                                                 const std::vector<Prompt>& prompts,
                                                 const GenerateSettings& settings,
                                                 const GenerateProgress& progress, decode::Storage storage,
                                                 const Lora* adapter) {
  const at::NoGradGuard no_grad;
  std::size_t samples = 0;
  for (const auto& prompt : prompts) samples += prompt.samples.size();
  if (samples == 0) return std::vector<std::vector<Answer>>(prompts.size());
  return GpuGeneration(model, prompts, settings, storage, adapter).run(progress);
}

}  // namespace trl::runtime

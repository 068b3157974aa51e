// Answers to those questions of rules that take longer than a rule may take at a keystroke, such as power,
// which is computed from many quantiles. An answer is kept under exactly the values on which it depends.
#pragma once
#include <any>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trl::language {

class SlowAnswers {
 public:
  /// The kind of question and all values on which its answer depends.
  using Question = std::pair<std::string, std::vector<double>>;
  using Kept = std::map<Question, std::any>;

  /// For a check that answers each question as soon as a rule asks it. A repeated question is answered from
  /// memory.
  SlowAnswers() : kept_(std::make_shared<Kept>()) {}
  /// For a check in an editor: questions whose answers aren't in `kept` are put off.
  explicit SlowAnswers(std::shared_ptr<Kept> kept) : kept_(std::move(kept)), put_off_(true) {}

  /// Returns the answer to `question`, which `work` computes; null if the question was put off. The pointer
  /// stays valid.
  template <typename Answer>
  const Answer* to(Question question, std::function<Answer()> work) {
    auto at = kept_->find(question);
    if (at == kept_->end() && put_off_) {
      waiting_.emplace_back(std::move(question), [work = std::move(work)] { return std::any(work()); });
      return nullptr;
    }
    if (at == kept_->end()) at = kept_->emplace(std::move(question), std::any(work())).first;
    return std::any_cast<Answer>(&at->second);
  }

  /// The number of questions that were put off and have no answer yet.
  std::size_t waiting() const { return waiting_.size(); }
  /// Answers the question that has waited longest.
  void answer_next() {
    auto [question, work] = std::move(waiting_.front());
    waiting_.pop_front();
    if (!kept_->contains(question)) kept_->emplace(std::move(question), work());
  }

 private:
  std::shared_ptr<Kept> kept_;
  bool put_off_ = false;
  std::deque<std::pair<Question, std::function<std::any()>>> waiting_;
};

}  // namespace trl::language

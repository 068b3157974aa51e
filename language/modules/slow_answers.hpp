// Answers to the questions of rules that take longer than a rule may take of a keystroke, such as power by
// many quantiles. They are kept by exactly the values on which they depend.
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

  /// Each question is answered when it is asked, and once.
  SlowAnswers() : kept_(std::make_shared<Kept>()) {}
  /// The questions of one check of an editor's text: questions without a kept answer are put off.
  explicit SlowAnswers(std::shared_ptr<Kept> kept) : kept_(std::move(kept)), put_off_(true) {}

  /// The answer, which stays where it is; null if the question was put off.
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

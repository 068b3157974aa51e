#pragma once
/// Included by mistakes.cpp. It shows that mistakes in the repository's headers are found, too.
#include <memory>
#include <string>
#include <vector>

namespace trl::mistakes {

struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const { return 0; }
};

struct Square : Shape {
  virtual int sides() const { return 4; }  // modernize-use-override
};

template <typename Value>
bool nothing_in(const std::vector<Value>& values) {
  return values.size() == 0;  // readability-container-size-empty
}

}  // namespace trl::mistakes

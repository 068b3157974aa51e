#include "tests/interpreter/finished_study.hpp"

#include <sstream>

#include "base/support/files.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/secret.hpp"

namespace trl::interpreter::testing {

namespace fs = std::filesystem;

fs::path write_secret(const fs::path& store) {
  fs::create_directories(store);
  write_text(store / "secret", test_secret(std::string(64, '5')));
  fs::permissions(store / "secret", fs::perms::owner_read | fs::perms::owner_write);
  return store;
}

FinishedStudy::FinishedStudy(nlohmann::json resolved)
    : document(std::move(resolved)), store(write_secret(scratch.path / "store")), plan(carried_out()) {}

Plan FinishedStudy::carried_out() {
  write_model(scratch.path);
  auto made = make_plan(document, "study", options(scratch.path));
  FakeClient worker(store.secret());
  std::ostringstream out;
  const auto clock = [time = 0.0]() mutable { return time += 1; };
  Progress progress(out, {}, clock);
  OneSeat seat(worker);
  carry_out(
      made, store, seat, progress, [] { return false; }, clock);
  return made;
}

Report FinishedStudy::report() const {
  return make_report(request_for(document, "study"), document, plan, store, {});
}

FinishedStudy& finished_study() {
  static FinishedStudy finished;
  return finished;
}

}  // namespace trl::interpreter::testing

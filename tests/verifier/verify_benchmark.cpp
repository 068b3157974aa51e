// Prints the time that verification takes: recording, one worker slot, two worker slots.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "tests/verifier/candidates.hpp"

namespace {

using namespace trl::runtime;

template <typename Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string variant(int number) { return candidates::honest_relu + "# " + std::to_string(number) + "\n"; }

}  // namespace

int main() {
  using nlohmann::json;
  json shapes = json::array();
  for (int size : {64, 97, 33, 128, 7})
    shapes.push_back({{"label", std::to_string(size)},
                      {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {size, 256}}}}},
                      {"outputs", 1}});
  Recorder& recorder = candidates::recorder();
  fmt::print("start of a recorder: {:.1f} s\n", seconds([&] { recorder.record({""}, shapes, {}); }));
  constexpr int rounds = 20;
  const json one = json::array({shapes[0]});
  fmt::print("record, 1 shape: {:.1f} ms\n", 1000 / rounds * seconds([&] {
                                               for (int i = 0; i < rounds; ++i)
                                                 recorder.record({variant(i)}, one, {});
                                             }));
  fmt::print("record, 5 shapes: {:.1f} ms\n", 1000 / rounds * seconds([&] {
                                                for (int i = 0; i < rounds; ++i)
                                                  recorder.record({variant(i)}, shapes, {});
                                              }));
  const Installation installation = find_installation();
  for (const bool exam : {false, true}) {
    const Protocol protocol = exam ? candidates::exam() : candidates::training();
    std::vector<Verifier> verifiers;
    for (int i = 0; i < 2; ++i) {
      verifiers.emplace_back(installation, !candidates::unconfined());
      verifiers.back().verify(candidates::relu(), candidates::honest_relu, protocol, "warm up");
    }
    const double time = seconds([&] {
      std::vector<std::thread> threads;
      for (int slot = 0; slot < 2; ++slot)
        threads.emplace_back([&, slot] {
          for (int i = 0; i < rounds; ++i)
            verifiers[static_cast<std::size_t>(slot)].verify(candidates::relu(), variant(2 * i + slot),
                                                             protocol, "secret");
        });
      for (std::thread& thread : threads) thread.join();
    });
    fmt::print("{}, 2 slots: {:.1f} candidates/s\n",
               exam ? "exam (6 trials, compiled)" : "training (original)", 2 * rounds / time);
  }
}

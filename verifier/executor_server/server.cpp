#include "verifier/executor_server/server.hpp"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>

#include "verifier/executor_server/confine.hpp"

namespace trl::runtime {
namespace {

// Tables and code that every child needs are made and touched once, before the first fork.
void warm_up() {
  const auto parsed = executor::parse(R"(module { tt.func public @k(%out: !tt.ptr<f32>) {
    %one = arith.constant 1.000000e+00 : f32
    tt.store %out, %one : !tt.ptr<f32>
    tt.return } })");
  executor::Memory memory;
  memory.add_unwritten("out", 4);
  executor::Launch launch;
  launch.args = {executor::PointerArg{0, 0}};
  executor::run(std::get<executor::Module>(parsed), launch, memory, {});
}

struct Received {
  bool open = false;    // false when the verifier is gone
  int descriptor = -1;  // none: the verifier is done with the present candidate
};

Received receive() {
  char byte = 0;
  iovec text{&byte, 1};
  int descriptor = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count = -1;
  do {
    count = recvmsg(0, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS)
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return {count == 1, descriptor};
}

[[noreturn]] void serve(int descriptor, std::uint64_t memory_bytes, const std::vector<sock_filter>& filter,
                        const Candidate::Watch& watch) {
  for (const int inherited : {0, 1, 2}) close(inherited);
  if (!confine(memory_bytes, filter)) _exit(1);
  try {
    Candidate(ByteChannel(descriptor), watch).serve();
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

void end(pid_t& child) {
  if (child > 0) {
    kill(child, SIGKILL);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  child = -1;
}

}  // namespace

int serve_candidates(int count, char** words, const Candidate::Watch& watch) {
  std::uint64_t memory_bytes = 0;
  const std::string_view limit = count == 3 && std::string_view(words[1]) == "--memory" ? words[2] : "";
  if (std::from_chars(limit.data(), limit.data() + limit.size(), memory_bytes).ec != std::errc()) {
    std::fprintf(stderr, "usage: trl-executor --memory BYTES\n");
    return 2;
  }
  warm_up();
  const std::vector<sock_filter> filter = sandbox::make_filter(sandbox::Profile::executor);
  std::puts("{\"ready\": true}");
  std::fflush(stdout);
  pid_t child = -1;
  while (true) {
    const Received received = receive();
    end(child);
    if (!received.open) return 0;
    if (received.descriptor < 0) continue;
    child = fork();
    if (child == 0) serve(received.descriptor, memory_bytes, filter, watch);
    close(received.descriptor);
  }
}

}  // namespace trl::runtime

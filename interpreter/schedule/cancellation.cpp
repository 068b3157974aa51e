#include "interpreter/schedule/cancellation.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

#include "base/support/error.hpp"

namespace trl::interpreter {

Cancellation::Cancellation(const Interrupt& interrupt)
    : interrupt_(interrupt), event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) throw UserError("no event can be made: too many files are open", "Raise `ulimit -n`.");
}

Cancellation::~Cancellation() { ::close(event_); }

void Cancellation::request() { ::eventfd_write(event_, 1); }

bool Cancellation::requested() const {
  pollfd asked{event_, POLLIN, 0};
  return interrupt_.requested() || ::poll(&asked, 1, 0) > 0;
}

}  // namespace trl::interpreter

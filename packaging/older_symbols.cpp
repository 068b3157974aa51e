// Replacements for functions of glibc and libstdc++ that are too new for older machines: they call the
// versions that those machines have. The linker sends calls of `hypot` to `__wrap_hypot` (--wrap, in
// CMakeLists.txt), so nothing has to be compiled differently. packaging/scripts/floor says which functions
// are too new.
#include <sys/random.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses these names.
extern "C" {

// glibc 2.35 gave these functions a new symbol version. These are the older ones, with the same values.
double trl_older_hypot(double, double);
float trl_older_hypotf(float, float);
__asm__(".symver trl_older_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver trl_older_hypotf, hypotf@GLIBC_2.2.5");

double __wrap_hypot(double x, double y) { return trl_older_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return trl_older_hypotf(x, y); }

// GCC 12's libstdc++ has a version that isn't noexcept. This is the older version, which is; the difference
// matters if waiting threads are cancelled.
void trl_older_wait(std::condition_variable*, std::unique_lock<std::mutex>*);
__asm__(".symver trl_older_wait, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");

void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(std::condition_variable* condition,
                                                                      std::unique_lock<std::mutex>* lock) {
  trl_older_wait(condition, lock);
}

// glibc 2.36 has this function; LLVM names temporary files with it.
std::uint32_t __wrap_arc4random() {
  std::uint32_t number = 0;
  while (::getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

#include "verifier/kernel_check/names.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace trl::kernel_check {

const std::vector<std::string_view>& known_headers() {
  static const std::vector<std::string_view> all = {"torch/extension.h",
                                                    "torch/torch.h",
                                                    "torch/types.h",
                                                    "torch/library.h",
                                                    "torch/all.h",
                                                    "torch/script.h",
                                                    "torch/csrc/inductor/aoti_torch/c/shim.h",
                                                    "ATen/ATen.h",
                                                    "ATen/Dispatch.h",
                                                    "ATen/AccumulateType.h",
                                                    "ATen/OpMathType.h",
                                                    "ATen/core/Tensor.h",
                                                    "ATen/cuda/CUDAContext.h",
                                                    "ATen/cuda/CUDAContextLight.h",
                                                    "ATen/cuda/Exceptions.h",
                                                    "ATen/cuda/Atomic.cuh",
                                                    "ATen/cuda/CUDAUtils.h",
                                                    "ATen/cuda/DeviceUtils.cuh",
                                                    "c10/cuda/CUDAException.h",
                                                    "c10/cuda/CUDAGuard.h",
                                                    "c10/cuda/CUDAStream.h",
                                                    "c10/cuda/CUDAFunctions.h",
                                                    "c10/cuda/CUDAMathCompat.h",
                                                    "c10/util/Half.h",
                                                    "c10/util/BFloat16.h",
                                                    "c10/util/Exception.h",
                                                    "c10/util/Optional.h",
                                                    "c10/util/ArrayRef.h",
                                                    "c10/macros/Macros.h",
                                                    "c10/core/ScalarType.h",
                                                    "pybind11/pybind11.h",
                                                    "pybind11/stl.h",
                                                    "pybind11/numpy.h",
                                                    "Python.h",
                                                    "cuda.h",
                                                    "cuda_runtime.h",
                                                    "cuda_runtime_api.h",
                                                    "device_launch_parameters.h",
                                                    "cuda_fp16.h",
                                                    "cuda_fp16.hpp",
                                                    "cuda_bf16.h",
                                                    "cuda_bf16.hpp",
                                                    "math_constants.h",
                                                    "math_functions.h",
                                                    "vector_types.h",
                                                    "vector_functions.h",
                                                    "device_functions.h",
                                                    "device_atomic_functions.h",
                                                    "sm_30_intrinsics.h",
                                                    "cuda_pipeline.h",
                                                    "cuda_pipeline_primitives.h",
                                                    "builtin_types.h",
                                                    "host_defines.h",
                                                    "driver_types.h",
                                                    "cooperative_groups.h",
                                                    "cooperative_groups/reduce.h",
                                                    "cooperative_groups/memcpy_async.h",
                                                    "cooperative_groups/scan.h",
                                                    "mma.h",
                                                    "cub/cub.cuh",
                                                    "cub/block/block_reduce.cuh",
                                                    "cub/block/block_scan.cuh",
                                                    "cub/warp/warp_reduce.cuh",
                                                    "crt/device_functions.h",
                                                    "library_types.h",
                                                    "cuda_device_runtime_api.h",
                                                    "algorithm",
                                                    "array",
                                                    "cassert",
                                                    "cfloat",
                                                    "climits",
                                                    "cmath",
                                                    "complex",
                                                    "cstddef",
                                                    "cstdint",
                                                    "cstdio",
                                                    "cstdlib",
                                                    "cstring",
                                                    "exception",
                                                    "functional",
                                                    "initializer_list",
                                                    "iostream",
                                                    "iterator",
                                                    "limits",
                                                    "memory",
                                                    "numeric",
                                                    "optional",
                                                    "ostream",
                                                    "sstream",
                                                    "stdexcept",
                                                    "string",
                                                    "string_view",
                                                    "tuple",
                                                    "type_traits",
                                                    "utility",
                                                    "vector",
                                                    "map",
                                                    "unordered_map",
                                                    "set",
                                                    "iomanip",
                                                    "numbers",
                                                    "bit",
                                                    "new",
                                                    "assert.h",
                                                    "float.h",
                                                    "limits.h",
                                                    "math.h",
                                                    "stddef.h",
                                                    "stdint.h",
                                                    "stdio.h",
                                                    "stdlib.h",
                                                    "string.h"};
  return all;
}

const char* forbidden_header(std::string_view name) {
  struct Group {
    const char* why;
    std::initializer_list<std::string_view> names;
  };
  static const std::array<Group, 6> groups = {{
      {"opens files",
       {"fstream", "filesystem", "fcntl.h", "cstdio_ext", "dirent.h", "sys/stat.h", "sys/mman.h"}},
      {"starts processes or reaches the system",
       {"unistd.h", "sys/wait.h", "sys/types.h", "spawn.h", "signal.h", "csignal", "sys/ptrace.h",
        "sys/syscall.h", "sys/prctl.h", "sys/resource.h", "pwd.h", "setjmp.h", "csetjmp"}},
      {"loads code", {"dlfcn.h", "link.h", "elf.h", "nvrtc.h"}},
      {"reaches the network", {"sys/socket.h", "netinet/in.h", "arpa/inet.h", "netdb.h", "curl/curl.h"}},
      {"starts threads",
       {"thread", "mutex", "atomic", "future", "condition_variable", "pthread.h", "semaphore.h", "omp.h"}},
      {"measures time", {"chrono", "ctime", "time.h", "sys/time.h"}},
  }};
  for (const Group& group : groups)
    if (std::find(group.names.begin(), group.names.end(), name) != group.names.end()) return group.why;
  if (name.substr(0, 1) == "/" || name.find("..") != std::string_view::npos)
    return "names a file of the machine";
  if (name.substr(0, 6) == "linux/" || name.substr(0, 4) == "sys/" || name.substr(0, 4) == "asm/")
    return "reaches the system";
  if (name.substr(0, 6) == "cublas" || name.substr(0, 5) == "cudnn" || name.substr(0, 8) == "cusparse" ||
      name.substr(0, 8) == "cusolver" || name.substr(0, 5) == "cufft" || name.substr(0, 6) == "curand" ||
      name.substr(0, 7) == "thrust/")
    return "computes by a library instead of a kernel of the candidate";
  return nullptr;
}

bool device_library(std::string_view name) {
  for (std::string_view folder : {"cub/", "cuda/", "cute/", "cutlass/", "nv/"})
    if (name.substr(0, folder.size()) == folder) return true;
  return name.substr(0, 5) == "cuda_" || name.substr(0, 3) == "sm_";
}

bool framework_header(std::string_view name) {
  for (std::string_view folder : {"ATen/", "c10/", "torch/", "pybind11/"})
    if (name.substr(0, folder.size()) == folder) return true;
  return false;
}

bool forbidden_function(std::string_view name) {
  static const auto names = [] {
    std::vector<std::string_view> all = {
        // files
        "fopen", "fopen64", "freopen", "fdopen", "fread", "fwrite", "fclose", "fseek", "fscanf", "scanf",
        "fgets", "fgetc", "getline", "open", "open64", "openat", "creat", "read", "write", "pread", "pwrite",
        "close", "unlink", "remove", "rename", "mkdir", "rmdir", "chdir", "chmod", "stat", "opendir",
        "readdir", "mmap", "mmap64", "munmap", "mprotect", "ioctl", "tmpfile", "tmpnam", "mkstemp",
        "ifstream", "ofstream", "fstream", "filesystem", "dup", "dup2", "pipe", "poll", "select",
        "epoll_create", "memfd_create", "shm_open",
        // processes
        "system", "popen", "pclose", "fork", "vfork", "clone", "execl", "execle", "execlp", "execv", "execve",
        "execvp", "execvpe", "posix_spawn", "posix_spawnp", "kill", "raise", "waitpid", "wait", "ptrace",
        "prctl", "syscall", "_exit", "_Exit", "quick_exit", "atexit", "at_quick_exit", "on_exit", "signal",
        "sigaction", "alarm", "setitimer", "getenv", "setenv", "putenv", "unsetenv", "secure_getenv",
        "environ", "getpid", "getppid", "setuid", "nice", "setjmp", "longjmp", "backtrace",
        "process_vm_readv", "process_vm_writev",
        // libraries
        "dlopen", "dlsym", "dlmopen", "dladdr", "dl_iterate_phdr", "cuModuleLoad", "cuModuleLoadData",
        "cuModuleGetFunction", "cuLibraryLoadData", "cuGetProcAddress", "nvrtcCompileProgram",
        "nvrtcCreateProgram",
        // network
        "socket", "connect", "bind", "listen", "accept", "send", "sendto", "recv", "recvfrom",
        "gethostbyname", "getaddrinfo",
        // threads and clocks
        "thread", "jthread", "async", "mutex", "pthread_create", "pthread_self", "pthread_mutex_lock",
        "sem_open", "sleep", "usleep", "nanosleep", "sched_yield", "chrono", "clock_gettime", "gettimeofday",
        "time", "this_thread",
        // another device's or process's memory
        "cudaIpcGetMemHandle", "cudaIpcOpenMemHandle", "cudaHostRegister", "cudaLaunchHostFunc",
        "cudaStreamAddCallback", "cudaDeviceReset", "cudaProfilerStart",
        // Python
        "PyRun_SimpleString", "PyRun_String", "PyImport_ImportModule", "PyEval_GetGlobals"};
    std::sort(all.begin(), all.end());
    return all;
  }();
  if (name.substr(0, 2) == "::") name.remove_prefix(2);
  return std::binary_search(names.begin(), names.end(), name);
}

}  // namespace trl::kernel_check

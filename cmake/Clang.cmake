# libclang-cpp and libLLVM 16, one dynamic library each (Debian: libclang-16-dev, llvm-16-dev). Clang's own
# package file isn't used, since it requires all of its tools and static libraries.
find_path(CLANG_INCLUDE clang/Frontend/CompilerInstance.h PATHS /usr/lib/llvm-16/include NO_DEFAULT_PATH)
find_library(CLANG_CPP_LIBRARY NAMES clang-cpp libclang-cpp.so.16 PATHS /usr/lib/llvm-16/lib NO_DEFAULT_PATH)
find_library(LLVM_LIBRARY NAMES LLVM-16 PATHS /usr/lib/llvm-16/lib NO_DEFAULT_PATH)
if(NOT CLANG_INCLUDE OR NOT CLANG_CPP_LIBRARY OR NOT LLVM_LIBRARY)
  message(FATAL_ERROR "trl-kernel-check needs Clang 16 as a library. On Debian, run: apt-get install libclang-16-dev llvm-16-dev")
endif()
add_library(libclang INTERFACE)
target_include_directories(libclang SYSTEM INTERFACE ${CLANG_INCLUDE})
target_compile_definitions(libclang INTERFACE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_link_libraries(libclang INTERFACE ${CLANG_CPP_LIBRARY} ${LLVM_LIBRARY})

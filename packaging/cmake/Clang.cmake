# Clang and LLVM 16 as static libraries (Debian: libclang-16-dev, llvm-16-dev, and the packages that
# LLVM's own functions need: zlib1g-dev, libzstd-dev, libtinfo-dev). They are linked statically so
# that trl-kernel-check runs on machines without Clang, and so that only the parts it uses are
# loaded. Clang's own CMake package isn't used, since it requires all of Clang's tools.
find_path(CLANG_INCLUDE clang/Frontend/CompilerInstance.h PATHS /usr/lib/llvm-16/include NO_DEFAULT_PATH)
find_program(LLVM_CONFIG llvm-config PATHS /usr/lib/llvm-16/bin NO_DEFAULT_PATH)
if(NOT CLANG_INCLUDE OR NOT LLVM_CONFIG OR NOT EXISTS /usr/lib/llvm-16/lib/libclangBasic.a)
  message(FATAL_ERROR "trl-kernel-check needs Clang 16 as a library. On Debian, run: apt-get install libclang-16-dev llvm-16-dev")
endif()
# The components' libraries, each before the libraries that it uses.
execute_process(
  COMMAND ${LLVM_CONFIG} --link-static --libs x86 passes coverage lto frontendhlsl frontendopenmp irreader option
  OUTPUT_VARIABLE llvm_libraries OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_libraries)
# Debian's Clang refers to Polly. kernel_check/no_polly.cpp stands in for it.
list(REMOVE_ITEM llvm_libraries -lPolly -lPollyISL)
foreach(name z zstd tinfo)
  find_library(STATIC_${name} lib${name}.a)
  if(NOT STATIC_${name})
    message(FATAL_ERROR "trl-kernel-check needs lib${name}.a. On Debian, run: apt-get install zlib1g-dev libzstd-dev libncurses-dev")
  endif()
endforeach()
find_package(Threads REQUIRED)

add_library(libclang INTERFACE)
target_include_directories(libclang SYSTEM INTERFACE ${CLANG_INCLUDE})
target_compile_definitions(libclang INTERFACE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_link_directories(libclang INTERFACE /usr/lib/llvm-16/lib)
target_link_libraries(libclang INTERFACE
  clangFrontend clangCodeGen clangDriver clangParse clangSerialization clangSema clangAnalysis clangEdit clangAST clangASTMatchers
  clangSupport clangLex clangBasic ${llvm_libraries} ${STATIC_z} ${STATIC_zstd} ${STATIC_tinfo} trl_older_symbols ${CMAKE_DL_LIBS} Threads::Threads)
target_link_options(libclang INTERFACE -Wl,--gc-sections)

# Imports libtorch from a Python environment's torch package as the target `libtorch`.
#
# torch's own CMake package requires a CUDA toolkit if the wheel was built with CUDA. The worker only links the CPU
# libraries and loads libtorch_cuda.so at run time when a GPU is used, so it builds and starts without one.
#
# TRL_PYTHON names the Python whose torch is used.

if(NOT TORCH_ROOT)
  execute_process(
    COMMAND ${TRL_PYTHON} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE TORCH_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "No torch in ${TRL_PYTHON}. Run ./trl once, or configure with -DTRL_RUNTIME=OFF.")
  endif()
  set(TORCH_ROOT ${TORCH_ROOT} CACHE PATH "The torch package's folder")
endif()

# libtorch.so isn't linked, since it needs libtorch_cuda.so.
add_library(libtorch INTERFACE)
target_include_directories(libtorch SYSTEM INTERFACE
  ${TORCH_ROOT}/include ${TORCH_ROOT}/include/torch/csrc/api/include)
# torch's folder contains headers of another version of fmt than the project's, so the project's
# headers must be found first.
find_path(FMT_INCLUDE fmt/format.h NO_CACHE REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
file(CREATE_LINK ${FMT_INCLUDE}/fmt ${CMAKE_BINARY_DIR}/include/fmt SYMBOLIC)
target_include_directories(libtorch INTERFACE ${CMAKE_BINARY_DIR}/include)
# The libraries are linked by their paths. So CMake gives programs in the build folder an rpath to
# them, and installed programs another one.
target_link_libraries(libtorch INTERFACE ${TORCH_ROOT}/lib/libtorch_cpu.so ${TORCH_ROOT}/lib/libc10.so trl_older_symbols)
target_link_options(libtorch INTERFACE -Wl,--allow-shlib-undefined -Wl,--no-as-needed)

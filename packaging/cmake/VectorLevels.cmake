# Compiles the loops once for each level of vector instructions: kernels_v2.cpp, kernels_v3.cpp and
# kernels_v4.cpp of the current folder. kernels.cpp chooses one of them at run time.
function(vector_levels)
  foreach(level v2 v3 v4)
    set(options "-O3;-ffp-contract=fast;-fno-math-errno;-fno-trapping-math;-Wno-psabi")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      list(PREPEND options -march=x86-64-${level})
    endif()
    if(level STREQUAL "v4")
      list(APPEND options -mprefer-vector-width=512)
    endif()
    set_source_files_properties(kernels_${level}.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "${options}")
  endforeach()
endfunction()

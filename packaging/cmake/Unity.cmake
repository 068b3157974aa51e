# Compiles the files of one folder together. A target's files of a folder are divided into groups of on average at most
# TRL_UNITY files, and each group is one translation unit. That takes about half of the time, since most of the time of
# compiling a single file goes into its headers. As a consequence, the files of a folder share the names in anonymous
# namespaces. A file with its own compile options is compiled alone. -DCMAKE_UNITY_BUILD=OFF compiles each file alone,
# which tools that read compile_commands.json prefer.
#
# Groups of 8 are best for changing a file and building again. Building everything takes a third less time in groups of
# 32, which also find functions that two files of a folder define. Tests keep groups of 8: their helpers have short names.
#
# A file's group is found by a digest of its name, and the number of groups is a power of two. So a new file leaves the
# other files in their groups, unless it doubles the number of groups. CMake's own batches follow the order of the files,
# so every batch after a new file would be compiled again.
set(TRL_UNITY 8 CACHE STRING "Files of a folder that are compiled together, at most, in the mean")

function(unity_groups folder)
  set(most ${TRL_UNITY})
  if(folder MATCHES "^${CMAKE_SOURCE_DIR}/tests")
    set(most 8)
  endif()
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(STATIC_LIBRARY|SHARED_LIBRARY|EXECUTABLE|OBJECT_LIBRARY)$")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    set(files "")
    set(parents "")
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
      cmake_path(GET source PARENT_PATH parent)
      list(APPEND files ${source})
      list(APPEND parents ${parent})
    endforeach()
    list(LENGTH files count)
    foreach(source parent IN ZIP_LISTS files parents)
      set(elsewhere ${parents})
      list(REMOVE_ITEM elsewhere ${parent})
      list(LENGTH elsewhere others)
      math(EXPR whole "(${count} - ${others} + ${most} - 1) / ${most}")
      set(groups 1)
      while(groups LESS whole)
        math(EXPR groups "${groups} * 2")
      endwhile()
      cmake_path(GET source FILENAME digest)
      string(MD5 digest ${digest})
      string(SUBSTRING ${digest} 0 6 digest)
      math(EXPR number "0x${digest} % ${groups}")
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${parent})
      string(MAKE_C_IDENTIFIER "${name}" name)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${name}_${number})
    endforeach()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    unity_groups(${inner})
  endforeach()
endfunction()

# For the build to WebAssembly (editors/web): the machine's header libraries without the machine's
# own C library. All of them lie in one folder with the C library's headers, which must not be found
# beside Emscripten's. So a folder of links to the header libraries alone is used.
set(WEB_HEADERS ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${WEB_HEADERS})
foreach(library nlohmann/json.hpp fmt/format.h tao/pegtl.hpp boost/math/distributions.hpp)
  cmake_path(GET library PARENT_PATH folder)
  string(REGEX REPLACE "/.*" "" folder ${library})
  find_path(WEB_${folder} ${library} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${WEB_${folder}}/${folder} ${WEB_HEADERS}/${folder} SYMBOLIC)
endforeach()
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
set_target_properties(nlohmann_json::nlohmann_json PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${WEB_HEADERS})
add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
set_target_properties(Boost::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${WEB_HEADERS})

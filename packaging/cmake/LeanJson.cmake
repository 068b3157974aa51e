# Makes a copy of <nlohmann/json.hpp> without the bodies of its literals, `"…"_json` and
# `"…"_json_pointer`. They are ordinary inline functions that call the parser, so GCC would compile
# the whole parser in every file that includes the header, which takes 0.4 to 1.5 s each time.
# base/headers/json.cpp has the bodies. If the bodies aren't found in the header, it is used as it
# is.
get_target_property(json_folders nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
find_file(JSON_HEADER nlohmann/json.hpp HINTS ${json_folders} REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${JSON_HEADER})
file(READ ${JSON_HEADER} json_text)
string(REGEX REPLACE
  "(operator *\"\" *_json(_pointer)?\\(const char ?\\* s, (std::)?size_t n\\))[ \n]*{[^{}]*}" "\\1;" lean_json "${json_text}")
set(LEAN_JSON ${CMAKE_BINARY_DIR}/lean_json)
if(NOT lean_json STREQUAL json_text)
  string(REPLACE "inline nlohmann::json operator" "nlohmann::json operator" lean_json "${lean_json}")
  string(REPLACE "inline nlohmann::json::json_pointer operator" "nlohmann::json::json_pointer operator" lean_json "${lean_json}")
  set(TRL_LEAN_JSON TRL_LEAN_JSON)
endif()
file(CONFIGURE OUTPUT ${LEAN_JSON}/nlohmann/json.hpp CONTENT "${lean_json}" @ONLY)

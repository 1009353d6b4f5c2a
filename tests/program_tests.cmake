# Tests of the programs as a user runs them, one line each.
add_test(NAME style.format COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/style/check_format.sh)
set_tests_properties(style.format PROPERTIES LABELS style TIMEOUT 60)
add_test(NAME style.tidy COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/style/check_tidy.sh ${PROJECT_BINARY_DIR})
set_tests_properties(style.tidy PROPERTIES LABELS "style;slow" TIMEOUT 1200)
hiple_pytest(program.install program/test_install.py LABEL slow)
add_subdirectory(program/decisions_file)
add_subdirectory(program/law_differential)

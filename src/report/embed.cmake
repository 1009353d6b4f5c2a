# Writes the files of page/ as literals: cmake -DFOLDER=page -DOUT=page_parts.cpp -P embed.cmake
set(source "#include \"report/page_parts.hpp\"\n\nnamespace hiple::report {\n\n")
foreach(part frame.html style.css script.js)
  file(READ ${FOLDER}/${part} text)
  get_filename_component(name ${part} NAME_WE)
  string(APPEND source "const std::string_view page_${name} = R\"of_the_page(${text})of_the_page\";\n\n")
endforeach()
file(WRITE ${OUT} "${source}}  // namespace hiple::report\n")

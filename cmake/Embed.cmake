# cmake -DFILES=a.kif|b.kif -DTABLE=alea_shipped_file -DHEADER=match/shipped.h
#   -DOUT=shipped_games.c -P Embed.cmake
# Writes the files as C arrays and a table TABLEs of them, sorted by name, which HEADER declares.
string(REPLACE "|" ";" files "${FILES}")
# By name, not by file: `hex` comes before `hex-small`, though '-' is before '.'.
set(names "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WLE)
  list(APPEND names ${name})
  set(file_of_${name} ${file})
endforeach()
list(SORT names)
set(arrays "")
set(rows "")
set(count 0)
foreach(name IN LISTS names)
  set(file ${file_of_${name}})
  get_filename_component(base ${file} NAME)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n"
         bytes "${bytes}")
  string(APPEND arrays "static const unsigned char file_${count}[] = {\n${bytes}0x00};\n")
  string(APPEND rows "    {\"${name}\", \"${base}\", file_${count}, ${length}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT}.new "/* Made by cmake/Embed.cmake. */
#include \"${HEADER}\"

${arrays}
const alea_shipped_file ${TABLE}s[] = {
${rows}    {0, 0, 0, 0},
};
const size_t ${TABLE}_count = ${count};
")
file(RENAME ${OUT}.new ${OUT})

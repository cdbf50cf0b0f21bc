# Turns data files into one C file: cmake -DLIST=… -DFOLDER=… -DOUTPUT=… -P embed.cmake
# LIST names the files, one a line, seen from FOLDER (data/), in the order of the table.
file(STRINGS ${LIST} names)
set(arrays "")
set(rows "")
set(number 0)
foreach(name IN LISTS names)
    file(READ ${FOLDER}/${name} bytes HEX)
    string(LENGTH "${bytes}" length)
    math(EXPR length "${length} / 2")
    # 20 bytes a line; the closing NUL makes it a text.
    string(REGEX REPLACE "(........................................)" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "\\.yaml$" "" entry ${name})
    string(APPEND arrays "static const unsigned char data_${number}[] = {\n    ${bytes}0};\n\n")
    string(APPEND rows
        "    {\"${entry}\", \"data/${name}\", (const char *)data_${number}, ${length}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/embed.cmake from data/.
#include \"file/catalogue.h\"

${arrays}const ib_DataFile ib_data_files[] = {\n${rows}    {NULL, NULL, NULL, 0},\n};\n")

# Writes the commit that is built into a C file, anew only when it has changed: cmake -DFOLDER=… -DOUTPUT=… -P commit.cmake
# Without git, or outside a checkout, the text is empty.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${FOLDER}/.git)
    execute_process(COMMAND ${GIT} -C ${FOLDER} describe --always --dirty --abbrev=10 --exclude=*
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Made by cmake/commit.cmake.
extern const char built_commit[];
const char built_commit[] = \"${commit}\";
")

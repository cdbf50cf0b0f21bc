// design/export/export_library.c: writes library.properties and library.json, which make the folder
// of an exported loop a library of the Arduino IDE and of PlatformIO. docs/design/export.md
#include "design/export/export_text.h"

// The architectures with a double of 64 bits.
static const char *const arduino_double = "sam,samd,mbed,mbed_nano,mbed_portenta,mbed_rp2040,"
                                          "renesas_uno,renesas_portenta,rp2040,esp32,esp8266,"
                                          "STM32,stm32,teensy";
static const char *const platformio_double =
    "[\"atmelsam\", \"espressif32\", \"espressif8266\", \"nordicnrf52\", \"raspberrypi\", "
    "\"renesas-ra\", \"ststm32\", \"teensy\", \"native\"]";

// The name of a library begins with a letter or a digit; one in C may begin with '_'.
static const char *library_name(const ib_Export *out)
{
    const char *name = out->name;
    while (*name == '_') name++;
    return *name ? name : "loop";
}

void ib_export_properties(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file)
{
    ib_Export out = ib__export_start(loop, options, file);
    fprintf(file, "# written by Ironbird\nname=%s\n", library_name(&out));
    ib__export_text(&out, "version=1.0.0\n"
                          "author=Ironbird\n"
                          "maintainer=Ironbird\n"
                          "sentence=The controller $, designed and exported by Ironbird.\n"
                          "paragraph=A sampled loop in plain C99: no heap, no library. How to call "
                          "it is in src/$.h; its test and its plug-in are in extras.\n"
                          "category=Device Control\n"
                          "url=\n"
                          "includes=$.h\n");
    fprintf(file, "architectures=%s\n", out.single ? "*" : arduino_double);
}

void ib_export_manifest(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file)
{
    ib_Export out = ib__export_start(loop, options, file);
    fprintf(file, "{\n  \"name\": \"%s\",\n", library_name(&out));
    ib__export_text(&out, "  \"version\": \"1.0.0\",\n"
                          "  \"description\": \"The controller $, written by Ironbird\",\n"
                          "  \"keywords\": \"control, state-space\",\n"
                          "  \"authors\": {\"name\": \"Ironbird\"},\n"
                          "  \"frameworks\": \"*\",\n");
    fprintf(file, "  \"platforms\": %s,\n", out.single ? "\"*\"" : platformio_double);
    ib__export_text(&out, "  \"headers\": \"$.h\",\n"
                          "  \"build\": {\"srcDir\": \"src\", \"includeDir\": \"src\", \"flags\": "
                          "\"-ffp-contract=off\"}\n}\n");
}

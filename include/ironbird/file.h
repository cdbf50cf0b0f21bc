// ironbird/file.h: everything public of src/file.
#ifndef IRONBIRD_FILE_H
#define IRONBIRD_FILE_H

#include "file/catalogue.h"
#include "file/contents.h"
#include "file/diagnostics.h"
#include "file/node.h"
#include "file/reader.h"
#include "file/tree_cache.h"
#include "file/yaml.h"

#endif

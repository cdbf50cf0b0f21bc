// file/yaml.c: the only file that knows the YAML library. It reads events, not documents.
#include "file/yaml.h"

#include "base/quote.h"
#include "base/status.h"
#include "file/contents.h"

#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

typedef struct Builder {
    const char *file;
    const char *text; // the library's input
    size_t length;
    ib_Arena *arena;
    ib_Diagnostics *diagnostics;
    ib_Node *root;
    ib_Node *stack[IB_YAML_MAX_DEPTH]; // open maps and lists, outermost first
    int depth;
    int nodes;
    int documents;
    const char *key; // read, its value comes next
    ib_Place key_place;
    bool key_refused;    // its value is read, but not kept
    bool second;         // another document has begun, its first token comes next
    ib_Place last_place; // of the last token seen
    bool stop;           // the reading ends here
    bool broken;         // the tree is incomplete
} Builder;

static void refuse(Builder *builder, ib_Place place, const char *text)
{
    ib_diagnostics_add(builder->diagnostics, place, "%s", text);
}

static void stop(Builder *builder, ib_Place place, const char *text)
{
    refuse(builder, place, text);
    builder->stop = builder->broken = true;
}

// The start of a token, quotes included; of an empty value, the end of the last token.
static ib_Place token_place(const Builder *builder, struct fy_token *token)
{
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    if (!mark && builder->key) return builder->key_place;
    if (!mark && builder->depth) return builder->stack[builder->depth - 1]->place;
    if (!mark) return (ib_Place){builder->file, 1, 1};

    enum fy_scalar_style style = fy_token_scalar_style(token);
    bool quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    return (ib_Place){builder->file, mark->line + 1, mark->column + (quoted ? 0 : 1)};
}

// ---------------------------------------------------------------------------------------- the tree

static bool awaits_key(const Builder *builder)
{
    return builder->depth && builder->stack[builder->depth - 1]->type == IB_NODE_MAP &&
           !builder->key;
}

// True if the entry is kept; values of refused or repeated keys are read but not kept.
static bool take_entry(Builder *builder, ib_Node *parent, ib_Node *node)
{
    node->key = builder->key;
    node->key_place = builder->key_place;
    builder->key = NULL;
    const ib_Node *first = ib_node_get(parent, node->key);
    if (builder->key_refused) {
        parent->refused = true; // its content is unknown
    } else if (first) {
        ib_diagnostics_add(builder->diagnostics, node->key_place,
                           "duplicate key '%s': it is already given at line %d",
                           ib_quote(node->key).text, first->key_place.line);
    } else if (parent->count >= IB_YAML_MAX_KEYS) {
        stop(builder, node->key_place, "more than 1000 keys in one map");
    } else {
        return true;
    }
    return false;
}

// Puts a new node at its place in the tree.
static void attach(Builder *builder, ib_Node *node)
{
    if (builder->depth == 0) {
        builder->root = node;
        return;
    }
    ib_Node *parent = builder->stack[builder->depth - 1];
    if (parent->type == IB_NODE_LIST || take_entry(builder, parent, node))
        ib_node_append(parent, node);
}

static bool count_node(Builder *builder, ib_Place place)
{
    if (++builder->nodes > IB_YAML_MAX_NODES)
        stop(builder, place, "more than 100000 keys and values in one file");
    return !builder->stop;
}

// The library's marks of anchors and aliases begin behind their sign.
static ib_Place sign_place(const Builder *builder, struct fy_token *token)
{
    ib_Place place = token_place(builder, token);
    if (place.column > 1) place.column--;
    return place;
}

static void refuse_extras(Builder *builder, struct fy_token *anchor, struct fy_token *tag)
{
    if (anchor)
        refuse(builder, sign_place(builder, anchor),
               "an anchor (&): not allowed, write the value where it is needed");
    if (tag)
        refuse(builder, token_place(builder, tag), "a tag (!): not allowed, write the plain value");
}

static void take_key(Builder *builder, const char *text, ib_Place place, bool quoted, bool refused)
{
    bool merge = !quoted && strcmp(text, "<<") == 0, empty = text[0] == '\0';
    if (merge && !refused)
        refuse(builder, place, "a merge key (<<): not allowed, write the values out");
    if (empty && !refused) refuse(builder, place, "an empty key: expected a name before the ':'");
    builder->key = text;
    builder->key_place = place;
    builder->key_refused = refused || merge || empty;
}

// Takes a text as a key or as a value, whichever comes next.
static void take_text(Builder *builder, const char *text, ib_Place place, bool quoted, bool refused)
{
    if (text && awaits_key(builder)) {
        take_key(builder, text, place, quoted, refused);
        return;
    }
    ib_Node *node = text ? ib_node_create(builder->arena, IB_NODE_SCALAR, NULL, place) : NULL;
    if (!node) {
        stop(builder, place, "out of memory");
        return;
    }
    node->text = text;
    node->quoted = quoted;
    node->refused = refused;
    attach(builder, node);
}

// ------------------------------------------------------------------------------------------ events

// Copies the text of a token, its escapes resolved, to `text` (NULL: only counts); returns its
// length, counted no further than one beyond the limit.
static size_t token_copy(const Builder *builder, struct fy_token *token, char *text)
{
    // The library (0.7.12) returns too many quotes for consecutive quoted quotes, and its
    // fy_token_get_text leaks memory: they are read from the source.
    if (token && fy_token_scalar_style(token) == FYSS_SINGLE_QUOTED) {
        size_t start = fy_token_start_mark(token)->input_pos;
        size_t end = fy_token_end_mark(token)->input_pos;
        IB_ASSERT(start <= end && end <= builder->length);
        return ib_contents_unquote(builder->text + start, end - start, text);
    }
    struct fy_token_iter *iterator = token ? fy_token_iter_create(token) : NULL;
    const struct fy_iter_chunk *chunk = NULL;
    size_t length = 0;
    int error = 0;
    while (iterator && length <= IB_YAML_MAX_SCALAR &&
           (chunk = fy_token_iter_chunk_next(iterator, chunk, &error))) {
        if (text) memcpy(text + length, chunk->str, chunk->len);
        length += chunk->len;
    }
    if (iterator) fy_token_iter_destroy(iterator);
    return length;
}

static void take_scalar(Builder *builder, struct fy_token *token, struct fy_token *anchor,
                        struct fy_token *tag)
{
    ib_Place place = token_place(builder, token);
    refuse_extras(builder, anchor, tag);
    if (!count_node(builder, place)) return;

    size_t length = token_copy(builder, token, NULL);
    if (length > IB_YAML_MAX_SCALAR) {
        stop(builder, place, "more than 64 KiB in one value");
        return;
    }
    char *copy = ib_arena_alloc(builder->arena, length + 1);
    if (copy) token_copy(builder, token, copy);
    bool zero = copy && memchr(copy, '\0', length);
    if (zero) refuse(builder, place, "a NUL character in a text");
    bool quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
    take_text(builder, copy, place, quoted, zero);
}

static void take_start(Builder *builder, ib_NodeType type, struct fy_token *token,
                       struct fy_token *anchor, struct fy_token *tag)
{
    ib_Place place = token_place(builder, token);
    refuse_extras(builder, anchor, tag);
    if (!count_node(builder, place)) return;
    if (awaits_key(builder)) {
        stop(builder, place, "a map or list as a key: expected a name");
        return;
    }
    if (builder->depth == IB_YAML_MAX_DEPTH) {
        stop(builder, place, "more than 64 maps and lists inside each other");
        return;
    }
    ib_Node *node = ib_node_create(builder->arena, type, NULL, place);
    if (!node) {
        stop(builder, place, "out of memory");
        return;
    }
    attach(builder, node);
    builder->stack[builder->depth++] = node;
}

static void take_alias(Builder *builder, struct fy_token *token)
{
    ib_Place place = sign_place(builder, token);
    refuse(builder, place, "an alias (*): not allowed, write the value where it is needed");
    if (count_node(builder, place)) take_text(builder, "", place, false, true);
}

// The first token of an event, or NULL if nothing was written.
static struct fy_token *event_token(const struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        return event->document_start.document_start;
    case FYET_DOCUMENT_END:
        return event->document_end.document_end;
    case FYET_MAPPING_START:
        return event->mapping_start.mapping_start;
    case FYET_SEQUENCE_START:
        return event->sequence_start.sequence_start;
    case FYET_SCALAR:
        return event->scalar.tag ? event->scalar.tag : event->scalar.value;
    default:
        return NULL;
    }
}

// A second document ends the reading: the first one is complete and is checked. Without "---" its
// place is that of its first token, which comes with the event after its start.
static void watch_documents(Builder *builder, const struct fy_event *event)
{
    struct fy_token *token = event_token(event);
    bool starts = event->type == FYET_DOCUMENT_START && ++builder->documents > 1;
    if (token) builder->last_place = token_place(builder, token);
    if (builder->second || (starts && token)) {
        refuse(builder, builder->last_place, "a second document: expected one scenario in a file");
        builder->stop = true;
    }
    builder->second = starts;
}

static void take_event(Builder *builder, struct fy_event *event)
{
    watch_documents(builder, event);
    if (builder->stop) return;
    switch (event->type) {
    case FYET_MAPPING_START:
        take_start(builder, IB_NODE_MAP, event->mapping_start.mapping_start,
                   event->mapping_start.anchor, event->mapping_start.tag);
        break;
    case FYET_SEQUENCE_START:
        take_start(builder, IB_NODE_LIST, event->sequence_start.sequence_start,
                   event->sequence_start.anchor, event->sequence_start.tag);
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        if (builder->depth) builder->depth--;
        break;
    case FYET_SCALAR:
        take_scalar(builder, event->scalar.value, event->scalar.anchor, event->scalar.tag);
        break;
    case FYET_ALIAS:
        take_alias(builder, event->alias.anchor);
        break;
    default:
        break;
    }
}

// ------------------------------------------------------------------------------------------ errors

// Messages of the library may not reach stderr.
static void discard(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static struct fy_diag *diag_create(void)
{
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.output_fn = discard;
    config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag) fy_diag_set_collect_errors(diag, true);
    return diag;
}

// Takes over the library's errors. At the end of the file with a bracket open, the bracket's place
// helps more than that of the end.
static void take_errors(Builder *builder, struct fy_diag *diag)
{
    void *at = NULL;
    int found = 0;
    for (struct fy_diag_error *error; (error = fy_diag_errors_iterate(diag, &at)); found++) {
        char text[200], open[80] = "";
        snprintf(text, sizeof text, "%s", error->msg ? error->msg : "");
        if (builder->depth > 1) {
            const ib_Node *node = builder->stack[builder->depth - 1];
            snprintf(open, sizeof open, ", in the %s that begins at %d:%d",
                     node->type == IB_NODE_MAP ? "map" : "list", node->place.line,
                     node->place.column);
        }
        ib_Place place = {builder->file, error->line, error->column};
        ib_diagnostics_add(builder->diagnostics, place, "not YAML: %s%s", text, open);
    }
    if (!found)
        refuse(builder, (ib_Place){builder->file, 1, 1}, "not YAML: the text cannot be parsed");
}

static void parse(Builder *builder)
{
    ib_Place top = {builder->file, 1, 1};
    struct fy_diag *diag = diag_create();
    struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DISABLE_MMAP_OPT | FYPCF_JSON_NONE |
                 FYPCF_DEFAULT_VERSION_1_2,
        .diag = diag,
    };
    struct fy_parser *parser = diag ? fy_parser_create(&config) : NULL;
    if (!parser || fy_parser_set_string(parser, builder->text, builder->length)) {
        stop(builder, top, "out of memory");
    } else {
        struct fy_event *event;
        while (!builder->stop && (event = fy_parser_parse(parser))) {
            take_event(builder, event);
            fy_parser_event_free(parser, event);
        }
        if (!builder->stop && fy_parser_get_stream_error(parser)) {
            take_errors(builder, diag);
            builder->broken = true;
        }
    }
    if (parser) fy_parser_destroy(parser);
    if (diag) fy_diag_destroy(diag);
}

ib_Node *ib_yaml_read(const char *file, const char *text, size_t length, ib_Arena *arena,
                      ib_Diagnostics *diagnostics)
{
    ib_Place top = {file, 1, 1};
    Builder builder = {.file = file, .arena = arena, .diagnostics = diagnostics, .last_place = top};

    size_t skip = ib_contents_mark(text, length);
    if (!ib_contents_check(file, text, length, diagnostics)) return NULL;

    // The library gets a copy with zeros behind it, so that reading too far finds an end.
    enum { PADDING = 64 };
    char *copy = ib_arena_alloc(arena, length - skip + PADDING);
    if (!copy) {
        refuse(&builder, top, "out of memory");
        return NULL;
    }
    memcpy(copy, text + skip, length - skip);
    builder.text = copy;
    builder.length = length - skip;
    if (builder.length) parse(&builder);
    if (builder.broken) return NULL;
    if (!builder.root)
        refuse(&builder, top,
               "empty: expected keys, such as robot and run of a scenario, plant and period of a "
               "design, or arm and path of a plan");
    return builder.root;
}

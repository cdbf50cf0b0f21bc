// base/word.h: the known word nearest to a misspelt one.
#ifndef IB_BASE_WORD_H
#define IB_BASE_WORD_H

// The word in `words` (NULL-terminated) that a person most likely meant by `word`, or NULL when
// none is near (edit distance at most 2, or a third of the word, and less than the whole word).
const char *ib_nearest_word(const char *word, const char *const *words);

// Slips of the pen between two words: letters missing, added, changed, or two neighbours swapped;
// upper and lower case count as equal. Words beyond 64 letters are infinitely far (INT_MAX).
int ib_word_distance(const char *a, const char *b);

// The words (NULL-terminated) in a sentence: "a, b, c"; cut after 800 bytes.
typedef struct ib_WordList {
    char text[800];
} ib_WordList;
ib_WordList ib_word_list(const char *const *words);

// The end of a message about an unknown word: "; did you mean 'b'?" behind the sign `lead`, ""
// where none of the words is near.
typedef struct ib_WordHint {
    char text[160];
} ib_WordHint;
ib_WordHint ib_word_hint(char lead, const char *word, const char *const *words);

#endif

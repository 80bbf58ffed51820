/* Fuzz target: the command line. The input is its words, a line each; what would run Lua or open
 * the workbench, and what names files elsewhere, is left out. scripts/fuzz calls main() so. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int tamis_main(int argc, char **argv);

enum { WORDS = 24 };

/* A folder with a small data set, and no terminal. */
static void begin(void)
{
    static const char data[] = "1 1:1 2:2\n-1 1:2 3:1\n1 2:1 3:3\n-1 1:-1 2:1\n";
    char folder[] = "/dev/shm/fuzz-command-XXXXXX";
    int nowhere = open("/dev/null", O_RDWR);
    FILE *file;
    if (nowhere < 0 || !mkdtemp(folder) || chdir(folder) != 0 || !(file = fopen("d.svm", "w")))
        abort();
    fputs(data, file);
    fclose(file);
    setenv("HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
}

static bool allowed(const char *first)
{
    static const char *const commands[] = {"fit",   "predict", "info",     "convert",
                                           "runs",  "report",  "methods",  "help",
                                           "learn", "--help",  "--version"};
    for (size_t k = 0; first && k < sizeof commands / sizeof *commands; k++)
        if (strcmp(first, commands[k]) == 0)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool begun;
    char *words[WORDS + 2] = {"tamis"}, *text = malloc(size + 1), *rest = text;
    int count = 1;
    if (!text)
        return 0;
    if (!begun)
        begin();
    begun = true;
    memcpy(text, bytes, size);
    text[size] = '\0';
    for (char *word; count <= WORDS && (word = strsep(&rest, "\n"));)
        words[count++] = word;
    words[count] = NULL;
    if (!strchr(text, '/') && count > 1 && allowed(words[1])) {
        bool apart = true;
        for (int k = 1; k < count; k++)
            apart = apart && !strchr(words[k], '/');
        if (apart)
            tamis_main(count, words);
    }
    free(text);
    return 0;
}

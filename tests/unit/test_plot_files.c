/* Figures as files: SVG, PNG, PDF, text and CSV. */
#include "plot_check.h"

#include <dirent.h>
#include <float.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/tamis-plot-XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    DIR *dir = opendir(directory);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (remove(path) != 0 && entry->d_name[0] != '.')
            print_error("%s is left\n", path);
    }
    closedir(dir);
    return rmdir(directory);
}

static void in_directory(const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", directory, name);
}

static size_t files_in_directory(void)
{
    size_t count = 0;
    DIR *dir = opendir(directory);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

/* Tags nest and close, attributes are quoted, no stray '<' or '&'. */
static void assert_well_formed(const char *xml)
{
    const char *open[64];
    size_t lengths[64], depth = 0, elements = 0;
    assert_memory_equal(xml, "<?xml ", 6);
    for (const char *c = strchr(xml, '>') + 1; *c; c++) {
        if (*c == '&')
            assert_true(!strncmp(c, "&amp;", 5) || !strncmp(c, "&lt;", 4) ||
                        !strncmp(c, "&gt;", 4) || !strncmp(c, "&quot;", 6));
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        if (*c != '<')
            continue;
        bool closing = c[1] == '/';
        const char *name = c + 1 + closing;
        size_t length = strcspn(name, " />\n");
        const char *end = name + length;
        for (bool quoted = false; *end != '>' || quoted; end++) {
            assert_true(*end && *end != '<');
            quoted ^= *end == '"';
        }
        elements++;
        if (closing) {
            assert_true(depth > 0);
            depth--;
            assert_true(lengths[depth] == length && !strncmp(open[depth], name, length));
        } else if (end[-1] != '/') {
            assert_true(depth < 64);
            open[depth] = name;
            lengths[depth++] = length;
        }
        c = end;
    }
    assert_int_equal(depth, 0);
    assert_true(elements > 3);
}

CHECK(svg_is_golden_and_repeatable)
{
    plot_figure *figure = gap_figure(), *again = gap_figure();
    char *one, *two;
    assert_int_equal(plot_svg(figure, 400, 260, &one, NULL), TM_OK);
    assert_int_equal(plot_svg(again, 400, 260, &two, NULL), TM_OK);
    assert_string_equal(one, two);
    assert_well_formed(one);
    assert_golden("gap.svg", one);
    free(one);
    free(two);
    plot_figure_free(figure);
    plot_figure_free(again);
}

/* Without colours, the series behind the others has its own marker too: a smaller dot. */
CHECK(faint_markers_are_smaller)
{
    plot_figure *figure = plot_figure_new();
    assert_non_null(figure);
    double x[] = {1, 2, 3}, y[] = {1, 3, 2}, z[] = {2, 1, 3}, faint = 0, named = 0;
    plot_curve before = {"before", PLOT_POINTS, x, y, 3, PLOT_FAINT};
    plot_curve now = {"now", PLOT_POINTS, x, z, 3, 0};
    assert_int_equal(plot_figure_add(figure, &before, NULL, NULL), TM_OK);
    assert_int_equal(plot_figure_add(figure, &now, NULL, NULL), TM_OK);
    char *svg;
    assert_int_equal(plot_svg(figure, 500, 300, &svg, NULL), TM_OK);
    for (const char *at = svg; (at = strstr(at, "<circle")); at++) {
        double radius = strtod(strstr(at, " r=\"") + 4, NULL);
        const char *end = strchr(at, '>'), *grey = strstr(at, "#b4b4b4");
        *(grey && grey < end ? &faint : &named) += radius;
    }
    assert_true(faint > 0);
    assert_true(faint < 0.7 * named);
    free(svg);
    plot_figure_free(figure);
}

CHECK(svg_escapes_text)
{
    plot_figure *figure = steps_figure();
    plot_figure_title(figure, "<b>&\"'\x01\xff \u65e5");
    plot_figure_labels(figure, "]]>", "&amp;");
    add(figure, "a<b", PLOT_LINE, (double[]){1}, (double[]){1}, 1);
    plot_figure_cursor(figure, 2);
    char *svg;
    assert_int_equal(plot_svg(figure, 500, 300, &svg, NULL), TM_OK);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "&lt;b&gt;&amp;&quot;'\ufffd\ufffd \u65e5"));
    assert_non_null(strstr(svg, "&amp;amp;"));
    assert_non_null(strstr(svg, ">a&lt;b<"));
    free(svg);
    plot_figure_free(figure);
}

CHECK(svg_of_any_size)
{
    plot_figure *figure = gap_figure();
    static const double sizes[] = {1, 2, 10, 50, 200, 2000, 20000};
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 7; j++) {
            char *svg;
            if (sizes[i] * sizes[j] > 5e6)
                continue;
            assert_int_equal(plot_svg(figure, sizes[i], sizes[j], &svg, NULL), TM_OK);
            assert_well_formed(svg);
            free(svg);
        }
    static const double wrong[] = {0, -1, NAN, INFINITY, 20001};
    for (size_t i = 0; i < 5; i++) {
        char *svg;
        tm_error err = TM_ERROR_INIT;
        assert_int_equal(plot_svg(figure, wrong[i], 100, &svg, &err), TM_EUSAGE);
        assert_null(svg);
    }
    plot_figure_free(figure);
}

/* Every double comes back from the CSV as itself. */
CHECK(csv_round_trips)
{
    double x[200], y[200];
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        do {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t bits = seed ^ seed >> 29;
            memcpy(&x[i], &bits, sizeof bits);
        } while (!isfinite(x[i]));
        y[i] = i == 0 ? DBL_MAX : i == 1 ? 5e-324 : i == 2 ? -0.0 : i == 3 ? 0.1 : x[i] / 3;
    }
    plot_figure *figure = plot_figure_new();
    add(figure, "r", PLOT_LINE, x, y, 200);
    char *csv;
    assert_int_equal(plot_csv(figure, &csv, NULL), TM_OK);
    const char *at = csv;
    assert_memory_equal(at, "series,x,y\n", 11);
    at += 11;
    for (int i = 0; i < 200; i++) {
        assert_memory_equal(at, "r,", 2);
        char *end;
        double back[2];
        back[0] = strtod(at + 2, &end);
        assert_int_equal(*end, ',');
        back[1] = strtod(end + 1, &end);
        assert_int_equal(*end, '\n');
        assert_memory_equal(&back[0], &x[i], sizeof x[i]);
        assert_memory_equal(&back[1], &y[i], sizeof y[i]);
        at = end + 1;
    }
    assert_int_equal(*at, 0);
    free(csv);
    plot_figure_free(figure);
}

/* A stroke at each point: in the file, in the limits of y, in the drawing. */
CHECK(strokes_show_the_spread)
{
    const double x[] = {1, 2, 3}, y[] = {1, 2, 1}, spread[] = {0.5, 2, NAN};
    plot_figure *figure = plot_figure_new();
    size_t at;
    char *csv, *before, *after;
    assert_int_equal(
        plot_figure_add(figure, &(plot_curve){"mean", PLOT_LINE, x, y, 3, 0}, &at, NULL), TM_OK);
    assert_int_equal(plot_svg(figure, 400, 300, &before, NULL), TM_OK);
    assert_int_equal(plot_figure_spread(figure, at, spread, NULL), TM_OK);
    assert_int_equal(plot_csv(figure, &csv, NULL), TM_OK);
    assert_string_equal(csv, "series,x,y,spread\nmean,1,1,0.5\nmean,2,2,2\nmean,3,1,nan\n");
    assert_int_equal(plot_svg(figure, 400, 300, &after, NULL), TM_OK);
    assert_null(strstr(before, ">4<")); /* the stroke of the second point ends at 4 */
    assert_non_null(strstr(after, ">4<"));
    free(csv);
    free(before);
    free(after);
    plot_figure_free(figure);
}

CHECK(csv_quotes_and_spells)
{
    plot_figure *figure = plot_figure_new();
    double x[] = {0, NAN, 0.5}, y[] = {INFINITY, -INFINITY, 0.25}, level = 0.125;
    add(figure, "say \"a,b\"\n", PLOT_POINTS, x, y, 3);
    add(figure, "tol", PLOT_LEVEL, NULL, &level, 1);
    char *csv;
    assert_int_equal(plot_csv(figure, &csv, NULL), TM_OK);
    assert_string_equal(csv, "series,x,y\n"
                             "\"say \"\"a,b\"\"\n\",0,inf\n"
                             "\"say \"\"a,b\"\"\n\",nan,-inf\n"
                             "\"say \"\"a,b\"\"\n\",0.5,0.25\n"
                             "tol,,0.125\n");
    free(csv);
    plot_figure_free(figure);
}

CHECK(every_format_is_written)
{
    static const text_case formats[] = {{"f.svg", "<?xml"},
                                        {"f.PNG", "\x89PNG"},
                                        {"f.pdf", "%PDF-"},
                                        {"f.txt", "     duality gap\n"},
                                        {"f.csv", "series,x,y\n"}};
    plot_figure *figure = gap_figure();
    plot_figure_cursor(figure, 3);
    plot_figure_labels(figure, "\xffzeit\x01", "\u03bb");
    size_t before = files_in_directory();
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char path[512];
        tm_error err = TM_ERROR_INIT;
        in_directory(formats[i].text, path);
        assert_int_equal(plot_save(figure, path, &err), TM_OK);
        char *text = read_whole(path);
        assert_non_null(text);
        assert_memory_equal(text, formats[i].want, strlen(formats[i].want));
        free(text);
    }
    assert_int_equal(files_in_directory(), before + 5); /* nothing temporary is left */
    plot_figure_free(figure);
}

/* Width and height in a PNG's header; two pixels a page unit. */
CHECK(png_has_its_size)
{
    plot_figure *figure = steps_figure();
    char path[512];
    in_directory("size.png", path);
    assert_int_equal(plot_save(figure, path, NULL), TM_OK);
    unsigned char *bytes = (unsigned char *)read_whole(path);
    assert_int_equal(bytes[18] << 8 | bytes[19], 1440);
    assert_int_equal(bytes[22] << 8 | bytes[23], 900);
    free(bytes);
    plot_figure_free(figure);
}

CHECK(wrong_names_are_refused)
{
    static const char *const names[] = {"f", "f.", "f.gif", "f.svg.gz", "svg", "", "a.svg/f"};
    plot_figure *figure = steps_figure();
    size_t before = files_in_directory();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        tm_error err = TM_ERROR_INIT;
        in_directory(names[i], path);
        assert_int_equal(plot_save(figure, path, &err), TM_EUSAGE);
        assert_non_null(strstr(err.message, ".svg, .png, .pdf, .txt or .csv"));
    }
    assert_int_equal(files_in_directory(), before);
    plot_figure_free(figure);
}

CHECK(failure_leaves_the_old_file)
{
    plot_figure *figure = steps_figure();
    char path[512];
    tm_error err = TM_ERROR_INIT;
    in_directory("missing/f.svg", path);
    assert_int_equal(plot_save(figure, path, &err), TM_EIO);
    assert_non_null(strstr(err.message, path));
    /* The name is taken by a directory: the new file is written, but cannot take its place. */
    in_directory("taken.csv", path);
    assert_int_equal(mkdir(path, 0700), 0);
    size_t before = files_in_directory();
    assert_int_equal(plot_save(figure, path, &err), TM_EIO);
    assert_int_equal(files_in_directory(), before);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    plot_figure_free(figure);
}

/* Writing stops at a file size limit: the old file is as it was. */
CHECK(full_disk_leaves_the_old_file)
{
    plot_figure *figure = plot_figure_new();
    double *values = calloc(20000, sizeof *values);
    assert_non_null(values);
    add(figure, "a", PLOT_LINE, values, values, 20000);
    char path[512];
    in_directory("old.csv", path);
    FILE *old = fopen(path, "wb");
    fputs("old", old);
    fclose(old);
    size_t before = files_in_directory();
    struct rlimit unlimited, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    little = unlimited;
    little.rlim_cur = 10000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    tm_error err = TM_ERROR_INIT;
    tm_status status = plot_save(figure, path, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    assert_int_equal(status, TM_EIO);
    assert_int_equal(files_in_directory(), before);
    char *text = read_whole(path);
    assert_string_equal(text, "old");
    free(text);
    free(values);
    plot_figure_free(figure);
}

/* A legend that has no free corner goes beside the plot, and where that is too narrow above it. */
static void no_legend_is_left_out(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 40; count += 19) {
        tm_error err = TM_ERROR_INIT;
        plot_figure *figure = plot_figure_new();
        for (size_t k = 0; k < count; k++) { /* lines that fill the plot */
            char name[40];
            double x[60], y[60];
            snprintf(name, sizeof name, "the strategy called %zu.", k);
            for (size_t i = 0; i < 60; i++) {
                x[i] = (double)i;
                y[i] = i % 2 ? (double)k : 100 - (double)k;
            }
            add(figure, name, PLOT_LINE, x, y, 60);
        }
        for (double width = 400; width <= 1600; width += 400) {
            char *svg = NULL, name[48];
            assert_int_equal(plot_svg(figure, width, 500, &svg, &err), TM_OK);
            assert_well_formed(svg);
            for (size_t k = 0; k < count; k++) {
                snprintf(name, sizeof name, ">the strategy called %zu.<", k);
                if (!strstr(svg, name)) /* then the page says how many are missing */
                    assert_true(strstr(svg, " more<") && count > 20 && width < 800);
            }
            free(svg);
        }
        plot_figure_free(figure);
    }
}

/* What a frame on the screen says stands on a page, and not twice on the screen. */
static void captions_are_of_pages(void **state)
{
    double x[] = {1, 2, 3};
    char *svg = NULL;
    tm_error err = TM_ERROR_INIT;
    (void)state;
    plot_figure *figure = plot_figure_new();
    add(figure, "auto", PLOT_LINE, x, x, 3);
    plot_figure_labels(figure, "seconds", NULL);
    plot_figure_legend(figure, false);
    plot_figure_caption(figure, "the gap of lasso", "gap");
    assert_int_equal(plot_svg(figure, 640, 400, &svg, &err), TM_OK);
    assert_true(strstr(svg, ">the gap of lasso<") && strstr(svg, ">gap<") &&
                strstr(svg, ">seconds<") && strstr(svg, ">auto<"));
    free(svg);
    char *text = as_text(figure, 20, 60, true);
    assert_null(strstr(text, "lasso"));
    free(text);
    plot_figure_title(figure, "its own");
    assert_int_equal(plot_svg(figure, 640, 400, &svg, &err), TM_OK);
    assert_true(strstr(svg, ">its own<") && !strstr(svg, "lasso"));
    free(svg);
    plot_figure_free(figure);
}

RUN_TESTS_BETWEEN(make_directory, remove_directory, no_legend_is_left_out, captions_are_of_pages,
                  svg_is_golden_and_repeatable, faint_markers_are_smaller, svg_escapes_text,
                  svg_of_any_size, csv_round_trips, csv_quotes_and_spells, strokes_show_the_spread,
                  every_format_is_written, png_has_its_size, wrong_names_are_refused,
                  failure_leaves_the_old_file, full_disk_leaves_the_old_file)

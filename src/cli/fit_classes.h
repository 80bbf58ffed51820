/* tamis fit on a response of several classes: one of them, or each in turn, against the rest. */
#ifndef CLI_FIT_CLASSES_H
#define CLI_FIT_CLASSES_H

#include "cli/common/events.h"
#include "cli/common/record.h"
#include "cli/print/context.h"
#include "cli/print/output_kind.h"
#include "tamis/ovr.h"

/* Replaces *data by this class against the rest; test data may lack it. */
tm_status fit_take_class(tm_dataset **data, const char *label, bool test, tm_error *err);

/* Runs all classes of spec->train and prints the results as JSON or a page. Returns the exit
 * status. */
int fit_all_classes(const tm_job_spec *spec, bool json, cli_record *record,
                    const cli_context *context);

/* Replaces *data by the embedding of its bags (tamis/bags.h). `bags` is a file with one identifier
 * per line, or the name or number of a column. *concepts, initially empty, is set to the instances
 * of the training data and used for the test data. */
tm_status fit_take_bags(tm_dataset **data, tm_dataset **concepts, const char *bags,
                        const char *sigma, tm_error *err);

#endif

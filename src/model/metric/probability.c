#include "tamis/probability.h"

#include "base/memory.h"
#include "model/loss/losses.h"
#include "model/metric/tuning.h"
#include "tamis/metric.h"

#include <math.h>

typedef struct problem {
    const double *y, *z;
    size_t n;
    double targets[2]; /* for the classes -1 and +1 */
} problem;

double tm_sigmoid_value(const tm_sigmoid *s, double z)
{
    double u = s->slope * z + s->shift;
    return u >= 0 ? 1 / (1 + exp(-u)) : exp(u) / (1 + exp(u));
}

/* The cross entropy with the targets. */
static double entropy(const problem *p, const tm_sigmoid *s)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        double u = s->slope * p->z[i] + s->shift, t = p->targets[p->y[i] > 0];
        sum += fmax(u, 0) - t * u + log1p(exp(-fabs(u)));
    }
    return sum;
}

/* A Newton step in two parameters; false when the gradient is zero. */
static bool newton(const problem *p, const tm_sigmoid *s, tm_sigmoid *step, double *slope)
{
    double ga = 0, gb = 0, aa = RIDGE, ab = 0, bb = RIDGE;
    for (size_t i = 0; i < p->n; i++) {
        double q = tm_sigmoid_value(s, p->z[i]), d = q - p->targets[p->y[i] > 0], w = q * (1 - q);
        ga += d * p->z[i];
        gb += d;
        aa += w * p->z[i] * p->z[i];
        ab += w * p->z[i];
        bb += w;
    }
    double det = aa * bb - ab * ab;
    *step = (tm_sigmoid){-(bb * ga - ab * gb) / det, -(aa * gb - ab * ga) / det};
    *slope = ga * step->slope + gb * step->shift;
    return fabs(ga) + fabs(gb) > FLAT * (double)p->n && det > 0;
}

static void minimise(const problem *p, tm_sigmoid *s)
{
    double value = entropy(p, s), slope;
    tm_sigmoid step;
    for (int k = 0; k < MAX_STEPS && newton(p, s, &step, &slope); k++) {
        double t = 1, next = value;
        tm_sigmoid at = *s;
        for (int h = 0; h < MAX_HALVINGS; h++, t /= 2) {
            at = (tm_sigmoid){s->slope + t * step.slope, s->shift + t * step.shift};
            next = entropy(p, &at);
            if (next <= value + ARMIJO * t * slope)
                break;
        }
        if (!(next < value))
            return;
        *s = at;
        value = next;
    }
}

tm_status tm_sigmoid_fit(tm_sigmoid *out, const double *y, const double *z, size_t n, tm_error *err)
{
    size_t positive = 0;
    double most = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        positive += y[i] > 0;
        most = fmax(most, fabs(z[i]));
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
    }
    size_t negative = n - positive;
    if (positive == 0 || negative == 0)
        return tm_fail(err, TM_EDATA, "rows to calibrate on need both classes");
    if (!(low < high))
        return tm_fail(err, TM_EDATA,
                       "the model gives all rows to calibrate on the same score: no probability "
                       "can be learnt from it");
    double *scaled = mem_array(n, sizeof *scaled);
    if (!scaled)
        return tm_fail_memory(err, "a calibration");
    for (size_t i = 0; i < n; i++)
        scaled[i] = z[i] / most;
    problem p = {y, scaled, n, {1 / ((double)negative + 2), 0}};
    p.targets[1] = ((double)positive + 1) / ((double)positive + 2);
    *out = (tm_sigmoid){0, log(((double)positive + 1) / ((double)negative + 1))};
    minimise(&p, out);
    out->slope /= most;
    free(scaled);
    return TM_OK;
}

tm_status tm_model_calibrate(tm_sigmoid *out, const tm_model *model, const tm_dataset *data,
                             tm_error *err)
{
    size_t n = tm_dataset_rows(data);
    if (!tm_model_is_binary(model))
        return tm_fail(err, TM_EUSAGE, "the model's response is a number: it has no probabilities");
    double *y = mem_array(2 * n, sizeof *y);
    tm_status status =
        y ? tm_model_judge(model, data, y, y + n, err) : tm_fail_memory(err, "a calibration");
    if (status == TM_OK)
        status = tm_sigmoid_fit(out, y, y + n, n, err);
    free(y);
    return status;
}

tm_status tm_model_sigmoid(tm_sigmoid *out, const tm_model *model, tm_error *err)
{
    const char *told = tm_model_loss(model);
    const loss *of = told ? loss_find(told, NULL) : NULL;
    *out = (tm_sigmoid){1, 0};
    if (!tm_model_is_binary(model))
        return tm_fail(err, TM_EUSAGE, "the model's response is a number: it has no probabilities");
    if (of && of->probabilities)
        return TM_OK;
    return tm_fail(err, TM_EUSAGE,
                   "the model of %.40s%s%.40s has scores, not probabilities: calibrate them on "
                   "labelled rows (calibrate)",
                   tm_model_method(model), told ? " with the loss " : "", told ? told : "");
}

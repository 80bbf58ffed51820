/* The table of methods. A method is one entry here, with its operations and parameters in its own
 * room; command-line options, Lua functions, forms, completion and the reference are generated from
 * this table. */
#include "solve/registry.h"

#include "base/text.h"
#include "model/loss/losses.h"
#include "model/metric/multivariate_loss.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const tm_method methods[] = {
    {.id = "lasso",
     .summary = "least squares with an l1 penalty",
     .formula = "min 1/2 |y - Xw - b|^2 + lambda sum_j |w_j|",
     .source = "SAIF chapter 2",
     .losses = LOSS_SQUARED,
     .params = &l1_parameters,
     .ops = &lasso_ops,
     .l2 = "ridge",
     .sums = LOSS_SQUARED,
     .weighs = true,
     .l1 = true},
    {.id = "l1logistic",
     .summary = "logistic regression with an l1 penalty",
     .formula = "min sum_i log(1 + exp(-y_i (x_i'w + b))) + lambda sum_j |w_j|",
     .source = "SAIF 2.4.2; baseline of FGM and MSLR",
     .losses = LOSS_LOGISTIC,
     .params = &l1_parameters,
     .ops = &l1logistic_ops,
     .l2 = "logistic",
     .weighs = true,
     .l1 = true},
    {.id = "l1svm",
     .summary = "support vector machine with squared hinge loss and an l1 penalty",
     .formula = "min 1/2 sum_i max(0, 1 - y_i (x_i'w + b))^2 + lambda sum_j |w_j|",
     .source = "VI section 2; baseline of FGM",
     .losses = LOSS_SQUARED_HINGE,
     .params = &l1_parameters,
     .ops = &l1svm_ops,
     .l2 = "svm_l2",
     .weighs = true,
     .l1 = true},
    {.id = "fsmulti",
     .summary = "feature selection for a multivariate measure: at least B features, the most "
                "informative first",
     .formula =
         "min 1/2 |w|_(B)^2 + C/n max over yhat of [Delta(yhat, y) - sum_i (y_i - yhat_i) x_i'w]",
     .source = "FSM algorithms 1 and 2 (Mao and Tsang 2013)",
     .measures = true,
     .params = &fsmulti_parameters,
     .ops = &fsmulti_ops},
    {.id = "svmperf",
     .summary = "support vector machine for a multivariate measure, with all features",
     .formula =
         "min 1/2 |w|^2 + C/n max over yhat of [Delta(yhat, y) - sum_i (y_i - yhat_i) x_i'w]",
     .source = "FSM section 2 (Joachims 2005)",
     .measures = true,
     .params = &svmperf_parameters,
     .ops = &svmperf_ops},
    {.id = "bmrm",
     .summary = "bundle method for a multivariate measure with an l1 penalty",
     .formula = "min |w|_1 + C/n max over yhat of [Delta(yhat, y) - sum_i (y_i - yhat_i) x_i'w]",
     .source = "Teo et al. 2010; baseline of FSM section 8",
     .measures = true,
     .params = &svmperf_parameters,
     .ops = &bmrm_ops},
    {.id = "grouplasso",
     .summary = "a loss with a penalty that selects whole groups of features",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda sum_g f_g |w_g|_2",
     .source = "FGM 2.2, 2.3; baseline of FGM 8.6",
     .losses = LOSS_ALL,
     .params = &group_parameters,
     .ops = &grouplasso_ops,
     .sums = LOSS_SQUARED,
     .weighs = true},
    {.id = "genlasso",
     .summary = "a loss with a penalty on differences between features joined by a graph",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda (sum_k |d_k'w| + r sum_j |w_j|)",
     .source = "SAIF chapter 3 (Ren 2017)",
     .losses = LOSS_ALL,
     .params = &genlasso_parameters,
     .ops = &genlasso_ops,
     .sums = LOSS_SQUARED,
     .weighs = true},
    {.id = "fgm",
     .summary = "feature generating machine: at least B features, the most informative first",
     .formula = "min 1/2 |w|_(B)^2 + C sum_i l(y_i, x_i'w + b), |.|_(B) the B-support norm",
     .source = "FGM (Tan, Tsang and Wang 2014)",
     .losses = LOSS_SQUARED_HINGE | LOSS_LOGISTIC,
     .params = &fgm_parameters,
     .ops = &fgm_ops},
    {.id = "reweighted",
     .summary =
         "a sequence of l1 problems, each penalising less what was large in the previous one",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda sum_j epsilon/(|w_j before| + epsilon) |w_j|",
     .source = "Candes, Wakin, Boyd 2008; baseline of MSLR",
     .losses = LOSS_ALL,
     .params = &reweighted_parameters,
     .ops = &reweighted_ops},
    {.id = "sdca",
     .summary = "proximal stochastic dual coordinate ascent for l1 and elastic net penalties",
     .formula = "min sum_i l(y_i, x_i'w + b) + lambda sum_j (alpha |w_j| + (1-alpha) w_j^2/2)",
     .source = "Shalev-Shwartz and Zhang 2014; baseline of FGM",
     .losses = LOSS_ALL,
     .params = &sdca_parameters,
     .ops = &sdca_ops},
    {.id = "ridge",
     .summary = "least squares with an l2 penalty, all features",
     .formula = "min 1/2 |w|^2 + C/2 |y - Xw - b|^2",
     .source = "baseline",
     .losses = LOSS_SQUARED,
     .refit = "",
     .params = &ridge_parameters,
     .ops = &ridge_ops,
     .sums = LOSS_SQUARED,
     .weighs = true},
    {.id = "logistic",
     .summary = "logistic regression with an l2 penalty, all features",
     .formula = "min 1/2 |w|^2 + C sum_i log(1 + exp(-y_i (x_i'w + b)))",
     .source = "baseline of FGM and MSLR",
     .losses = LOSS_LOGISTIC,
     .params = &ridge_parameters,
     .ops = &logistic_ops,
     .weighs = true},
    {.id = "svm_l2",
     .summary = "support vector machine with squared hinge loss and an l2 penalty, all features",
     .formula = "min 1/2 |w|^2 + C/2 sum_i max(0, 1 - y_i (x_i'w + b))^2",
     .source = "baseline of FGM",
     .losses = LOSS_SQUARED_HINGE,
     .params = &ridge_parameters,
     .ops = &svm_l2_ops,
     .weighs = true},
    {.id = "svm",
     .summary = "support vector machine with hinge loss, by its dual, with screening of samples",
     .formula = "min 1/2 |w|^2 + C sum_i max(0, 1 - y_i (x_i'w + b))",
     .source = "SAIF chapter 5",
     .hinge = true,
     .samples = true,
     .refit = "kernel=rbf intercept=free",
     .params = &svm_parameters,
     .ops = &svm_ops,
     .weighs = true},
    {.id = "hsiclasso",
     .summary = "HSIC lasso: chooses features whose kernels explain the response's, also nonlinear",
     .formula = "min 1/2 |L - sum_k a_k K_k|_F^2 + lambda sum_k a_k, a >= 0, centred kernels",
     .source = "Yamada et al. 2014; baseline of SAIF chapter 4",
     .losses = LOSS_SQUARED,
     .classes = true,
     .selects = true,
     .params = &hsiclasso_parameters,
     .ops = &hsiclasso_ops},
    {.id = "kernelfs",
     .summary = "structured kernel selection: features whose kernels agree with two classes, with "
                "similar weights of neighbours",
     .formula = "min sum_m max(0, n - Z_m'a) + lambda sum_i a_i + lambda2 |D a|^2, a >= 0",
     .source = "SAIF chapter 4 (Ren et al. 2015)",
     .hinge = true,
     .params = &kernelfs_parameters,
     .ops = &kernelfs_ops},
    {.id = "rfe",
     .summary = "recursive feature elimination: removes the features with the least weights, round "
                "by round",
     .formula = "min 1/2 |w|^2 + C sum_i l(y_i, x_i'w + b) over the features that are left",
     .source = "Guyon et al. 2002; baseline of FGM, MSLR and FSM",
     .losses = LOSS_ALL,
     .params = &rfe_parameters,
     .ops = &rfe_ops,
     .weighs = true},
    {.id = "gomp",
     .summary = "orthogonal matching pursuit: adds the most useful feature and fits all again",
     .formula = "min 1/2 |w|^2 + C sum_i l(y_i, x_i'w + b) over the features chosen so far",
     .source = "Lozano et al. 2011; baseline of MSLR",
     .losses = LOSS_ALL,
     .params = &gomp_parameters,
     .ops = &gomp_ops,
     .weighs = true},
    {.id = "mslr",
     .summary = "minimax sparse logistic regression: at least B features, no intercept",
     .formula = "min 1/2 |w|_(B)^2 + C sum_i log(1 + exp(-y_i x_i'w)), |.|_(B) the B-support norm",
     .source = "MSLR (Tan, Tsang and Wang 2013)",
     .losses = LOSS_LOGISTIC,
     .params = &mslr_parameters,
     .ops = &mslr_ops},
    {.id = "ufomkl",
     .summary = "ultra-fast online multiple kernel learning: subgradients, sample by sample",
     .formula = "min sum_i l(y_i, x_i'w) + lambda (alpha |w|_(2,1) + (1-alpha)/2 |w|_(2,r)^2)",
     .source = "Orabona and Luo 2011; baseline of FGM",
     .losses = LOSS_LOGISTIC,
     .hinge = true,
     .params = &ufomkl_parameters,
     .ops = &ufomkl_ops},
};

const tm_method *tm_methods_at(size_t i)
{
    return i < COUNT(methods) ? &methods[i] : NULL;
}

static const char *id_at(size_t i, const void *payload)
{
    (void)payload;
    return i < COUNT(methods) ? methods[i].id : NULL;
}

const tm_method *tm_method_find(const char *id, tm_error *err)
{
    for (size_t i = 0; i < COUNT(methods); i++)
        if (strcmp(methods[i].id, id) == 0)
            return &methods[i];
    const char *close = text_closest(id, id_at, NULL);
    tm_fail(err, TM_EUSAGE, "no method '%.100s'%s%s%s", id, close ? "; did you mean '" : "",
            close ? close : "", close ? "'?" : "; `tamis methods` lists them");
    return NULL;
}

const char *tm_method_id(const tm_method *method)
{
    return method->id;
}

const char *tm_method_summary(const tm_method *method)
{
    return method->summary;
}

const char *tm_method_source(const tm_method *method)
{
    return method->source;
}

tm_item tm_method_item(const tm_method *method)
{
    return method->samples ? TM_ITEM_SAMPLE : TM_ITEM_FEATURE;
}

static const tm_choice *loss_parameter(const tm_method *method)
{
    const param_table *params = method->params;
    for (size_t i = 0; i < params->count; i++)
        if (strcmp(params->list[i].name, "loss") == 0)
            return params->list[i].choices;
    return NULL;
}

/* The name of the i-th loss or measure, NULL past the end; in the order of the parameter `loss`. */
static const char *loss_name(const tm_method *method, size_t i)
{
    const tm_choice *choices = loss_parameter(method);
    if (method->measures)
        return measure_id(i);
    if (choices)
        return choices[i].name;
    if (method->hinge)
        return i == 0 ? "hinge" : NULL;
    return i == 0 ? loss_only(method->losses)->id : NULL;
}

const char *method_sums_list(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < COUNT(methods) && used < size; i++)
        if (methods[i].sums)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", methods[i].id);
    return text;
}

void tm_method_losses(const tm_method *method, char *text, size_t size)
{
    const char *name;
    size_t used = 0;
    for (size_t i = 0; (name = loss_name(method, i)) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
}

const tm_method *registry_l1_method(const loss *l)
{
    for (size_t i = 0; i < COUNT(methods); i++)
        if (methods[i].l1 && methods[i].losses == loss_bit(l))
            return &methods[i];
    return NULL;
}

const char *tm_method_formula(const tm_method *method)
{
    return method->formula;
}

const tm_param_info *tm_method_params(const tm_method *method, size_t *count)
{
    *count = method->params->count;
    return method->params->list;
}

tm_status tm_method_params_new(tm_params **out, const tm_method *method, tm_error *err)
{
    return tm_params_new(out, method->id, method->params->list, method->params->count, err);
}

/* The methods' operations and parameters, each defined in the method's own room. */
#ifndef SOLVE_REGISTRY_H
#define SOLVE_REGISTRY_H

#include "solve/common/method.h"

/* The method for plain l1 problems with this loss, or NULL. */
struct loss;
const tm_method *registry_l1_method(const struct loss *l);

extern const method_ops genlasso_ops;
extern const method_ops gomp_ops;
extern const method_ops grouplasso_ops;
extern const method_ops hsiclasso_ops;
extern const method_ops kernelfs_ops;
extern const method_ops lasso_ops;
extern const method_ops logistic_ops;
extern const method_ops reweighted_ops;
extern const method_ops rfe_ops;
extern const method_ops ridge_ops;
extern const method_ops sdca_ops;
extern const method_ops svm_l2_ops;
extern const method_ops l1logistic_ops;
extern const method_ops l1svm_ops;
extern const method_ops svm_ops;
extern const method_ops svmperf_ops;
extern const method_ops ufomkl_ops;
extern const method_ops fgm_ops;
extern const method_ops mslr_ops;
extern const method_ops bmrm_ops;
extern const method_ops fsmulti_ops;

extern const param_table fgm_parameters;
extern const param_table fsmulti_parameters;
extern const param_table genlasso_parameters;
extern const param_table gomp_parameters;
extern const param_table group_parameters;
extern const param_table hsiclasso_parameters;
extern const param_table kernelfs_parameters;
extern const param_table l1_parameters;
extern const param_table mslr_parameters;
extern const param_table reweighted_parameters;
extern const param_table rfe_parameters;
extern const param_table ridge_parameters;
extern const param_table sdca_parameters;
extern const param_table svm_parameters;
extern const param_table svmperf_parameters;
extern const param_table ufomkl_parameters;

#endif

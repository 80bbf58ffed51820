/* lambda = 0: every feature that no limit or factor excludes is unpenalised, and fitted as such. */
#include "model/penalty/unpenalised.h"
#include "base/memory.h"
#include "solve/l1/core/state.h"

tm_status l1_solve_unpenalised(l1_state *s, solve_progress *progress, l1_end *end, tm_error *err)
{
    tm_status status = TM_OK;
    unpenalised *all;
    double *z = mem_array(s->problem.n, sizeof *z);
    if (!z)
        return tm_fail_memory(err, "the fit");
    status = unpenalised_new(&all, s->problem.data, &s->problem.of, &s->penalty.terms,
                             s->problem.intercept, progress->monitor.cancel, err);
    if (status != TM_OK)
        goto done;
    l1_activate_all(s);
    l1_state_reset(s);
    if (all) {
        double b = 0;
        samples_predict(&s->problem.of, s->problem.data, s->it.w, b, z);
        unpenalised_fit(all, s->it.w, &b, z, s->it.r);
        s->it.b = b;
        progress->columns += unpenalised_count(all) * unpenalised_count(all);
    }
    end->converged = !unpenalised_stopped(all);
    end->stalled = true;
done:
    unpenalised_free(all);
    free(z);
    return status;
}

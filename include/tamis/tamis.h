/* Everything libtamis offers. Each header stands alone. */
#ifndef TAMIS_H
#define TAMIS_H

#include "tamis/cancel.h"
#include "tamis/certificate.h"
#include "tamis/compare.h"
#include "tamis/dataset.h"
#include "tamis/debias.h"
#include "tamis/error.h"
#include "tamis/group_penalty.h"
#include "tamis/groups.h"
#include "tamis/job.h"
#include "tamis/map.h"
#include "tamis/matrix.h"
#include "tamis/method.h"
#include "tamis/metric.h"
#include "tamis/model.h"
#include "tamis/params.h"
#include "tamis/reader.h"
#include "tamis/rng.h"
#include "tamis/screen.h"
#include "tamis/screen_log.h"
#include "tamis/solve.h"
#include "tamis/source.h"
#include "tamis/store.h"
#include "tamis/sweep.h"
#include "tamis/sweep_table.h"
#include "tamis/synth.h"
#include "tamis/trace.h"
#include "tamis/version.h"
#include "tamis/writer.h"

#endif

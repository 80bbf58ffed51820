-- A sweep that can be spread over machines: which screening parameters and which lambda, on which
-- folds. It runs as it is on the data beside it:
--
--   tamis run examples/sweeps/cv.lua                                   one process
--   tamis run --store runs.db examples/sweeps/cv.lua                  the same, and it can be killed
--   mpirun --enable-recovery -n 4 tamis run --store runs.db examples/sweeps/cv.lua
--   sbatch examples/sweeps/cv.sbatch                                   a job array of Slurm
--
-- An argument names another data file.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = tm.load(arg[1] or here .. "/../data/golub.svm.xz")

local s = tm.sweep{
  data = data, method = "l1logistic", name = "cv",
  grid = {lambda_ratio = {0.5, 0.3, 0.2, 0.1, 0.05, 0.02}, standardize = {false, true}},
  folds = 6, repeats = 2, metric = {"accuracy", "auc"},
}
s:wait()
print(s)
if s.done == s.total and #s.cells == #s.table * 12 then
  print(s.table)
  print("best   ", s:best())
  print("1 se   ", s:best{rule="1se"})
else
  print("a part of the sweep; 'tamis runs merge' joins the parts")
end

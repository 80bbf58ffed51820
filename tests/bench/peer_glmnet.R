# Times glmnet on a path of given lambdas (losses summed). Arguments: folder with x.npy and y.npy, a file
# with one lambda a line, the relative gap to reach, repeats. glmnet's threshold is tightened by tens
# until the worst duality gap on its path, computed here from the data, is at most that share of the
# null model's objective; then that setting is timed, the fit alone. Prints "seconds worst_gap thresh".
suppressMessages(library(glmnet))
args <- commandArgs(trailingOnly = TRUE)

read_npy <- function(path) {
    file <- file(path, "rb")
    on.exit(close(file))
    head <- readBin(file, "raw", 10)
    size <- as.integer(head[9]) + 256L * as.integer(head[10])
    text <- sub(".*shape", "", rawToChar(readBin(file, "raw", size)))
    shape <- as.numeric(regmatches(text, gregexpr("[0-9]+", text))[[1]])
    values <- readBin(file, "double", prod(shape))
    if (length(shape) == 2) matrix(values, shape[1], shape[2]) else values
}

x <- read_npy(file.path(args[1], "x.npy"))
y <- read_npy(file.path(args[1], "y.npy"))
lambdas <- scan(args[2], quiet = TRUE)
tol <- as.numeric(args[3])
n <- length(y)
yc <- y - mean(y)

fit <- function(thresh) {
    glmnet(x, y, lambda = lambdas / n, standardize = FALSE, thresh = thresh, maxit = 1e9)
}

worst_gap <- function(model) {
    w <- as.matrix(model$beta)
    r <- y - sweep(x %*% w, 2, model$a0, "+")
    primal <- colSums(r^2) / 2 + lambdas * colSums(abs(w))
    r <- sweep(r, 2, colMeans(r))
    most <- lambdas / apply(abs(crossprod(x, r)), 2, max)
    yr <- colSums(r * yc)
    rr <- colSums(r^2)
    s <- pmin(pmax(yr / rr, -most), most)
    max(primal - (s * yr - s^2 * rr / 2)) / (sum(yc^2) / 2)
}

thresh <- 1e-7
while (thresh > 1e-18 && worst_gap(fit(thresh)) > tol) thresh <- thresh / 10
for (i in seq_len(as.integer(args[4]))) {
    seconds <- system.time(model <- fit(thresh))[["elapsed"]]
    cat(sprintf("%.4f %.3e %g\n", seconds, worst_gap(model), thresh))
}

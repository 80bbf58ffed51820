# Times glmnet at given lambdas (losses summed). Arguments: folder with the data, a file with one lambda a line, the
# relative gap to reach, repeats. The data are x.npy or compressed columns (peer_data.py), y.npy, and where they
# are there factors.npy (penalty factors) and weights.npy (of samples). glmnet's threshold is tightened by tens until the
# worst duality gap, computed here from the data, is at most that share of the null model's objective; then that setting
# is timed, the fit alone. Of a single lambda both a fit at it alone and one along ten lambdas down to it are tried, and
# the faster is timed. Prints "seconds worst_gap thresh objective", the objective being the last lambda's.
suppressMessages({library(glmnet); library(Matrix)})
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]

read_npy <- function(name) {
    file <- file(file.path(folder, paste0(name, ".npy")), "rb")
    on.exit(close(file))
    head <- readBin(file, "raw", 10)
    size <- as.integer(head[9]) + 256L * as.integer(head[10])
    text <- sub(".*shape", "", rawToChar(readBin(file, "raw", size)))
    shape <- as.numeric(regmatches(text, gregexpr("[0-9]+", text))[[1]])
    values <- readBin(file, "double", prod(shape))
    if (length(shape) == 2) matrix(values, shape[1], shape[2]) else values
}
has <- function(name) file.exists(file.path(folder, paste0(name, ".npy")))

x <- if (has("x")) read_npy("x") else
    new("dgCMatrix", x = read_npy("data"), i = as.integer(read_npy("indices")), p = as.integer(read_npy("indptr")),
        Dim = as.integer(read_npy("shape")))
y <- read_npy("y")
n <- length(y)
p <- ncol(x)
lambdas <- scan(args[2], quiet = TRUE)
tol <- as.numeric(args[3])
weights <- if (has("weights")) read_npy("weights") else rep(1, n)
factors <- if (has("factors")) read_npy("factors") else rep(1, p)
null <- sum(weights * (y - sum(weights * y) / sum(weights))^2) / 2

# glmnet takes weights to sum to 1 and factors to sum to p.
fit <- function(thresh, along) {
    glmnet(x, y, lambda = along / sum(weights) * (sum(factors) / p), standardize = FALSE, thresh = thresh, maxit = 1e9,
           weights = weights, penalty.factor = factors)
}

judge <- function(model, along) {
    k <- match(lambdas, along)
    w <- as.matrix(model$beta[, k, drop = FALSE])
    r <- y - sweep(as.matrix(x %*% w), 2, model$a0[k], "+")
    primal <- colSums(weights * r^2) / 2 + lambdas * colSums(factors * abs(w))
    r <- sweep(r, 2, colSums(weights * r) / sum(weights))
    a <- weights * r
    most <- lambdas / apply(abs(as.matrix(crossprod(x, a))) / factors, 2, max)
    ya <- colSums(a * y)
    ra <- colSums(a * r)
    s <- pmin(pmax(ya / ra, -most), most)
    list(gap = max(primal - (s * ya - s^2 * ra / 2)) / null, objective = tail(primal, 1))
}

# The time of one fit: of as many as take a tenth of a second, since the clock ticks in milliseconds.
seconds <- function(thresh, along) {
    times <- 1
    repeat {
        took <- system.time(for (i in seq_len(times)) fit(thresh, along))[["elapsed"]]
        if (took > 0.1 || times >= 1000) return(took / times)
        times <- times * 5
    }
}

least <- max(abs(as.matrix(crossprod(x, weights * (y - sum(weights * y) / sum(weights))))) / factors)
ways <- list(lambdas)
if (length(lambdas) == 1 && lambdas < least)
    ways[[2]] <- c(exp(seq(log(least), log(lambdas), length.out = 11))[2:10], lambdas)
best <- NULL
for (along in ways) {
    thresh <- 1e-7
    while (thresh > 1e-18 && judge(fit(thresh, along), along)$gap > tol) thresh <- thresh / 10
    took <- seconds(thresh, along)
    if (is.null(best) || took < best$took) best <- list(took = took, thresh = thresh, along = along)
}
found <- judge(fit(best$thresh, best$along), best$along)
for (i in seq_len(as.integer(args[4])))
    cat(sprintf("%.6f %.3e %g %.12g\n", seconds(best$thresh, best$along), found$gap, best$thresh, found$objective))

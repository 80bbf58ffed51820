# The processor time of glmnet without intercept on sparse data. Arguments: folder with the arrays of compressed columns
# (data, indices, indptr, shape), the response's name there, gaussian or binomial, a file with one lambda a line (losses
# summed), relative gap. The threshold, from 1e-9 on, is divided by ten until the worst gap, computed here from the data,
# is at most that share of the null model's objective. Prints "seconds thresh worst_gap" of each fit: the last counts.
suppressMessages({library(glmnet); library(Matrix)})
args <- commandArgs(trailingOnly = TRUE)

read_npy <- function(name) {
    file <- file(file.path(args[1], paste0(name, ".npy")), "rb")
    on.exit(close(file))
    head <- readBin(file, "raw", 10)
    size <- as.integer(head[9]) + 256L * as.integer(head[10])
    text <- sub(".*shape", "", rawToChar(readBin(file, "raw", size)))
    readBin(file, "double", as.numeric(regmatches(text, gregexpr("[0-9]+", text))[[1]][1]))
}

whole <- function(name) {
    values <- as.integer(read_npy(name))
    gc()
    values
}

x <- new("dgCMatrix", x = read_npy("data"), i = whole("indices"), p = whole("indptr"), Dim = whole("shape"))
y <- read_npy(args[2])
n <- length(y)
classes <- args[3] == "binomial"
lambdas <- scan(args[4], quiet = TRUE)
tol <- as.numeric(args[5])
null <- if (classes) n * log(2) else sum(y^2) / 2

gap <- function(model, k) {
    w <- model$beta[, k, drop = FALSE]
    z <- as.numeric(x %*% w)
    penalty <- lambdas[k] * sum(abs(w@x))
    a <- if (classes) y * plogis(-y * z) else y - z
    most <- lambdas[k] / max(abs(crossprod(x, a)))
    if (classes) {
        q <- pmin(pmax(min(1, most) * y * a, 1e-300), 1 - 1e-16)
        return(sum(log1p(exp(-abs(z))) + pmax(-y * z, 0)) + penalty + sum(q * log(q) + (1 - q) * log1p(-q)))
    }
    s <- max(min(sum(a * y) / sum(a^2), most), -most)
    sum(a^2) / 2 + penalty - (s * sum(a * y) - s^2 * sum(a^2) / 2)
}

thresh <- 1e-9
repeat {
    took <- system.time(model <- glmnet(x, if (classes) factor(y) else y, family = args[3], lambda = lambdas / n,
                                        standardize = FALSE, intercept = FALSE, thresh = thresh, maxit = 1e9))
    worst <- max(sapply(seq_along(lambdas), function(k) gap(model, k))) / null
    cat(sprintf("%.4f %g %.3e\n", took[["user.self"]] + took[["sys.self"]], thresh, worst))
    if (worst <= tol || thresh < 1e-16) break
    thresh <- thresh / 10
}

# The processor time of glmnet's logistic paths. Arguments: x.npy, y.npy (1 and -1), lambdas, least ratio, relative gap.
# The threshold, from 1e-9 on, is divided by ten until the worst gap of every tenth answer, computed here from the data,
# is at most that share of n log 2; the time is that of the last fit. Prints "seconds thresh worst_gap".
suppressMessages(library(glmnet))
args <- commandArgs(trailingOnly = TRUE)

read_npy <- function(name) {
    file <- file(name, "rb")
    on.exit(close(file))
    head <- readBin(file, "raw", 10)
    size <- as.integer(head[9]) + 256L * as.integer(head[10])
    text <- sub(".*shape", "", rawToChar(readBin(file, "raw", size)))
    shape <- as.numeric(regmatches(text, gregexpr("[0-9]+", text))[[1]])
    values <- readBin(file, "double", prod(shape))
    if (length(shape) == 2) matrix(values, shape[1], shape[2]) else values
}

x <- read_npy(args[1])
y <- read_npy(args[2])
n <- length(y)
count <- as.integer(args[3])
lambdas <- max(abs(crossprod(x, (y > 0) - mean(y > 0)))) * exp(seq(0, log(as.numeric(args[4])), length.out = count))
tol <- as.numeric(args[5])

gap <- function(model, k) {
    w <- as.numeric(model$beta[, k])
    z <- as.numeric(x %*% w) + model$a0[k]
    for (i in 1:30) z <- z + sum((y > 0) - plogis(z)) / sum(dlogis(z))
    m <- y * z
    a <- y * plogis(-m)
    q <- pmin(pmax(min(1, lambdas[k] / max(abs(crossprod(x, a)))) * y * a, 1e-300), 1 - 1e-16)
    sum(log1p(exp(-abs(m))) + pmax(-m, 0)) + lambdas[k] * sum(abs(w)) + sum(q * log(q) + (1 - q) * log1p(-q))
}

thresh <- 1e-9
repeat {
    took <- system.time(model <- glmnet(x, factor(y), family = "binomial", lambda = lambdas / n, standardize = FALSE,
                                        thresh = thresh, maxit = 1e9))
    worst <- max(sapply(seq(2, count, by = 10), function(k) gap(model, k))) / (n * log(2))
    if (worst <= tol || thresh < 1e-16) break
    thresh <- thresh / 10
}
cat(sprintf("%.4f %g %.3e\n", took[["user.self"]] + took[["sys.self"]], thresh, worst))

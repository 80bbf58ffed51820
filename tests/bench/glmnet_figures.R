# The figures of tests/property/test_l1_users.c: intercept and weights of each problem.
library(glmnet)
n<-24; p<-6
x<-outer(1:n,1:p,function(i,j) sin(i*j+0.3*i)+0.1*j)
y<-cos(1:n)+x[,1]-0.5*x[,3]
c<-ifelse(sin(3*(1:n))+0.6*x[,2]>0,1,0)
w<-1+((1:n)%%3); o<-0.2*cos(2*(1:n)); f<-c(1,0.5,2,0,1,1.5)
k<-function(lam) lam/sum(w)/(p/sum(f))
show<-function(m) { cat(sprintf("%.10g,",c(as.numeric(m$a0),as.numeric(m$beta))),"\n") }
for (std in c(FALSE,TRUE)) {
m<-glmnet(x,y,weights=w,offset=o,penalty.factor=f,lambda=k(c(8,2)),standardize=std,thresh=1e-15,maxit=1e7); show(list(a0=m$a0[2],beta=m$beta[,2]))
m<-glmnet(x,y,weights=w,offset=o,penalty.factor=f,lambda=k(c(8,2)),lower.limits=-0.1,upper.limits=0.3,standardize=std,thresh=1e-15,maxit=1e7); show(list(a0=m$a0[2],beta=m$beta[,2]))
m<-glmnet(x,c,family="binomial",weights=w,offset=o,alpha=0.6,penalty.factor=f,lambda=k(c(4,1)),standardize=std,thresh=1e-15,maxit=1e7); show(list(a0=m$a0[2],beta=m$beta[,2]))
m<-glmnet(x,c,family="binomial",weights=w,offset=o,alpha=0.6,penalty.factor=f,lambda=k(c(4,1)),standardize=std,lower.limits=0,thresh=1e-15,maxit=1e7); show(list(a0=m$a0[2],beta=m$beta[,2]))
}

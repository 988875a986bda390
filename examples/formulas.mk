# The value and the gradient of every formula of a folder in C, made again when the formula has changed.
# usage: make -f formulas.mk
all: $(patsubst %.expr,%.c,$(wildcard *.expr))

%.c: %.expr
	autodiff export -f $< -o $@

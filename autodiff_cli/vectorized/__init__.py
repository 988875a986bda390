"""One formula at many points: columns of numbers in, columns of values and gradients out."""

"""Operations on one kind of number each: doubles, mpmath's numbers, nodes of a graph; `engine` runs over them all."""

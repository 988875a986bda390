"""Operations on one kind of number each: floats here; the sweeps of `engine` run over any of them."""

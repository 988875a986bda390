"""The magic commands of a notebook: `%load_ext autodiff_cli`, then `%autodiff FORMULA` and `%%autodiff`."""

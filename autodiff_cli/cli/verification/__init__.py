"""The derivatives that `autodiff verify` judges: of a command line, or of marks in files."""

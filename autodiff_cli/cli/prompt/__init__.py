"""The prompt of `autodiff repl`: its commands, and the interpreter that runs them and the statements."""

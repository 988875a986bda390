"""The command line as people write it, and what is said about it.

`arguments` sorts its words into options and formulas before click reads them; `known_options` are those of a command,
`global_options` those of all, `lists` the options that take several entries, `parameter_types` the values of some
others. `argument_errors` says what is wrong with words; `foreign_words` and `misplaced_words` are those that other
programs have, or that stand in the wrong place. `help_texts` and `manual` describe the commands; `remedies` words what
would mend an error, and `outcome` ends a command with its message and its exit code.
"""

#!/bin/sh
# The formulas of all FILEs by their slope in x at x = 2, the steepest first; then those that are wrong. Needs jq.
# usage: steepest.sh FILE...
for file in "$@"; do
    autodiff eval --each -f "$file" --set x=2 --wrt x --format json 2> /dev/null |
        jq -c --arg file "$file" '{file: $file} + .'
done > answers.json
jq -rs 'map(select(.gradient.x)) | sort_by(-.gradient.x)[] | "\(.file):\(.line) \(.gradient.x)"' answers.json
jq -r 'select(.error) | "\(.file):\(.line):\(.error.column) \(.error.message); \(.error.hint)"' answers.json

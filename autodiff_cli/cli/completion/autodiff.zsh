#compdef autodiff
# Completion of autodiff for zsh: eval "$(autodiff completion zsh)", or a file _autodiff in a folder of $fpath

_autodiff() {
    local kind value description
    local -a plain open files
    while IFS=$'\t' read -r kind value description; do
        case $kind in
            plain) plain+=("${value//:/\\:}${description:+:$description}") ;;
            open) open+=("${value//:/\\:}${description:+:$description}") ;;
            file) files+=("$value") ;;
        esac
    done < <(_AUTODIFF_COMPLETE=zsh_complete COMP_LINE="${(j: :)words[1,CURRENT]}" $words[1] 2>/dev/null)
    (( $#plain )) && _describe -V autodiff plain
    (( $#open )) && _describe -V autodiff open -S ''
    if (( $#files )); then
        [[ $PREFIX == --*=* ]] && compset -P '--*='
        _files
    fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _autodiff "$@"
else
    compdef _autodiff autodiff
fi

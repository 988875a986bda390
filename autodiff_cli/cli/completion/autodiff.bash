# Completion of autodiff for bash: eval "$(autodiff completion bash)"

_autodiff_completion() {
    local kind value description
    COMPREPLY=()
    while IFS=$'\t' read -r kind value description; do
        [[ $kind != file && $value == *[[:space:]]* ]] && printf -v value %q "$value"
        case $kind in
            plain) COMPREPLY+=("$value") ;;
            open) COMPREPLY+=("$value") && compopt -o nospace ;;
            file) compopt -o default ;;
        esac
    done < <(_AUTODIFF_COMPLETE=bash_complete COMP_LINE=${COMP_LINE:0:COMP_POINT} COMP_REPLACED=$2 "$1" 2>/dev/null)
}

complete -o nosort -F _autodiff_completion autodiff 2>/dev/null || complete -F _autodiff_completion autodiff

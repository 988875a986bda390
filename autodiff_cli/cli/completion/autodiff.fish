# Completion of autodiff for fish: autodiff completion fish | source

function __autodiff_completion
    set -lx _AUTODIFF_COMPLETE fish_complete
    set -lx COMP_LINE (commandline -cp | string collect)
    set -l option (string match -r -- '^--[^=]*=' (commandline -ct))
    autodiff 2>/dev/null | while read -l -d \t kind value description
        switch $kind
            case plain open
                printf '%s\t%s\n' $value $description
            case file
                string replace -r -- '^' "$option" (__fish_complete_path $value)
        end
    end
end

complete --command autodiff --no-files --keep-order --arguments '(__autodiff_completion)'

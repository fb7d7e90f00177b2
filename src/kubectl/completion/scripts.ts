/**
 * All three scripts call `kubectl __complete WORDS…`; the last word is the one that is being typed. The output is one choice per line,
 * optionally with a tab and a description, then a line with a colon and a directive: 8 means that the choices are file extensions to filter
 * by, 4 that the shell must not offer files, 0 that it offers files if there are no choices.
 */

const bash = `# bash completion for kubectl
_proa_kubectl() {
  local -a words answer choices=()
  local line=\${COMP_LINE:0:COMP_POINT} current directive choice
  read -r -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]} - 1]}
  mapfile -t answer < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  (( \${#answer[@]} > 0 )) || return 0
  directive=\${answer[\${#answer[@]} - 1]#:}
  unset "answer[\${#answer[@]} - 1]"
  # Of a flag with its value, and of a word with colons, bash replaces only what stands after the last = or :
  [[ $current == -*=* ]] && current=\${current#*=}
  local before=\${current%"\${current##*:}"}
  if (( directive == 8 )); then
    local IFS='|'
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current"; compgen -f -X "!*.@(\${answer[*]})" -- "$current")
    return 0
  fi
  for choice in "\${answer[@]}"; do
    choice=\${choice%%$'\\t'*}
    [[ $choice == "$current"* ]] && choices+=("\${choice#"$before"}")
  done
  COMPREPLY=("\${choices[@]}")
  if (( \${#choices[@]} == 0 && directive == 0 )); then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif (( \${#choices[@]} == 1 )) && [[ \${choices[0]} == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
shopt -s extglob
complete -F _proa_kubectl kubectl
`

const zsh = `#compdef kubectl
# zsh completion for kubectl
_proa_kubectl() {
  local -a answer choices
  local line directive
  answer=("\${(@f)$("\${words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  directive=\${answer[-1]#:}
  answer=("\${(@)answer[1,-2]}")
  if [[ $directive == 8 ]]; then
    _files -g "*.(\${(j:|:)answer})"
    return
  fi
  for line in "\${answer[@]}"; do
    [[ -n $line ]] && choices+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done
  if (( \${#choices} > 0 )); then
    [[ $PREFIX == -*=* ]] && compset -P '*='
    _describe -t kubectl kubectl choices
  elif [[ $directive == 0 ]]; then
    _files
  fi
}
if [[ \${funcstack[1]} == _proa_kubectl ]]; then
  _proa_kubectl
else
  compdef _proa_kubectl kubectl
fi
`

const fish = `# fish completion for kubectl
function __proa_kubectl
    set -l before (commandline -opc)
    set -l program $before[1]
    set -e before[1]
    set -l answer ($program __complete $before (commandline -ct) 2>/dev/null)
    set -l directive (string replace ':' '' -- $answer[-1])
    set -e answer[-1]
    switch $directive
        case 8
            __fish_complete_path (commandline -ct)
        case '*'
            for choice in $answer
                echo $choice
            end
            test $directive -eq 0 -a (count $answer) -eq 0; and __fish_complete_path (commandline -ct)
    end
end
complete -c kubectl -f -a '(__proa_kubectl)'
`

export const scripts = { bash, zsh, fish } as const

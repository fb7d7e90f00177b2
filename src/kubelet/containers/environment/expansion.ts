/** The value of a variable, or undefined where there is none of that name. */
export type VariableLookup = (name: string) => string | undefined

/**
 * Kubernetes' own variables in commands, arguments and values: `$(NAME)` becomes the variable's value, or stays as it is when there
 * is none; `$$` becomes `$`, so that `$$(NAME)` is never replaced; any other `$` stays.
 */
export function expandVariables(text: string, lookup: VariableLookup): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (match, name: string | undefined) =>
    name === undefined ? '$' : (lookup(name) ?? match),
  )
}

/** Returns the value of a variable, or undefined. */
export type VariableLookup = (name: string) => string | undefined

/**
 * Expands `$(NAME)` in commands, arguments and values. Unknown variables stay as they are; `$$` becomes `$`, so `$$(NAME)` is never
 * expanded; any other `$` stays.
 */
export function expandVariables(text: string, lookup: VariableLookup): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (match, name: string | undefined) =>
    name === undefined ? '$' : (lookup(name) ?? match),
  )
}

import type { Declaration } from './declaration.js'

/** Whether a declaration or field is enabled by the feature gates that are on. */
export function isEnabled(gate: string | undefined, gates: ReadonlySet<string>): boolean {
  return gate === undefined || gates.has(gate)
}

/** Leaves out the types of features that are off, with what is attached to them, so that a disabled feature leaves no trace. */
export function enabledDeclarations(
  declarations: readonly Declaration[],
  gates: ReadonlySet<string>,
): readonly Declaration[] {
  const disabled = new Set<string>()
  for (const declared of declarations)
    if (declared.is === 'schema' && !isEnabled(declared.gate, gates)) disabled.add(declared.name)
  if (disabled.size === 0) return declarations
  return declarations.filter((declared) => !disabled.has(declared.is === 'schema' ? declared.name : declared.of))
}

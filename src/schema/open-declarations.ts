import type { Declaration, Schema } from './declaration.js'
import type { Group } from './model.js'

/** A feature that is off leaves no trace: what is declared for it is taken out before anything is linked. */
export const noGates: ReadonlySet<string> = new Set()

export function isOpen(gate: string | undefined, gates: ReadonlySet<string>): boolean {
  return gate === undefined || gates.has(gate)
}

/** Without the types of features that are off, and what belongs to these types. */
export function openDeclarations(
  declarations: readonly Declaration[],
  gates: ReadonlySet<string>,
): readonly Declaration[] {
  const closed = new Set<string>()
  for (const declared of declarations)
    if (declared.is === 'schema' && !isOpen(declared.gate, gates)) closed.add(declared.name)
  if (closed.size === 0) return declarations
  return declarations.filter((declared) => !closed.has(declared.is === 'schema' ? declared.name : declared.of))
}

/** A version that is served only because of a feature is served where that is on, after all others. */
export function openGroups(groups: readonly Group[], declarations: readonly Declaration[]): readonly Group[] {
  const added = declarations.filter(isServedByFeature).map(({ name }) => groupVersion(name))
  if (added.length === 0) return groups
  return groups.map((group) => {
    const versions = added.filter(([short]) => short === group.short).map(([, version]) => version)
    return versions.length === 0 ? group : { ...group, served: [...new Set([...group.served, ...versions])] }
  })
}

function isServedByFeature(declared: Declaration): declared is Schema {
  return declared.is === 'schema' && declared.gate !== undefined && declared.kind?.resource !== undefined
}

/** `apps` and `v1` of `apps/v1.Deployment`. */
export function groupVersion(name: string): [string, string] {
  const [short, version] = name.slice(0, name.lastIndexOf('.')).split('/')
  return [short!, version ?? '']
}

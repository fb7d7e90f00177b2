import type { Declaration } from './declaration.js'
import { compareText } from './text-order.js'

/** An API group as it is declared. */
export interface GroupDeclaration {
  /** The name that declarations use: `rbac`. */
  readonly short: string
  /** The name that clients use: `rbac.authorization.k8s.io`. */
  readonly name: string
  /** Versions without declarations in which clients may send options and receive watch events. */
  readonly legacy: readonly string[]
  /** The prefix of its type names in OpenAPI documents: `io.k8s.api.rbac`. */
  readonly openapi: string
}

export interface Group extends GroupDeclaration {
  /** The versions that serve resources, the preferred one first. */
  readonly served: readonly string[]
}

/** The declared groups, and after them the groups that are only mentioned in type names. */
export function linkGroups(
  declared: readonly GroupDeclaration[],
  declarations: readonly Declaration[],
): readonly Group[] {
  const versions = versionsByGroup(declarations)
  const known = new Set(declared.map(({ short }) => short))
  const implied = [...versions.keys()].filter((short) => !known.has(short)).map(impliedGroup)
  return [...declared, ...implied].map((group) => {
    const served = [...(versions.get(group.short) ?? [])].sort(compareApiVersions)
    return { ...group, served }
  })
}

/** A group that is not declared has the name that its types use. */
function impliedGroup(short: string): GroupDeclaration {
  return { short, name: short, legacy: [], openapi: short.split('.').reverse().join('.') }
}

/** The served versions of each group that has types. */
function versionsByGroup(declarations: readonly Declaration[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byGroup = new Map<string, Set<string>>()
  for (const declared of declarations) {
    if (declared.is !== 'schema') continue
    const [short, version] = groupVersionOf(declared.name)
    const versions = byGroup.get(short) ?? new Set()
    byGroup.set(short, declared.kind?.resource ? versions.add(version) : versions)
  }
  return byGroup
}

/** `apps` and `v1` of `apps/v1.Deployment`. */
export function groupVersionOf(name: string): readonly [short: string, version: string] {
  const [short, version] = name.slice(0, name.lastIndexOf('.')).split('/')
  return [short!, version ?? '']
}

/**
 * Stable versions come first, then beta, then alpha, and of these the highest: `v2`, `v1`, `v2beta1`, `v1beta2`, `v3alpha1`. Versions of
 * another form come last, in alphabetical order.
 */
export function compareApiVersions(one: string, other: string): number {
  const [left, right] = [rank(one), rank(other)]
  const i = left.findIndex((number, index) => number !== right[index])
  return i === -1 ? compareText(one, other) : right[i]! - left[i]!
}

const stabilities = ['alpha', 'beta', undefined]

function rank(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!match) return [-1]
  const [, major, stability, minor = '0'] = match
  return [stabilities.indexOf(stability), Number(major), Number(minor)]
}

import type { Group } from '../groups.js'

/** Returns a function from declared names to definition names: `io.k8s.api.apps.v1.Scale` for `apps/v1.Scale`. */
export function definitionNames(groups: readonly Group[]): (declared: string) => string {
  const prefixes = new Map(groups.map(({ short, openapi }) => [short, openapi]))
  return (declared) => {
    const short = declared.slice(0, declared.indexOf(declared.includes('/') ? '/' : '.')) // `version.Info` has no version
    const prefix = prefixes.get(short)
    if (prefix === undefined) throw new Error(`${declared} is of no known group`)
    return `${prefix}.${declared.slice(short.length + 1)}`
  }
}

/** Names and tags of the operations of a group, or of one of its versions. */
export interface OperationNames {
  /** The middle part of operation names: `RbacAuthorizationV1`. */
  readonly infix: string
  /** `rbacAuthorization_v1` */
  readonly tag: string
}

export function operationNames(group: string, version?: string): OperationNames {
  const words = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[^A-Za-z0-9]+/)
  const infix = words.map(capitalized).join('')
  const tag = infix.charAt(0).toLowerCase() + infix.slice(1)
  return version === undefined ? { infix, tag } : { infix: infix + capitalized(version), tag: `${tag}_${version}` }
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `/api/v1`, `/apis/apps/v1` */
export function versionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

/** Compares by code units, independent of the locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

import type { Group } from '../groups.js'

/** Gives declared types the names that documents know them by: `apps/v1.Scale` is `io.k8s.api.apps.v1.Scale`. */
export function definitionNames(groups: readonly Group[]): (declared: string) => string {
  const prefixes = new Map(groups.map(({ short, openapi }) => [short, openapi]))
  return (declared) => {
    const short = declared.slice(0, declared.indexOf(declared.includes('/') ? '/' : '.')) // `version.Info` has no version
    const prefix = prefixes.get(short)
    if (prefix === undefined) throw new Error(`${declared} is of no known group`)
    return `${prefix}.${declared.slice(short.length + 1)}`
  }
}

/** How operations of a group, or of one of its versions, are named and filed. */
export interface OperationNames {
  /** `RbacAuthorizationV1`, in the middle of the names of operations. */
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

/** The order of code units, the same in every locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

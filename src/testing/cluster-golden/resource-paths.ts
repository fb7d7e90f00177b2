import { builtin } from '../../api/scheme.js'
import { fillPlaceholders } from '../golden/placeholders.js'
import type { ScenarioVariables } from './scenario.js'

/** A resource in the preferred version of its group. The core group comes first. */
interface ResourceInfo {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

const preferred = builtin.groups.map(({ name, served }) => (name === '' ? served[0]! : `${name}/${served[0]}`))

const resources: readonly ResourceInfo[] = builtin.resources
  .map(({ kind: { apiVersion, kind, resource } }) => ({ apiVersion, kind, ...resource }))
  .filter(({ apiVersion }) => preferred.includes(apiVersion))
  .sort((a, b) => Number(a.apiVersion.includes('/')) - Number(b.apiVersion.includes('/')))

export function resourceOfKind(kind: string): ResourceInfo {
  const resource = resources.find((each) => each.kind === kind)
  if (!resource) throw new TypeError(`there is no kind ${kind}`)
  return resource
}

/** Returns the path of a collection, with a namespace if the resource has one. */
export function collectionPath({ apiVersion, plural, namespaced }: ResourceInfo, namespace = ''): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`
}

/** Returns the full path of `pods/web`. A path that begins with `/` is already complete. */
export function pathOf(text: string, variables: ScenarioVariables): string {
  const path = fillPlaceholders(text, variables)
  if (path.startsWith('/')) return path
  const [plural = ''] = /^\w+/.exec(path) ?? []
  const resource = resources.find((each) => each.plural === plural)
  if (!resource) throw new TypeError(`there is no resource ${path}`)
  return collectionPath(resource, variables.ns) + path.slice(plural.length)
}

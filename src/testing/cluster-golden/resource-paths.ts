import { builtin } from '../../api/scheme.js'
import { fillPlaceholders } from '../golden/placeholders.js'
import type { ScenarioVariables } from './scenario.js'

/** What there is of a resource, or of a kind, in the version that its group prefers; in the core group if it is there as well. */
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
  const place = resources.find((each) => each.kind === kind)
  if (!place) throw new TypeError(`there is no kind ${kind}`)
  return place
}

/** Where objects of a resource are, in a namespace if they are in any. */
export function collectionPath({ apiVersion, plural, namespaced }: ResourceInfo, namespace = ''): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`
}

/** `pods/web` as the server knows it. A path that begins with `/` is that already. */
export function pathOf(text: string, variables: ScenarioVariables): string {
  const path = fillPlaceholders(text, variables)
  if (path.startsWith('/')) return path
  const [plural = ''] = /^\w+/.exec(path) ?? []
  const place = resources.find((each) => each.plural === plural)
  if (!place) throw new TypeError(`there is no resource ${path}`)
  return collectionPath(place, variables.ns) + path.slice(plural.length)
}

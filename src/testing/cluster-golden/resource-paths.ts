import { builtin } from '../../api/scheme.js'
import { filled } from '../golden/placeholders.js'
import type { Variables } from './scenario.js'

/** What there is of a resource, or of a kind, in the version that its group prefers; in the core group if it is there as well. */
interface Place {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

const preferred = builtin.groups.map(({ name, served }) => (name === '' ? served[0]! : `${name}/${served[0]}`))

const places: readonly Place[] = builtin.resources
  .map(({ kind: { apiVersion, kind, resource } }) => ({ apiVersion, kind, ...resource }))
  .filter(({ apiVersion }) => preferred.includes(apiVersion))
  .sort((a, b) => Number(a.apiVersion.includes('/')) - Number(b.apiVersion.includes('/')))

export function placeOfKind(kind: string): Place {
  const place = places.find((each) => each.kind === kind)
  if (!place) throw new TypeError(`there is no kind ${kind}`)
  return place
}

/** Where objects of a resource are, in a namespace if they are in any. */
export function collectionPath({ apiVersion, plural, namespaced }: Place, namespace = ''): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`
}

/** `pods/web` as the server knows it. A path that begins with `/` is that already. */
export function pathOf(text: string, variables: Variables): string {
  const path = filled(text, variables)
  if (path.startsWith('/')) return path
  const [plural = ''] = /^\w+/.exec(path) ?? []
  const place = places.find((each) => each.plural === plural)
  if (!place) throw new TypeError(`there is no resource ${path}`)
  return collectionPath(place, variables.ns) + path.slice(plural.length)
}

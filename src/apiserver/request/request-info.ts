/** What a request asks for, read from its method and path alone. */
export interface RequestInfo {
  readonly isResource: boolean
  /** As authorization knows it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, …; for paths that are no resources the method in lower case. */
  readonly verb: string
  readonly path: string
  /** `api` or `apis`. */
  readonly prefix: string
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  /** Everything after the version, without `watch` and the namespace: `pods`, `web`, `log`. */
  readonly parts: readonly string[]
}

/** A map, because clients may call a method whatever they like: `constructor`, too. */
const methodVerbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
])

/** Subresources of a namespace itself; anything else after its name is a resource inside of it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = segmentsOf(path)
  const [prefix = ''] = segments
  const head = prefix === 'api' ? 2 : 3
  if ((prefix !== 'api' && prefix !== 'apis') || segments.length <= head) return plainInfo(method, path)
  const group = prefix === 'api' ? '' : segments[1]!
  const rest = segments.slice(head)
  const isOldWatch = rest[0] === 'watch'
  if (isOldWatch) rest.shift()
  if (rest.length === 0) return plainInfo(method, path)
  const place = placeOf(rest)
  const verb = isOldWatch ? 'watch' : verbOf(method, place.name, query)
  const { namespace, resource, subresource, name, parts } = place
  const version = segments[head - 1]!
  return { isResource: true, verb, path, prefix, group, version, namespace, resource, subresource, name, parts }
}

/** What stands between the slashes, and is not empty. */
function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (let start = 0; start < path.length; ) {
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    if (end > start) segments.push(path.slice(start, end))
    start = end + 1
  }
  return segments
}

function plainInfo(method: string, path: string): RequestInfo {
  const nothing = { prefix: '', group: '', version: '', namespace: '', resource: '', subresource: '', name: '' }
  return { isResource: false, verb: method.toLowerCase(), path, parts: [], ...nothing }
}

type ResourcePath = Pick<RequestInfo, 'namespace' | 'resource' | 'subresource' | 'name' | 'parts'>

/** A single namespace counts as standing in itself. */
function placeOf(rest: readonly string[]): ResourcePath {
  let parts = rest
  let namespace = ''
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1]!
    if (rest.length > 2 && !namespaceSubresources.has(rest[2]!)) parts = rest.slice(2)
  }
  const [resource = '', name = '', subresource = ''] = parts
  return { namespace, resource, name, subresource, parts }
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = methodVerbs.get(method) ?? method.toLowerCase()
  if (verb === 'get') return name === '' ? collectionVerb(query) : 'get'
  return verb === 'delete' && name === '' ? 'deletecollection' : verb
}

function collectionVerb(query: URLSearchParams): string {
  return isTrue(query.get('watch')) ? 'watch' : 'list'
}

/** Anything but a clear no is a yes. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

const connections: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** Lasts for as long as the client likes, and is answered in parts. */
export function isLongRunning({ isResource, verb, subresource }: RequestInfo): boolean {
  return isResource && (verb === 'watch' || verb === 'proxy' || connections.has(subresource))
}

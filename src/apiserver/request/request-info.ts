/** The attributes of a request that follow from its method and path alone. */
export interface RequestInfo {
  readonly isResource: boolean
  /** The verb of authorization: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, …. For other paths the method in lower case. */
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

/** A map, not an object: clients choose the name of a method freely, also `constructor`. */
const methodVerbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
])

/** Subresources of a namespace. Every other segment after its name is a resource in the namespace. */
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
  const location = locationOf(rest)
  const verb = isOldWatch ? 'watch' : verbOf(method, location.name, query)
  const { namespace, resource, subresource, name, parts } = location
  const version = segments[head - 1]!
  return { isResource: true, verb, path, prefix, group, version, namespace, resource, subresource, name, parts }
}

/** Returns the segments that are not empty. */
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

/** A namespace object has its own name as its namespace. */
function locationOf(rest: readonly string[]): ResourcePath {
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

/** Every value but `false` and `0` counts as true. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

const connections: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** Reports whether a request may last as long as the client wants: its response is a stream. */
export function isLongRunning({ isResource, verb, subresource }: RequestInfo): boolean {
  return isResource && (verb === 'watch' || verb === 'proxy' || connections.has(subresource))
}

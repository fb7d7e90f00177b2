import type { RegistryCredential } from './credential.js'

/** Registry name under which container tools store Docker Hub credentials. */
const publicRegistry = 'index.docker.io'

/** Returns the credentials for a repository (`registry.example/team/web`), most specific first. */
export function matchingCredentials(
  credentials: readonly RegistryCredential[],
  repository: string,
): readonly RegistryCredential[] {
  const keyed = credentials.map((credential) => ({ credential, key: keyOf(credential.registry) }))
  keyed.sort((one, other) => (one.key < other.key ? 1 : one.key > other.key ? -1 : 0))
  const matching = keyed.filter(({ key }) => matches(key, repository))
  const chosen = matching.length > 0 ? matching : keyed.filter(({ key }) => isForPublic(key, repository))
  return chosen.map(({ credential }) => credential)
}

/** Returns host and path, without scheme and API version. */
function keyOf(registry: string): string {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/.exec(registry) ?? []
  const effective = /^\/v[12]\//.test(path) ? path.slice('/v1'.length) : path
  return effective === '/' ? host : host + effective
}

function isForPublic(key: string, repository: string): boolean {
  return key === publicRegistry && /^(?:docker\.io|index\.docker\.io)\//.test(repository)
}

/** Each label of the host may be a pattern. The port must be equal, and the path must be a prefix. */
function matches(key: string, repository: string): boolean {
  const [pattern, name] = [split(key), split(repository)]
  if (pattern.port !== name.port || pattern.parts.length !== name.parts.length) return false
  return name.path.startsWith(pattern.path) && pattern.parts.every((part, i) => matchesPattern(part, name.parts[i]!))
}

interface RegistryPattern {
  readonly parts: readonly string[]
  readonly port: string
  readonly path: string
}

function split(address: string): RegistryPattern {
  const slash = address.indexOf('/')
  const host = slash < 0 ? address : address.slice(0, slash)
  const [, name = host, port = ''] = /^(.*):(\d*)$/.exec(host) ?? []
  return { parts: name.split('.'), port, path: slash < 0 ? '' : address.slice(slash) }
}

/** Matches shell patterns with `*` and `[a-z]`. An invalid pattern matches nothing. */
function matchesPattern(pattern: string, text: string): boolean {
  const source = pattern.replace(/\[\^?(?:\\.|[^\]\\])+\]|[\s\S]/g, (part) => {
    if (part === '*') return '[^/]*'
    return part.length > 1 ? part : part.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
  })
  try {
    return new RegExp(`^${source}$`).test(text)
  } catch {
    return false // such as [z-a]
  }
}

import { posix } from 'node:path'

/** One side of a copy: a local path or a path in a pod. */
export interface CopyLocation {
  readonly namespace: string
  /** '' for a local path. */
  readonly pod: string
  readonly path: string
}

const badForm = 'filespec must match the canonical format: [[namespace/]pod:]file/path'

/** Parses `path`, `pod:path` or `namespace/pod:path`. */
export function parseLocation(given: string): CopyLocation {
  const at = given.indexOf(':')
  if (at === -1) return { namespace: '', pod: '', path: withoutSlash(given) }
  const owner = given.slice(0, at).split('/')
  if (at === 0 || owner.length > 2) throw new Error(badForm)
  const [pod = '', namespace = ''] = owner.reverse()
  return { namespace, pod, path: remotePath(given.slice(at + 1)) }
}

/** Paths in containers use slashes, whatever the user typed. */
export function remotePath(path: string): string {
  return withoutSlash(path).replaceAll('\\', '/')
}

export function withoutSlash(path: string): string {
  return path !== '/' && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Returns the prefix of names in an archive of the path. `tar` removes leading slashes. */
export function archivePrefix(path: string): string {
  return withoutShortcuts(withoutSlash(posix.normalize(path.replace(/^[/\\]+/, '') || '.')))
}

/** Removes leading `../` from a path. */
export function withoutShortcuts(path: string): string {
  const rest = path.replace(/^(?:\.\.\/)+/, '')
  return rest === '.' || rest === '..' ? '' : rest.replace(/^\//, '')
}

/**
 * The full name of an image, as runtimes keep it: `web` is `docker.io/library/web:latest`. A name with a digest keeps it, and
 * has no tag added.
 */
export function fullImageName(name: string): string {
  const [path = '', digest] = name.split('@', 2) as [string, string?]
  const slash = path.indexOf('/')
  const first = slash < 0 ? '' : path.slice(0, slash)
  const isHost = /[.:]/.test(first) || first === 'localhost'
  const repository = isHost ? path : `docker.io/${slash < 0 ? 'library/' : ''}${path}`
  const hasTag = repository.lastIndexOf(':') > repository.lastIndexOf('/')
  const tagged = hasTag || digest ? repository : `${repository}:latest`
  return digest ? `${tagged}@${digest}` : tagged
}

/** Whether a name can be one: what runtimes refuse is refused before anything is built for it. */
export function isImageName(name: string): boolean {
  return /^[a-z0-9]+(?:[._:-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/.test(
    name,
  )
}

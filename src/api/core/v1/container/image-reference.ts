/** Names of images: `registry.example:5000/team/app:v1@sha256:…`. */

const hostPart = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const host = `(?:${hostPart}(?:\\.${hostPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const step = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const repository = new RegExp(`^(?:${host}/)?${step}(?:/${step})*$`)
const tagForm = /^\w[\w.-]{0,127}$/
const digestForm = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/
const longestName = 255
/** A name, a tag and a digest together are shorter than this. */
const longestReference = 600

export interface ImageReference {
  /** As it was written: the registry and the folder that stand for nothing are not filled in. */
  readonly name: string
  /** `latest` for a reference with neither tag nor digest. */
  readonly tag: string
  readonly digest: string
}

/** Undefined for what is no name of an image. */
export function parseImageReference(text: string): ImageReference | undefined {
  if (text.length > longestReference || /^[a-f0-9]{64}$/.test(text)) return undefined
  const [tagged, digest, ...more] = text.split('@') as [string, ...string[]]
  if (more.length > 0 || (digest !== undefined && !digestForm.test(digest))) return undefined
  const { name, tag } = splitTag(tagged)
  if (!isName(name) || (tag !== undefined && !tagForm.test(tag))) return undefined
  return { name, tag: tag ?? (digest === undefined ? 'latest' : ''), digest: digest ?? '' }
}

/** A colon before the last slash is that of a port. */
function splitTag(text: string): { readonly name: string; readonly tag: string | undefined } {
  const colon = text.indexOf(':', text.lastIndexOf('/') + 1)
  return colon < 0 ? { name: text, tag: undefined } : { name: text.slice(0, colon), tag: text.slice(colon + 1) }
}

/** The first part is a host if it looks like one: it has a dot, a port or capitals, or is `localhost`. Otherwise all is a path. */
function isName(name: string): boolean {
  if (!repository.test(name)) return false
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(slash, 0))
  const hasHost = /[.:A-Z]/.test(first) || first === 'localhost'
  return wholeName(name, hasHost).length <= longestName
}

/** Names without a host are those of one public registry, and there of one folder unless they say which. */
function wholeName(name: string, hasHost: boolean): string {
  if (hasHost) return name
  return name.includes('/') ? `docker.io/${name}` : `docker.io/library/${name}`
}

/** Images that may change under their name are pulled each time. */
export function defaultPullPolicy(image = ''): 'Always' | 'IfNotPresent' {
  return couldBeLatest(image) && parseImageReference(image)?.tag === 'latest' ? 'Always' : 'IfNotPresent'
}

/** Told at a glance of nearly all images: they have another tag, or a digest. */
function couldBeLatest(image: string): boolean {
  const last = image.slice(image.lastIndexOf('/') + 1)
  return last.includes(':latest') || !(last.includes(':') || last.includes('@'))
}

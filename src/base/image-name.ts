/** The names of container images: `registry.example:5000/team/app:v1@sha256:…`. */

const hostPart = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const host = `(?:${hostPart}(?:\\.${hostPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const tag = '\\w[\\w.-]{0,127}'
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const form = new RegExp(`^((?:${host}/)?${pathPart}(?:/${pathPart})*)(?::(${tag}))?(?:@(${digest}))?$`)

const knownDigest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/
/** An image ID is not a name. */
const imageId = /^[a-f0-9]{64}$/
/** The longest repository, with its registry. */
export const longestRepository = 255
/** Names with repository, tag and digest are shorter than this. The check keeps the regular expression away from long texts. */
const longestName = 600

const defaultRegistry = 'docker.io'
const defaultFolder = 'library'

/** The parts of a name, as they are written. */
export interface ImageNameParts {
  /** `registry.example:5000/team/app` */
  readonly name: string
  readonly tag: string | undefined
  readonly digest: string | undefined
}

export interface ParsedImageName {
  /** The registry and the path in full: `docker.io/library/web` for `web`. */
  readonly repository: string
  /** `latest` if the name has neither tag nor digest; '' if it has a digest only. */
  readonly tag: string
  /** '' for none. */
  readonly digest: string
}

/** Splits a text that has the form of an image name. Checks neither the length of the name nor the algorithm of the digest. */
export function splitImageName(text: string): ImageNameParts | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [, name = '', tag, digest] = match
  return { name, tag, digest }
}

/** Returns undefined for a text that is not the name of an image. */
export function parseImageName(text: string): ParsedImageName | undefined {
  if (text.length > longestName || imageId.test(text)) return undefined
  const parts = splitImageName(text)
  if (!parts) return undefined
  const { name, digest = '', tag = digest === '' ? 'latest' : '' } = parts
  const repository = splitRepository(name).join('/')
  if (repository.length > longestRepository || (digest !== '' && !knownDigest.test(digest))) return undefined
  return { repository, tag, digest }
}

export function isImageName(text: string): boolean {
  return parseImageName(text) !== undefined
}

/** Splits a name into its registry and the path there. A name without a registry is one of Docker Hub. */
export function splitRepository(name: string): readonly [registry: string, path: string] {
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(slash, 0))
  const isHost = first === 'localhost' || /[.:A-Z]/.test(first)
  const registry = !isHost || first === 'index.docker.io' ? defaultRegistry : first
  const path = isHost ? name.slice(slash + 1) : name
  return [registry, registry === defaultRegistry && !path.includes('/') ? `${defaultFolder}/${path}` : path]
}

/** The name in full, as runtimes store it: `docker.io/library/web:latest` for `web`. Throws for a text that is no image name. */
export function fullImageName(text: string): string {
  const parsed = parseImageName(text)
  if (!parsed) throw new Error(`${text} is not the name of an image`)
  const { repository, tag, digest } = parsed
  return `${repository}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
}

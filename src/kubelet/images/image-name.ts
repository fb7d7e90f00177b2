import { parseImageReference } from '../../api/core/v1/container/image-reference.js'
import { quote } from '../../schema/quote.js'

/** Whose message is upstream's, as `InvalidImageName` shows it. */
export class ImageNameError extends Error {
  override readonly name = 'ImageNameError'
}

export interface ImageName {
  /** What the runtime is asked for: as it was written, with a tag if it had neither tag nor digest. */
  readonly image: string
  /** In full and without tag and digest, `docker.io/library/web`: what credentials and records are found by. */
  readonly repository: string
}

/** Throws an `ImageNameError`. */
export function imageName(text: string): ImageName {
  const reference = parseImageReference(text)
  if (!reference) throw new ImageNameError(`couldn't parse image name ${quote(text)}: ${problemOf(text)}`)
  const { name, tag, digest } = reference
  const isTagged = digest !== '' || text.endsWith(`:${tag}`)
  return { image: isTagged ? text : `${text}:${tag}`, repository: fullName(name).join('/') }
}

/** Names without a host are those of one public registry, and there of one folder unless they say which. */
function fullName(name: string): readonly [host: string, path: string] {
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(slash, 0))
  const rest = name.slice(slash + 1)
  if (first === 'index.docker.io') return ['docker.io', rest.includes('/') ? rest : `library/${rest}`]
  const isHost = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first
  if (isHost && first !== 'docker.io') return [first, rest]
  const path = isHost ? rest : name
  return ['docker.io', path.includes('/') ? path : `library/${path}`]
}

const longestPath = 255
const invalidFormat = 'invalid reference format'

/** What the reference implementation of image names says of one that is none. */
function problemOf(text: string): string {
  if (/^[a-f0-9]{64}$/.test(text))
    return `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`
  const [host, remainder] = fullName(text)
  const [path = ''] = remainder.split(':')
  if (path.toLowerCase() !== path) return `${invalidFormat}: repository name (${path}) must be lowercase`
  return digestProblem(text) ?? lengthProblem(text) ?? capitalsProblem(`${host}/${remainder}`) ?? invalidFormat
}

const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 }

/** Of a digest that looks like one: anything else is not even the form of a reference. */
function digestProblem(text: string): string | undefined {
  const [, algorithm = '', encoded = ''] = /@([A-Za-z][A-Za-z0-9]*):([0-9a-fA-F]{32,})$/.exec(text) ?? []
  if (algorithm === '') return undefined
  const length = digestLengths[algorithm]
  if (length === undefined) return 'unsupported digest algorithm'
  if (encoded.length !== length) return 'invalid checksum digest length'
  return encoded === encoded.toLowerCase() ? undefined : 'invalid checksum digest format'
}

/** Only a name that is otherwise right is too long. */
function lengthProblem(text: string): string | undefined {
  const [path = ''] = text.split('@')
  const isOtherwiseRight = parseImageReference(path.replace(/[a-z0-9]{100,}/g, 'x')) !== undefined
  return path.length > longestPath && isOtherwiseRight
    ? `repository name must not be more than ${longestPath} characters`
    : undefined
}

function capitalsProblem(text: string): string | undefined {
  return parseImageReference(text) === undefined && parseImageReference(text.toLowerCase()) !== undefined
    ? 'repository name must be lowercase'
    : undefined
}

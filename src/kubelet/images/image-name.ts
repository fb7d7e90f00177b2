import { longestRepository, parseImageName, splitRepository } from '../../base/image-name.js'
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
  const parsed = parseImageName(text)
  if (!parsed) throw new ImageNameError(`couldn't parse image name ${quote(text)}: ${problemOf(text)}`)
  const { repository, tag, digest } = parsed
  const isTagged = digest !== '' || text.endsWith(`:${tag}`)
  return { image: isTagged ? text : `${text}:${tag}`, repository }
}

const invalidFormat = 'invalid reference format'

/** What the reference implementation of image names says of one that is none. */
function problemOf(text: string): string {
  if (/^[a-f0-9]{64}$/.test(text))
    return `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`
  const [host, remainder] = splitRepository(text)
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
  const isOtherwiseRight = parseImageName(path.replace(/[a-z0-9]{100,}/g, 'x')) !== undefined
  return path.length > longestRepository && isOtherwiseRight
    ? `repository name must not be more than ${longestRepository} characters`
    : undefined
}

function capitalsProblem(text: string): string | undefined {
  return parseImageName(text) === undefined && parseImageName(text.toLowerCase()) !== undefined
    ? 'repository name must be lowercase'
    : undefined
}

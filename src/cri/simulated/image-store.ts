import { createHash } from 'node:crypto'
import { type Clock, sleep } from '../../base/clock.js'
import { fullImageName, isImageName } from '../../base/image-name.js'
import { CriError } from '../cri-error.js'
import type { AuthConfig, CriImage } from '../interface/image.js'
import type { PartialMessage } from '../interface/message.js'
import type { SimulationScenario } from './scenario.js'

export interface SimulatedImage {
  readonly id: string
  readonly tags: readonly string[]
  readonly digests: readonly string[]
  readonly size: number
  readonly user: string
}

const defaultSize = 25_000_000

/** The images of a simulated node. By default every image can be pulled. The id of an image derives from its name. */
export class ImageStore {
  readonly #scenario: SimulationScenario
  readonly #clock: Clock
  readonly #images = new Map<string, SimulatedImage>()

  constructor(scenario: SimulationScenario, clock: Clock) {
    this.#scenario = scenario
    this.#clock = clock
    for (const name of scenario.present) this.#add(fullImageName(name))
  }

  async pull(name: string, auth: AuthConfig | undefined, signal: AbortSignal): Promise<SimulatedImage> {
    if (!isImageName(name))
      throw new CriError('InvalidArgument', `failed to parse image reference "${name}": invalid reference format`)
    const fullName = fullImageName(name)
    const { delay, error, missing, username } = this.#scenario.image(fullName)
    if (delay !== undefined) await sleep(this.#clock, delay, signal)
    if (missing) throw new CriError('NotFound', `${pullFailed(fullName)}: ${fullName}: not found`)
    if (error !== undefined) throw new CriError('Unknown', `${pullFailed(fullName)}: ${error}`)
    if (username !== undefined && !this.#mayPull(fullName, auth))
      throw new CriError('Unknown', `${pullFailed(fullName)}: unexpected status from HEAD request: 401 Unauthorized`)
    return this.#add(fullName)
  }

  /** Finds an image by one of its names or by its id. */
  find(name: string): SimulatedImage | undefined {
    const known = this.#images.get(name) ?? this.#images.get(`sha256:${name}`)
    if (known) return known
    const fullName = isImageName(name) ? fullImageName(name) : name
    return this.all().find(({ tags, digests }) => tags.includes(fullName) || digests.includes(fullName))
  }

  all(): SimulatedImage[] {
    return [...this.#images.values()]
  }

  remove(name: string): void {
    const image = this.find(name)
    if (image) this.#images.delete(image.id)
  }

  #mayPull(fullName: string, auth: AuthConfig | undefined): boolean {
    const { username, password = '' } = this.#scenario.image(fullName)
    const [user, secret] = auth?.auth ? Buffer.from(auth.auth, 'base64').toString().split(/:(.*)/s) : []
    return (auth?.username || user) === username && (auth?.password || secret || '') === password
  }

  #add(fullName: string): SimulatedImage {
    const [repository = '', digest] = splitName(fullName)
    const { size = defaultSize, user = '' } = this.#scenario.image(fullName)
    const id = `sha256:${sha256(`image ${digest ?? fullName}`)}`
    const digests = [`${repository}@${digest ?? `sha256:${sha256(`manifest ${fullName}`)}`}`]
    const image = { id, tags: digest ? [] : [fullName], digests, size, user }
    this.#images.set(id, image)
    return image
  }
}

export function imageMessage({ id, tags, digests, size, user }: SimulatedImage): PartialMessage<CriImage> {
  const isNumber = /^\d+$/.test(user)
  return {
    id,
    repoTags: tags,
    repoDigests: digests,
    size,
    ...(isNumber ? { uid: { value: Number(user) } } : { username: user }),
  }
}

function splitName(fullName: string): [repository: string, digest?: string] {
  const [name = '', digest] = fullName.split('@') as [string, string?]
  return digest ? [name, digest] : [name.slice(0, name.lastIndexOf(':'))]
}

function pullFailed(fullName: string): string {
  return `failed to pull and unpack image "${fullName}": failed to resolve reference "${fullName}"`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

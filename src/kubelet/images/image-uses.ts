import { pauseImageName } from '../../cri/images/pause-image.js'
import type { CriContainer } from '../../cri/interface/container.js'
import type { CriImage } from '../../cri/interface/image.js'

/** An unused image. Times are milliseconds on the monotonic clock. */
export interface UnusedImage {
  readonly id: string
  readonly size: number
  /** Minus infinity if it was present before the kubelet started. */
  readonly firstSeen: number
  /** Minus infinity if it was never used. */
  readonly lastUsed: number
}

interface Uses {
  readonly firstSeen: number
  lastUsed: number
}

/** Tracks when images appeared and when they were last used. */
export class ImageUses {
  #uses: Map<string, Uses> | undefined

  /** Records the present images and containers. Returns the removable images, longest unused first. */
  update(images: readonly CriImage[], containers: readonly CriContainer[], now: number): readonly UnusedImage[] {
    const firstSeen = this.#uses ? now : Number.NEGATIVE_INFINITY
    const known = this.#uses ?? new Map<string, Uses>()
    this.#uses = new Map(
      images.map(({ id }) => [id, known.get(id) ?? { firstSeen, lastUsed: Number.NEGATIVE_INFINITY }]),
    )
    const used = new Set(containers.flatMap(namesOfImage))
    const isUsed = (image: CriImage) =>
      [image.id, ...image.repoTags, ...image.repoDigests].some((name) => used.has(name))
    for (const image of images) if (isUsed(image)) this.#uses.get(image.id)!.lastUsed = now
    const spared = (image: CriImage) => isUsed(image) || image.pinned || image.repoTags.includes(pauseImageName)
    const unused = images.filter((image) => !spared(image))
    return unused.map(({ id, size }) => ({ id, size, ...this.#uses!.get(id)! })).sort(longestUnusedFirst)
  }
}

/** Runtimes report the id, the pulled name, or both. */
function namesOfImage({ imageId, imageRef, image }: CriContainer): readonly string[] {
  return [imageId, imageRef, image?.image ?? ''].filter((name) => name !== '')
}

function longestUnusedFirst(one: UnusedImage, other: UnusedImage): number {
  if (one.lastUsed !== other.lastUsed) return one.lastUsed < other.lastUsed ? -1 : 1
  return one.firstSeen === other.firstSeen ? 0 : one.firstSeen < other.firstSeen ? -1 : 1
}

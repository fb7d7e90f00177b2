import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { declarePlugin } from '../framework/declaration.js'
import { maxNodeScore } from '../framework/plugin.js'

const megabyte = 1024 * 1024
/** Smaller images are pulled so fast that their location does not matter. Both thresholds are upstream's. */
const minThreshold = 23 * megabyte
/** A larger image counts no more than one of this size. */
const maxContainerThreshold = 1000 * megabyte

/**
 * Nodes that already have the images of a pod score higher, the larger the images. An image that only few nodes have counts less, so that
 * these few nodes do not get all pods that use it.
 */
export const imageLocality = declarePlugin({
  name: 'ImageLocality',
  extensionPoints: ['score'],
  defaultProfile: { position: 140, weight: 1 },
  create: () => ({
    preScore({ pod: { spec } }, snapshot) {
      const images = imageNames(spec).map((image) => ({ image, share: snapshot.imageNodes(image) / snapshot.size }))
      const known = images.filter(({ share }) => share > 0)
      if (known.length === 0) return undefined
      const maxThreshold = maxContainerThreshold * containerCount(spec)
      return {
        score(node) {
          let total = 0
          for (let i = 0; i < known.length; i++) {
            const { image, share } = known[i]!
            total += Math.trunc((node.images.get(image) ?? 0) * share)
          }
          const bounded = Math.min(Math.max(total, minThreshold), maxThreshold)
          return Math.trunc((maxNodeScore * (bounded - minThreshold)) / (maxThreshold - minThreshold))
        },
      }
    },
  }),
})

function imageNames({ initContainers = [], containers, volumes = [] }: PodSpec): readonly string[] {
  const ofContainers = [...initContainers, ...containers].map(({ image = '' }) => image)
  const ofVolumes = volumes.flatMap(({ image }) => image?.reference ?? [])
  return [...ofContainers, ...ofVolumes].map(withTag)
}

/** Without image volumes, as in upstream's v1.36. */
function containerCount({ initContainers = [], containers }: PodSpec): number {
  return initContainers.length + containers.length
}

/** Nodes report images by their full name: an image without a tag is `latest`. */
function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image
}

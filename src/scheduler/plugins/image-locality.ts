import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'

const name = 'ImageLocality'

const megabyte = 1024 * 1024
/** Below this an image is pulled so fast that it does not matter where it is. Upstream's, as is the other one. */
const least = 23 * megabyte
/** From this on an image could not matter more. */
const mostOfContainer = 1000 * megabyte

/**
 * Nodes that have the images of a pod are better, the larger these are. An image that only few nodes have counts less, so that these few
 * do not get all pods that want it.
 */
export function imageLocality(): SchedulerPlugin {
  return {
    name,
    preScore({ pod: { spec } }, snapshot) {
      const images = imagesOf(spec).map((image) => ({ image, share: snapshot.imageNodes(image) / snapshot.size }))
      const known = images.filter(({ share }) => share > 0)
      if (known.length === 0) return undefined
      const most = mostOfContainer * containerCount(spec)
      return {
        score(node) {
          let total = 0
          for (let i = 0; i < known.length; i++) {
            const { image, share } = known[i]!
            total += Math.trunc((node.images.get(image) ?? 0) * share)
          }
          const bounded = Math.min(Math.max(total, least), most)
          return Math.trunc((maxNodeScore * (bounded - least)) / (most - least))
        },
      }
    },
  }
}

function imagesOf({ initContainers = [], containers, volumes = [] }: PodSpec): readonly string[] {
  const ofContainers = [...initContainers, ...containers].map(({ image = '' }) => image)
  const ofVolumes = volumes.flatMap(({ image }) => image?.reference ?? [])
  return [...ofContainers, ...ofVolumes].map(withTag)
}

/** Volumes do not count: as upstream's v1.36 has it. */
function containerCount({ initContainers = [], containers }: PodSpec): number {
  return initContainers.length + containers.length
}

/** Nodes report images by their full name: one without a tag is the latest. */
function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image
}

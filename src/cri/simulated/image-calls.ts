import type { ImageFilter } from '../interface/image.js'
import type { RuntimeImplementation } from '../interface/services.js'
import { imageMessage } from './image-store.js'
import type { SimulatedNode } from './simulated-node.js'
import { imageFolder } from './stats.js'

export function imageCalls({ images, time }: SimulatedNode): RuntimeImplementation {
  const list = (filter: ImageFilter | undefined) => {
    const name = filter?.image?.image
    const found = name ? [images.find(name)].filter((image) => image !== undefined) : images.all()
    return found.map(imageMessage)
  }
  return {
    listImages: async ({ filter }) => ({ images: list(filter) }),

    async *streamImages({ filter }) {
      yield { images: list(filter) }
    },

    async imageStatus({ image }) {
      const found = images.find(image?.image ?? '')
      return found ? { image: imageMessage(found) } : {}
    },

    pullImage: async ({ image, auth }, { signal }) => ({
      imageRef: (await images.pull(image?.image ?? '', auth, signal)).id,
    }),

    async removeImage({ image }) {
      images.remove(image?.image ?? '')
      return {}
    },

    async imageFsInfo() {
      const all = images.all()
      const usage = {
        timestamp: time.now(),
        fsId: { mountpoint: imageFolder },
        usedBytes: { value: all.reduce((total, { size }) => total + size, 0) },
        inodesUsed: { value: all.length },
      }
      return { imageFilesystems: [usage], containerFilesystems: [usage] }
    },
  }
}

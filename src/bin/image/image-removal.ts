import { fullImageName, isImageName } from '../../base/image-name.js'
import { pauseImageName } from '../../cri/images/pause-image.js'
import type { CriContainer } from '../../cri/interface/container.js'
import type { CriImage } from '../../cri/interface/image.js'

export type RemovableImage = Pick<CriImage, 'id' | 'repoTags' | 'repoDigests' | 'pinned'>
export type ImageUser = Pick<CriContainer, 'imageRef' | 'image' | 'labels'>

/** Removes either one of several names, or the image with all its names. */
export type ImageRemoval =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'image'; readonly id: string; readonly names: readonly string[] }

export interface RuntimeContent {
  readonly images: readonly RemovableImage[]
  readonly containers: readonly ImageUser[]
}

export class MissingImageError extends Error {
  override readonly name = 'MissingImageError'
}

/** Returns what `image rm NAME` must do. Throws if the image does not exist, or if a container uses it. */
export function planRemoval(name: string, { images, containers }: RuntimeContent): ImageRemoval {
  const image = findImage(name, images)
  if (image.pinned || image.repoTags.includes(pauseImageName))
    throw new Error(`${name} cannot be removed: the runtime needs it for every pod`)
  const users = containers.filter((container) => uses(container, image)).map(describeUser)
  if (users.length > 0) throw new Error(`${name} is in use by ${listed(users)}; delete the pods first`)
  const tag = fullName(name)
  if (image.repoTags.length > 1 && image.repoTags.includes(tag)) return { kind: 'name', name: tag }
  return { kind: 'image', id: image.id, names: image.repoTags.length > 0 ? image.repoTags : [image.id] }
}

function findImage(name: string, images: readonly RemovableImage[]): RemovableImage {
  const full = fullName(name)
  const named = images.find(({ repoTags, repoDigests }) => repoTags.includes(full) || repoDigests.includes(full))
  if (named) return named
  const id = name.replace(/^sha256:/, '')
  const found = /^[0-9a-f]{4,64}$/.test(id) ? images.filter((image) => image.id.startsWith(`sha256:${id}`)) : []
  if (found.length > 1) throw new Error(`${name} is the beginning of several image IDs; type more of the ID`)
  if (!found[0]) throw new MissingImageError(`there is no image ${name}`)
  return found[0]
}

function fullName(name: string): string {
  return isImageName(name) ? fullImageName(name) : name
}

/** The kubelet creates containers with the ID of an image, other clients with a name. */
function uses({ imageRef, image }: ImageUser, { id, repoTags, repoDigests }: RemovableImage): boolean {
  const names = [id, ...repoTags, ...repoDigests]
  return names.includes(imageRef) || (image !== undefined && names.includes(image.image))
}

function describeUser({ labels }: ImageUser): string {
  const [namespace, pod, container] = ['pod.namespace', 'pod.name', 'container.name'].map(
    (label) => labels[`io.kubernetes.${label}`],
  )
  return pod === undefined
    ? 'a container that is not part of a pod'
    : `container ${container} of pod ${namespace}/${pod}`
}

const mostListed = 3

function listed(users: readonly string[]): string {
  const shown = users.slice(0, mostListed).join(', ')
  const more = users.length - mostListed
  return more > 0 ? `${shown} and ${more} more` : shown
}

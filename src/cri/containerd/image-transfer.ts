import { type Clock, sleep } from '../../base/clock.js'
import { imageArchive, type PackedImage } from '../images/image-archive.js'
import type { ImageService } from '../interface/services.js'
import { type CtrOptions, runCtr } from './ctr.js'

/** The containerd namespace of Kubernetes. */
export const kubernetesNamespace = 'k8s.io'
const visibilityTimeout = 30_000
/** The CRI plugin adds names with a delay, so that a removed name may reappear once. */
const cleanupRounds = 10
const cleanupDelay = 50

export interface ImportOptions {
  readonly images: readonly PackedImage[]
  readonly clock: Clock
  readonly namespace?: string
}

/** Imports and unpacks images. After a failure, no new image remains in containerd. */
export async function importImages(options: CtrOptions, { images, clock, ...rest }: ImportOptions): Promise<void> {
  const { namespace = kubernetesNamespace } = rest
  const before = await imageNames(options, namespace)
  try {
    await runCtr(options, { namespace, args: ['images', 'import', '-'], input: imageArchive(images) })
  } catch (error) {
    // The CRI plugin of containerd also names an image by the digest of its configuration.
    const names = images.flatMap((image) => [...image.names, ...image.blobs.map(({ digest }) => digest)])
    const added = names.filter((name) => !before.includes(name))
    for (let round = 0; round < cleanupRounds; round++) {
      const present = await imageNames(options, namespace)
      await removeNames(
        options,
        present.filter((name) => added.includes(name)),
        namespace,
      )
      await sleep(clock, cleanupDelay)
    }
    throw error
  }
}

/** Exports one image to an archive file. */
export async function exportImage(options: CtrOptions, name: string, archive: string): Promise<void> {
  await runCtr(options, { namespace: kubernetesNamespace, args: ['images', 'export', archive, name] })
}

/** Removes names. containerd removes an image without names, unless a container uses it. A missing name is no error. */
export async function removeNames(
  options: CtrOptions,
  names: readonly string[],
  namespace = kubernetesNamespace,
): Promise<void> {
  if (names.length > 0) await runCtr(options, { namespace, args: ['images', 'rm', '--sync', ...names] })
}

export async function imageNames(options: CtrOptions, namespace = kubernetesNamespace): Promise<string[]> {
  const output = await runCtr(options, { namespace, args: ['images', 'ls', '--quiet'] })
  return output.split('\n').filter((line) => line !== '')
}

/** Waits until CRI reports imported images: the CRI plugin learns of them by an event, with a delay. */
export async function waitUntilVisible(images: ImageService, names: readonly string[], clock: Clock): Promise<void> {
  await waitForNames(
    clock,
    names,
    async (name) => (await images.imageStatus({ image: { image: name } })).image !== undefined,
  )
}

/** Waits until CRI no longer reports removed names. */
export async function waitUntilInvisible(images: ImageService, names: readonly string[], clock: Clock): Promise<void> {
  const isGone = async (name: string) => {
    const { image } = await images.imageStatus({ image: { image: name } })
    return !image?.repoTags.includes(name)
  }
  await waitForNames(clock, names, isGone)
}

async function waitForNames(
  clock: Clock,
  names: readonly string[],
  isReached: (name: string) => Promise<boolean>,
): Promise<void> {
  const deadline = clock.monotonic() + visibilityTimeout
  for (const name of names)
    while (!(await isReached(name))) {
      if (clock.monotonic() > deadline) throw new Error(`the runtime did not update image ${name} in time`)
      await sleep(clock, 10)
    }
}

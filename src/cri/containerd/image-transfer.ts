import { type Clock, sleep } from '../../base/clock.js'
import { imageArchive, type PackedImage } from '../images/image-archive.js'
import type { ImageService } from '../interface/services.js'
import { type CtrOptions, runCtr } from './ctr.js'

/** The namespace, in containerd's sense, of everything that Kubernetes runs. */
export const kubernetesNamespace = 'k8s.io'
const visibilityTimeout = 30_000
/** It does so a little later, so that names which were removed may come back once. */
const cleanupRounds = 10
const cleanupDelay = 50

export interface ImportOptions {
  readonly images: readonly PackedImage[]
  readonly clock: Clock
  readonly namespace?: string
}

/** Brings images into containerd, unpacked and ready. If that fails, no image is left that was not there before. */
export async function importImages(options: CtrOptions, { images, clock, ...rest }: ImportOptions): Promise<void> {
  const { namespace = kubernetesNamespace } = rest
  const before = await imageNames(options, namespace)
  try {
    await runCtr(options, { namespace, args: ['images', 'import', '-'], input: imageArchive(images) })
  } catch (error) {
    // The part of containerd that speaks CRI names an image by the digest of its configuration, too.
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

/** Writes one image of containerd into an archive. */
export async function exportImage(options: CtrOptions, name: string, archive: string): Promise<void> {
  await runCtr(options, { namespace: kubernetesNamespace, args: ['images', 'export', archive, name] })
}

/** Removes names. An image without a name is removed, unless a container uses it. A name that is not there is no error. */
export async function removeNames(
  options: CtrOptions,
  names: readonly string[],
  namespace = kubernetesNamespace,
): Promise<void> {
  if (names.length > 0) await runCtr(options, { namespace, args: ['images', 'rm', '--sync', ...names] })
}

export async function imageNames(options: CtrOptions, namespace = kubernetesNamespace): Promise<string[]> {
  const printed = await runCtr(options, { namespace, args: ['images', 'ls', '--quiet'] })
  return printed.split('\n').filter((line) => line !== '')
}

/** The part of containerd that speaks CRI learns of imported images by an event, a little later. */
export async function waitUntilVisible(images: ImageService, names: readonly string[], clock: Clock): Promise<void> {
  await waitForNames(
    clock,
    names,
    async (name) => (await images.imageStatus({ image: { image: name } })).image !== undefined,
  )
}

/** The same for a name that was removed. */
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
      if (clock.monotonic() > deadline) throw new Error(`the runtime has not noticed the change of ${name}`)
      await sleep(clock, 10)
    }
}

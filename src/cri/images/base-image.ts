import { type FinishedLayer, type ImageConfig, thisArchitecture } from './image.js'
import { indexTar, type TarIndex } from './tar-index.js'

/** What another image is built upon. */
export interface BaseImage {
  readonly config: ImageConfig
  readonly layers: readonly FinishedLayer[]
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly platform?: { readonly architecture: string; readonly os: string }
}

interface Manifest {
  readonly manifests?: readonly Descriptor[]
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

interface ConfigFile {
  readonly config?: ImageConfig
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

/** Reads the image for this machine's processor from an archive in the OCI layout; its layers stay in the archive. */
export async function readBaseImage(archive: string): Promise<BaseImage> {
  const index = await indexTar(archive)
  const manifest = await manifestIn(index, JSON.parse((await index.read('index.json')).toString()))
  const config: ConfigFile = await blob(index, manifest.config.digest)
  const layers = manifest.layers.map(({ mediaType, digest }, at) => ({
    mediaType,
    digest,
    diffId: config.rootfs.diff_ids[at] ?? digest,
    content: index.content(blobPath(digest)),
  }))
  return { config: config.config ?? {}, layers }
}

/** An index may lead to further ones, one for each processor. */
async function manifestIn(index: TarIndex, manifest: Manifest): Promise<Manifest> {
  if (!manifest.manifests) return manifest
  const here = thisArchitecture()
  const fitting = manifest.manifests.find(({ platform }) => !platform || platform.architecture === here)
  if (!fitting) throw new Error(`the image is not made for ${here}`)
  return manifestIn(index, await blob(index, fitting.digest))
}

async function blob<T>(index: TarIndex, digest: string): Promise<T> {
  return JSON.parse((await index.read(blobPath(digest))).toString())
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

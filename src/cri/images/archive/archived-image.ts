import { fullImageName, isImageName } from '../../../base/image-name.js'
import { type FinishedLayer, type ImageConfig, thisArchitecture } from '../image.js'
import { type Blob, layerBlob, manifestOf, mediaTypes, type PackedImage } from '../image-archive.js'
import { ArchiveError } from './archive-error.js'
import type { ArchiveFiles } from './archive-files.js'
import { compressionIn } from './compression.js'
import {
  type ConfigDocument,
  configDocument,
  type Descriptor,
  type DockerManifest,
  dockerManifests,
  type ManifestDocument,
  manifestDocument,
  type Platform,
} from './documents.js'

/** One image of an archive, for this host's architecture. The digests of its layers are not verified yet. */
export interface ArchivedImage {
  /** Full names; empty if the archive has no complete name for the image. */
  readonly names: readonly string[]
  readonly config: ImageConfig
  readonly layers: readonly FinishedLayer[]
  readonly configBlob: Blob
  readonly manifest: Blob
}

const maxImages = 1000

/** Returns the images of an archive in the OCI image layout, or in that of `docker save`. */
export async function imagesIn(files: ArchiveFiles): Promise<ArchivedImage[]> {
  if (files.has('index.json')) return mergeByDigest(await ociImages(files))
  if (files.has('manifest.json')) return mergeByDigest(await dockerImages(files))
  throw new ArchiveError(
    'the archive has neither index.json (OCI) nor manifest.json (docker save), so it holds no image; docker export writes such archives, docker save writes images',
  )
}

export function packArchivedImage({ names, manifest, configBlob, layers }: ArchivedImage): PackedImage {
  return { names, manifest, blobs: [configBlob, ...layers.map(layerBlob)] }
}

/** Merges entries of one image: the index lists an image once per name. */
function mergeByDigest(images: readonly ArchivedImage[]): ArchivedImage[] {
  const byDigest = new Map<string, ArchivedImage>()
  for (const image of images) {
    const same = byDigest.get(image.manifest.digest)
    const names = [...new Set([...(same?.names ?? []), ...image.names])]
    byDigest.set(image.manifest.digest, { ...image, names })
  }
  if (byDigest.size === 0) throw new ArchiveError('the archive contains no image')
  return [...byDigest.values()]
}

async function ociImages(files: ArchiveFiles): Promise<ArchivedImage[]> {
  const index = manifestDocument(await files.json('index.json'), 'index.json')
  if (index.kind === 'manifest') throw new ArchiveError('index.json in the archive does not describe an image')
  const { manifests } = index
  const fitting = manifests.filter(({ platform }) => !platform || isThisPlatform(platform))
  if (fitting.length === 0 && manifests.length > 0)
    throw wrongPlatform(
      'the image',
      manifests.flatMap(({ platform }) => platform ?? []),
    )
  return readInSequence(fitting, (descriptor) => ociImage(files, descriptor))
}

async function ociImage(files: ArchiveFiles, descriptor: Descriptor): Promise<ArchivedImage> {
  const names = namesFrom(descriptor.annotations)
  const found = await manifestFor(files, descriptor, names[0] ?? 'the image')
  const { config, diffIds } = await configFor(files, found.document.config, names[0] ?? 'the image')
  const layers = found.document.layers.map(({ mediaType, digest }, index) => ({
    mediaType,
    digest,
    diffId: diffIds[index]!,
    content: blobFile(files, digest).content,
  }))
  if (layers.length !== diffIds.length)
    throw new ArchiveError('an image in the archive contradicts its own list of layers')
  const blobOf = ({ mediaType, digest }: Descriptor) => ({ ...blobFile(files, digest).content, mediaType, digest })
  return { names, config, layers, configBlob: blobOf(found.document.config), manifest: blobOf(found.descriptor) }
}

interface FoundManifest {
  readonly descriptor: Descriptor
  readonly document: Extract<ManifestDocument, { kind: 'manifest' }>
}

/** Follows indexes to the manifest for this host's platform. */
async function manifestFor(files: ArchiveFiles, descriptor: Descriptor, image: string): Promise<FoundManifest> {
  const path = blobPath(descriptor.digest)
  blobFile(files, descriptor.digest)
  const document = manifestDocument(await files.json(path), path)
  if (document.kind === 'manifest') return { descriptor, document }
  const fitting = document.manifests.find(({ platform }) => !platform || isThisPlatform(platform))
  if (!fitting)
    throw wrongPlatform(
      image,
      document.manifests.flatMap(({ platform }) => platform ?? []),
    )
  return manifestFor(files, fitting, image)
}

async function configFor(files: ArchiveFiles, { digest }: Descriptor, image: string): Promise<ConfigDocument> {
  blobFile(files, digest)
  return checkedConfig(configDocument(await files.json(blobPath(digest)), blobPath(digest)), image)
}

function checkedConfig(document: ConfigDocument, image: string): ConfigDocument {
  if (!isThisPlatform(document.platform)) throw wrongPlatform(image, [document.platform])
  return document
}

/** Returns a blob after a check that its content has the digest in its name. */
function blobFile(files: ArchiveFiles, digest: string) {
  const file = files.file(blobPath(digest))
  if (`sha256:${file.sha256}` !== digest)
    throw new ArchiveError(`the archive is damaged: ${blobPath(digest)} does not have the digest in its name`)
  return file
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

async function dockerImages(files: ArchiveFiles): Promise<ArchivedImage[]> {
  const manifests = dockerManifests(await files.json('manifest.json'), 'manifest.json')
  return readInSequence(manifests, (manifest) => dockerImage(files, manifest))
}

/** Reads one image at a time, because the number of images is untrusted. */
async function readInSequence<T>(
  items: readonly T[],
  read: (item: T) => Promise<ArchivedImage>,
): Promise<ArchivedImage[]> {
  if (items.length > maxImages) throw new ArchiveError(`the archive has more than ${maxImages} images`)
  const images: ArchivedImage[] = []
  for (const item of items) images.push(await read(item))
  return images
}

async function dockerImage(files: ArchiveFiles, manifest: DockerManifest): Promise<ArchivedImage> {
  const names = manifest.tags.map(checkedName)
  const document = configDocument(await files.json(manifest.config), manifest.config)
  const { config, diffIds } = checkedConfig(document, names[0] ?? 'the image')
  if (manifest.layers.length !== diffIds.length)
    throw new ArchiveError('an image in the archive contradicts its own list of layers')
  const layers = await Promise.all(manifest.layers.map((path, index) => dockerLayer(files, path, diffIds[index]!)))
  const { content, sha256 } = files.file(manifest.config)
  const configBlob = { ...content, mediaType: mediaTypes.config, digest: `sha256:${sha256}` }
  return { names, config, layers, configBlob, manifest: manifestOf(configBlob, layers.map(layerBlob)) }
}

/** Detects the compression, because `docker save` does not record it. */
async function dockerLayer(files: ArchiveFiles, path: string, diffId: string): Promise<FinishedLayer> {
  const { content, sha256 } = files.file(path)
  const compression = await compressionIn(content)
  const mediaType = compression === 'none' ? mediaTypes.layer : `${mediaTypes.layer}+${compression}`
  return { mediaType, digest: `sha256:${sha256}`, diffId, content }
}

/**
 * Returns the names in the annotations of a manifest. That of containerd and Docker is a full name. That of the OCI specification may be only
 * a tag, which cannot name the image.
 */
export function namesFrom(annotations: Readonly<Record<string, string>>): string[] {
  const full = annotations['io.containerd.image.name']
  if (full !== undefined) return [checkedName(full)]
  const reference = annotations['org.opencontainers.image.ref.name']
  return reference !== undefined && /[/:]/.test(reference) ? [checkedName(reference)] : []
}

function checkedName(name: string): string {
  if (!isImageName(name))
    throw new ArchiveError(`the archive has an image with an invalid name: ${JSON.stringify(name)}`)
  return fullImageName(name)
}

function isThisPlatform({ architecture, os }: Platform): boolean {
  return os === 'linux' && architecture === thisArchitecture()
}

function wrongPlatform(image: string, platforms: readonly Platform[]): ArchiveError {
  const names = [...new Set(platforms.map(({ os, architecture }) => `${os}/${architecture}`))].join(', ')
  return new ArchiveError(`${image} is built for ${names || 'no platform'}; this host is linux/${thisArchitecture()}`)
}

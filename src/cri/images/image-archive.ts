import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type StreamedContent, type TarEntry, tarChunks } from '../../base/tar/writer.js'
import { type FinishedLayer, type Image, withFolders } from './image.js'

export const mediaTypes = {
  layer: 'application/vnd.oci.image.layer.v1.tar',
  config: 'application/vnd.oci.image.config.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
} as const

/** A part of an image, named by the digest of its bytes. */
export interface Blob extends StreamedContent {
  readonly mediaType: string
  readonly digest: string
}

/** An image as registries store it. */
export interface PackedImage {
  readonly names: readonly string[]
  readonly manifest: Blob
  /** Configuration and layers. */
  readonly blobs: readonly Blob[]
}

/** Computes the digests of an image. Layers are streamed once and never held in memory. */
export async function packImage({ names, architecture, config, layers }: Image): Promise<PackedImage> {
  const packed = await Promise.all(
    layers.map((layer) => ('digest' in layer ? packedFinishedLayer(layer) : packLayer(layer))),
  )
  const rootfs = { type: 'layers', diff_ids: packed.map(({ diffId }) => diffId) }
  const configBlob = jsonBlob(mediaTypes.config, { architecture, os: 'linux', config, rootfs })
  const blobs = packed.map(({ blob }) => blob)
  return { names, manifest: manifestOf(configBlob, blobs), blobs: [configBlob, ...blobs] }
}

export function manifestOf(config: Blob, layers: readonly Blob[]): Blob {
  const { manifest: mediaType } = mediaTypes
  return jsonBlob(mediaType, {
    schemaVersion: 2,
    mediaType,
    config: descriptor(config),
    layers: layers.map(descriptor),
  })
}

/** Writes images to one file in the OCI image layout. After a failure there is no file. */
export async function writeImageArchive(path: string, images: readonly PackedImage[]): Promise<void> {
  const file = await open(path, 'w')
  try {
    await pipeline(Readable.from(imageArchive(images)), file.createWriteStream())
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Returns the bytes of an archive in the OCI image layout. */
export function imageArchive(images: readonly PackedImage[]): AsyncGenerator<Uint8Array> {
  const manifests = images.flatMap(({ names, manifest }) =>
    names.map((name) => ({ ...descriptor(manifest), annotations: annotationsOf(name) })),
  )
  const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests }
  const blobs = new Map(
    images.flatMap(({ manifest, blobs }) => [manifest, ...blobs]).map((blob) => [blob.digest, blob]),
  )
  const entries: TarEntry[] = [
    { type: 'file', path: 'oci-layout', content: json({ imageLayoutVersion: '1.0.0' }) },
    { type: 'file', path: 'index.json', content: json(index) },
    ...[...blobs.values()].map(
      (blob): TarEntry => ({ type: 'file', path: `blobs/${blob.digest.replace(':', '/')}`, content: blob }),
    ),
  ]
  return tarChunks(withFolders(entries))
}

/** The annotations for the name: containerd reads the first, other tools read the second. */
function annotationsOf(name: string): Record<string, string> {
  return { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name }
}

interface PackedLayer {
  readonly blob: Blob
  readonly diffId: string
}

async function packLayer(entries: readonly TarEntry[]): Promise<PackedLayer> {
  return packedFinishedLayer(await finishLayer(entries))
}

/** Computes the digest of a layer, for a layer that is used more than once. */
export async function finishLayer(entries: readonly TarEntry[]): Promise<FinishedLayer> {
  const chunks = () => tarChunks(withFolders(entries))
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunks()) {
    hash.update(chunk)
    size += chunk.length
  }
  const digest = `sha256:${hash.digest('hex')}`
  return { mediaType: mediaTypes.layer, digest, diffId: digest, content: { size, chunks } }
}

function packedFinishedLayer(layer: FinishedLayer): PackedLayer {
  return { blob: layerBlob(layer), diffId: layer.diffId }
}

export function layerBlob({ mediaType, digest, content }: FinishedLayer): Blob {
  return { mediaType, digest, size: content.size, chunks: () => content.chunks() }
}

function jsonBlob(mediaType: string, value: object): Blob {
  const bytes = json(value)
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return {
    mediaType,
    digest,
    size: bytes.length,
    async *chunks() {
      yield bytes
    },
  }
}

function descriptor({ mediaType, digest, size }: Blob): object {
  return { mediaType, digest, size }
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

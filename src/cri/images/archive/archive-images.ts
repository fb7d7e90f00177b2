import { createHash } from 'node:crypto'
import { tarFlags } from '../../../base/tar/header.js'
import type { FinishedLayer } from '../image.js'
import { ArchiveError } from './archive-error.js'
import { type OpenArchiveOptions, openArchive } from './archive-files.js'
import { archiveEntries } from './archive-scan.js'
import { type ArchivedImage, imagesIn } from './archived-image.js'
import { decompressed } from './compression.js'
import { defaultSizeLimit, SizeLimit } from './size-limit.js'

/** Reads the images of an untrusted archive. Checks every layer before the promise resolves. */
export async function readImages(
  source: string | AsyncIterable<Uint8Array>,
  options: OpenArchiveOptions,
): Promise<ArchivedImage[]> {
  const images = await imagesIn(await openArchive(source, options))
  const limit = new SizeLimit(options.sizeLimit ?? defaultSizeLimit, 'the content of the layers')
  const layers = new Map(images.flatMap((image) => image.layers).map((layer) => [layer.digest, layer]))
  for (const layer of layers.values()) await checkLayer(layer, limit)
  return images
}

/** Replaces the names of the only image of an archive. */
export function renameImage(images: readonly ArchivedImage[], names: readonly string[]): ArchivedImage[] {
  if (names.length === 0) return [...images]
  const [image, ...others] = images
  if (!image || others.length > 0)
    throw new ArchiveError(`the archive has ${images.length} images; a name can be chosen only for an archive with one`)
  return [{ ...image, names }]
}

/** Throws if an image has no name, because no user could find it after the load. */
export function requireNames(images: readonly ArchivedImage[]): void {
  if (images.some(({ names }) => names.length === 0))
    throw new ArchiveError('the archive has an image without a name; choose one with -t NAME')
}

/**
 * Reads a layer as a runtime would unpack it. Rejects an incomplete archive, a digest that differs from the image's configuration, more
 * bytes than the limit, and a path that leads outside of the image.
 */
async function checkLayer(layer: FinishedLayer, limit: SizeLimit): Promise<void> {
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of limit.count(decompressed(layer.content.chunks()))) {
      hash.update(chunk)
      yield chunk
    }
  }
  for await (const { name, flag, target } of archiveEntries(hashed())) {
    rejectEscape(name)
    // A symbolic link is resolved inside the container, so any target is safe.
    if (flag === tarFlags.hardLink) rejectEscape(target)
  }
  if (`sha256:${hash.digest('hex')}` !== layer.diffId)
    throw new ArchiveError(`the archive is damaged: the layer ${layer.digest} does not match its image`)
}

function rejectEscape(path: string): void {
  if (path.split('/').includes('..'))
    throw new ArchiveError(`the archive has a layer with a path that leads outside of it: ${JSON.stringify(path)}`)
}

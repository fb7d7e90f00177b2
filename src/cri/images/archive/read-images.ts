import { ArchiveError } from './archive-error.js'
import { type OpenOptions, openArchive } from './archive-files.js'
import { type ArchivedImage, imagesIn } from './archived-image.js'
import { checkLayer } from './layer-check.js'
import { defaultSizeLimit, SizeLimit } from './size-limit.js'

/** Reads the images of an archive that somebody else wrote. Every layer is checked before the promise resolves. */
export async function readImages(
  source: string | AsyncIterable<Uint8Array>,
  options: OpenOptions,
): Promise<ArchivedImage[]> {
  const images = await imagesIn(await openArchive(source, options))
  const limit = new SizeLimit(options.sizeLimit ?? defaultSizeLimit, 'the content of the layers')
  const layers = new Map(images.flatMap((image) => image.layers).map((layer) => [layer.digest, layer]))
  for (const layer of layers.values()) await checkLayer(layer, limit)
  return images
}

/** Gives the image of an archive names of one's choice. */
export function renamed(images: readonly ArchivedImage[], names: readonly string[]): ArchivedImage[] {
  if (names.length === 0) return [...images]
  const [image, ...others] = images
  if (!image || others.length > 0)
    throw new ArchiveError(`the archive has ${images.length} images; a name can be chosen only for an archive with one`)
  return [{ ...image, names }]
}

/** Throws if an image could not be found again after it was loaded. */
export function requireNames(images: readonly ArchivedImage[]): void {
  if (images.some(({ names }) => names.length === 0))
    throw new ArchiveError('the archive has an image without a name; choose one with -t NAME')
}

import { UsageError } from '../../base/flags/flags.js'
import { readImages, renameImage, requireNames } from '../../cri/images/archive/archive-images.js'
import { packArchivedImage } from '../../cri/images/archive/archived-image.js'
import { defaultSizeLimit } from '../../cri/images/archive/size-limit.js'
import { fullNames, sizeFlag, tagFlag } from './image-flags.js'
import { addImages, withRuntime } from './image-runtime.js'
import { withScratch } from './scratch.js'
import { defineImageCommand, imageFlags } from './verb.js'

export const loadCommand = defineImageCommand({
  name: 'load',
  about: `Add the images of an archive to the container runtime: one that docker save, podman save or skopeo wrote, or any other in the
OCI image layout. It may be compressed with gzip. With - it is read from standard input.

Usage:
  proa image load FILE [flags]
  docker save NAME | proa image load - [flags]
`,
  flags: {
    tag: tagFlag('The name of the image, instead of the one in the archive.'),
    'max-size': sizeFlag(
      'The largest archive that is accepted, and the largest sum of its layers, both decompressed.',
      defaultSizeLimit,
    ),
    ...imageFlags,
  },
  run: (flags, operands) => {
    const source = sourceOf(operands)
    const names = fullNames(flags.tag)
    return withRuntime(flags, (runtime) =>
      withScratch(async ({ folder }) => {
        const images = await readImages(source, { temporary: folder, sizeLimit: flags['max-size'] })
        const chosen = renameImage(images, names)
        requireNames(chosen)
        const loaded = await addImages(runtime, chosen.map(packArchivedImage))
        return loaded.map((name) => `loaded ${name}\n`).join('')
      }),
    )
  },
})

function sourceOf([file, ...others]: readonly string[]): string | AsyncIterable<Uint8Array> {
  if (file === undefined)
    throw new UsageError('name the archive, or - for standard input: docker save NAME | proa image load -')
  if (others.length > 0) throw new UsageError(`unexpected argument "${others[0]}": load takes one archive`)
  if (file !== '-') return file
  if (process.stdin.isTTY)
    throw new UsageError('standard input is a terminal; pipe an archive into it: docker save NAME | proa image load -')
  return process.stdin
}

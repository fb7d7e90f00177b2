import { createHash } from 'node:crypto'
import { tarFlags } from '../../../base/tar/header.js'
import type { FinishedLayer } from '../image.js'
import { ArchiveError } from './archive-error.js'
import { decompressed } from './compression.js'
import { archiveEntries } from './scan.js'
import type { SizeLimit } from './size-limit.js'

/**
 * Reads a layer as a runtime would unpack it: it must be a whole archive with the digest that the image's configuration names, it must
 * stay within the limit, and nothing in it may lead outside of the image.
 */
export async function checkLayer(layer: FinishedLayer, limit: SizeLimit): Promise<void> {
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of limit.count(decompressed(layer.content.chunks()))) {
      hash.update(chunk)
      yield chunk
    }
  }
  for await (const { name, flag, target } of archiveEntries(hashed())) {
    refuseEscape(name)
    // Where a symbolic link leads is looked up inside of the container, so any target is fine.
    if (flag === tarFlags.hardLink) refuseEscape(target)
  }
  if (`sha256:${hash.digest('hex')}` !== layer.diffId)
    throw new ArchiveError(`the archive is damaged: the layer ${layer.digest} is not the one that its image names`)
}

function refuseEscape(path: string): void {
  if (path.split('/').includes('..'))
    throw new ArchiveError(`the archive has a layer with a path that leads outside of it: ${JSON.stringify(path)}`)
}

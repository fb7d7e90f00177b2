import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { parseMediaType } from '../../../wire/media-type.js'
import { withLinks } from './html-links.js'

/**
 * A page whose links are rewritten, packed as it was. Undefined where the answer is no page, has none, or has it packed in a way that
 * nobody here knows.
 */
export function pageOf(response: IncomingMessage, rewrite: (link: string) => string): Readable | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = '', 'content-length': length } = response.headers
  if (parseMediaType(type).type !== 'text/html') return undefined
  if (response.statusCode === 204 || response.statusCode === 304 || length === '0') return undefined
  if (encoding === '') return rewritten(response, rewrite)
  if (encoding !== 'gzip') return undefined
  const unpacked = pipeline(response, createGunzip(), ignore)
  return pipeline(rewritten(unpacked, rewrite), createGzip({ flush: constants.Z_SYNC_FLUSH }), ignore)
}

/** Who lets go of it lets go of what it is made from, though nothing of that was read yet. */
function rewritten(source: Readable, rewrite: (link: string) => string): Readable {
  const page = Readable.from(withLinks(source, rewrite), { objectMode: false })
  return page.once('close', () => source.destroy())
}

/** Whoever reads from the last of several streams learns of what goes wrong in any. */
function ignore(): void {}

/**
 * Optimizations that stand beside a simple implementation with the same interface. Each can be turned off; responses stay the same, byte for
 * byte. `docs/fast-paths.md` describes them.
 */
export interface FastPaths {
  /** Plain HTTP/1.1 requests bypass Node's HTTP server (`serving/plain-http/plain-lane.ts`). */
  readonly plainHttp: boolean
  /** Requests that arrive together are started together (`serving/request-batcher.ts`). */
  readonly requestBatches: boolean
  /** Request bodies are parsed with `JSON.parse`, and decoders are compiled (`schema/decode/`). */
  readonly decoding: boolean
  /** Objects and watch events are encoded once, and their bytes are shared by all responses (`response/object-encoder.ts`). */
  readonly sharedBytes: boolean
}

export const allFastPaths: FastPaths = { plainHttp: true, requestBatches: true, decoding: true, sharedBytes: true }
export const noFastPaths: FastPaths = { plainHttp: false, requestBatches: false, decoding: false, sharedBytes: false }

const pathNames: Readonly<Record<string, keyof FastPaths>> = {
  'plain-http': 'plainHttp',
  'request-batches': 'requestBatches',
  decoding: 'decoding',
  'shared-bytes': 'sharedBytes',
}

export const fastPathNames: readonly string[] = Object.keys(pathNames)

/**
 * Reads a list in the form that `--controllers` has: `*` turns all on, a name turns one on, `-` before a name turns one off. `none` stands for
 * the empty list. Throws on an unknown name.
 */
export function parseFastPaths(items: readonly string[]): FastPaths {
  const paths = { ...(items.includes('*') ? allFastPaths : noFastPaths) }
  for (const item of items) {
    if (item === '*' || item === 'none') continue
    const isOff = item.startsWith('-')
    const name = isOff ? item.slice(1) : item
    if (!Object.hasOwn(pathNames, name))
      throw new Error(`unknown fast path ${name}; known: ${fastPathNames.join(', ')}`)
    paths[pathNames[name]!] = !isOff
  }
  return paths
}

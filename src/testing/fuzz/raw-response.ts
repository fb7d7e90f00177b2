/** The part of an HTTP/1.1 response that has arrived. */
export interface PartialResponse {
  readonly status: number
  readonly type: string
  readonly isWhole: boolean
  readonly body: string
  /** Whether the connection can be used for another request. */
  readonly keepsAlive: boolean
}

/** Parses a response; undefined while its head is incomplete. `toHead`: the response to a HEAD request, which has no body. */
export function readRawResponse(bytes: Buffer, toHead: boolean): PartialResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  if (Number.isNaN(status)) throw new Error(`not a response: ${head.slice(0, 100)}`)
  const rest = bytes.subarray(end + 4)
  if (status === 100) return readRawResponse(rest, toHead)
  const field = (name: string) => new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1] ?? ''
  const keepsAlive = field('connection').toLowerCase() !== 'close'
  // Compressed bodies are not checked.
  const type = field('content-encoding') === '' ? field('content-type') : ''
  const common = { status, type, keepsAlive }
  if (toHead || status === 204 || status === 304) return { ...common, isWhole: true, body: '' }
  if (field('transfer-encoding') === 'chunked') return { ...common, ...readChunks(rest) }
  const length = field('content-length')
  if (length === '') return { ...common, isWhole: false, keepsAlive: false, body: rest.toString() }
  return { ...common, isWhole: rest.length >= Number(length), body: rest.toString('utf8', 0, Number(length)) }
}

function readChunks(bytes: Buffer): { isWhole: boolean; body: string } {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) break
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (size === 0) return { isWhole: true, body: Buffer.concat(parts).toString() }
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
    if (at > bytes.length) break
  }
  return { isWhole: false, body: Buffer.concat(parts).toString() }
}

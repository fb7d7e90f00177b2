import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { parseMediaType } from '../../../wire/media-type.js'

/** The attributes of an element that are links. */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['src', 'usemap', 'formaction'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    video: ['poster', 'src'],
  }),
)

/** Elements whose content is text, whatever it looks like. */
const rawElements: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
])

/** A longer tag or comment is forwarded unchanged. This bounds the memory, and the time to scan it again with every chunk. */
const longestPiece = 8 * 1024

/** Enough for the beginning of the tag that ends a raw element. */
const longestEnding = 16

/** Rewrites the links of an HTML page while it streams. Everything else stays unchanged, byte for byte. */
export async function* withLinks(
  page: AsyncIterable<Uint8Array>,
  rewrite: (link: string) => string,
): AsyncGenerator<Uint8Array> {
  const links = new LinkReader(rewrite)
  for await (const chunk of page) {
    const text = links.take(Buffer.from(chunk).toString('latin1'))
    if (text !== '') yield Buffer.from(text, 'latin1')
  }
  if (links.rest !== '') yield Buffer.from(links.rest, 'latin1')
}

class LinkReader {
  /** Received text that cannot be parsed before more arrives. */
  rest = ''
  readonly #rewrite: (link: string) => string
  /** The raw element that the reader is in. */
  #inside: string | undefined

  constructor(rewrite: (link: string) => string) {
    this.#rewrite = rewrite
  }

  /** Takes a chunk, and returns the text that is complete. */
  take(chunk: string): string {
    const text = this.rest + chunk
    let done = ''
    let at = 0
    while (at < text.length) {
      const end = this.#inside === undefined ? this.#endOfPiece(text, at) : endOfRaw(text, at, this.#inside)
      if (end === undefined) break
      done += this.#inside === undefined ? this.#piece(text.slice(at, end)) : this.#raw(text.slice(at, end))
      at = end
    }
    const restStart = text.length - at > longestPiece ? text.length - longestEnding : at
    this.rest = text.slice(restStart)
    return done + text.slice(at, restStart)
  }

  #raw(text: string): string {
    this.#inside = undefined
    return text
  }

  /** The end of the text, tag or comment at `at`; undefined if it has not arrived yet. */
  #endOfPiece(text: string, at: number): number | undefined {
    if (text[at] !== '<') return after(text.indexOf('<', at), 0) ?? text.length
    if (text.startsWith('<!--', at)) return after(text.indexOf('-->', at + 4), 3)
    if ('<!--'.startsWith(text.slice(at, at + 4))) return undefined
    return /[a-z/]/i.test(text[at + 1]!) ? endOfTag(text, at) : at + 1
  }

  #piece(piece: string): string {
    const name = /^<([a-z][a-z0-9]*)/i.exec(piece)?.[1]?.toLowerCase()
    if (name === undefined) return piece
    if (rawElements.has(name)) this.#inside = name
    const attributes = linkAttributes.get(name)
    return attributes ? this.#tag(piece, name.length + 1, attributes) : piece
  }

  #tag(tag: string, start: number, links: readonly string[]): string {
    const attributes = tag.slice(start).replace(attributePattern, (whole: string, name: string, value?: string) => {
      if (value === undefined || !links.includes(name.toLowerCase())) return whole
      const quote = /^["']/.exec(value)?.[0] ?? ''
      const link = value.slice(quote.length, value.length - quote.length)
      return whole.slice(0, whole.length - value.length) + quote + this.#rewrite(link) + quote
    })
    return tag.slice(0, start) + attributes
  }
}

const attributePattern = /([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g

function after(found: number, length: number): number | undefined {
  return found < 0 ? undefined : found + length
}

/** The end of a tag. A closing bracket inside quotes does not end it. */
function endOfTag(text: string, at: number): number | undefined {
  let quote = ''
  for (let index = at + 1; index < text.length; index++) {
    const character = text[index]!
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index + 1
  }
  return undefined
}

/** The position of the tag that ends the raw element. */
function endOfRaw(text: string, at: number, element: string): number | undefined {
  const found = text.slice(at).search(new RegExp(`</${element}`, 'i'))
  return found < 0 ? undefined : at + found
}

/**
 * Returns an HTML response with rewritten links, compressed as it was. Returns undefined if the response is no HTML page, has no body, or has
 * an unknown encoding.
 */
export function rewrittenPage(response: IncomingMessage, rewrite: (link: string) => string): Readable | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding = '', 'content-length': length } = response.headers
  if (parseMediaType(type).type !== 'text/html') return undefined
  if (response.statusCode === 204 || response.statusCode === 304 || length === '0') return undefined
  if (encoding === '') return rewritten(response, rewrite)
  if (encoding !== 'gzip') return undefined
  const decompressed = pipeline(response, createGunzip(), ignore)
  return pipeline(rewritten(decompressed, rewrite), createGzip({ flush: constants.Z_SYNC_FLUSH }), ignore)
}

/** Destroying the page destroys its source, even if nothing was read. */
function rewritten(source: Readable, rewrite: (link: string) => string): Readable {
  const page = Readable.from(withLinks(source, rewrite), { objectMode: false })
  return page.once('close', () => source.destroy())
}

/** The reader of the last stream sees the errors of all. */
function ignore(): void {}

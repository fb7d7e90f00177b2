import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { parseMediaType } from '../../../wire/media-type.js'

/** Which attributes of an element are links. */
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

/** Between their tags stands text, whatever it looks like. */
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

/** A tag or a comment that is longer is handed on as it is: nobody can make us keep more, and look through it again and again. */
const longestPiece = 8 * 1024

/** Enough for what may be the beginning of the tag that ends a raw element. */
const longestEnding = 16

/** An HTML page with its links rewritten, piece by piece as it comes. All else in it stays as it is, byte for byte. */
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
  /** What has come and cannot be understood before more has. */
  rest = ''
  readonly #rewrite: (link: string) => string
  /** The raw element in whose text we are. */
  #inside: string | undefined

  constructor(rewrite: (link: string) => string) {
    this.#rewrite = rewrite
  }

  /** What of it, and of what came before, is done. */
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
    const cached = text.length - at > longestPiece ? text.length - longestEnding : at
    this.rest = text.slice(cached)
    return done + text.slice(at, cached)
  }

  #raw(text: string): string {
    this.#inside = undefined
    return text
  }

  /** Text up to the next tag, a tag, or a comment; undefined where its end has not come yet. */
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

/** A closing bracket between quotes ends nothing. */
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

/** Where the tag begins that ends the raw element. */
function endOfRaw(text: string, at: number, element: string): number | undefined {
  const found = text.slice(at).search(new RegExp(`</${element}`, 'i'))
  return found < 0 ? undefined : at + found
}

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

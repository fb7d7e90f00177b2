import { createHash } from 'node:crypto'
import type { DocumentOptions } from '../../schema/openapi/document-options.js'
import { openapiV2 } from '../../schema/openapi/version2.js'
import { openapiV2Protobuf } from '../../schema/openapi/version2-protobuf.js'
import { openapiV3, openapiV3Index, openapiV3Paths } from '../../schema/openapi/version3.js'
import type { Scheme } from '../../schema/scheme.js'
import type { RequestContext } from '../request/request-context.js'
import { type BytesResponse, textResponse } from '../response/response.js'

const protobufV2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/** Serves the OpenAPI documents. Builds each on its first request and caches it: they are large, and rarely change. */
export class OpenapiEndpoint {
  readonly #scheme: Scheme
  readonly #publication: DocumentOptions
  readonly #documents = new Map<string, Document>()

  constructor(scheme: Scheme, publication: DocumentOptions) {
    this.#scheme = scheme
    this.#publication = publication
  }

  /** Returns the response for `/openapi/…`; undefined for an unknown path. */
  response(context: RequestContext): BytesResponse | undefined {
    const { path, headers, query } = context.request
    if (path === '/openapi/v2') {
      const wantsProtobuf = (headers.accept ?? '').includes('proto-openapi.spec.v2')
      return this.#send(context, wantsProtobuf ? this.#v2Protobuf() : this.#v2())
    }
    if (path === '/openapi/v3') return this.#send(context, this.#v3Index())
    const document = this.#v3(path.slice('/openapi/v3/'.length))
    if (!document) return { is: 'bytes', code: 404, contentType: '', bytes: new Uint8Array(0) }
    if (query.get('hash') === document.hash) {
      context.headers['cache-control'] = 'public, immutable'
      context.headers.expires = new Date(context.received + 365 * 86_400_000).toUTCString()
    }
    return this.#send(context, document)
  }

  /** Responds with 304 if the client has the current document. */
  #send({ request, headers }: RequestContext, { bytes, etag, contentType }: Document): BytesResponse {
    headers.etag = etag
    headers.vary = 'Accept-Encoding, Accept'
    if (request.headers['if-none-match'] === etag) return { ...textResponse(304, ''), contentType }
    return { is: 'bytes', code: 200, contentType, bytes }
  }

  #v2(): Document {
    return this.#once('v2', 'application/json', () =>
      Buffer.from(JSON.stringify(openapiV2(this.#scheme, this.#publication))),
    )
  }

  #v2Protobuf(): Document {
    return this.#once('v2 protobuf', protobufV2, () => openapiV2Protobuf(openapiV2(this.#scheme, this.#publication)))
  }

  #v3(path: string): Document | undefined {
    if (!openapiV3Paths(this.#scheme, this.#publication).includes(path)) return undefined
    return this.#once(`v3/${path}`, 'application/json', () =>
      Buffer.from(JSON.stringify(openapiV3(this.#scheme, path, this.#publication))),
    )
  }

  #v3Index(): Document {
    return this.#once('v3', 'text/plain; charset=utf-8', () => {
      const paths = openapiV3Paths(this.#scheme, this.#publication)
      const contents = paths.map((path): [string, Uint8Array] => [path, this.#v3(path)!.bytes])
      return Buffer.from(JSON.stringify(openapiV3Index(contents)))
    })
  }

  #once(name: string, contentType: string, make: () => Uint8Array): Document {
    let document = this.#documents.get(name)
    if (!document) {
      const bytes = make()
      const hash = createHash('sha512').update(bytes).digest('hex').toUpperCase()
      document = { bytes, hash, etag: `"${hash}"`, contentType }
      this.#documents.set(name, document)
    }
    return document
  }
}

interface Document {
  readonly bytes: Uint8Array
  readonly hash: string
  readonly etag: string
  readonly contentType: string
}

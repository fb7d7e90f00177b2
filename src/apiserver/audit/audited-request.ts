import { parseYaml } from '../../wire/yaml.js'
import type { ApiRequest, Body } from '../request/request-context.js'

/** A request that keeps its body for the audit. */
export class AuditedRequest implements ApiRequest {
  readonly #request: ApiRequest
  #body: Body | undefined

  constructor(request: ApiRequest) {
    this.#request = request
  }

  get method() {
    return this.#request.method
  }
  get path() {
    return this.#request.path
  }
  get query() {
    return this.#request.query
  }
  get headers() {
    return this.#request.headers
  }
  get rawHeaders() {
    return this.#request.rawHeaders ?? []
  }
  get signal() {
    return this.#request.signal
  }
  get peer() {
    return this.#request.peer
  }

  async body(limit: number): Promise<Body> {
    this.#body = await this.#request.body(limit)
    return this.#body
  }

  /** Returns the parsed body; undefined if no handler has read it, or if it is invalid. */
  async sent(): Promise<unknown> {
    const body = this.#body
    if (!body) return undefined
    if ('value' in body) return body.value
    if (body.bytes.length === 0) return undefined
    const text = Buffer.from(body.bytes).toString()
    try {
      return this.headers['content-type']?.includes('yaml') ? (await parseYaml(text)).value : JSON.parse(text)
    } catch {
      return undefined // the client gets an error for it
    }
  }
}

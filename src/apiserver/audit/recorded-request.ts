import { parseYaml } from '../../wire/yaml.js'
import type { ApiRequest, Body } from '../request/request-context.js'

/** A request whose body can be looked at after somebody has read it. */
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

  /** What the client sent, if anybody read it and it can be understood. */
  async sent(): Promise<unknown> {
    const body = this.#body
    if (!body) return undefined
    if ('value' in body) return body.value
    if (body.bytes.length === 0) return undefined
    const text = Buffer.from(body.bytes).toString()
    try {
      return this.headers['content-type']?.includes('yaml') ? (await parseYaml(text)).value : JSON.parse(text)
    } catch {
      return undefined // who sent it has been told what is wrong with it
    }
  }
}

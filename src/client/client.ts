import type { KubeObject } from '../api/kube-object.js'
import { type Clock, systemClock } from '../base/clock.js'
import type { Schema } from '../schema/declaration.js'
import type { Instance } from '../schema/infer.js'
import type { RequestOptions } from './request-options.js'
import { type AnyObject, ResourceClient, type Send } from './resource-client.js'
import { locationOf, type ResourceLocation } from './resource-location.js'
import { sendAgain } from './retries.js'
import type { BytesResult, ClientRequest, Transport, TransportResult } from './transport.js'

export interface ClientOptions {
  /** Measures the delay before a retry. */
  readonly clock?: Clock
  /** Receives each warning of a response. */
  readonly warn?: (warning: string) => void
}

export interface RawOptions extends RequestOptions {
  /** Acceptable media types. */
  readonly accept?: string
}

/** The client of the API server, over any transport. */
export class Client {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #warn: (warning: string) => void

  constructor(transport: Transport, { clock = systemClock, warn = () => {} }: ClientOptions = {}) {
    this.#transport = transport
    this.#clock = clock
    this.#warn = warn
  }

  /** Takes a declared kind, `client.resource(Pod)`, or the location of a kind that only discovery knows. */
  resource<S extends Schema>(kind: S): ResourceClient<Instance<S> & AnyObject>
  resource(place: ResourceLocation): ResourceClient<KubeObject>
  resource(what: Schema | ResourceLocation): ResourceClient<AnyObject> {
    if (typeof what !== 'object' || what === null)
      throw new TypeError(
        `the kind is ${JSON.stringify(what)}: import it, as in import { Pod } from 'proa/api/core/v1', and write client.resource(Pod)`,
      )
    return new ResourceClient(isSchema(what) ? locationOf(what) : what, this.#send)
  }

  /** Reads a path that is no resource: discovery, health, metrics. */
  raw(path: string, query: Readonly<Record<string, string>> = {}, options: RawOptions = {}): Promise<BytesResult> {
    return this.#send({ method: 'GET', path, query: new URLSearchParams(query), ...options, responseType: 'bytes' })
  }

  /** True if objects are shared with a server in this process: requesting only a part of them saves nothing. */
  get sharesObjects(): boolean {
    return this.#transport.sharesObjects ?? false
  }

  readonly #send: Send = async (request) => {
    const { response, warnings } = await this.#sendWithRetries(request)
    for (const warning of warnings) this.#warn(warning)
    return response as never // the transport returns the requested type
  }

  #sendWithRetries(request: ClientRequest): Promise<TransportResult> {
    const again = (error: unknown) => sendAgain(this.#transport, request, error, this.#clock)
    return this.#transport.send(request).catch(again)
  }

  close(): void {
    this.#transport.close()
  }
}

function isSchema(what: Schema | ResourceLocation): what is Schema {
  return 'is' in what
}

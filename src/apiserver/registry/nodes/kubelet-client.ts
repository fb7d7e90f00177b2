import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../base/clock.js'
import { dialWords } from '../../../wire/network-words.js'
import type { Credential } from '../../../wire/x509/issuer.js'

/** How this server shows itself to kubelets, and by what it knows them. */
export interface KubeletTls {
  /** Undefined where nobody gave us a certificate: kubelets will hardly let us in. */
  readonly credential?: Credential | undefined
  /** In PEM form; without it any kubelet is believed. */
  readonly authority?: string | undefined
}

export interface KubeletRequest {
  readonly method: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body?: Uint8Array
  readonly signal: AbortSignal
  /** The kubelet's certificate is not looked at, because the client does not want it to be. */
  readonly isCareless?: boolean
}

export interface KubeletResponse {
  readonly response: IncomingMessage
  /** Where the kubelet has agreed to leave HTTP; with what came behind its answer. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/** The kubelet could not be reached; the message says why, in Go's words. */
export class DialError extends Error {
  override readonly name = 'DialError'
}

/** How long a connection may take to be made, in milliseconds. */
const patience = 10_000

/** Sends one request to a kubelet. Rejects with a `DialError` while there is no answer. */
export class KubeletClient {
  readonly #tls: () => KubeletTls
  readonly #clock: Clock

  constructor(tls: () => KubeletTls, clock: Clock) {
    this.#tls = tls
    this.#clock = clock
  }

  send(url: string, { method, headers, body, signal, isCareless = false }: KubeletRequest): Promise<KubeletResponse> {
    const { credential, authority } = this.#tls()
    const ca = isCareless ? undefined : authority
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca }
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { method, headers, signal, agent: false, ...credential, ...trust })
      const late = this.#clock.timer(patience, () =>
        outgoing.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', ...placeOf(url) })),
      )
      outgoing.on('socket', (socket) => socket.on('secureConnect', () => late.cancel()))
      outgoing.on('response', (response) => resolve({ response }))
      outgoing.on('upgrade', (response, socket, head) => resolve({ response, upgraded: { socket, head } }))
      outgoing.on('error', (error) => {
        late.cancel()
        reject(new DialError(dialWords(error), { cause: error }))
      })
      outgoing.end(body)
    })
  }
}

function placeOf(url: string): { readonly address: string; readonly port: number } {
  const { hostname, port } = new URL(url)
  return { address: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

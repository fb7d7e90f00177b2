import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../base/clock.js'
import { dialWords } from '../../../wire/network-words.js'
import type { Credential } from '../../../wire/x509/issuer.js'

/** A request to somebody behind this server. */
export interface BackendRequest {
  readonly method: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body?: Uint8Array
  readonly signal: AbortSignal
}

export interface BackendResponse {
  readonly response: IncomingMessage
  /** Where the other side has agreed to leave HTTP; with what came behind its answer. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer }
}

/** By what the other side is known, and how this one shows itself to it. */
export interface BackendTrust {
  readonly credential?: Credential | undefined
  /** In PEM form; without it anybody is believed. */
  readonly authority?: string | undefined
}

/** Nobody could be reached there; the message says why, in Go's words. */
export class DialError extends Error {
  override readonly name = 'DialError'
}

/** How long a connection may take to be made, in milliseconds. */
const patience = 10_000

/** Sends one request, on a connection of its own. Rejects with a `DialError` while there is no answer. */
export function sendTo(
  url: string,
  { method, headers, body, signal }: BackendRequest,
  clock: Clock,
  { credential, authority }: BackendTrust = {},
): Promise<BackendResponse> {
  const trust = authority === undefined ? { rejectUnauthorized: false } : { ca: authority }
  const common = { method, headers, signal, agent: false }
  const isSecure = url.startsWith('https:')
  return new Promise((resolve, reject) => {
    const outgoing = isSecure ? requestHttps(url, { ...common, ...credential, ...trust }) : requestHttp(url, common)
    const late = clock.timer(patience, () =>
      outgoing.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT', ...placeOf(url) })),
    )
    outgoing.on('socket', (socket) => socket.on(isSecure ? 'secureConnect' : 'connect', () => late.cancel()))
    outgoing.on('response', (response) => resolve({ response }))
    outgoing.on('upgrade', (response, socket, head) => resolve({ response, upgraded: { socket, head } }))
    outgoing.on('error', (error) => {
      late.cancel()
      reject(new DialError(dialWords(error), { cause: error }))
    })
    outgoing.end(body)
  })
}

function placeOf(url: string): { readonly address: string; readonly port: number } {
  const { hostname, port } = new URL(url)
  return { address: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

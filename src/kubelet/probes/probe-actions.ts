import { connect } from 'node:net'
import type { Clock } from '../../base/clock.js'
import { dialWords, endpoint, type NetworkError } from '../../wire/network-words.js'
import { grpcProbe } from './grpc-action.js'
import { BodyError, type HttpGet, httpGet } from './http-get.js'
import { failure, ProbeError, type ProbeOutcome, success } from './probe-outcome.js'

/** One question over the network, and how long it may take in milliseconds. */
export interface Asking {
  readonly timeout: number
  readonly signal: AbortSignal
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** The ways in which a container is asked over the network. Reject with a `ProbeError` where nothing was learnt. */
export interface ProbeActions {
  http(get: HttpGet, asking: Asking): Promise<ProbeOutcome>
  tcp(target: Endpoint, asking: Asking): Promise<ProbeOutcome>
  grpc(target: Endpoint & { readonly service: string }, asking: Asking): Promise<ProbeOutcome>
}

/** Over the network of this machine. */
export function networkActions(clock: Clock): ProbeActions {
  return {
    http: (get, asking) => httpProbe(get, { ...asking, clock }),
    tcp: (target, asking) => tcpProbe(target, { ...asking, clock }),
    grpc: (target, asking) => grpcProbe(target, { ...asking, clock }),
  }
}

type Timed = Asking & { readonly clock: Clock }

async function httpProbe(get: HttpGet, options: Timed): Promise<ProbeOutcome> {
  try {
    const { code, body } = await httpGet(get, options)
    if (code < 200 || code >= 400) return failure(`HTTP probe failed with statuscode: ${code}`)
    if (code < 300) return success(body)
    return { result: 'warning', output: `Probe terminated redirects, Response body: ${body}` }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof BodyError) throw new ProbeError(message, 'failure')
    return failure(message)
  }
}

function tcpProbe({ host, port }: Endpoint, { clock, timeout, signal }: Timed): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal })
    const timer = clock.timer(timeout, () => end(failure(`dial tcp ${endpoint(host, port)}: i/o timeout`)))
    const end = (outcome: ProbeOutcome) => {
      timer.cancel()
      socket.destroy()
      resolve(outcome)
    }
    socket.on('connect', () => end(success()))
    socket.on('error', (error: NetworkError) => end(failure(dialWords(error))))
  })
}

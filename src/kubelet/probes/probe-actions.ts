import { connect } from 'node:net'
import type { Clock } from '../../base/clock.js'
import { dialWords, endpoint, type NetworkError } from '../../wire/network-words.js'
import { grpcProbe } from './grpc-probe.js'
import { BodyError, type HttpGet, httpGet } from './http-get.js'
import { ProbeError, type ProbeResult, probeFailure, probeSuccess } from './probe-result.js'

/** Timeout in milliseconds and signal of one network probe. */
export interface ProbeActionOptions {
  readonly timeout: number
  readonly signal: AbortSignal
}

export interface ProbeAddress {
  readonly host: string
  readonly port: number
}

/** Network probes. They reject with a `ProbeError` if there is no result. */
export interface ProbeActions {
  http(get: HttpGet, options: ProbeActionOptions): Promise<ProbeResult>
  tcp(target: ProbeAddress, options: ProbeActionOptions): Promise<ProbeResult>
  grpc(target: ProbeAddress & { readonly service: string }, options: ProbeActionOptions): Promise<ProbeResult>
}

/** Returns probes over the network of this host. */
export function networkActions(clock: Clock): ProbeActions {
  return {
    http: (get, options) => httpProbe(get, { ...options, clock }),
    tcp: (target, options) => tcpProbe(target, { ...options, clock }),
    grpc: (target, options) => grpcProbe(target, { ...options, clock }),
  }
}

type TimedOptions = ProbeActionOptions & { readonly clock: Clock }

async function httpProbe(get: HttpGet, options: TimedOptions): Promise<ProbeResult> {
  try {
    const { code, body } = await httpGet(get, options)
    if (code < 200 || code >= 400) return probeFailure(`HTTP probe failed with statuscode: ${code}`)
    if (code < 300) return probeSuccess(body)
    return { result: 'warning', output: `Probe terminated redirects, Response body: ${body}` }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof BodyError) throw new ProbeError(message, 'failure')
    return probeFailure(message)
  }
}

function tcpProbe({ host, port }: ProbeAddress, { clock, timeout, signal }: TimedOptions): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal })
    const timer = clock.timer(timeout, () => end(probeFailure(`dial tcp ${endpoint(host, port)}: i/o timeout`)))
    const end = (found: ProbeResult) => {
      timer.cancel()
      socket.destroy()
      resolve(found)
    }
    socket.on('connect', () => end(probeSuccess()))
    socket.on('error', (error: NetworkError) => end(probeFailure(dialWords(error))))
  })
}

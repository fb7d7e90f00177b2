import type { Client, ServiceError } from '@grpc/grpc-js'
import type { Clock } from '../../base/clock.js'
import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import { CriError } from '../../cri/cri-error.js'
import { enumField, stringField } from '../../cri/interface/fields.js'
import { message } from '../../cri/interface/message.js'
import { quote } from '../../schema/quote.js'
import { endpoint } from '../../wire/network-words.js'
import { type ProbeResult, probeFailure, probeSuccess } from './probe-result.js'

/** Messages of the gRPC health protocol. */
const CheckRequest = message({ service: stringField(1) })
const CheckResponse = message({ status: enumField(1, ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN']) })

export interface GrpcTarget {
  readonly host: string
  readonly port: number
  readonly service: string
}

export interface GrpcOptions {
  readonly clock: Clock
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Every error is a failure of the container. Loads the gRPC library with the first such probe. */
export async function grpcProbe({ host, port, service }: GrpcTarget, options: GrpcOptions): Promise<ProbeResult> {
  const { Client, credentials } = await import('@grpc/grpc-js')
  const address = endpoint(host, port)
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.primary_user_agent': 'kube-probe/1.36',
    'grpc.enable_http_proxy': 0,
    'grpc.initial_reconnect_backoff_ms': 1000,
    'grpc.use_local_subchannel_pool': 1,
  })
  const limit = new AbortController()
  const timer = options.clock.timer(options.timeout, () => limit.abort())
  const signal = AbortSignal.any([limit.signal, options.signal])
  const time = formatDuration(fromMilliseconds(options.timeout))
  try {
    if (!(await connected(client, signal)))
      return probeFailure(
        `timeout: failed to connect service ${quote(address)} within ${time}: context deadline exceeded`,
      )
    const status = await check(client, service, signal)
    return status === 'SERVING'
      ? probeSuccess('service healthy')
      : probeFailure(`service unhealthy (responded with ${quote(status)})`)
  } catch (error) {
    return probeFailure(words(error as ServiceError, time))
  } finally {
    timer.cancel()
    client.close()
  }
}

/** Resolves with whether a connection was established before the signal. Retries until then. */
function connected(client: Client, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    signal.addEventListener('abort', () => resolve(false), { once: true })
    client.waitForReady(Number.POSITIVE_INFINITY, (error) => error || resolve(true))
  })
}

function check(client: Client, service: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      '/grpc.health.v1.Health/Check',
      (request: { service: string }) => CheckRequest.encode(request),
      (bytes: Buffer) => CheckResponse.decode(bytes),
      { service },
      (error, response) => (error ? reject(error) : resolve(response!.status)),
    )
    signal.addEventListener('abort', () => call.cancel(), { once: true })
  })
}

function words(error: ServiceError, time: string): string {
  const { code, description } = CriError.fromGrpc(error)
  if (code === 'Unimplemented')
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${description}`
  // Only the timeout cancels the call.
  if (code === 'DeadlineExceeded' || code === 'Canceled') return `timeout: health rpc did not complete within ${time}`
  return `error: health rpc probe failed: rpc error: code = ${code} desc = ${description}`
}

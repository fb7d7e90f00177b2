import { type Duplex, pipeline } from 'node:stream'
import { createWebSocketStream } from 'ws'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { joinSockets } from '../../wire/joined-sockets.js'
import { responseHead } from '../../wire/response-head.js'
import { podUidLabel } from '../runtime/labels.js'
import {
  accepted,
  type Connection,
  checkHandshake,
  checkPresence,
  isWebSocket,
  protocolsOf,
} from './client-handshake.js'
import { relay } from './client-relay.js'
import { forwardedHeaders, upgrade } from './raw-upgrade.js'
import { type KubeletRequest, Refusal } from './request.js'
import type { StreamOptions } from './runtime-stream.js'
import { RuntimeStreams } from './runtime-streams.js'
import { containerPlace, runningContainer, type ServedPods } from './served-pods.js'

export interface StreamParts {
  readonly runtime: ContainerRuntime
  readonly pods: ServedPods
}

/** The best first. */
const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io']
/** SPDY within a WebSocket: what it carries is for the runtime. */
const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'

/** `/exec`, `/attach` and `/portForward`: connections that leave HTTP, and end in a container. */
export class StreamEndpoints {
  readonly #parts: StreamParts
  readonly #streams = new RuntimeStreams()

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  /** Resolves when the connection stands, or has been answered. Rejects with a `Refusal` while nothing has been sent. */
  async serve(request: KubeletRequest, socket: Duplex, head: Buffer): Promise<void> {
    const connection = { request, socket, head }
    const [kind] = request.parts
    if (isWebSocket(request)) checkHandshake(request)
    if (kind === 'exec' || kind === 'attach') return this.#command(kind, connection)
    if (kind === 'portForward') return this.#ports(connection)
    throw new Refusal(404, '404: Page Not Found')
  }

  async #command(kind: 'exec' | 'attach', connection: Connection): Promise<void> {
    const { request } = connection
    const options = streamOptions(request.query)
    const containerId = await this.#container(request)
    const address = () => this.#address(kind, containerId, { options, words: request.query.getAll('command') })
    if (!isWebSocket(request)) return tunnel(connection, await address())
    const offered = protocolsOf(request)
    const protocol = commandProtocols.find((served) => offered.includes(served))
    if (!protocol)
      throw new Refusal(400, `none of the protocols [${offered.join(' ')}] is served; use ${commandProtocols[0]}`)
    checkPresence(connection)
    const stream = await this.#streams.open({ address, options, signal: request.signal })
    try {
      relay(await accepted(connection, protocol), stream, options)
    } catch (error) {
      stream.close()
      throw error
    }
  }

  async #address(
    kind: 'exec' | 'attach',
    containerId: string,
    { options, words }: { readonly options: StreamOptions; readonly words: readonly string[] },
  ): Promise<string> {
    const { runtime } = this.#parts
    const { url } =
      kind === 'exec'
        ? await runtime.exec({ containerId, cmd: words, ...options })
        : await runtime.attach({ containerId, ...options })
    return url
  }

  /** Over whatever the client speaks, since it is for the runtime to understand. */
  async #ports(connection: Connection): Promise<void> {
    const { request } = connection
    const [, namespace = '', podName = '', uid] = request.parts
    const pod = this.#pod(namespace, podName)
    if (uid && uid !== pod.metadata.uid) throw new Refusal(404, 'pod not found')
    const ports = ['port', 'ports']
      .flatMap((name) => request.query.getAll(name))
      .flatMap((list) => list.split(',').map(Number))
    const podSandboxId = await this.#sandbox(pod)
    const { url } = await this.#parts.runtime.portForward({ podSandboxId, port: ports })
    if (isWebSocket(request) && protocolsOf(request).includes(tunnelProtocol)) return this.#tunnelled(connection, url)
    return tunnel(connection, ports.length > 0 ? `${url}?${ports.map((port) => `port=${port}`).join('&')}` : url)
  }

  async #tunnelled(connection: Connection, url: string): Promise<void> {
    const { signal } = connection.request
    const headers = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'portforward.k8s.io' }
    const upgraded = await upgrade(url, { method: 'POST', headers, signal })
    if (!upgraded.socket) {
      upgraded.response.destroy()
      throw new Refusal(500, 'the runtime forwards no ports over SPDY')
    }
    try {
      const client = createWebSocketStream(await accepted(connection, tunnelProtocol))
      client.on('error', () => {}) // a close follows
      if (upgraded.head.length > 0) client.write(upgraded.head)
      void joinSockets(client, upgraded.socket)
    } catch (error) {
      upgraded.socket.destroy()
      throw error
    }
  }

  async #sandbox(pod: Pod): Promise<string> {
    const labelSelector = { [podUidLabel]: pod.metadata.uid ?? '' }
    const filter = { state: { state: 'SANDBOX_READY' as const }, labelSelector }
    const { items } = await this.#parts.runtime.listPodSandbox({ filter })
    if (!items[0])
      throw new Refusal(500, `pod not found (${JSON.stringify(`${pod.metadata.name}_${pod.metadata.namespace}`)})`)
    return items[0].id
  }

  #container({ parts }: KubeletRequest): Promise<string> {
    const place = containerPlace(parts)
    if (!place) throw new Refusal(404, '404: Page Not Found')
    return runningContainer(this.#parts.runtime, this.#pod(place.namespace, place.podName), place)
  }

  #pod(namespace: string, name: string): Pod {
    const pod = this.#parts.pods.get(namespace, name)
    if (!pod) throw new Refusal(404, 'pod does not exist')
    return pod
  }
}

/** Hands the connection on as it is: SPDY, or an older form of WebSocket. */
async function tunnel({ request, socket, head }: Connection, url: string): Promise<void> {
  const { method, incoming, signal } = request
  const upgraded = await upgrade(url, { method, headers: forwardedHeaders(incoming.headers), signal })
  socket.write(responseHead(upgraded.response))
  if (!upgraded.socket) {
    pipeline(upgraded.response, socket, () => socket.destroy())
    return
  }
  if (upgraded.head.length > 0) socket.write(upgraded.head)
  if (head.length > 0) upgraded.socket.write(head)
  void joinSockets(socket, upgraded.socket)
}

/** Under these names the API server hands them on. A terminal has one output for everything. */
function streamOptions(query: URLSearchParams): StreamOptions {
  const truth = (...names: readonly string[]) => names.some((name) => ['1', 'true'].includes(query.get(name) ?? ''))
  const tty = truth('tty')
  const options = {
    stdin: truth('input', 'stdin'),
    stdout: truth('output', 'stdout'),
    stderr: truth('error', 'stderr') && !tty,
    tty,
  }
  if (!options.stdin && !options.stdout && !options.stderr)
    throw new Refusal(400, 'you must specify at least 1 of stdin, stdout, stderr')
  return options
}

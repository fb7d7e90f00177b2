import { type Duplex, pipeline } from 'node:stream'
import { createWebSocketStream } from 'ws'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { joinSockets, responseHead } from '../../wire/upgrade.js'
import { podUidLabel } from '../runtime/labels.js'
import { KubeletServerError, type KubeletServerRequest } from './api-request.js'
import {
  acceptWebSocket,
  checkHandshake,
  checkPresence,
  isWebSocket,
  type PendingUpgrade,
  protocolsOf,
} from './client-handshake.js'
import { relay } from './client-relay.js'
import { runtimeRequestHeaders, upgrade } from './raw-upgrade.js'
import type { StreamOptions } from './runtime-stream.js'
import { RuntimeStreams } from './runtime-streams.js'
import { parseContainerPath, runningContainer, type ServedPods } from './served-pods.js'

export interface StreamEndpointDependencies {
  readonly runtime: ContainerRuntime
  readonly pods: ServedPods
}

/** Best first. */
const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io']
/** SPDY within a WebSocket, passed through to the runtime. */
const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io'

/** Serves `/exec`, `/attach` and `/portForward` by upgraded connections to containers. */
export class StreamEndpoints {
  readonly #dependencies: StreamEndpointDependencies
  readonly #streams = new RuntimeStreams()

  constructor(dependencies: StreamEndpointDependencies) {
    this.#dependencies = dependencies
  }

  /** Resolves when the connection is established or answered. Rejects with a `KubeletServerError` before anything is sent. */
  async serve(request: KubeletServerRequest, socket: Duplex, head: Buffer): Promise<void> {
    const connection = { request, socket, head }
    const [kind] = request.segments
    if (isWebSocket(request)) checkHandshake(request)
    if (kind === 'exec' || kind === 'attach') return this.#command(kind, connection)
    if (kind === 'portForward') return this.#ports(connection)
    throw new KubeletServerError(404, '404: Page Not Found')
  }

  async #command(kind: 'exec' | 'attach', connection: PendingUpgrade): Promise<void> {
    const { request } = connection
    const options = streamOptions(request.query)
    const containerId = await this.#container(request)
    const address = () => this.#address(kind, containerId, { options, words: request.query.getAll('command') })
    if (!isWebSocket(request)) return tunnel(connection, await address())
    const offered = protocolsOf(request)
    const protocol = commandProtocols.find((served) => offered.includes(served))
    if (!protocol)
      throw new KubeletServerError(
        400,
        `none of the protocols [${offered.join(' ')}] is served; use ${commandProtocols[0]}`,
      )
    checkPresence(connection)
    const stream = await this.#streams.open({ address, options, signal: request.signal })
    try {
      relay(await acceptWebSocket(connection, protocol), stream, options)
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
    const { runtime } = this.#dependencies
    const { url } =
      kind === 'exec'
        ? await runtime.exec({ containerId, cmd: words, ...options })
        : await runtime.attach({ containerId, ...options })
    return url
  }

  /** Passes any client protocol through to the runtime. */
  async #ports(connection: PendingUpgrade): Promise<void> {
    const { request } = connection
    const [, namespace = '', podName = '', uid] = request.segments
    const pod = this.#pod(namespace, podName)
    if (uid && uid !== pod.metadata.uid) throw new KubeletServerError(404, 'pod not found')
    const ports = ['port', 'ports']
      .flatMap((name) => request.query.getAll(name))
      .flatMap((list) => list.split(',').map(Number))
    const podSandboxId = await this.#sandbox(pod)
    const { url } = await this.#dependencies.runtime.portForward({ podSandboxId, port: ports })
    if (isWebSocket(request) && protocolsOf(request).includes(tunnelProtocol)) return this.#tunnelled(connection, url)
    return tunnel(connection, ports.length > 0 ? `${url}?${ports.map((port) => `port=${port}`).join('&')}` : url)
  }

  async #tunnelled(connection: PendingUpgrade, url: string): Promise<void> {
    const { signal } = connection.request
    const headers = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'portforward.k8s.io' }
    const upgraded = await upgrade(url, { method: 'POST', headers, signal })
    if (!upgraded.socket) {
      upgraded.response.destroy()
      throw new KubeletServerError(500, 'the runtime forwards no ports over SPDY')
    }
    try {
      const client = createWebSocketStream(await acceptWebSocket(connection, tunnelProtocol))
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
    const { items } = await this.#dependencies.runtime.listPodSandbox({ filter })
    if (!items[0])
      throw new KubeletServerError(
        500,
        `pod not found (${JSON.stringify(`${pod.metadata.name}_${pod.metadata.namespace}`)})`,
      )
    return items[0].id
  }

  #container({ segments: parts }: KubeletServerRequest): Promise<string> {
    const containerPath = parseContainerPath(parts)
    if (!containerPath) throw new KubeletServerError(404, '404: Page Not Found')
    return runningContainer(
      this.#dependencies.runtime,
      this.#pod(containerPath.namespace, containerPath.podName),
      containerPath,
    )
  }

  #pod(namespace: string, name: string): Pod {
    const pod = this.#dependencies.pods.get(namespace, name)
    if (!pod) throw new KubeletServerError(404, 'pod does not exist')
    return pod
  }
}

/** Passes the connection through: SPDY, or an older WebSocket protocol. */
async function tunnel({ request, socket, head }: PendingUpgrade, url: string): Promise<void> {
  const { method, incoming, signal } = request
  const upgraded = await upgrade(url, { method, headers: runtimeRequestHeaders(incoming.headers), signal })
  socket.write(responseHead(upgraded.response))
  if (!upgraded.socket) {
    pipeline(upgraded.response, socket, () => socket.destroy())
    return
  }
  if (upgraded.head.length > 0) socket.write(upgraded.head)
  if (head.length > 0) upgraded.socket.write(head)
  void joinSockets(socket, upgraded.socket)
}

/** The API server and older clients use different parameter names. A terminal has a single output. */
function streamOptions(query: URLSearchParams): StreamOptions {
  const isTrue = (...names: readonly string[]) => names.some((name) => ['1', 'true'].includes(query.get(name) ?? ''))
  const tty = isTrue('tty')
  const options = {
    stdin: isTrue('input', 'stdin'),
    stdout: isTrue('output', 'stdout'),
    stderr: isTrue('error', 'stderr') && !tty,
    tty,
  }
  if (!options.stdin && !options.stdout && !options.stderr)
    throw new KubeletServerError(400, 'you must specify at least 1 of stdin, stdout, stderr')
  return options
}

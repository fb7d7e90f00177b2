import type { Environment } from '../../base/environment.js'
import type { Metrics } from '../../base/metrics.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { runCommand } from '../probes/run-command.js'
import { type HealthCheck, healthReply } from './health-endpoint.js'
import { logReply } from './log-endpoint.js'
import { podsReply, runningPodsReply } from './pod-endpoints.js'
import { json, type KubeletRequest, plain, Refusal, type Reply } from './request.js'
import { containerPlace, runningContainer, type ServedPods } from './served-pods.js'

export interface RouteParts {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly pods: ServedPods
  /** Where probes are counted, if that is not in the environment. */
  readonly probeMetrics?: Metrics | undefined
  /** Besides those that every kubelet has. */
  readonly health?: readonly HealthCheck[] | undefined
  /** How this kubelet is set, as `/configz` shows it. */
  readonly configuration?: object | undefined
}

type Route = (request: KubeletRequest, parts: RouteParts) => Reply | Promise<Reply>

const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

async function metricsReply({ path }: KubeletRequest, { environment, probeMetrics }: RouteParts): Promise<Reply> {
  const metrics = path === '/metrics' ? environment.metrics : path === '/metrics/probes' ? probeMetrics : undefined
  if (path === '/metrics/probes' && !metrics) return { code: 200, contentType: metricsType, body: '' }
  if (!metrics) throw new Refusal(404, `${path} is not served: this kubelet keeps no statistics of containers`)
  return { code: 200, contentType: metricsType, body: await metrics.text() }
}

/** `/run/NAMESPACE/POD[/UID]/CONTAINER?cmd=`: a command to its end, and what it said. */
async function runReply({ parts: path, query, signal }: KubeletRequest, parts: RouteParts): Promise<Reply> {
  const place = containerPlace(path)
  const pod = place && parts.pods.get(place.namespace, place.podName)
  if (!place || !pod) throw new Refusal(404, 'pod does not exist')
  const containerId = await runningContainer(parts.runtime, pod, place)
  const words = (query.get('cmd') ?? '').split(' ')
  const { exitCode, output, stderr } = await runCommand(parts.runtime, {
    containerId,
    words,
    timeoutSeconds: 0,
    signal,
  })
  if (exitCode !== 0) throw new Refusal(500, `command '${words.join(' ')}' exited with ${exitCode}: ${stderr}`)
  return { code: 200, contentType: 'application/json', body: output }
}

const upgradeRequired: Route = () => {
  throw new Refusal(400, 'Upgrade request required')
}

/** By the first part of the path, and the methods that are allowed there. */
const routes: Readonly<Record<string, { readonly methods: readonly string[]; readonly reply: Route }>> = {
  healthz: { methods: ['GET'], reply: (request, { health = [] }) => healthReply(request, health) },
  pods: { methods: ['GET'], reply: (_, { pods }) => podsReply(pods) },
  runningpods: { methods: ['GET'], reply: (_, { runtime }) => runningPodsReply(runtime) },
  metrics: { methods: ['GET'], reply: metricsReply },
  configz: { methods: ['GET'], reply: (_, { configuration = {} }) => json({ kubeletconfig: configuration }) },
  containerLogs: { methods: ['GET'], reply: logReply },
  run: { methods: ['POST'], reply: runReply },
  exec: { methods: ['GET', 'POST'], reply: upgradeRequired },
  attach: { methods: ['GET', 'POST'], reply: upgradeRequired },
  portForward: { methods: ['GET', 'POST'], reply: upgradeRequired },
}

/** Answers what is no stream. Rejects with a `Refusal`. */
export async function replyTo(request: KubeletRequest, parts: RouteParts): Promise<Reply> {
  const { method, parts: path } = request
  const route = Object.hasOwn(routes, path[0] ?? '') ? routes[path[0]!] : undefined
  if (!route) throw new Refusal(404, '404: Page Not Found')
  if (!route.methods.includes(method)) return plain(405, 'Method Not Allowed', { Allow: route.methods.join(', ') })
  return route.reply(request, parts)
}

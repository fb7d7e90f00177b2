import type { Environment } from '../../base/environment.js'
import type { Metrics } from '../../base/metrics.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { runInContainer } from '../probes/run-command.js'
import {
  jsonResponse,
  KubeletServerError,
  type KubeletServerRequest,
  type KubeletServerResponse,
  plainTextResponse,
} from './api-request.js'
import { healthResponse, type KubeletHealthCheck } from './health-endpoint.js'
import { logResponse } from './log-endpoint.js'
import { podsResponse, runningPodsResponse } from './pod-endpoints.js'
import { parseContainerPath, runningContainer, type ServedPods } from './served-pods.js'

export interface RouteDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly pods: ServedPods
  /** Metrics of probes, if they are not in the environment. */
  readonly probeMetrics?: Metrics | undefined
  /** Additional health checks. */
  readonly health?: readonly KubeletHealthCheck[] | undefined
  /** The configuration for `/configz`. */
  readonly configuration?: object | undefined
}

type Route = (
  request: KubeletServerRequest,
  dependencies: RouteDependencies,
) => KubeletServerResponse | Promise<KubeletServerResponse>

const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

async function metricsResponse(
  { path }: KubeletServerRequest,
  { environment, probeMetrics }: RouteDependencies,
): Promise<KubeletServerResponse> {
  const metrics = path === '/metrics' ? environment.metrics : path === '/metrics/probes' ? probeMetrics : undefined
  if (path === '/metrics/probes' && !metrics) return { code: 200, contentType: metricsType, body: '' }
  if (!metrics)
    throw new KubeletServerError(404, `${path} is not served: this kubelet keeps no statistics of containers`)
  return { code: 200, contentType: metricsType, body: await metrics.text() }
}

/** Serves `/run/NAMESPACE/POD[/UID]/CONTAINER?cmd=`: runs a command and returns its output. */
async function runResponse(
  { segments: path, query, signal }: KubeletServerRequest,
  dependencies: RouteDependencies,
): Promise<KubeletServerResponse> {
  const containerPath = parseContainerPath(path)
  const pod = containerPath && dependencies.pods.get(containerPath.namespace, containerPath.podName)
  if (!containerPath || !pod) throw new KubeletServerError(404, 'pod does not exist')
  const containerId = await runningContainer(dependencies.runtime, pod, containerPath)
  const words = (query.get('cmd') ?? '').split(' ')
  const { exitCode, output, stderr } = await runInContainer(dependencies.runtime, {
    containerId,
    words,
    timeoutSeconds: 0,
    signal,
  })
  if (exitCode !== 0)
    throw new KubeletServerError(500, `command '${words.join(' ')}' exited with ${exitCode}: ${stderr}`)
  return { code: 200, contentType: 'application/json', body: output }
}

const upgradeRequired: Route = () => {
  throw new KubeletServerError(400, 'Upgrade request required')
}

/** Routes by the first path segment, with the allowed methods. */
const routes: Readonly<Record<string, { readonly methods: readonly string[]; readonly respond: Route }>> = {
  healthz: { methods: ['GET'], respond: (request, { health = [] }) => healthResponse(request, health) },
  pods: { methods: ['GET'], respond: (_, { pods }) => podsResponse(pods) },
  runningpods: { methods: ['GET'], respond: (_, { runtime }) => runningPodsResponse(runtime) },
  metrics: { methods: ['GET'], respond: metricsResponse },
  configz: { methods: ['GET'], respond: (_, { configuration = {} }) => jsonResponse({ kubeletconfig: configuration }) },
  containerLogs: { methods: ['GET'], respond: logResponse },
  run: { methods: ['POST'], respond: runResponse },
  exec: { methods: ['GET', 'POST'], respond: upgradeRequired },
  attach: { methods: ['GET', 'POST'], respond: upgradeRequired },
  portForward: { methods: ['GET', 'POST'], respond: upgradeRequired },
}

/** Responds to all requests that are not upgrades. Rejects with a `KubeletServerError`. */
export async function respondTo(
  request: KubeletServerRequest,
  dependencies: RouteDependencies,
): Promise<KubeletServerResponse> {
  const { method, segments: path } = request
  const route = Object.hasOwn(routes, path[0] ?? '') ? routes[path[0]!] : undefined
  if (!route) throw new KubeletServerError(404, '404: Page Not Found')
  if (!route.methods.includes(method))
    return plainTextResponse(405, 'Method Not Allowed', { Allow: route.methods.join(', ') })
  return route.respond(request, dependencies)
}

import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { Environment } from '../../../base/environment.js'
import type { Draft } from '../../../schema/infer.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { AdmissionPlugin } from '../admission.js'
import { isNewPod, podOf } from '../requests.js'
import type { InitialResourcesConfiguration } from './configuration.js'
import { type EstimateOptions, estimate } from './estimate.js'
import { FileUsageHistory } from './file-usage-history.js'
import type { MeasuredResource, UsageHistory } from './usage-history.js'

/** As the configuration says; the history is in a file. */
export function initialResources(
  environment: Environment,
  configuration: InitialResourcesConfiguration | undefined,
): AdmissionPlugin {
  if (!configuration)
    throw new Error('InitialResources has no history: name it in the file of --admission-control-config-file')
  const { datasourceinfo, percentile = 90, namespaceonly: namespaceOnly = false } = configuration
  const history = new FileUsageHistory(datasourceinfo.file, environment)
  return initialResourcesFrom(history, { percentile, namespaceOnly, environment })
}

export interface InitialResourcesOptions {
  readonly percentile: number
  readonly namespaceOnly: boolean
  readonly environment: Environment
}

/** Containers that do not say how much they need request what others of their image have used. */
export function initialResourcesFrom(history: UsageHistory, parts: InitialResourcesOptions): AdmissionPlugin {
  const { clock, log } = parts.environment
  return {
    name: 'InitialResources',
    handles: isNewPod,
    async mutate(request) {
      try {
        const { percentile, namespaceOnly } = parts
        await fillIn(podOf(request), request.namespace, { history, percentile, namespaceOnly, now: clock.now() })
      } catch (error) {
        // Pods go on being made also when nobody knows what they will use.
        log.error('resources could not be estimated', { error, namespace: request.namespace, pod: request.name })
      }
    },
  }
}

const annotation = 'kubernetes.io/initial-resources'

async function fillIn(pod: Draft<Pod>, namespace: string, parts: EstimateOptions): Promise<void> {
  const said: string[] = []
  const containers = [
    ...(pod.spec.initContainers ?? []).map((container) => ({ container, title: 'init container' })),
    ...(pod.spec.containers ?? []).map((container) => ({ container, title: 'container' })),
  ]
  for (const { container, title } of containers) {
    const requests = await missingRequests(container, namespace, parts)
    const names = Object.keys(requests)
    if (names.length === 0) continue
    container.resources = { ...container.resources, requests: { ...container.resources?.requests, ...requests } }
    said.push(`${names.join(', ')} request for ${title} ${container.name}`)
  }
  if (said.length === 0) return
  const value = `Initial Resources plugin set: ${said.join('; ')}`
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: value }
}

const amounts: Readonly<Record<MeasuredResource, (usage: number) => Quantity>> = {
  cpu: (usage) => Quantity.milli(usage),
  memory: (usage) => Quantity.of(usage),
}

/** Who has said what it needs at most has also said what it needs. */
async function missingRequests(
  { image = '', resources = {} }: Draft<Container>,
  namespace: string,
  parts: EstimateOptions,
): Promise<Record<string, string>> {
  const requests: Record<string, string> = {}
  for (const resource of ['cpu', 'memory'] as const) {
    if (resources.requests?.[resource] !== undefined || resources.limits?.[resource] !== undefined) continue
    const usage = await estimate({ resource, image, namespace }, parts)
    if (usage !== undefined) requests[resource] = String(amounts[resource](usage))
  }
  return requests
}

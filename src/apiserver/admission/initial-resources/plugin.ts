import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { Environment } from '../../../base/environment.js'
import type { Draft } from '../../../schema/infer.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isNewPod } from '../request.js'
import { type InitialResourcesConfiguration, initialResourcesConfiguration } from './configuration.js'
import { type EstimateOptions, estimate } from './estimate.js'
import { FileUsageHistory } from './file-usage-history.js'
import type { MeasuredResource, UsageHistory } from './usage-history.js'

/** Sets the requests that containers leave out to the past usage of the same image. */
export const initialResources = defineAdmissionPlugin<Pod, InitialResourcesConfiguration>({
  name: 'InitialResources',
  position: 60,
  configuration: initialResourcesConfiguration,
  create({ environment }, configuration) {
    if (!configuration)
      throw new Error('InitialResources has no history: name it in the file of --admission-control-config-file')
    const { datasourceinfo, percentile = 90, namespaceonly: namespaceOnly = false } = configuration
    const history = new FileUsageHistory(datasourceinfo.file, environment)
    return initialResourcesFrom(history, { percentile, namespaceOnly, environment })
  },
})

export interface InitialResourcesOptions {
  readonly percentile: number
  readonly namespaceOnly: boolean
  readonly environment: Environment
}

/** Creates the plugin for a usage history. */
export function initialResourcesFrom(
  history: UsageHistory,
  options: InitialResourcesOptions,
): AdmissionPlugin<AdmissionRequest<Pod>> {
  const { environment, percentile, namespaceOnly } = options
  const { clock, log } = environment
  return {
    name: 'InitialResources',
    handles: isNewPod,
    async mutate({ object, namespace, name }) {
      try {
        await setRequests(object!, namespace, { history, percentile, namespaceOnly, now: clock.now() })
      } catch (error) {
        // An unreadable history must not keep pods from being created.
        log.error('resource estimate failed', { error, namespace, pod: name })
      }
    },
  }
}

const annotation = 'kubernetes.io/initial-resources'

async function setRequests(pod: Draft<Pod>, namespace: string, options: EstimateOptions): Promise<void> {
  const changes: string[] = []
  const containers = [
    ...(pod.spec.initContainers ?? []).map((container) => ({ container, title: 'init container' })),
    ...(pod.spec.containers ?? []).map((container) => ({ container, title: 'container' })),
  ]
  for (const { container, title } of containers) {
    const requests = await missingRequests(container, namespace, options)
    const names = Object.keys(requests)
    if (names.length === 0) continue
    container.resources = { ...container.resources, requests: { ...container.resources?.requests, ...requests } }
    changes.push(`${names.join(', ')} request for ${title} ${container.name}`)
  }
  if (changes.length === 0) return
  const value = `Initial Resources plugin set: ${changes.join('; ')}`
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: value }
}

const amounts: Readonly<Record<MeasuredResource, (usage: number) => Quantity>> = {
  cpu: (usage) => Quantity.milli(usage),
  memory: (usage) => Quantity.of(usage),
}

/** Returns estimates for the resources of a container without a request or limit. */
async function missingRequests(
  { image = '', resources = {} }: Draft<Container>,
  namespace: string,
  options: EstimateOptions,
): Promise<Record<string, string>> {
  const requests: Record<string, string> = {}
  for (const resource of ['cpu', 'memory'] as const) {
    if (resources.requests?.[resource] !== undefined || resources.limits?.[resource] !== undefined) continue
    const usage = await estimate({ resource, image, namespace }, options)
    if (usage !== undefined) requests[resource] = String(amounts[resource](usage))
  }
  return requests
}

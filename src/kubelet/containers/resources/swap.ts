import type { Container } from '../../../api/core/v1/container.js'
import { qosClassOf } from '../../../api/core/v1/pod/qos.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { PartialMessage } from '../../../cri/interface/message.js'
import type { LinuxContainerResources } from '../../../cri/interface/resources.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { ContainerHost } from './container-host.js'

/** Whether containers may use swap, in proportion to their memory requests. */
export type SwapBehavior = 'NoSwap' | 'LimitedSwap'

export interface SwapRequest {
  readonly pod: Pod
  readonly container: Container
  readonly host: ContainerHost
  readonly behavior: SwapBehavior
}

/** Returns the swap limit of a container. */
export function swapResources(
  resources: PartialMessage<LinuxContainerResources>,
  request: SwapRequest,
): PartialMessage<LinuxContainerResources> {
  const { host } = request
  if (!host.hasSwapController) return {}
  // In version 1 this limits memory and swap together.
  if (host.cgroups === 1) return { memorySwapLimitInBytes: resources.memoryLimitInBytes ?? 0 }
  return { unified: { ...resources.unified, 'memory.swap.max': String(swapLimit(request)) } }
}

function swapLimit(request: SwapRequest): number {
  const { container, host } = request
  const requested = memoryOf(container, 'requests')
  if (!mayUseSwap(request) || host.memory <= 0 || requested > host.memory) return 0
  return Math.trunc((requested / host.memory) * host.swap)
}

/** Only burstable containers with a memory request below their limit may swap, unless the pod is critical. */
function mayUseSwap({ pod, container, behavior }: SwapRequest): boolean {
  const [requested, limit] = [memoryOf(container, 'requests'), memoryOf(container, 'limits')]
  const isCritical = (pod.spec.priority ?? 0) >= 2_000_000_000
  return behavior === 'LimitedSwap' && !isCritical && qosClassOf(pod.spec) === 'Burstable' && requested !== limit
}

function memoryOf({ resources }: Container, which: 'requests' | 'limits'): number {
  return Quantity.parse(resources?.[which]?.memory ?? '0').value()
}

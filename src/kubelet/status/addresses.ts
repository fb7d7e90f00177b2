import type { PodStatus } from '../../api/core/v1/pod/status.js'
import { ipFamily } from '../../schema/values/ip-address.js'
import type { PodStatusInput } from './pod-status-input.js'

type Addresses = Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'>

/** Returns host and pod addresses: at most one of each family, the family of the node's primary address first. */
export function statusAddresses(input: PodStatusInput): Addresses {
  const host = input.hostAddresses.slice(0, 2)
  const pod = podAddresses(input)
  return {
    ...(host.length > 0 && { hostIP: host[0]!, hostIPs: host.map((ip) => ({ ip })) }),
    ...(pod.length > 0 && { podIP: pod[0]!, podIPs: pod.map((ip) => ({ ip })) }),
  }
}

/** Returns the pod addresses for the status and for containers. */
export function podAddresses(
  input: Pick<PodStatusInput, 'pod' | 'observed' | 'previous' | 'hostAddresses'>,
): readonly string[] {
  const { pod, hostAddresses } = input
  const own = inOrder(sandboxAddresses(input), hostAddresses[0])
  if (!pod.spec.hostNetwork) return own
  const [first = hostAddresses[0]] = own
  return inOrder(first === undefined ? [] : [first, ...own, ...hostAddresses], first)
}

/** The addresses of a terminated pod stay in its status. */
function sandboxAddresses({ observed, previous }: Pick<PodStatusInput, 'observed' | 'previous'>): readonly string[] {
  const [newest] = observed.sandboxes
  if (newest?.state === 'ready' && newest.addresses.length > 0) return newest.addresses
  if (observed.sandboxes.some(({ state }) => state === 'ready')) return []
  return previous.podIPs?.map(({ ip }) => ip) ?? []
}

function inOrder(addresses: readonly string[], primary: string | undefined): readonly string[] {
  const family = (primary !== undefined && ipFamily(primary)) || 4
  const first = addresses.find((address) => ipFamily(address) === family)
  const second = addresses.find((address) => ipFamily(address) === (family === 4 ? 6 : 4))
  return [first, second].filter((address) => address !== undefined)
}

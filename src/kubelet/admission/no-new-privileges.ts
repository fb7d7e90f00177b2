import type { Pod } from '../../api/core/v1/pod.js'
import type { Waiting } from '../status/situation.js'
import type { AdmittingNode } from './admitting-node.js'
import { isKernelSince } from './kernel-version.js'

/** Linux can keep a process from gaining privileges since then, and every runtime that speaks CRI knows how to ask for it. */
const since = '3.5'

export function noNewPrivilegesObstacle({ spec, status }: Pod, { kernelVersion }: AdmittingNode): Waiting | undefined {
  if ((status?.phase ?? 'Pending') !== 'Pending' || isKernelSince(kernelVersion, since)) return undefined
  const containers = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])]
  if (!containers.some(({ securityContext }) => securityContext?.allowPrivilegeEscalation === false)) return undefined
  return { reason: 'NoNewPrivs', message: `Cannot enforce NoNewPrivs: Linux ${kernelVersion} is older than ${since}` }
}

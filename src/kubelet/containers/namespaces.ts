import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Draft } from '../../cri/interface/message.js'
import type { NamespaceOption } from '../../cri/interface/security.js'
import type { NamespaceMode } from '../../cri/interface/values.js'

/** What a pod's containers share with each other, and with the node. Throws when it cannot be. */
export function namespacesOf(spec: PodSpec): Draft<NamespaceOption> {
  if (spec.hostUsers === false)
    throw new Error("can't set `spec.hostUsers: false`, runtime does not support user namespaces")
  return {
    network: spec.hostNetwork ? 'NODE' : 'POD',
    ipc: spec.hostIPC ? 'NODE' : 'POD',
    pid: processesOf(spec),
  }
}

/** Those of a container that looks into another one: it sees the other's processes, unless they are everybody's anyway. */
export function namespacesToward(spec: PodSpec, targetId: string | undefined): Draft<NamespaceOption> {
  const namespaces = namespacesOf(spec)
  return targetId && namespaces.pid === 'CONTAINER' ? { ...namespaces, pid: 'TARGET', targetId } : namespaces
}

function processesOf({ hostPID, shareProcessNamespace }: PodSpec): NamespaceMode {
  if (hostPID) return 'NODE'
  return shareProcessNamespace ? 'POD' : 'CONTAINER'
}

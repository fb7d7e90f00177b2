import { join } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'
import type { NodeIdentity } from '../node/node-identity.js'

/** `pods/` below the kubelet's root folder. All paths here are upstream's, because other programs on a node read them. */
export function podsFolder(root: string): string {
  return join(root, 'pods')
}

/** `pods/<uid>` below the kubelet's root folder. */
export function podFolder(root: string, podUid: string): string {
  return join(podsFolder(root), podUid)
}

/** `/var/log/pods/<namespace>_<name>_<uid>` */
export function podLogsFolder({ podLogsFolder: root }: NodeIdentity, { metadata }: Pod): string {
  return join(root, `${metadata.namespace}_${metadata.name}_${metadata.uid}`)
}

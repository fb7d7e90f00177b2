import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'
import type { NodeIdentity } from '../node/node-identity.js'

/** `/var/log/pods/default_web_uid` */
export function podLogFolder({ podLogsFolder }: NodeIdentity, { metadata: { namespace, name, uid } }: Pod): string {
  return join(podLogsFolder, `${namespace}_${name}_${uid}`)
}

/**
 * How often the container was started before, by the logs that it left: a runtime may have forgotten it (a reboot), and the next one must
 * not write into the log of an earlier one.
 */
export function nextFromLogs(identity: NodeIdentity, pod: Pod, containerName: string): number {
  const numbers = filesIn(join(podLogFolder(identity, pod), containerName)).flatMap((file) => {
    const match = /^(\d+)\.log/.exec(file)
    return match ? [Number(match[1])] : []
  })
  return numbers.length === 0 ? 0 : Math.max(...numbers) + 1
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

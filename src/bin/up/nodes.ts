import type { RunningApiServer } from '../../apiserver/server.js'
import type { Environment } from '../../base/environment.js'
import type { NodeRecord } from './cluster-record.js'
import type { UpFlags } from './flags.js'
import type { Progress } from './progress.js'

export interface NodesParts {
  readonly environment: Environment
  readonly folder: string
  readonly flags: UpFlags
  readonly progress: Progress
}

export interface NodesOfCluster {
  join(server: RunningApiServer): Promise<readonly NodeRecord[]>
  abandon(): Promise<void>
  close(): Promise<void>
}

export function startNodes(_: NodesParts): NodesOfCluster {
  return { join: async () => [], abandon: async () => {}, close: async () => {} }
}

export async function endContainers(_: string, __: Environment): Promise<boolean> {
  return false
}

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argumentsWithout } from '../../base/flags/flags.js'
import { thisHost } from '../../client/host-access.js'
import { kubeconfigSources, loadKubeconfig } from '../../client/kubeconfig/sources.js'
import type { LocalCluster } from '../cluster/cluster.js'
import { type Hint, proaLine } from '../cluster/hints.js'
import { type UpFlags, upFlags } from './up-flags.js'

/** How a cluster was last started. It is in the data directory, for hints and for `reset`. */
export interface LastUp {
  /** The arguments of `up`, without the flags that name the cluster. */
  readonly arguments: readonly string[]
  /** The absolute path of the kubeconfig that its context was written to. */
  readonly kubeconfig?: string | undefined
}

const fileName = 'last-up.json'

export function writeLastUp(dataDirectory: string, record: LastUp): void {
  const path = join(dataDirectory, fileName)
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Has no arguments if the cluster was never started, or only by an older version. */
export function readLastUp(dataDirectory: string): LastUp {
  const path = join(dataDirectory, fileName)
  if (!existsSync(path)) return { arguments: [] }
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LastUp
  } catch (error) {
    if (error instanceof SyntaxError) return { arguments: [] } // the machine stopped while the file was written
    throw error
  }
}

/** Returns the arguments that start the same cluster again, from any working directory. */
export function repeatableArguments(args: readonly string[], { kubeconfig }: UpFlags): readonly string[] {
  const rest = argumentsWithout(upFlags, args, ['name', 'data-dir', 'detach', 'kubeconfig'])
  if (kubeconfig === undefined) return rest
  return [...rest, '--kubeconfig', kubeconfig === '-' ? '-' : resolve(kubeconfig)]
}

/** Returns the hint that starts a cluster as it was started before. */
export function startHint(purpose: string, cluster: LocalCluster): Hint {
  return { purpose, command: proaLine('up', cluster, readLastUp(cluster.dataDirectory).arguments) }
}

/** Returns the CA certificates of the cluster that exist so far. */
export async function clusterAuthorities(dataDirectory: string): Promise<readonly string[]> {
  const host = thisHost()
  const own = join(dataDirectory, 'pki', 'ca.crt')
  const kubeconfig = join(dataDirectory, 'admin.kubeconfig')
  const { clusters } = await loadKubeconfig(host, { ...kubeconfigSources(host, kubeconfig), isExplicit: false })
  const shown = [...clusters.values()].flatMap(({ settings }) => settings['certificate-authority-data'] ?? [])
  const decoded = shown.map((data) => Buffer.from(data, 'base64').toString())
  return existsSync(own) ? [readFileSync(own, 'utf8'), ...decoded] : decoded
}

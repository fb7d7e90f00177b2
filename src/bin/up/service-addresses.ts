import { networkInterfaces } from 'node:os'
import { Nftables } from '../../network/nftables.js'
import { overlapping, rejectUnserved, stopRejecting } from '../../network/service-rejection.js'
import { clusterNames } from './cluster-names.js'
import type { Progress } from './progress.js'
import type { UpFlags } from './up-flags.js'

export interface ServiceTrafficOptions {
  /** The data directory of the cluster. */
  readonly folder: string
  readonly flags: Pick<UpFlags, 'service-cluster-ip-range'>
  readonly progress: Progress
}

/**
 * Adds kernel rules that reject traffic of this machine and its pods to service addresses that nothing serves. If it has no permission to add
 * rules, it reports what that means: the cluster works without them.
 */
export async function rejectServiceTraffic({ folder, flags, progress }: ServiceTrafficOptions): Promise<void> {
  const nftables = Nftables.ofThisMachine()
  if (!nftables) return
  const ranges = flags['service-cluster-ip-range']
  const networks = hostNetworks()
  for (const range of ranges)
    for (const network of overlapping(range, networks))
      progress.report('note', `the service range ${range} overlaps ${network}, a network of this machine; ${remedy}`)
  try {
    await rejectUnserved(nftables, { cluster: clusterNames(folder).bridge, ranges, networks })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    progress.report(
      'note',
      `traffic to services may leave this machine, because Proa cannot add network rules: ${reason}`,
    )
  }
}

const remedy = 'choose another with --service-cluster-ip-range'

/** Removes the rules of a stopped cluster. */
export async function stopRejectingServiceTraffic(folder: string): Promise<void> {
  const nftables = Nftables.ofThisMachine()
  if (!nftables) return
  await stopRejecting(nftables, clusterNames(folder).bridge).catch((error: Error) => {
    // Root in a container may lack the permission. Then `up` could not add rules, either.
    if (!error.message.includes('Operation not permitted')) throw error
  })
}

function hostNetworks(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.flatMap(({ cidr }) => cidr ?? []))
}

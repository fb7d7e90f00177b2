import { networkInterfaces } from 'node:os'
import { Nftables } from '../../network/nftables.js'
import { overlapping, rejectUnserved, stopRejecting } from '../../network/service-rejection.js'
import { clusterNames } from './cluster-names.js'
import type { Progress } from './progress.js'
import type { UpFlags } from './up-flags.js'

export interface ServiceTrafficOptions {
  /** The cluster's. */
  readonly folder: string
  readonly flags: Pick<UpFlags, 'service-cluster-ip-range'>
  readonly progress: Progress
}

/**
 * Rejects what this machine and its pods send to service addresses, as nothing serves them. Who may not change the rules of the kernel is
 * told what that means: the cluster itself works without them.
 */
export async function rejectServiceTraffic({ folder, flags, progress }: ServiceTrafficOptions): Promise<void> {
  const nftables = Nftables.ofThisMachine()
  if (!nftables) return
  const ranges = flags['service-cluster-ip-range']
  const networks = networksOfThisMachine()
  for (const range of ranges)
    for (const network of overlapping(range, networks))
      progress.report('note', `the service range ${range} overlaps ${network}, a network of this machine; ${remedy}`)
  try {
    await rejectUnserved(nftables, { cluster: clusterNames(folder).bridge, ranges, networks })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    progress.report('note', `what is sent to a service may leave this machine, because there are no rules: ${reason}`)
  }
}

const remedy = 'choose another with --service-cluster-ip-range'

/** Removes the rules of a cluster that does not run any more. */
export async function stopRejectingServiceTraffic(folder: string): Promise<void> {
  const nftables = Nftables.ofThisMachine()
  if (!nftables) return
  await stopRejecting(nftables, clusterNames(folder).bridge).catch((error: Error) => {
    // Root in a container may lack the right: then `up` could not set any rules, either.
    if (!error.message.includes('Operation not permitted')) throw error
  })
}

function networksOfThisMachine(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.flatMap(({ cidr }) => cidr ?? []))
}

import { Buffer } from 'node:buffer'
import type { EtcdCluster } from './cluster.js'
import { watchMethod } from './messages/watch.js'

const everything = { start: Buffer.from([0]), end: Buffer.from([0]) }
const method = watchMethod(0)

/**
 * The oldest revision that is still kept, given one that is not. etcd tells it nowhere but to a watch that begins too early: so
 * that is what is tried.
 */
export async function oldestRevision(cluster: EtcdCluster, compacted: number): Promise<number> {
  const { compactRevision } = await cluster.exchange({
    method,
    request: { ...everything, revision: compacted, previous: false },
    isAnswer: (response) => response.compactRevision > 0,
  })
  return compactRevision
}

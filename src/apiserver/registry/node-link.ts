import type { Node } from '../../api/core/v1/node.js'
import { notFound, serviceUnavailable, unknown } from '../../api/errors.js'
import type { Answer } from '../answer.js'
import type { VerbScope } from '../verbs/verb-scope.js'
import type { ResourceMap } from './resource-map.js'

/** What of a node is asked for. */
export interface NodeTarget {
  readonly nodeName: string
  readonly path: string
}

/** Hands a request on to a node's kubelet, and its answer back. */
export type NodeLink = (scope: VerbScope, target: NodeTarget) => Answer | Promise<Answer>

/** The link of a server that has no connection to nodes: it knows which of them exist, and that it cannot reach them. */
export function severedLink(resources: () => ResourceMap): NodeLink {
  return async (scope, { nodeName }) => {
    await scope.store.current()
    const nodes = resources().find('', 'v1', 'nodes')!
    const node = nodes.objects.get(nodes.key('', nodeName))?.object as Node | undefined
    if (!node) throw notFound({ group: '', resource: 'nodes' }, nodeName)
    const addresses = node.status.addresses ?? []
    if (addresses.length === 0) throw unknown('no preferred addresses found; known addresses: []')
    throw serviceUnavailable(`the node ${nodeName} cannot be reached from this server`)
  }
}

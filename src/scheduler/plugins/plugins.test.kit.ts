import type { Node, NodeSpec } from '../../api/core/v1/node.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { LocalCopy } from '../../client/informers/local-copy.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import { AffinityTermsCache } from '../cache/affinity-terms.js'
import { NodeInfo } from '../cache/node-info.js'
import { PodInfo } from '../cache/pod-info.js'
import { ClusterSnapshot } from '../cache/snapshot.js'
import type { ClusterEvent } from '../framework/cluster-event.js'
import { createPlugin, type SchedulerPluginDeclaration } from '../framework/declaration.js'
import { isRejection, type SchedulerPlugin, type SchedulerPluginDependencies } from '../framework/plugin.js'

/** Creates a plugin, by default with its default arguments in an empty cluster. */
export function testPlugin<Args extends object>(
  declaration: SchedulerPluginDeclaration<Args>,
  args: Partial<Args> = {},
  dependencies: Partial<SchedulerPluginDependencies> = {},
): SchedulerPlugin {
  const defaults = { informers: informersOf(), schedulerName: 'default-scheduler', extenders: [] }
  return createPlugin(declaration, { ...defaults, ...dependencies }, args)
}

export interface GivenNode {
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
  readonly spec?: Partial<NodeSpec>
  readonly allocatable?: Readonly<Record<string, string>>
  /** Sizes in bytes by name. */
  readonly images?: Readonly<Record<string, number>>
  readonly pods?: readonly PodInfo[]
}

/** A node with room for everything by default. */
export function node(name: string, given: GivenNode = {}): NodeInfo {
  const { labels, taints, spec, images = {}, pods = [] } = given
  const allocatable = { cpu: '32', memory: '64Gi', pods: '110', ...given.allocatable }
  const object = {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { ...spec, ...(taints && { taints }) },
    status: {
      allocatable,
      capacity: allocatable,
      images: Object.entries(images).map(([image, sizeBytes]) => ({ names: [image], sizeBytes })),
    },
  }
  return NodeInfo.of(
    object as unknown as Node,
    pods.map((pod) => pod.on(name)),
  )
}

export interface GivenPod {
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly priority?: number
  readonly requests?: Readonly<Record<string, string>>
  readonly metadata?: Partial<ObjectMeta>
  readonly spec?: Partial<PodSpec>
  readonly status?: Partial<PodStatus>
}

/** Pods of one template share their affinity terms, as in a scheduler. */
const affinityTerms = new AffinityTermsCache()

export function pod(name: string, given: GivenPod = {}): PodInfo {
  const { namespace = 'default', labels, priority, requests, metadata, spec, status } = given
  const container = { name: 'c', image: 'web', ...(requests && { resources: { requests } }) }
  const object = {
    metadata: { name, namespace, uid: `${namespace}/${name}`, ...(labels && { labels }), ...metadata },
    spec: {
      schedulerName: 'default-scheduler',
      containers: [container],
      ...(priority !== undefined && { priority }),
      ...spec,
    },
    status: { ...status },
  }
  return new PodInfo(object as unknown as Pod, affinityTerms)
}

export function cluster(...nodes: readonly NodeInfo[]): ClusterSnapshot {
  const counts = new Map<string, number>()
  for (const { images } of nodes) for (const image of images.keys()) counts.set(image, (counts.get(image) ?? 0) + 1)
  return new ClusterSnapshot(nodes, undefined, counts)
}

/** For each node `ok`, or the reasons of the plugin. */
export function filterResults(
  plugin: SchedulerPlugin,
  pod: PodInfo,
  snapshot: ClusterSnapshot,
): Readonly<Record<string, string>> {
  const filter = plugin.preFilter!(pod, snapshot)
  const describe = (node: NodeInfo) => {
    if (!filter) return 'ok'
    const rejection = isRejection(filter) ? filter : filter.filter(node)
    if (!rejection) return 'ok'
    return `${rejection.reasons.join(', ')}${rejection.isResolvable ? '' : ' (unresolvable)'}`
  }
  return Object.fromEntries(snapshot.nodes.map((each) => [each.name, describe(each)]))
}

/** The normalized scores of the plugin; undefined if it does not score the pod. */
export function scores(
  plugin: SchedulerPlugin,
  pod: PodInfo,
  snapshot: ClusterSnapshot,
): Readonly<Record<string, number>> | undefined {
  const { nodes } = snapshot
  const scorer = plugin.preScore!(pod, snapshot, nodes)
  if (!scorer) return undefined
  const all = Float64Array.from(nodes, (each) => scorer.score(each))
  scorer.normalize?.(all, nodes)
  return Object.fromEntries(nodes.map(({ name }, i) => [name, all[i]!]))
}

/** Informers of exactly these objects. */
export function informersOf(...given: readonly (readonly [Schema, AnyObject])[]): SharedInformers {
  const copies = new Map<unknown, LocalCopy<AnyObject>>()
  return {
    of(kind: unknown) {
      let copy = copies.get(kind)
      if (!copy) {
        copy = new LocalCopy((error) => {
          throw error
        })
        copy.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? ''])
        const objects = given.filter(([of]) => of === kind).map(([, object], i) => numbered(object, i + 1))
        copy.replace(objects, objects.length)
        copies.set(kind, copy)
      }
      return copy as never
    },
  }
}

function numbered(object: AnyObject, revision: number): AnyObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
}

/** Whether the plugin has a queueing hint by which the event can help the pod. */
export function isHelpful(plugin: SchedulerPlugin, pod: PodInfo, event: ClusterEvent): boolean {
  return (plugin.queueingHints ?? []).some(
    ({ resource, actions, isHelpful: hint = () => true }) =>
      resource === event.resource && event.actions.some((action) => actions.includes(action)) && hint(pod, event),
  )
}

import type { Pod } from '../../api/core/v1/pod.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { maxNodeScore } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'
import type { Extender, ExtenderFilterResult, PreemptionCandidate } from './extender.js'
import type { ExtenderTransport } from './http-transport.js'
import { ExtenderResponse } from './response.js'
import type { ExtenderSettings } from './settings.js'

/** Extenders score nodes from 0 to this. */
const maxExtenderPriority = 10

/** An extender that is called over HTTP: each verb is a path below its URL. The fields have upstream's names, with capitals. */
export function httpExtender(settings: ExtenderSettings, transport: ExtenderTransport): Extender {
  const { urlPrefix: name, filterVerb, prioritizeVerb, preemptVerb, bindVerb, isIgnorable } = settings
  const managed = new Set(settings.managedResources)
  const call = async (verb: string, body: object) =>
    new ExtenderResponse(name, await transport({ url: `${name}/${verb}`, body, isRepeatable: verb !== bindVerb }))
  const nodeFields = (nodes: readonly NodeInfo[]) =>
    settings.nodeCacheCapable
      ? { Nodes: null, NodeNames: nodes.map((node) => node.name) }
      : { Nodes: { metadata: {}, items: nodes.map(({ node }) => node) }, NodeNames: null }
  return {
    name,
    isIgnorable,
    isInterested: (pod) => managed.size === 0 || requestsAny(pod, managed),
    ...(filterVerb && {
      filter: async ({ pod }: PodInfo, nodes: readonly NodeInfo[]) =>
        filterResultFrom(await call(filterVerb, { Pod: pod, ...nodeFields(nodes) }), nodes),
    }),
    ...(prioritizeVerb && {
      prioritize: async ({ pod }: PodInfo, nodes: readonly NodeInfo[]) => {
        const response = await call(prioritizeVerb, { Pod: pod, ...nodeFields(nodes) })
        return scoresFrom(response, nodes, (settings.weight * maxNodeScore) / maxExtenderPriority)
      },
    }),
    ...(preemptVerb && {
      preempt: async ({ pod }: PodInfo, candidates: readonly PreemptionCandidate[]) => {
        const body = { Pod: pod, ...victimFields(candidates, settings.nodeCacheCapable) }
        return candidatesFrom(await call(preemptVerb, body), candidates)
      },
    }),
    ...(bindVerb && {
      bind: async ({ metadata }: Pod, nodeName: string) => {
        const { name: PodName, namespace: PodNamespace, uid: PodUID } = metadata
        const response = await call(bindVerb, { PodName, PodNamespace, PodUID, Node: nodeName })
        response.throwIfError()
      },
    }),
  }
}

function requestsAny({ spec }: Pod, names: ReadonlySet<string>): boolean {
  return [...(spec.initContainers ?? []), ...spec.containers].some(({ resources = {} }) =>
    [resources.requests, resources.limits].some((amounts) =>
      Object.keys(amounts ?? {}).some((name) => names.has(name)),
    ),
  )
}

/** A node that the response does not mention is dropped without a rejection. */
function filterResultFrom(response: ExtenderResponse, nodes: readonly NodeInfo[]): ExtenderFilterResult {
  response.throwIfError()
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const passed = (response.nodeNames() ?? []).map((name) => {
    const node = byName.get(name)
    if (!node) throw response.invalid(`it names node "${name}", which was not in the request`)
    return node
  })
  const failed = response.messages('FailedNodes')
  const unresolvable = response.messages('FailedAndUnresolvableNodes')
  const rejectedNodes: NodeInfo[] = []
  const rejections: PluginRejection[] = []
  for (const [name, reason] of Object.entries({ ...failed, ...unresolvable })) {
    const node = byName.get(name)
    if (!node) continue
    rejectedNodes.push(node)
    const isResolvable = !Object.hasOwn(unresolvable, name)
    rejections.push({ plugin: response.from, reasons: [reason], isResolvable })
  }
  return { nodes: passed, rejectedNodes, rejections }
}

function scoresFrom(response: ExtenderResponse, nodes: readonly NodeInfo[], factor: number): Float64Array {
  const priorities = response.priorities()
  return Float64Array.from(nodes, ({ name }) => (priorities.get(name) ?? 0) * factor)
}

function victimFields(candidates: readonly PreemptionCandidate[], nodeCacheCapable: boolean): object {
  const byNode = (pods: (candidate: PreemptionCandidate) => readonly object[]) =>
    Object.fromEntries(
      candidates.map((candidate) => [
        candidate.node.name,
        { Pods: pods(candidate), NumPDBViolations: candidate.violations },
      ]),
    )
  return nodeCacheCapable
    ? {
        NodeNameToVictims: null,
        NodeNameToMetaVictims: byNode(({ victims }) => victims.map(({ uid }) => ({ UID: uid }))),
      }
    : { NodeNameToVictims: byNode(({ victims }) => victims.map(({ pod }) => pod)), NodeNameToMetaVictims: null }
}

/** The response names victims by uid. They must be on the node. */
function candidatesFrom(
  response: ExtenderResponse,
  candidates: readonly PreemptionCandidate[],
): readonly PreemptionCandidate[] {
  const known = new Map(candidates.map((candidate) => [candidate.node.name, candidate]))
  return response.victims().map(({ nodeName, uids, violations }) => {
    const candidate = known.get(nodeName)
    if (!candidate) throw response.invalid(`it names node "${nodeName}", which was not in the request`)
    const { node } = candidate
    const victims = uids.map((uid) => {
      const pod = node.pods.find((each) => each.uid === uid)
      if (!pod) throw response.invalid(`it names pod ${uid}, which is not on node "${nodeName}"`)
      return pod
    })
    return { node, victims, violations }
  })
}

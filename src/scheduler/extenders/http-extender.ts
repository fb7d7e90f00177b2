import type { Pod } from '../../api/core/v1/pod.js'
import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { maxNodeScore } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'
import type { Extender, ExtenderFilterResult, PreemptionCandidate } from './extender.js'
import type { ExtenderTransport } from './http-transport.js'
import { ExtenderResponse } from './response.js'
import type { ExtenderSettings } from './settings.js'

/** What an extender calls the best node. */
const highestPriority = 10

/** Asks an extender as its settings say: each verb is a path below its address. Names of fields are upstream's, with capitals. */
export function httpExtender(settings: ExtenderSettings, exchange: ExtenderTransport): Extender {
  const { urlPrefix: name, filterVerb, prioritizeVerb, preemptVerb, bindVerb, isIgnorable } = settings
  const managed = new Set(settings.managedResources)
  const ask = async (verb: string, body: object) =>
    new ExtenderResponse(name, await exchange({ url: `${name}/${verb}`, body, isRepeatable: verb !== bindVerb }))
  const nodesIn = (nodes: readonly NodeInfo[]) =>
    settings.nodeCacheCapable
      ? { Nodes: null, NodeNames: nodes.map((node) => node.name) }
      : { Nodes: { metadata: {}, items: nodes.map(({ node }) => node) }, NodeNames: null }
  return {
    name,
    isIgnorable,
    isInterested: (pod) => managed.size === 0 || wantsAny(pod, managed),
    ...(filterVerb && {
      filter: async ({ pod }: PodInfo, nodes: readonly NodeInfo[]) =>
        verdictIn(await ask(filterVerb, { Pod: pod, ...nodesIn(nodes) }), nodes),
    }),
    ...(prioritizeVerb && {
      prioritize: async ({ pod }: PodInfo, nodes: readonly NodeInfo[]) => {
        const answer = await ask(prioritizeVerb, { Pod: pod, ...nodesIn(nodes) })
        return scoresIn(answer, nodes, (settings.weight * maxNodeScore) / highestPriority)
      },
    }),
    ...(preemptVerb && {
      preempt: async ({ pod }: PodInfo, candidates: readonly PreemptionCandidate[]) => {
        const question = { Pod: pod, ...victimsOf(candidates, settings.nodeCacheCapable) }
        return candidatesIn(await ask(preemptVerb, question), candidates)
      },
    }),
    ...(bindVerb && {
      bind: async ({ metadata }: Pod, nodeName: string) => {
        const { name: PodName, namespace: PodNamespace, uid: PodUID } = metadata
        const answer = await ask(bindVerb, { PodName, PodNamespace, PodUID, Node: nodeName })
        answer.throwItsError()
      },
    }),
  }
}

function wantsAny({ spec }: Pod, names: ReadonlySet<string>): boolean {
  return [...(spec.initContainers ?? []), ...spec.containers].some(({ resources = {} }) =>
    [resources.requests, resources.limits].some((amounts) =>
      Object.keys(amounts ?? {}).some((name) => names.has(name)),
    ),
  )
}

/** Of nodes that it does not name, nothing was said against them but that they are left out. */
function verdictIn(answer: ExtenderResponse, nodes: readonly NodeInfo[]): ExtenderFilterResult {
  answer.throwItsError()
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const passed = (answer.nodeNames() ?? []).map((name) => {
    const node = byName.get(name)
    if (!node) throw answer.wrong(`it names node "${name}", which it was not asked about`)
    return node
  })
  const failed = { ...answer.messages('FailedNodes') }
  const forGood = answer.messages('FailedAndUnresolvableNodes')
  const rejectedNodes: NodeInfo[] = []
  const rejections: PluginRejection[] = []
  for (const [name, reason] of Object.entries({ ...failed, ...forGood })) {
    const node = byName.get(name)
    if (!node) continue
    rejectedNodes.push(node)
    rejections.push({ plugin: answer.from, reasons: [reason], isResolvable: !Object.hasOwn(forGood, name) })
  }
  return { nodes: passed, rejectedNodes, rejections }
}

function scoresIn(answer: ExtenderResponse, nodes: readonly NodeInfo[], factor: number): Float64Array {
  const scores = answer.priorities()
  return Float64Array.from(nodes, ({ name }) => (scores.get(name) ?? 0) * factor)
}

function victimsOf(candidates: readonly PreemptionCandidate[], isKnown: boolean): object {
  const byNode = (pods: (candidate: PreemptionCandidate) => readonly object[]) =>
    Object.fromEntries(
      candidates.map((candidate) => [
        candidate.node.name,
        { Pods: pods(candidate), NumPDBViolations: candidate.violations },
      ]),
    )
  return isKnown
    ? {
        NodeNameToVictims: null,
        NodeNameToMetaVictims: byNode(({ victims }) => victims.map(({ uid }) => ({ UID: uid }))),
      }
    : { NodeNameToVictims: byNode(({ victims }) => victims.map(({ pod }) => pod)), NodeNameToMetaVictims: null }
}

/** It names victims by their uid. They must be there. */
function candidatesIn(
  answer: ExtenderResponse,
  candidates: readonly PreemptionCandidate[],
): readonly PreemptionCandidate[] {
  const known = new Map(candidates.map((candidate) => [candidate.node.name, candidate]))
  return answer.victims().map(({ nodeName, uids, violations }) => {
    const candidate = known.get(nodeName)
    if (!candidate) throw answer.wrong(`it names node "${nodeName}", which it was not asked about`)
    const { node } = candidate
    const victims = uids.map((uid) => {
      const pod = node.pods.find((each) => each.uid === uid)
      if (!pod) throw answer.wrong(`it claims to preempt pod ${uid} on node "${nodeName}", which is not there`)
      return pod
    })
    return { node, victims, violations }
  })
}

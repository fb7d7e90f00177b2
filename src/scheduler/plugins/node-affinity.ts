import { fitsNode, selectsNode, termSelectsNode } from '../../api/core/v1/affinity/node-affinity.js'
import type { NodeSelector, NodeSelectorTerm } from '../../api/core/v1/affinity/node-selector.js'
import type { NodeAffinity, PreferredSchedulingTerm } from '../../api/core/v1/affinity.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { queueingHint } from '../framework/cluster-event.js'
import type { PodFilter, SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'
import { normalize } from './normalize.js'

const name = 'NodeAffinity'

const rejection = (reason: string): PluginRejection => ({ plugin: name, reasons: [reason], isResolvable: false })
const byPod = rejection("node(s) didn't match Pod's node affinity/selector")
const byScheduler = rejection("node(s) didn't match scheduler-enforced node affinity")
const contradiction = rejection('pod affinity terms conflict')

export interface NodeAffinityOptions {
  /** What every pod of the profile asks for besides what it asks for itself. */
  readonly addedAffinity?: NodeAffinity
}

/** A pod goes to nodes that it selects by their labels, or by name; among them rather to those that it prefers. */
export function nodeAffinity({ addedAffinity = {} }: NodeAffinityOptions = {}): SchedulerPlugin {
  const added = addedAffinity.requiredDuringSchedulingIgnoredDuringExecution
  const addedPreferences = addedAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? []
  const isAllowed = (node: Node) => added === undefined || selectsNode(added, node)
  return {
    name,
    preFilter({ pod: { spec } }) {
      if (!spec.nodeSelector && !requiredBy(spec) && !added) return undefined
      const nodes = namedNodes(requiredBy(spec))
      if (nodes?.size === 0) return contradiction
      const filter: PodFilter = {
        filter: ({ node }) => (!isAllowed(node) ? byScheduler : fitsNode(spec, node) ? undefined : byPod),
      }
      return nodes ? { ...filter, nodes } : filter
    },
    preScore({ pod: { spec } }) {
      const own = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
      const preferences = [...addedPreferences, ...own]
      if (preferences.length === 0) return undefined
      return { score: ({ node }) => weightOn(node, preferences), normalize: (scores) => normalize(scores) }
    },
    queueingHints: [
      queueingHint('Node', ['added', 'labels'], ({ pod: { spec } }, { object, old }) => {
        const isGood = (node: Node) => isAllowed(node) && fitsNode(spec, node)
        return isGood(object) && !(old && isGood(old))
      }),
    ],
  }
}

function requiredBy({ affinity }: PodSpec): NodeSelector | undefined {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
}

function weightOn(node: Node, preferences: readonly PreferredSchedulingTerm[]): number {
  let total = 0
  for (const { weight, preference } of preferences) if (termSelectsNode(preference, node)) total += weight
  return total
}

/** The nodes that are named, if every term names some; undefined if others could do as well. */
function namedNodes(selector: NodeSelector | undefined): ReadonlySet<string> | undefined {
  if (!selector) return undefined
  const all = new Set<string>()
  for (const term of selector.nodeSelectorTerms) {
    const names = namedByTerm(term)
    if (!names) return undefined
    for (const each of names) all.add(each)
  }
  return all
}

function namedByTerm({ matchFields = [] }: NodeSelectorTerm): readonly string[] | undefined {
  let names: readonly string[] | undefined
  for (const { key, operator, values = [] } of matchFields)
    if (key === 'metadata.name' && operator === 'In') names = names?.filter((each) => values.includes(each)) ?? values
  return names
}

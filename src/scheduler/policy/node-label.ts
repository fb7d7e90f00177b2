import type { Node } from '../../api/core/v1/node.js'
import { queueingHint } from '../framework/cluster-event.js'
import { maxNodeScore, type SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'NodeLabel'

const rejection: PluginRejection = {
  plugin: name,
  reasons: ["node(s) didn't have the requested labels"],
  isResolvable: false,
}

export interface LabelPresence {
  readonly labels: readonly string[]
  /** Whether the labels must be present or absent. Their values do not matter. */
  readonly presence: boolean
}

/** Pods go only to nodes that have certain labels, or do not have them. */
export function nodeLabels(requirements: readonly LabelPresence[]): SchedulerPlugin {
  const isAccepted = ({ metadata: { labels = {} } }: Node) =>
    requirements.every((each) => each.labels.every((label) => Object.hasOwn(labels, label) === each.presence))
  return {
    name,
    preFilter: () => ({ filter: ({ node }) => (isAccepted(node) ? undefined : rejection) }),
    queueingHints: [queueingHint('Node', ['added', 'labels'], (_, { object }) => isAccepted(object))],
  }
}

/** Nodes with the label, or without it, score higher. @param plugin the name of the priority in the policy */
export function labelPreference(plugin: string, label: string, presence: boolean): SchedulerPlugin {
  return {
    name: plugin,
    preScore: () => ({ score: ({ labels }) => (Object.hasOwn(labels, label) === presence ? maxNodeScore : 0) }),
  }
}

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
  /** They must be there; otherwise they must not. */
  readonly presence: boolean
}

/** Only nodes with, or without, some labels get pods; whatever the labels say. */
export function nodeLabels(rules: readonly LabelPresence[]): SchedulerPlugin {
  const isGood = ({ metadata: { labels = {} } }: Node) =>
    rules.every((rule) => rule.labels.every((label) => Object.hasOwn(labels, label) === rule.presence))
  return {
    name,
    preFilter: () => ({ filter: ({ node }) => (isGood(node) ? undefined : rejection) }),
    queueingHints: [queueingHint('Node', ['added', 'labels'], (_, { object }) => isGood(object))],
  }
}

/** Nodes with, or without, a label are better. @param plugin as it is named where scores are explained */
export function labelPreference(plugin: string, label: string, presence: boolean): SchedulerPlugin {
  return {
    name: plugin,
    preScore: () => ({ score: ({ labels }) => (Object.hasOwn(labels, label) === presence ? maxNodeScore : 0) }),
  }
}

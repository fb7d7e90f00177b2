import type { Node } from '../../api/core/v1/node.js'
import { interest } from '../framework/cluster-event.js'
import { highestScore, type Plugin } from '../framework/plugin.js'
import type { Refusal } from '../framework/rejection.js'

const name = 'NodeLabel'

const refusal: Refusal = { plugin: name, reasons: ["node(s) didn't have the requested labels"], isResolvable: false }

export interface LabelPresence {
  readonly labels: readonly string[]
  /** They must be there; otherwise they must not. */
  readonly presence: boolean
}

/** Only nodes with, or without, some labels get pods; whatever the labels say. */
export function nodeLabels(rules: readonly LabelPresence[]): Plugin {
  const isGood = ({ metadata: { labels = {} } }: Node) =>
    rules.every((rule) => rule.labels.every((label) => Object.hasOwn(labels, label) === rule.presence))
  return {
    name,
    filterFor: () => ({ refuse: ({ node }) => (isGood(node) ? undefined : refusal) }),
    interests: [interest('Node', ['added', 'labels'], (_, { object }) => isGood(object))],
  }
}

/** Nodes with, or without, a label are better. @param plugin as it is named where scores are explained */
export function labelPreference(plugin: string, label: string, presence: boolean): Plugin {
  return {
    name: plugin,
    scorerFor: () => ({ score: ({ labels }) => (Object.hasOwn(labels, label) === presence ? highestScore : 0) }),
  }
}

import { fitsNode, selectsNode, termSelectsNode } from '../../api/core/v1/affinity/node-affinity.js'
import { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../api/core/v1/affinity/node-selector.js'
import { validateNodeSelector, validateNodeSelectorTerm } from '../../api/core/v1/affinity/node-selector-validation.js'
import { NodeAffinity, PreferredSchedulingTerm } from '../../api/core/v1/affinity.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { FieldError } from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { ref } from '../../schema/fields.js'
import type { Infer } from '../../schema/infer.js'
import { schema } from '../../schema/schema.js'
import { queueingHint } from '../framework/cluster-event.js'
import { declarePlugin } from '../framework/declaration.js'
import type { PodFilter } from '../framework/plugin.js'
import { configurationVersion, typeMetaFields } from '../framework/plugin-arguments.js'
import type { PluginRejection } from '../framework/rejection.js'
import { normalizeToHighest } from './normalize.js'

const name = 'NodeAffinity'

const rejection = (reason: string): PluginRejection => ({ plugin: name, reasons: [reason], isResolvable: false })
const podMismatch = rejection("node(s) didn't match Pod's node affinity/selector")
const profileMismatch = rejection("node(s) didn't match scheduler-enforced node affinity")
const conflictingTerms = rejection('pod affinity terms conflict')

export const NodeAffinityArgs = schema(`${configurationVersion}.NodeAffinityArgs`, {
  optional: {
    ...typeMetaFields,
    /** Every pod of the profile asks for this besides its own affinity. */
    addedAffinity: ref<NodeAffinity>(0, 'core/v1.NodeAffinity'),
  },
})
export interface NodeAffinityArgs extends Infer<typeof NodeAffinityArgs> {}

/** A pod goes only to nodes that it selects by label or name, and rather to those that it prefers. */
export const nodeAffinity = declarePlugin({
  name,
  extensionPoints: ['filter', 'score'],
  defaultProfile: { position: 60, weight: 2 },
  arguments: {
    schema: NodeAffinityArgs,
    types: [NodeAffinity, PreferredSchedulingTerm, NodeSelector, NodeSelectorTerm, NodeSelectorRequirement],
    validate,
  },
  create(_, { addedAffinity = {} }: NodeAffinityArgs) {
    const added = addedAffinity.requiredDuringSchedulingIgnoredDuringExecution
    const addedPreferences = addedAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? []
    const isAllowed = (node: Node) => added === undefined || selectsNode(added, node)
    return {
      preFilter({ pod: { spec } }) {
        if (!spec.nodeSelector && !requiredBy(spec) && !added) return undefined
        const nodes = nodesNamedBy(requiredBy(spec))
        if (nodes?.size === 0) return conflictingTerms
        const filter: PodFilter = {
          filter: ({ node }) => (!isAllowed(node) ? profileMismatch : fitsNode(spec, node) ? undefined : podMismatch),
        }
        return nodes ? { ...filter, nodes } : filter
      },
      preScore({ pod: { spec } }) {
        const own = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
        const preferences = [...addedPreferences, ...own]
        if (preferences.length === 0) return undefined
        return {
          score: ({ node }) => totalWeight(node, preferences),
          normalize: (scores) => normalizeToHighest(scores),
        }
      },
      queueingHints: [
        queueingHint('Node', ['added', 'labels'], ({ pod: { spec } }, { object, old }) => {
          const fits = (node: Node) => isAllowed(node) && fitsNode(spec, node)
          return fits(object) && !(old && fits(old))
        }),
      ],
    }
  },
})

function requiredBy({ affinity }: PodSpec): NodeSelector | undefined {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
}

function totalWeight(node: Node, preferences: readonly PreferredSchedulingTerm[]): number {
  let total = 0
  for (const { weight, preference } of preferences) if (termSelectsNode(preference, node)) total += weight
  return total
}

/** The only nodes that can match, if every term has a `metadata.name` requirement; otherwise undefined. */
function nodesNamedBy(selector: NodeSelector | undefined): ReadonlySet<string> | undefined {
  if (!selector) return undefined
  const all = new Set<string>()
  for (const term of selector.nodeSelectorTerms) {
    const names = namesIn(term)
    if (!names) return undefined
    for (const each of names) all.add(each)
  }
  return all
}

function namesIn({ matchFields = [] }: NodeSelectorTerm): readonly string[] | undefined {
  let names: readonly string[] | undefined
  for (const { key, operator, values = [] } of matchFields)
    if (key === 'metadata.name' && operator === 'In') names = names?.filter((each) => values.includes(each)) ?? values
  return names
}

function validate({ addedAffinity = {} }: NodeAffinityArgs, path: FieldPath): readonly FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = addedAffinity
  const at = path.child('addedAffinity')
  const preferredPath = at.child('preferredDuringSchedulingIgnoredDuringExecution')
  return [
    ...(required
      ? validateNodeSelector(required, at.child('requiredDuringSchedulingIgnoredDuringExecution'), { anyValue: false })
      : []),
    ...preferred.flatMap(({ preference }, i) =>
      validateNodeSelectorTerm(preference, preferredPath.index(i), { anyValue: false }),
    ),
  ]
}

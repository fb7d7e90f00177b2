/** Warnings about deprecated labels of nodes. */
import type { FieldPath } from '../../../../schema/field-path.js'
import type { LabelSelector } from '../../../meta/v1/label-selector.js'
import type { NodeSelectorTerm } from './node-selector.js'

const notices: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}

/** The notice about a label; undefined if it is not deprecated. */
export function deprecatedLabelNotice(label: string): string | undefined {
  return Object.hasOwn(notices, label) ? notices[label] : undefined
}

/** Warnings about deprecated labels in a term of a node selector. */
export function nodeSelectorTermWarnings({ matchExpressions }: NodeSelectorTerm, path: FieldPath): readonly string[] {
  return expressionWarnings(matchExpressions, path)
}

/** Warnings about deprecated labels in a label selector for nodes. */
export function nodeLabelSelectorWarnings(selector: LabelSelector | undefined, path: FieldPath): readonly string[] {
  if (!selector) return []
  const labels = Object.keys(selector.matchLabels ?? {}).flatMap((label) => {
    const notice = deprecatedLabelNotice(label)
    return notice === undefined ? [] : [`${path.child('matchLabels', label)}: ${notice}`]
  })
  return [...expressionWarnings(selector.matchExpressions, path), ...labels]
}

function expressionWarnings(
  expressions: readonly { readonly key: string }[] | undefined,
  path: FieldPath,
): readonly string[] {
  return (expressions ?? []).flatMap(({ key }, i) => {
    const notice = deprecatedLabelNotice(key)
    return notice === undefined ? [] : [`${path.child('matchExpressions').index(i).child('key')}: ${key} is ${notice}`]
  })
}

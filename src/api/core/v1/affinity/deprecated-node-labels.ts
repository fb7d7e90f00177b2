/** Labels of nodes that have better names by now. */
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

/** What to say about a label, if it is one of them. */
export function deprecatedLabelNotice(label: string): string | undefined {
  return Object.hasOwn(notices, label) ? notices[label] : undefined
}

/** What to say about the labels by which nodes are chosen. */
export function nodeSelectorTermWarnings({ matchExpressions }: NodeSelectorTerm, path: FieldPath): readonly string[] {
  return expressionWarnings(matchExpressions, path)
}

/** The same for nodes that are chosen by an ordinary selector. */
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

import type { FieldPath } from '../../../schema/field-path.js'
import { labelValue } from '../../../schema/label-names.js'
import type { NodeSelectorTerm } from './node-selector.js'

/** Labels of nodes that have a better name by now. */
const successors: ReadonlyMap<string, readonly [since: string, name: string]> = new Map([
  ['beta.kubernetes.io/arch', ['v1.14', 'kubernetes.io/arch']],
  ['beta.kubernetes.io/os', ['v1.14', 'kubernetes.io/os']],
  ['failure-domain.beta.kubernetes.io/region', ['v1.17', 'topology.kubernetes.io/region']],
  ['failure-domain.beta.kubernetes.io/zone', ['v1.17', 'topology.kubernetes.io/zone']],
  ['beta.kubernetes.io/instance-type', ['v1.17', 'node.kubernetes.io/instance-type']],
])

/** What to say of a label's name; undefined if nothing. */
export function deprecatedNodeLabel(key: string): string | undefined {
  const successor = successors.get(key)
  return successor && `deprecated since ${successor[0]}; use "${successor[1]}" instead`
}

/** What to warn of where nodes are chosen; of values only where impossible ones are not refused. */
export function nodeSelectorTermWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  path: FieldPath,
  { checkValues = false }: { readonly checkValues?: boolean } = {},
): readonly string[] {
  return matchExpressions.flatMap(({ key, values = [] }, i) => {
    const at = path.child('matchExpressions').index(i)
    const message = deprecatedNodeLabel(key)
    return [
      ...(message ? [`${at.child('key')}: ${key} is ${message}`] : []),
      ...(checkValues ? values : []).flatMap((value, j) =>
        labelValue(value).map((why) => `${at.child('values').index(j)}: ${value} is invalid, ${why}`),
      ),
    ]
  })
}

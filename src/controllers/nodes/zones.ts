import type { Node } from '../../api/core/v1/node.js'

/** By which label each is known now, and was known before. */
const regionLabels = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']
const zoneLabels = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']

/** Says the same of nodes in the same zone of the same region, and nothing of those that do not say where they are. */
export function zoneKeyOf({ metadata }: Node): string {
  const first = (names: readonly string[]) => names.map((name) => metadata.labels?.[name]).find(Boolean) ?? ''
  const region = first(regionLabels)
  const zone = first(zoneLabels)
  // Neither may contain a zero, so nothing else is written like this.
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`
}

import type { PredicatePolicy } from './declarations.js'

/** The plugins that replace each predicate, in the order in which the predicates were checked. */
export const predicates: ReadonlyMap<string, readonly string[]> = new Map([
  // Conditions of nodes are taints today.
  ['CheckNodeCondition', ['TaintToleration']],
  ['CheckNodeUnschedulable', ['NodeUnschedulable']],
  ['GeneralPredicates', ['NodeResourcesFit', 'NodeName', 'NodePorts', 'NodeAffinity']],
  ['HostName', ['NodeName']],
  ['PodFitsHostPorts', ['NodePorts']],
  ['PodFitsPorts', ['NodePorts']],
  ['MatchNodeSelector', ['NodeAffinity']],
  ['PodFitsResources', ['NodeResourcesFit']],
  ['NoDiskConflict', ['VolumeRestrictions']],
  ['PodToleratesNodeTaints', ['TaintToleration']],
  ['PodToleratesNodeNoExecuteTaints', ['TaintToleration']],
  ['CheckNodeLabelPresence', ['NodeLabel']],
  ['CheckServiceAffinity', ['ServiceAffinity']],
  ['MaxEBSVolumeCount', ['NodeVolumeLimits']],
  ['MaxGCEPDVolumeCount', ['NodeVolumeLimits']],
  ['MaxCSIVolumeCountPred', ['NodeVolumeLimits']],
  ['MaxAzureDiskVolumeCount', ['NodeVolumeLimits']],
  ['MaxCinderVolumeCount', ['NodeVolumeLimits']],
  ['CheckVolumeBinding', ['VolumeBinding']],
  ['NoVolumeZoneConflict', ['VolumeZone']],
  ['CheckNodeMemoryPressure', ['TaintToleration']],
  ['CheckNodePIDPressure', ['TaintToleration']],
  ['CheckNodeDiskPressure', ['TaintToleration']],
  ['EvenPodsSpread', ['PodTopologySpread']],
  ['MatchInterPodAffinity', ['InterPodAffinity']],
])

/** Always checked: without these pods would go to nodes that cannot run them. */
const mandatory = ['PodToleratesNodeTaints', 'CheckNodeUnschedulable']

/** For a policy without a list of predicates. */
const defaults = [
  'NoVolumeZoneConflict',
  'MaxEBSVolumeCount',
  'MaxGCEPDVolumeCount',
  'MaxAzureDiskVolumeCount',
  'MaxCSIVolumeCountPred',
  'MatchInterPodAffinity',
  'NoDiskConflict',
  'GeneralPredicates',
  'CheckVolumeBinding',
  'EvenPodsSpread',
]

/** Names of the plugins that filter, once each. */
export function policyFilters(given: readonly PredicatePolicy[] | undefined): readonly string[] {
  const names = new Set([...mandatory, ...(given ? given.map(predicateName) : defaults)])
  return [...new Set([...predicates].flatMap(([name, plugins]) => (names.has(name) ? plugins : [])))]
}

/** A predicate with an argument may have any name. */
function predicateName({ name, argument }: PredicatePolicy): string {
  if (predicates.has(name)) return name
  return argument?.serviceAffinity ? 'CheckServiceAffinity' : 'CheckNodeLabelPresence'
}

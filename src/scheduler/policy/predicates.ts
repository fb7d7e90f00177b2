import type { PredicatePolicy } from './declarations.js'

/** The plugins that each of the classic predicates is now, in the order in which predicates were always asked. */
export const predicates: ReadonlyMap<string, readonly string[]> = new Map([
  // What the condition of a node says, its taints say.
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

/** Without these pods would go where nothing runs them. */
const mandatory = ['PodToleratesNodeTaints', 'CheckNodeUnschedulable']

/** What a policy has that does not name any. */
const usual = [
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

/** Names of the plugins that filter, each once. */
export function policyFilters(given: readonly PredicatePolicy[] | undefined): readonly string[] {
  const names = new Set([...mandatory, ...(given ? given.map(predicateName) : usual)])
  return [...new Set([...predicates].flatMap(([name, plugins]) => (names.has(name) ? plugins : [])))]
}

/** Who brings an argument can call it as he likes. */
function predicateName({ name, argument }: PredicatePolicy): string {
  if (predicates.has(name)) return name
  return argument?.serviceAffinity ? 'CheckServiceAffinity' : 'CheckNodeLabelPresence'
}

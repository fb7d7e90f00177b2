import type { Container } from '../../../api/core/v1/container.js'
import type { Volume } from '../../../api/core/v1/volume.js'
import { unlessUserNamespace } from './baseline-checks.js'
import {
  allContainers,
  type CheckedPod,
  type CheckPod,
  containersText,
  namesOfContainers,
  type PodSecurityCheck,
  plural,
  quotedList,
  settersText,
  sortedDistinct,
  type Violation,
} from './check.js'
import { seccompRequired } from './seccomp-checks.js'

function privilegeEscalation({ spec }: CheckedPod): Violation | undefined {
  const names = namesOfContainers(spec, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)
  if (names.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

function capabilities({ spec }: CheckedPod): Violation | undefined {
  const added = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => capability !== 'NET_BIND_SERVICE')
  const keeping = namesOfContainers(
    spec,
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  )
  const adding = allContainers(spec).filter((container) => added(container).length > 0)
  const details: string[] = []
  if (keeping.length > 0) details.push(`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`)
  if (adding.length > 0) {
    const what = quotedList(sortedDistinct(adding.flatMap(added)))
    const who = containersText(adding.map(({ name }) => name))
    details.push(`${who} must not include ${what} in securityContext.capabilities.add`)
  }
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

const plainVolumes: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
])

const restrictedVolumeTypes: ReadonlySet<string> = new Set([
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
])

function volumes({ spec }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !sourcesOf(volume).some((source) => plainVolumes.has(source)))
  if (bad.length === 0) return undefined
  const names = bad.map(({ name }) => name)
  const types = sortedDistinct(
    bad.map((volume) => sourcesOf(volume).find((source) => restrictedVolumeTypes.has(source)) ?? 'unknown'),
  )
  const who = `${plural(names, 'volume', 'volumes')} ${quotedList(names)} ${plural(names, 'uses', 'use')}`
  return {
    reason: 'restricted volume types',
    detail: `${who} ${plural(types, 'restricted volume type', 'restricted volume types')} ${quotedList(types)}`,
  }
}

function sourcesOf({ name: _, ...sources }: Volume): readonly string[] {
  return Object.keys(sources)
}

function runAsNonRoot({ spec }: CheckedPod): Violation | undefined {
  const ofPod = spec.securityContext?.runAsNonRoot
  const asRoot = namesOfContainers(spec, ({ securityContext }) => securityContext?.runAsNonRoot === false)
  const who = settersText(ofPod === false, asRoot)
  const reason = 'runAsNonRoot != true'
  if (who !== '') return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` }
  if (ofPod) return undefined
  const silent = namesOfContainers(spec, ({ securityContext }) => securityContext?.runAsNonRoot === undefined)
  if (silent.length === 0) return undefined
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` }
}

function runAsUser({ spec }: CheckedPod): Violation | undefined {
  const names = namesOfContainers(spec, ({ securityContext }) => securityContext?.runAsUser === 0)
  const who = settersText(spec.securityContext?.runAsUser === 0, names)
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` }
}

/** Skips a check for Windows pods, which do not have the field. */
function unlessWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod))
}

/** The additional checks of the level `restricted`, in the order of the messages. */
export const restrictedChecks: readonly PodSecurityCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    since: [
      [8, privilegeEscalation],
      [25, unlessWindows(privilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    since: [
      [22, capabilities],
      [25, unlessWindows(capabilities)],
    ],
  },
  { id: 'restrictedVolumes', since: [[0, volumes]] },
  {
    id: 'runAsNonRoot',
    since: [
      [0, runAsNonRoot],
      [35, unlessUserNamespace(runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    since: [
      [23, runAsUser],
      [35, unlessUserNamespace(runAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    since: [
      [19, seccompRequired],
      [25, unlessWindows(seccompRequired)],
    ],
  },
]

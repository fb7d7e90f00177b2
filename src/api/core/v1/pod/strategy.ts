import { FieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { dnsLabel } from '../../../../schema/names.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { Pod } from '../pod.js'
import { appArmorPrefix, appArmorProfileOf } from '../security-context/app-armor-annotations.js'
import { hasKeyUnder } from '../security-context/profile-agreement.js'
import { preparePod } from './creation.js'
import { dropDisabledPodFields } from './disabled-fields.js'
import { podStatusWarnings } from './status-validation.js'
import { prepareDebugging, prepareResize, prepareStatus } from './subresources.js'
import {
  validateDebugging,
  validatePod,
  validatePodResize,
  validatePodStatus,
  validatePodUpdate,
} from './validation.js'
import { podWarnings } from './warnings.js'

export const podStrategy = declareStrategy<Pod>(Pod, {
  intent: ({ spec }) => [spec],
  prepareCreate: preparePod,
  prepareUpdate: (draft, old) => {
    draft.status = old.status as Draft<Pod['status']>
    dropDisabledPodFields(draft.spec, old.spec)
  },
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  /** No warnings for updates, because they come from programs, which do not read warnings. */
  warnings: (pod, old) => (old ? [] : creationWarnings(pod)),
  fields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.host': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status.phase ?? '',
    'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? '',
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName ?? '',
  },
  deletion: { gracePeriod },
  subresources: {
    status: {
      prepareUpdate: prepareStatus,
      validateUpdate: validatePodStatus,
      warnings: podStatusWarnings,
      owned: [['status'], ['metadata', 'labels'], ['metadata', 'annotations'], ['metadata', 'finalizers']],
    },
    ephemeralcontainers: {
      prepareUpdate: prepareDebugging,
      validateUpdate: validateDebugging,
      warnings: () => [],
      owned: [['spec', 'ephemeralContainers']],
    },
    resize: {
      prepareUpdate: prepareResize,
      validateUpdate: validatePodResize,
      warnings: () => [],
      owned: [
        ['spec', 'containers'],
        ['spec', 'initContainers'],
      ],
    },
  },
})

/** A pod without a node, or one that has ended, is deleted at once. A negative grace period means one second, as upstream does. */
function gracePeriod({ spec, status }: Pod, asked: number | undefined): number {
  if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0
  const period = asked ?? spec.terminationGracePeriodSeconds ?? 0
  return period < 0 ? 1 : period
}

function creationWarnings(pod: Pod): readonly string[] {
  const { metadata, spec } = pod
  const messages = dnsLabel(metadata.name ?? '')
  return [
    ...appArmorWarnings(pod),
    ...(messages.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
        ]),
    ...podWarnings(spec, metadata.annotations ?? {}, FieldPath.none),
  ]
}

/** Warnings about AppArmor annotations, which are deprecated or malformed. */
function appArmorWarnings({ metadata: { annotations = {} }, spec }: Pod): readonly string[] {
  if (spec.os?.name === 'windows' || !hasKeyUnder(annotations, appArmorPrefix)) return []
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])].flatMap(({ name, securityContext }) => {
    const key = appArmorPrefix + name
    const annotation = annotations[key]
    if (annotation === undefined) return []
    const isTaken = securityContext?.appArmorProfile !== undefined
    if (!isTaken && appArmorProfileOf(annotation)) return []
    return [`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`]
  })
}

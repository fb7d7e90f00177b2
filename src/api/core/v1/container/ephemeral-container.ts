import { bool, list, oneOf, ref, string } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import {
  type ContainerPort,
  type ContainerResizePolicy,
  ContainerRestartPolicy,
  type ContainerRestartRule,
  PullPolicy,
  TerminationMessagePolicy,
  type VolumeDevice,
  type VolumeMount,
} from '../container.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import type { SecurityContext } from '../security-context.js'
import type { EnvFromSource, EnvVar } from './env.js'
import type { Lifecycle, Probe } from './probe.js'

export const EphemeralContainer = schema('core/v1.EphemeralContainer', {
  required: {
    name: string('1.1'),
  },
  optional: {
    image: string('1.2'),
    command: list('1.3', string),
    args: list('1.4', string),
    workingDir: string('1.5'),
    ports: list('1.6', ref<ContainerPort>('core/v1.ContainerPort'), {
      keys: ['containerPort', 'protocol'],
      mergeKey: 'containerPort',
    }),
    env: list('1.7', ref<EnvVar>('core/v1.EnvVar'), { keys: ['name'], mergeKey: 'name' }),
    resources: ref<ResourceRequirements>('1.8', 'core/v1.ResourceRequirements', { always: true }),
    volumeMounts: list('1.9', ref<VolumeMount>('core/v1.VolumeMount'), { keys: ['mountPath'], mergeKey: 'mountPath' }),
    livenessProbe: ref<Probe>('1.10', 'core/v1.Probe'),
    readinessProbe: ref<Probe>('1.11', 'core/v1.Probe'),
    lifecycle: ref<Lifecycle>('1.12', 'core/v1.Lifecycle'),
    terminationMessagePath: string('1.13', { default: '/dev/termination-log' }),
    imagePullPolicy: oneOf('1.14', PullPolicy),
    securityContext: ref<SecurityContext>('1.15', 'core/v1.SecurityContext'),
    stdin: bool('1.16'),
    stdinOnce: bool('1.17'),
    tty: bool('1.18'),
    envFrom: list('1.19', ref<EnvFromSource>('core/v1.EnvFromSource')),
    terminationMessagePolicy: oneOf('1.20', TerminationMessagePolicy, {
      default: 'File',
    }),
    volumeDevices: list('1.21', ref<VolumeDevice>('core/v1.VolumeDevice'), {
      keys: ['devicePath'],
      mergeKey: 'devicePath',
    }),
    startupProbe: ref<Probe>('1.22', 'core/v1.Probe'),
    resizePolicy: list('1.23', ref<ContainerResizePolicy>('core/v1.ContainerResizePolicy')),
    restartPolicy: oneOf('1.24', ContainerRestartPolicy, { keepZero: true }),
    restartPolicyRules: list('1.25', ref<ContainerRestartRule>('core/v1.ContainerRestartRule')),
    targetContainerName: string(2),
  },
})
export interface EphemeralContainer extends Infer<typeof EphemeralContainer> {}

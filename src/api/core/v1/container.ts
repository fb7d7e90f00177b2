import {
  bool,
  enumeration,
  int32,
  list,
  oneOf,
  openEnumeration,
  ref,
  string,
  type Values,
} from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { EnvFromSource, EnvVar } from './container/env.js'
import type { Lifecycle, Probe } from './container/probe.js'
import { Protocol } from './protocol.js'
import { ResourceName, type ResourceRequirements } from './resource-requirements.js'
import type { SecurityContext } from './security-context.js'

export const PullPolicy = enumeration('core/v1.PullPolicy', ['Always', 'Never', 'IfNotPresent'])
export type PullPolicy = Values<typeof PullPolicy>

export const TerminationMessagePolicy = enumeration('core/v1.TerminationMessagePolicy', [
  'File',
  'FallbackToLogsOnError',
])
export type TerminationMessagePolicy = Values<typeof TerminationMessagePolicy>

export const ContainerRestartPolicy = openEnumeration('core/v1.ContainerRestartPolicy', [
  'Always',
  'Never',
  'OnFailure',
])
export type ContainerRestartPolicy = Values<typeof ContainerRestartPolicy>

export const ResourceResizeRestartPolicy = openEnumeration('core/v1.ResourceResizeRestartPolicy', [
  'NotRequired',
  'RestartContainer',
])
export type ResourceResizeRestartPolicy = Values<typeof ResourceResizeRestartPolicy>

export const ContainerRestartRuleAction = openEnumeration('core/v1.ContainerRestartRuleAction', [
  'Restart',
  'RestartAllContainers',
])
export type ContainerRestartRuleAction = Values<typeof ContainerRestartRuleAction>

export const ContainerRestartRuleOnExitCodesOperator = openEnumeration(
  'core/v1.ContainerRestartRuleOnExitCodesOperator',
  ['In', 'NotIn'],
)
export type ContainerRestartRuleOnExitCodesOperator = Values<typeof ContainerRestartRuleOnExitCodesOperator>

export const MountPropagationMode = enumeration('core/v1.MountPropagationMode', [
  'None',
  'HostToContainer',
  'Bidirectional',
])
export type MountPropagationMode = Values<typeof MountPropagationMode>

export const RecursiveReadOnlyMode = openEnumeration('core/v1.RecursiveReadOnlyMode', [
  'Disabled',
  'IfPossible',
  'Enabled',
])
export type RecursiveReadOnlyMode = Values<typeof RecursiveReadOnlyMode>

export const Container = schema('core/v1.Container', {
  required: {
    name: string(1),
  },
  optional: {
    image: string(2),
    command: list(3, string),
    args: list(4, string),
    workingDir: string(5),
    ports: list(6, ref<ContainerPort>('core/v1.ContainerPort'), {
      keys: ['containerPort', 'protocol'],
      mergeKey: 'containerPort',
    }),
    env: list(7, ref<EnvVar>('core/v1.EnvVar'), { keys: ['name'], mergeKey: 'name' }),
    resources: ref<ResourceRequirements>(8, 'core/v1.ResourceRequirements', { always: true }),
    volumeMounts: list(9, ref<VolumeMount>('core/v1.VolumeMount'), { keys: ['mountPath'], mergeKey: 'mountPath' }),
    livenessProbe: ref<Probe>(10, 'core/v1.Probe'),
    readinessProbe: ref<Probe>(11, 'core/v1.Probe'),
    lifecycle: ref<Lifecycle>(12, 'core/v1.Lifecycle'),
    terminationMessagePath: string(13, { default: '/dev/termination-log' }),
    imagePullPolicy: oneOf(14, PullPolicy),
    securityContext: ref<SecurityContext>(15, 'core/v1.SecurityContext'),
    stdin: bool(16),
    stdinOnce: bool(17),
    tty: bool(18),
    envFrom: list(19, ref<EnvFromSource>('core/v1.EnvFromSource')),
    terminationMessagePolicy: oneOf(20, TerminationMessagePolicy, {
      default: 'File',
    }),
    volumeDevices: list(21, ref<VolumeDevice>('core/v1.VolumeDevice'), {
      keys: ['devicePath'],
      mergeKey: 'devicePath',
    }),
    startupProbe: ref<Probe>(22, 'core/v1.Probe'),
    resizePolicy: list(23, ref<ContainerResizePolicy>('core/v1.ContainerResizePolicy')),
    restartPolicy: oneOf(24, ContainerRestartPolicy, { keepZero: true }),
    restartPolicyRules: list(25, ref<ContainerRestartRule>('core/v1.ContainerRestartRule')),
  },
})
export interface Container extends Infer<typeof Container> {}

export const ContainerPort = schema('core/v1.ContainerPort', {
  required: {
    containerPort: int32(3),
  },
  optional: {
    name: string(1),
    hostPort: int32(2),
    protocol: oneOf(4, Protocol, { default: 'TCP' }),
    hostIP: string(5),
  },
})
export interface ContainerPort extends Infer<typeof ContainerPort> {}

export const ContainerResizePolicy = schema('core/v1.ContainerResizePolicy', {
  required: {
    resourceName: oneOf(1, ResourceName),
    restartPolicy: oneOf(2, ResourceResizeRestartPolicy),
  },
})
export interface ContainerResizePolicy extends Infer<typeof ContainerResizePolicy> {}

export const ContainerRestartRule = schema('core/v1.ContainerRestartRule', {
  required: {
    action: oneOf(1, ContainerRestartRuleAction, { always: false }),
  },
  optional: {
    exitCodes: ref<ContainerRestartRuleOnExitCodes>(2, 'core/v1.ContainerRestartRuleOnExitCodes'),
  },
})
export interface ContainerRestartRule extends Infer<typeof ContainerRestartRule> {}

export const ContainerRestartRuleOnExitCodes = schema('core/v1.ContainerRestartRuleOnExitCodes', {
  required: {
    operator: oneOf(1, ContainerRestartRuleOnExitCodesOperator, { always: false }),
  },
  optional: {
    values: list(2, int32, { set: true }),
  },
})
export interface ContainerRestartRuleOnExitCodes extends Infer<typeof ContainerRestartRuleOnExitCodes> {}

export const VolumeDevice = schema('core/v1.VolumeDevice', {
  required: {
    name: string(1),
    devicePath: string(2),
  },
})
export interface VolumeDevice extends Infer<typeof VolumeDevice> {}

export const VolumeMount = schema('core/v1.VolumeMount', {
  required: {
    name: string(1),
    mountPath: string(3),
  },
  optional: {
    readOnly: bool(2),
    subPath: string(4),
    mountPropagation: oneOf(5, MountPropagationMode, { keepZero: true }),
    subPathExpr: string(6),
    recursiveReadOnly: oneOf(7, RecursiveReadOnlyMode, { keepZero: true }),
  },
})
export interface VolumeMount extends Infer<typeof VolumeMount> {}

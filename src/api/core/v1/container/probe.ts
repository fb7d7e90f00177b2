import {
  enumeration,
  int32,
  int64,
  intOrString,
  list,
  oneOf,
  ref,
  string,
  type Values,
} from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import { Signal } from './signal.js'

export const URIScheme = enumeration('core/v1.URIScheme', ['HTTP', 'HTTPS'])
export type URIScheme = Values<typeof URIScheme>

export const Lifecycle = schema('core/v1.Lifecycle', {
  optional: {
    postStart: ref<LifecycleHandler>(1, 'core/v1.LifecycleHandler'),
    preStop: ref<LifecycleHandler>(2, 'core/v1.LifecycleHandler'),
    stopSignal: oneOf(3, Signal, { keepZero: true }),
  },
})
export interface Lifecycle extends Infer<typeof Lifecycle> {}

export const LifecycleHandler = schema('core/v1.LifecycleHandler', {
  optional: {
    exec: ref<ExecAction>(1, 'core/v1.ExecAction'),
    httpGet: ref<HTTPGetAction>(2, 'core/v1.HTTPGetAction'),
    tcpSocket: ref<TCPSocketAction>(3, 'core/v1.TCPSocketAction'),
    sleep: ref<SleepAction>(4, 'core/v1.SleepAction'),
  },
})
export interface LifecycleHandler extends Infer<typeof LifecycleHandler> {}

export const ExecAction = schema('core/v1.ExecAction', {
  optional: {
    command: list(1, string),
  },
})
export interface ExecAction extends Infer<typeof ExecAction> {}

export const HTTPGetAction = schema('core/v1.HTTPGetAction', {
  required: {
    port: intOrString(2),
  },
  optional: {
    path: string(1, { default: '/' }),
    host: string(3),
    scheme: oneOf(4, URIScheme, { default: 'HTTP' }),
    httpHeaders: list(5, ref<HTTPHeader>('core/v1.HTTPHeader')),
  },
})
export interface HTTPGetAction extends Infer<typeof HTTPGetAction> {}

export const HTTPHeader = schema('core/v1.HTTPHeader', {
  required: {
    name: string(1),
    value: string(2),
  },
})
export interface HTTPHeader extends Infer<typeof HTTPHeader> {}

export const SleepAction = schema('core/v1.SleepAction', {
  required: {
    seconds: int64(1),
  },
})
export interface SleepAction extends Infer<typeof SleepAction> {}

export const TCPSocketAction = schema('core/v1.TCPSocketAction', {
  required: {
    port: intOrString(1),
  },
  optional: {
    host: string(2),
  },
})
export interface TCPSocketAction extends Infer<typeof TCPSocketAction> {}

export const Probe = schema('core/v1.Probe', {
  optional: {
    exec: ref<ExecAction>('1.1', 'core/v1.ExecAction'),
    httpGet: ref<HTTPGetAction>('1.2', 'core/v1.HTTPGetAction'),
    tcpSocket: ref<TCPSocketAction>('1.3', 'core/v1.TCPSocketAction'),
    grpc: ref<GRPCAction>('1.4', 'core/v1.GRPCAction'),
    initialDelaySeconds: int32(2),
    timeoutSeconds: int32(3, { default: 1 }),
    periodSeconds: int32(4, { default: 10 }),
    successThreshold: int32(5, { default: 1 }),
    failureThreshold: int32(6, { default: 3 }),
    terminationGracePeriodSeconds: int64(7, { keepZero: true }),
  },
})
export interface Probe extends Infer<typeof Probe> {}

export const GRPCAction = schema('core/v1.GRPCAction', {
  required: {
    port: int32(1),
  },
  optional: {
    service: string(2, { default: '', always: 'null' }),
  },
})
export interface GRPCAction extends Infer<typeof GRPCAction> {}

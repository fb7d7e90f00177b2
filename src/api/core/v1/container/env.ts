import { bool, quantity, ref, string } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'

export const EnvFromSource = schema('core/v1.EnvFromSource', {
  optional: {
    prefix: string(1),
    configMapRef: ref<ConfigMapEnvSource>(2, 'core/v1.ConfigMapEnvSource'),
    secretRef: ref<SecretEnvSource>(3, 'core/v1.SecretEnvSource'),
  },
})
export interface EnvFromSource extends Infer<typeof EnvFromSource> {}

export const ConfigMapEnvSource = schema('core/v1.ConfigMapEnvSource', {
  optional: {
    name: string('1.1', { default: '' }),
    optional: bool(2, { keepZero: true }),
  },
})
export interface ConfigMapEnvSource extends Infer<typeof ConfigMapEnvSource> {}

export const SecretEnvSource = schema('core/v1.SecretEnvSource', {
  optional: {
    name: string('1.1', { default: '' }),
    optional: bool(2, { keepZero: true }),
  },
})
export interface SecretEnvSource extends Infer<typeof SecretEnvSource> {}

export const EnvVar = schema('core/v1.EnvVar', {
  required: {
    name: string(1),
  },
  optional: {
    value: string(2),
    valueFrom: ref<EnvVarSource>(3, 'core/v1.EnvVarSource'),
  },
})
export interface EnvVar extends Infer<typeof EnvVar> {}

export const EnvVarSource = schema('core/v1.EnvVarSource', {
  optional: {
    fieldRef: ref<ObjectFieldSelector>(1, 'core/v1.ObjectFieldSelector'),
    resourceFieldRef: ref<ResourceFieldSelector>(2, 'core/v1.ResourceFieldSelector'),
    configMapKeyRef: ref<ConfigMapKeySelector>(3, 'core/v1.ConfigMapKeySelector'),
    secretKeyRef: ref<SecretKeySelector>(4, 'core/v1.SecretKeySelector'),
    fileKeyRef: ref<FileKeySelector>(5, 'core/v1.FileKeySelector'),
  },
})
export interface EnvVarSource extends Infer<typeof EnvVarSource> {}

export const ConfigMapKeySelector = schema('core/v1.ConfigMapKeySelector', {
  required: {
    key: string(2),
  },
  optional: {
    name: string('1.1', { default: '' }),
    optional: bool(3, { keepZero: true }),
  },
  atomic: true,
})
export interface ConfigMapKeySelector extends Infer<typeof ConfigMapKeySelector> {}

export const ObjectFieldSelector = schema('core/v1.ObjectFieldSelector', {
  required: {
    fieldPath: string(2),
  },
  optional: {
    apiVersion: string(1, { default: 'v1' }),
  },
  atomic: true,
})
export interface ObjectFieldSelector extends Infer<typeof ObjectFieldSelector> {}

export const FileKeySelector = schema('core/v1.FileKeySelector', {
  required: {
    volumeName: string(1),
    path: string(2),
    key: string(3),
  },
  optional: {
    optional: bool(4, { default: false, keepZero: true }),
  },
  atomic: true,
})
export interface FileKeySelector extends Infer<typeof FileKeySelector> {}

export const ResourceFieldSelector = schema('core/v1.ResourceFieldSelector', {
  required: {
    resource: string(2),
  },
  optional: {
    containerName: string(1),
    divisor: quantity(3, { always: true }),
  },
  atomic: true,
})
export interface ResourceFieldSelector extends Infer<typeof ResourceFieldSelector> {}

export const SecretKeySelector = schema('core/v1.SecretKeySelector', {
  required: {
    key: string(2),
  },
  optional: {
    name: string('1.1', { default: '' }),
    optional: bool(3, { keepZero: true }),
  },
  atomic: true,
})
export interface SecretKeySelector extends Infer<typeof SecretKeySelector> {}

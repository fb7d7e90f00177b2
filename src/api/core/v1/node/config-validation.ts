/** Where a kubelet once took its configuration from: gone, but still checked where it is written. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { configMapKey } from '../../../../schema/identifiers.js'
import { dnsLabel, dnsSubdomain, type Messages } from '../../../../schema/names.js'
import type { ConfigMapNodeConfigSource, NodeConfigSource } from './config-source.js'
import type { NodeConfigStatus } from './status.js'

/** The status names a revision of the config map, the spec must not. */
type Place = 'spec' | 'status'

export function* validateConfigSource(
  { configMap }: NodeConfigSource,
  path: FieldPath,
  place: Place,
): Iterable<field.FieldError> {
  if (configMap) yield* validateConfigMap(configMap, path.child('configMap'), place)
  else yield field.invalid(path, { ConfigMap: null }, 'exactly one reference subfield must be non-nil')
}

export function* validateConfigStatus(status: NodeConfigStatus, path: FieldPath): Iterable<field.FieldError> {
  for (const part of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status[part]
    if (source) yield* validateConfigSource(source, path.child(part), 'status')
  }
}

function* validateConfigMap(
  source: ConfigMapNodeConfigSource,
  path: FieldPath,
  place: Place,
): Iterable<field.FieldError> {
  for (const part of ['uid', 'resourceVersion'] as const) {
    if (place === 'spec' && source[part]) yield field.forbidden(path.child(part), `${part} must not be set in spec`)
    if (place === 'status' && !source[part]) yield field.required(path.child(part), `${part} must be set in status`)
  }
  yield* validateText(source.namespace, path, ['namespace', dnsLabel])
  yield* validateText(source.name, path, ['name', dnsSubdomain])
  yield* validateText(source.kubeletConfigKey, path, ['kubeletConfigKey', configMapKey])
}

function validateText(
  text: string,
  path: FieldPath,
  [part, rule]: readonly [part: string, rule: (text: string) => Messages],
): readonly field.FieldError[] {
  if (text === '') return [field.required(path.child(part), `${part} must be set`)]
  return field.invalidForEach(path.child(part), text, rule(text))
}

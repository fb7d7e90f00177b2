import * as nodeSelector from '../../api/core/v1/affinity/node-selector.js'
import * as affinity from '../../api/core/v1/affinity.js'
import * as podSpec from '../../api/core/v1/pod/spec.js'
import * as labelSelector from '../../api/meta/v1/label-selector.js'
import { declarationsIn } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import { Scheme } from '../../schema/scheme.js'
import * as args from './argument-declarations.js'
import * as declarations from './declarations.js'

export const configurationVersion = 'kubescheduler.config.k8s.io/v1'

/** What configurations are made of, and the few types of the API that they share. */
const scheme = new Scheme({
  declarations: declarationsIn([declarations, args, affinity, nodeSelector, podSpec, labelSelector]),
  groups: [],
})

/** Reads a value as one of the declared types: unknown fields are refused, and what is left out is filled in. Throws `DecodeError`. */
export function readAs<T>(kind: string, value: unknown): T {
  const type = scheme.type(`${configurationVersion}.${kind}`)
  const { object } = decodeValue(type, value ?? {}, 'Strict')
  setDefaults(type, object)
  return object as T
}

export function isDeclared(kind: string): boolean {
  return scheme.types.has(`${configurationVersion}.${kind}`)
}

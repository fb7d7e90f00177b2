import { Scheme, type SchemeOptions } from '../schema/scheme.js'
import { declarations } from './declarations.js'
import type { GateName } from './feature-gates.js'
import { groups } from './groups.js'

/** All kinds except those behind a feature gate. A server extends it with its custom resources. */
export const builtin = new Scheme({ declarations, groups })

/** The kinds of a server with some feature gates on. */
export function schemeWith(gates: ReadonlySet<GateName>, options: Pick<SchemeOptions, 'fastDecoding'> = {}): Scheme {
  if (gates.size === 0 && options.fastDecoding !== false) return builtin
  return new Scheme({ ...options, declarations, groups, gates })
}

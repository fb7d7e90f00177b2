import { Scheme } from '../schema/scheme.js'
import { declarations } from './declarations.js'
import type { GateName } from './feature-gates.js'
import { groups } from './groups.js'

/** All that Proa declares, without what stands behind a gate. Custom resources extend it, per server. */
export const builtin = new Scheme({ declarations, groups })

/** The same with what some features add. */
export function schemeWith(gates: ReadonlySet<GateName>): Scheme {
  return gates.size === 0 ? builtin : new Scheme({ declarations, groups, gates })
}

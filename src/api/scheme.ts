import { Scheme } from '../schema/scheme.js'
import { groups } from './groups.js'
import { declarations } from './index.js'

/** All that Proa declares. Custom resources extend it, per server. */
export const builtin = new Scheme({ declarations, groups })

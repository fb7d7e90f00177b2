import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const Patch = schema('meta/v1.Patch')
export interface Patch extends Infer<typeof Patch> {}

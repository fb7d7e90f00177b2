import { string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const Info = schema('version.Info', {
  required: {
    major: string(0),
    minor: string(0),
    gitVersion: string(0),
    gitCommit: string(0),
    gitTreeState: string(0),
    buildDate: string(0),
    goVersion: string(0),
    compiler: string(0),
    platform: string(0),
  },
  optional: {
    emulationMajor: string(0),
    emulationMinor: string(0),
    minCompatibilityMajor: string(0),
    minCompatibilityMinor: string(0),
  },
})
export interface Info extends Infer<typeof Info> {}

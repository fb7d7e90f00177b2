import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import { DeviceTaint } from '../v1/resource-slice.js'
import * as deviceTaintRule from '../v1beta2/device-taint-rule.js'

const version = 'resource/v1alpha3'

export const declarations = [
  ...derivedVersion(version, declarationsIn([deviceTaintRule])),
  ...derivedVersion(version, [DeviceTaint]),
]

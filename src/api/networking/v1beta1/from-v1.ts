import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import * as ipAddress from '../v1/ip-address.js'
import * as serviceCidr from '../v1/service-cidr.js'

export const declarations = derivedVersion('networking/v1beta1', declarationsIn([ipAddress, serviceCidr]))

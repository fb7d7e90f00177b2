import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import * as volumeAttributesClass from '../v1/volume-attributes-class.js'

export const declarations = derivedVersion('storage/v1beta1', declarationsIn([volumeAttributesClass]))

import { enumeration, type Values } from '../../../schema/fields.js'

export const Protocol = enumeration('core/v1.Protocol', ['TCP', 'UDP', 'SCTP'])
export type Protocol = Values<typeof Protocol>

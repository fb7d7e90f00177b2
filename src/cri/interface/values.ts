/** Small messages that other messages contain. */
import { bytesField, intField, messageField, stringField, timestampField, uintField } from './fields.js'
import { type InferMessage, message } from './message.js'

export const NamespaceMode = ['POD', 'CONTAINER', 'NODE', 'TARGET'] as const
export type NamespaceMode = (typeof NamespaceMode)[number]

export const Int64Value = message({
  value: intField(1),
})
export interface Int64Value extends InferMessage<typeof Int64Value> {}

export const KeyValue = message({
  key: stringField(1),
  value: bytesField(2),
})
export interface KeyValue extends InferMessage<typeof KeyValue> {}

export const UInt64Value = message({
  value: uintField(1),
})
export interface UInt64Value extends InferMessage<typeof UInt64Value> {}

export const FilesystemIdentifier = message({
  mountpoint: stringField(1),
})
export interface FilesystemIdentifier extends InferMessage<typeof FilesystemIdentifier> {}

export const FilesystemUsage = message({
  timestamp: timestampField(1),
  fsId: messageField<FilesystemIdentifier>(2, FilesystemIdentifier),
  usedBytes: messageField<UInt64Value>(3, UInt64Value),
  inodesUsed: messageField<UInt64Value>(4, UInt64Value),
})
export interface FilesystemUsage extends InferMessage<typeof FilesystemUsage> {}

/** Values that other messages hold. */
import { bytes, instant, integer, nested, text, unsigned } from './fields.js'
import { type Infer, message } from './message.js'

export const NamespaceMode = ['POD', 'CONTAINER', 'NODE', 'TARGET'] as const
export type NamespaceMode = (typeof NamespaceMode)[number]

export const Int64Value = message({
  value: integer(1),
})
export interface Int64Value extends Infer<typeof Int64Value> {}

export const KeyValue = message({
  key: text(1),
  value: bytes(2),
})
export interface KeyValue extends Infer<typeof KeyValue> {}

export const UInt64Value = message({
  value: unsigned(1),
})
export interface UInt64Value extends Infer<typeof UInt64Value> {}

export const FilesystemIdentifier = message({
  mountpoint: text(1),
})
export interface FilesystemIdentifier extends Infer<typeof FilesystemIdentifier> {}

export const FilesystemUsage = message({
  timestamp: instant(1),
  fsId: nested<FilesystemIdentifier>(2, FilesystemIdentifier),
  usedBytes: nested<UInt64Value>(3, UInt64Value),
  inodesUsed: nested<UInt64Value>(4, UInt64Value),
})
export interface FilesystemUsage extends Infer<typeof FilesystemUsage> {}

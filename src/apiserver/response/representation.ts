/** How an answer is to be written; `negotiation.ts` finds out, `writing.ts` does it. */
export interface Representation {
  readonly media: 'json' | 'yaml' | 'protobuf'
  /** Instead of protobuf, for objects that do not travel in it: what the client likes next. */
  readonly otherwise?: Representation
  readonly pretty: boolean
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Of the group `meta.k8s.io`, for all but `object`. */
  readonly version: 'v1' | 'v1beta1'
  /** What rows of a table carry. */
  readonly includeObject: 'None' | 'Metadata' | 'Object'
}

/** A node of a JSONPath template. */
export type JsonPathNode =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'range'; readonly path: Path; readonly body: readonly JsonPathNode[] }

/** Steps from the current object or from the root. */
export interface Path {
  readonly fromRoot: boolean
  readonly steps: readonly JsonPathStep[]
}

export type JsonPathStep =
  | { readonly is: 'field'; readonly name: string }
  | { readonly is: 'all' }
  | { readonly is: 'deep' }
  | {
      readonly is: 'slice'
      readonly from?: number | undefined
      readonly to?: number | undefined
      readonly by?: number | undefined
    }
  | { readonly is: 'index'; readonly index: number }
  | { readonly is: 'filter'; readonly filter: Filter }
  | { readonly is: 'union'; readonly paths: readonly Path[] }

export interface Filter {
  readonly left: JsonPathOperand
  /** `exists`, or a comparison. */
  readonly operator: 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>='
  readonly right?: JsonPathOperand
}

export type JsonPathOperand = { readonly literal: string | number | boolean } | { readonly path: Path }

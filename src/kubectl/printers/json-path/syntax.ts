/** One piece of a template. */
export type Node =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'path'; readonly path: Path }
  | { readonly is: 'range'; readonly path: Path; readonly body: readonly Node[] }

/** Steps from the object at hand, or from the root. */
export interface Path {
  readonly fromRoot: boolean
  readonly steps: readonly Step[]
}

export type Step =
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
  readonly left: Operand
  /** `exists`, or a comparison. */
  readonly operator: 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>='
  readonly right?: Operand
}

export type Operand = { readonly literal: string | number | boolean } | { readonly path: Path }

/** A node of a Go template. */
export type TemplateNode =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'action'; readonly pipe: Pipe }
  | {
      readonly is: 'if' | 'with' | 'range'
      readonly pipe: Pipe
      readonly body: readonly TemplateNode[]
      readonly otherwise: readonly TemplateNode[]
    }
  | { readonly is: 'define'; readonly name: string; readonly body: readonly TemplateNode[] }
  | { readonly is: 'template'; readonly name: string; readonly pipe: Pipe | undefined }
  | { readonly is: 'break' | 'continue' }

/** Commands joined by `|`, optionally with variables for the result. */
export interface Pipe {
  readonly variables: readonly string[]
  /** True for `:=`, false for `=`. */
  readonly isDeclaration: boolean
  readonly commands: readonly TemplateCommand[]
}

/** An operand, or a function with its arguments. */
export type TemplateCommand = readonly TemplateOperand[]

export type TemplateOperand =
  | { readonly is: 'literal'; readonly value: string | number | boolean | null }
  | { readonly is: 'dot' }
  | { readonly is: 'variable'; readonly name: string; readonly fields: readonly string[] }
  | { readonly is: 'field'; readonly fields: readonly string[] }
  | { readonly is: 'function'; readonly name: string }
  | { readonly is: 'pipe'; readonly pipe: Pipe; readonly fields: readonly string[] }

import { goSyntax } from '../json-path/go-syntax.js'
import { TemplateRun } from './evaluate.js'
import { parseGoTemplate } from './parse.js'

/** The printer of `-o go-template`. */
export function templatePrinter(template: string, { allowMissingKeys }: { readonly allowMissingKeys: boolean }) {
  const nodes = parsed(template)
  const run = new TemplateRun(nodes, !allowMissingKeys)
  return (value: unknown): string => {
    try {
      return run.write(nodes, value)
    } catch (error) {
      throw new Error(explained(template, value, error as Error), { cause: error })
    }
  }
}

function parsed(template: string) {
  try {
    return parseGoTemplate(template)
  } catch (error) {
    throw new Error(`error parsing template ${template}, template: output:1: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function explained(template: string, value: unknown, { message }: Error): string {
  return `error executing template ${JSON.stringify(template)}: template: output:1: ${message}. Printing more information for debugging the template:
\ttemplate was:
\t\t${template}
\traw data was:
\t\t${JSON.stringify(value)}
\tobject given to template engine was:
\t\t${goSyntax(value)}

`
}

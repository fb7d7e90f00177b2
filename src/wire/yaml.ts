import type { Document, Pair, ParsedNode } from 'yaml'

export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError'
}

export interface ParsedYaml {
  readonly value: unknown
  /** One for each key that came twice, in the words of the original. */
  readonly duplicates: readonly string[]
}

/** Few requests are YAML: the parser is loaded with the first one. */
async function library(): Promise<typeof import('yaml')> {
  return import('yaml')
}

/** Reads one YAML document, with the booleans and numbers of YAML 1.1 that Kubernetes manifests rely on. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const { LineCounter, parseDocument, visit } = await library()
  const lines = new LineCounter()
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false, merge: true, lineCounter: lines })
  const [error] = document.errors
  if (error) throw new YamlSyntaxError(errorText(error.code, lines.linePos(error.pos[0]).line, error.message))
  const duplicates: string[] = []
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>()
      for (const pair of map.items as Pair<ParsedNode, ParsedNode>[]) {
        const key = String(pair.key)
        if (seen.has(key))
          duplicates.push(
            `line ${lines.linePos(pair.key.range[0]).line}: key ${JSON.stringify(key)} already set in map`,
          )
        seen.add(key)
      }
    },
  })
  return { value: plain(document), duplicates }
}

function plain(document: Document.Parsed): unknown {
  return document.toJS({ maxAliasCount: 100 })
}

/** The commonest mistakes in the words that people search for. */
function errorText(code: string, line: number, message: string): string {
  const words: Readonly<Record<string, string>> = {
    BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
    MULTILINE_IMPLICIT_KEY: 'mapping values are not allowed in this context',
    BAD_INDENT: 'did not find expected key',
    TAB_AS_INDENT: 'found character that cannot start any token',
    UNEXPECTED_TOKEN: 'did not find expected node content',
    MISSING_CHAR: "did not find expected ',' or ']'",
  }
  return `yaml: line ${line}: ${words[code] ?? message.split('\n')[0]}`
}

/** Writes a JSON value as YAML, keys in order, as every client of Kubernetes prints it. */
export async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await library()
  return stringify(value, {
    sortMapEntries: true,
    lineWidth: 0,
    version: '1.1',
    indentSeq: false,
    aliasDuplicateObjects: false,
  })
}

import type { Document, LineCounter, Pair, ParsedNode, YAMLError } from 'yaml'

export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError'
}

export interface ParsedYaml {
  readonly value: unknown
  /** One message for each duplicate key, in upstream's words. */
  readonly duplicates: readonly string[]
}

/** Few requests are YAML: the parser is loaded with the first one. */
async function library(): Promise<typeof import('yaml')> {
  return import('yaml')
}

/**
 * The maximum depth of lists and maps. The library is recursive: at about two thousand levels the stack is full, which can end the process
 * (if a regular expression is being compiled at that moment).
 */
const maximumDepth = 500
const couldBeLevel = /[[{:?-]/g

/** Uses the tokenizer of the library, which is not recursive. */
function checkDepth({ Lexer, Parser }: typeof import('yaml'), text: string): void {
  if ((text.match(couldBeLevel)?.length ?? 0) <= maximumDepth) return
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > maximumDepth) throw new YamlSyntaxError(`yaml: exceeded max depth of ${maximumDepth}`)
  }
}

/** Parses one YAML document, with the booleans and numbers of YAML 1.1 that Kubernetes manifests rely on. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const yaml = await library()
  checkDepth(yaml, text)
  const { isCollection, LineCounter: Lines, parseDocument, visit } = yaml
  const lines = new Lines()
  const document = parseDocument(text, {
    version: '1.1',
    uniqueKeys: false,
    merge: true,
    lineCounter: lines,
    logLevel: 'error',
  })
  if (document.errors.length > 0) throw new YamlSyntaxError(errorText(document.errors, text, lines))
  const duplicates: string[] = []
  visit(document, {
    Alias(_, { source }, path) {
      if (path.some((node) => isCollection(node) && node.anchor === source))
        throw new YamlSyntaxError(`yaml: anchor '${source}' value contains itself`)
    },
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

/** Rejects documents with cyclic or excessive aliases as invalid. */
function plain(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    if (error instanceof ReferenceError) throw new YamlSyntaxError('yaml: document contains excessive aliasing')
    throw error
  }
}

/** The most frequent errors in upstream's words, which users search for. */
const wordings: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  MULTILINE_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  BAD_INDENT: 'did not find expected key',
  BAD_SCALAR_START: 'found character that cannot start any token',
  TAB_AS_INDENT: 'found character that cannot start any token',
  UNEXPECTED_TOKEN: 'did not find expected node content',
  MISSING_CHAR: 'found unexpected end of stream',
}

/** The library reports a multi-line key at its end. */
function errorText(errors: readonly YAMLError[], text: string, lines: LineCounter): string {
  const [first] = errors
  const { code, pos, message } = errors.find((error) => error.code === 'MULTILINE_IMPLICIT_KEY') ?? first!
  const { line } = lines.linePos(code === 'MULTILINE_IMPLICIT_KEY' ? pos[1] : pos[0])
  return `yaml: line ${line}: ${flowProblem(message, text) ?? wordings[code] ?? message.split('\n')[0]}`
}

/** Returns the message for a flow list or map without an end. */
function flowProblem(message: string, text: string): string | undefined {
  const isList = message.startsWith('Flow sequence')
  if (!isList && !message.startsWith('Flow map')) return undefined
  if (/[[{,]\s*$/.test(text)) return 'did not find expected node content'
  return `did not find expected ',' or '${isList ? ']' : '}'}'`
}

/** Formats a JSON value as YAML with sorted keys, as every Kubernetes client does. */
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

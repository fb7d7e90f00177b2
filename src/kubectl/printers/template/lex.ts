/** Text outside of `{{ }}`, or the tokens inside. */
export type Piece = { readonly text: string } | { readonly tokens: readonly string[] }

const token =
  /\s+|"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)+'|:=|[-+]?(?:0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)|\$?[\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+|\$[\p{L}\p{N}_]*|[\p{L}_][\p{L}\p{N}_]*|[.|(),=]/uy

/** Splits a template. A dash next to the braces trims the space on its side. */
export function lex(template: string): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (;;) {
    const open = template.indexOf('{{', at)
    if (open === -1) {
      pieces.push({ text: template.slice(at) })
      return pieces
    }
    const trimsLeft = /^\{\{-\s/.test(template.slice(open, open + 4))
    const text = template.slice(at, open)
    pieces.push({ text: trimsLeft ? text.trimEnd() : text })
    const { piece, end } = action(template, open + (trimsLeft ? 3 : 2))
    if (piece) pieces.push(piece)
    at = end
  }
}

function action(template: string, start: number): { readonly piece: Piece | undefined; readonly end: number } {
  const comment = /^\s*\/\*[\s\S]*?\*\/\s*(-?)\}\}/.exec(template.slice(start))
  if (comment) return { piece: undefined, end: skipped(template, start + comment[0].length, comment[1] === '-') }
  const tokens: string[] = []
  for (let at = start; ; ) {
    const close = /^\s*(\s-)?\}\}/.exec(template.slice(at))
    if (close) return { piece: { tokens }, end: skipped(template, at + close[0].length, close[1] !== undefined) }
    token.lastIndex = at
    const [found] = token.exec(template) ?? []
    if (found === undefined)
      throw new Error(
        at >= template.length ? 'unclosed action' : `unexpected ${JSON.stringify(template[at])} in operand`,
      )
    tokens.push(found.trim() === '' ? ' ' : found)
    at += found.length
  }
}

function skipped(template: string, at: number, trims: boolean): number {
  if (!trims) return at
  let end = at
  while (/\s/.test(template[end] ?? '')) end++
  return end
}

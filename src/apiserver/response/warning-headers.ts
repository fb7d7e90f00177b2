/** Beyond this total, each warning is cut to `maxPerWarning`. In characters. */
const maxTotal = 4096
const maxPerWarning = 256

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
const control = /[\x00-\x1f\x7f-\x9f]/

/**
 * Returns the values of the `Warning` headers, in order. Plugins and webhooks may add any number of warnings: long ones are cut, and those
 * beyond the total are dropped, as are warnings with characters that a header cannot contain.
 */
export function warningHeaders(warnings: Iterable<string>): readonly string[] {
  const texts = [...warnings].filter((text) => text !== '' && !control.test(text))
  const beyond = firstBeyond(texts)
  return (beyond === undefined ? texts : shortened(texts, beyond)).map(header)
}

/** Returns the index of the first warning beyond the total. */
function firstBeyond(texts: readonly string[]): number | undefined {
  let total = 0
  for (const [index, text] of texts.entries()) {
    total += [...text].length
    if (total > maxTotal) return index
  }
  return undefined
}

/** Cuts each warning. Keeps all up to `beyond`, and then as many as fit into the total. */
function shortened(texts: readonly string[], beyond: number): readonly string[] {
  const cut: string[] = []
  let total = 0
  for (const [index, text] of texts.entries()) {
    if (index > beyond && total >= maxTotal) break
    const characters = [...text].slice(0, maxPerWarning)
    total += characters.length
    cut.push(characters.join(''))
  }
  return cut
}

function header(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`
}

/** How many characters of warnings a client is sent before they are cut, and to how many each of them is cut then. */
const mostCharacters = 4096
const mostOfEach = 256

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const control = /[\x00-\x1f\x7f-\x9f]/

/**
 * The values of the headers that tell warnings, in their order. Plugins and webhooks may warn of as much as they like: too much of
 * it is cut, and what comes after enough has been said is left out. What would break a header is left out altogether.
 */
export function warningHeaders(warnings: Iterable<string>): readonly string[] {
  const texts = [...warnings].filter((text) => text !== '' && !control.test(text))
  const beyond = firstBeyond(texts)
  return (beyond === undefined ? texts : shortened(texts, beyond)).map(header)
}

/** At which of them it becomes too much. */
function firstBeyond(texts: readonly string[]): number | undefined {
  let total = 0
  for (const [index, text] of texts.entries()) {
    total += [...text].length
    if (total > mostCharacters) return index
  }
  return undefined
}

/** Those up to where it became too much are all told, in short; of the rest, as many as there is still room for. */
function shortened(texts: readonly string[], beyond: number): readonly string[] {
  const told: string[] = []
  let total = 0
  for (const [index, text] of texts.entries()) {
    if (index > beyond && total >= mostCharacters) break
    const characters = [...text].slice(0, mostOfEach)
    total += characters.length
    told.push(characters.join(''))
  }
  return told
}

function header(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`
}
